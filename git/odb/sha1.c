/* After FIPS 180-4, section 6.1.  Used when objects are verified and for files that are too large
 * to be analysed, so it is plain rather than fast. */
#include "git/odb/sha1.h"

#include <string.h>

enum { BLOCK = SHA1_BLOCK_BYTES, N_ROUNDS = 80, LENGTH_BYTES = 8 };

static inline uint32_t
rotate(uint32_t x, unsigned n)
{
    return x << n | x >> (32 - n);
}

static void
spread(const uint8_t *block, uint32_t w[N_ROUNDS])
{
    for (size_t t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
               (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
    for (size_t t = 16; t < N_ROUNDS; t++)
        w[t] = rotate(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
}

static void
add_block(uint32_t h[5], const uint8_t *block)
{
    uint32_t w[N_ROUNDS];
    uint32_t a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
    spread(block, w);
    for (size_t t = 0; t < N_ROUNDS; t++) {
        uint32_t f = t < 20   ? (b & c) ^ (~b & d)
                     : t < 40 ? b ^ c ^ d
                     : t < 60 ? (b & c) ^ (b & d) ^ (c & d)
                              : b ^ c ^ d;
        static const uint32_t k[] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
        uint32_t next = rotate(a, 5) + f + e + k[t / 20] + w[t];
        e = d;
        d = c;
        c = rotate(b, 30);
        b = a;
        a = next;
    }
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
    h[4] += e;
}

void
sha1_add(struct sha1 *state, struct bytes b)
{
    state->n_bytes += b.len;
    while (b.len > 0) {
        if (state->n_block == 0 && b.len >= BLOCK) {
            add_block(state->h, b.data);
            b = bytes_slice(b, BLOCK, b.len);
            continue;
        }
        size_t n = BLOCK - state->n_block < b.len ? BLOCK - state->n_block : b.len;
        memcpy(state->block + state->n_block, b.data, n);
        state->n_block += n;
        b = bytes_slice(b, n, b.len);
        if (state->n_block == BLOCK) {
            add_block(state->h, state->block);
            state->n_block = 0;
        }
    }
}

void
sha1_begin(struct sha1 *state)
{
    *state = (struct sha1){.h = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0}};
}

void
sha1_end(struct sha1 *state, uint8_t out[OID_SHA1_BYTES])
{
    static const uint8_t padding[BLOCK] = {0x80};
    uint8_t length[LENGTH_BYTES];
    uint64_t n_bits = state->n_bytes * 8;
    size_t room = BLOCK - LENGTH_BYTES;
    size_t n = state->n_block < room ? room - state->n_block : BLOCK + room - state->n_block;
    sha1_add(state, (struct bytes){padding, n});
    for (size_t i = 0; i < LENGTH_BYTES; i++)
        length[i] = (uint8_t)(n_bits >> (56 - 8 * i));
    sha1_add(state, (struct bytes){length, LENGTH_BYTES});
    for (size_t i = 0; i < OID_SHA1_BYTES; i++)
        out[i] = (uint8_t)(state->h[i / 4] >> (24 - 8 * (i % 4)));
}

void
sha1_of(struct bytes head, struct bytes body, uint8_t out[OID_SHA1_BYTES])
{
    struct sha1 state;
    sha1_begin(&state);
    sha1_add(&state, head);
    sha1_add(&state, body);
    sha1_end(&state, out);
}
