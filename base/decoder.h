/*
 * Decoder: numbers and bytes taken from untrusted encoded bytes.
 *
 * Every take is bounded.  The first one that does not fit makes the decoder fail, and every take
 * after that gives zero, so callers take freely and ask once, with decoder_done or `failed`.
 *
 * All of it is inline, so that a decoder in a local variable lives in registers while many numbers
 * are taken.  One call that takes its address and is not inline, however rare, keeps it in memory
 * all the time; that made decoding a fifth slower.  The same holds for functions that wrap these.
 */
#ifndef STRATA_BASE_DECODER_H
#define STRATA_BASE_DECODER_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/bytes.h"

#define DECODER_INLINE static inline __attribute__((always_inline))

struct decoder {
    const uint8_t *at;
    const uint8_t *end; /* one past the last byte; after a failure, at equals it */
    bool failed;
};

/* A decoder at the first byte of B, which is borrowed. */
DECODER_INLINE struct decoder
decoder_init(struct bytes b)
{
    return (struct decoder){b.data, b.data ? b.data + b.len : NULL, false};
}

/* How many bytes have not been taken. */
DECODER_INLINE size_t
decoder_left(const struct decoder *decoder)
{
    return (size_t)(decoder->end - decoder->at);
}

/* Make DECODER fail: nothing is left, and every take gives zero. */
DECODER_INLINE void
decoder_fail(struct decoder *decoder)
{
    decoder->at = decoder->end;
    decoder->failed = true;
}

/* One byte; 0 on failure. */
DECODER_INLINE uint8_t
decoder_byte(struct decoder *decoder)
{
    if (decoder->at != decoder->end)
        return *decoder->at++;
    decoder_fail(decoder);
    return 0;
}

/* N bytes, borrowed from what is being read; {NULL, 0} on failure. */
DECODER_INLINE struct bytes
decoder_take(struct decoder *decoder, size_t n)
{
    if (decoder->failed || decoder_left(decoder) < n) {
        decoder_fail(decoder);
        return (struct bytes){NULL, 0};
    }
    struct bytes taken = {decoder->at, n};
    decoder->at += n;
    return taken;
}

/* Take N (at most 8) varints of one byte each, with one check for all: the N bytes, or NULL with
 * nothing taken when one of them is 0x80 or more, or fewer than 8 bytes are left. */
DECODER_INLINE const uint8_t *
decoder_short_varints(struct decoder *decoder, size_t n)
{
    static const uint8_t high_bits[16] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80};
    uint64_t bytes, mask;
    if (decoder_left(decoder) < sizeof(bytes))
        return NULL;
    memcpy(&bytes, decoder->at, sizeof(bytes));
    memcpy(&mask, high_bits + 8 - n, sizeof(mask));
    if (bytes & mask)
        return NULL;
    decoder->at += n;
    return decoder->at - n;
}

/* Four bytes, or eight below, as a big-endian number; 0 on failure. */
DECODER_INLINE uint32_t
decoder_be32(struct decoder *decoder)
{
    struct bytes b = decoder_take(decoder, 4);
    if (!b.data)
        return 0;
    return (uint32_t)b.data[0] << 24 | (uint32_t)b.data[1] << 16 | (uint32_t)b.data[2] << 8 |
           b.data[3];
}

DECODER_INLINE uint64_t
decoder_be64(struct decoder *decoder)
{
    uint64_t high = decoder_be32(decoder);
    return high << 32 | decoder_be32(decoder);
}

/* Read the varint at AT, which must end before END, into *OUT.  How many bytes it takes; 0 when it
 * is cut off or larger than 64 bits. */
size_t varint_read(const uint8_t *at, const uint8_t *end, uint64_t *out);

/* A varint.  Nearly all are one byte, which costs two comparisons. */
DECODER_INLINE uint64_t
decoder_varint(struct decoder *decoder)
{
    uint64_t value;
    if (decoder->at != decoder->end && *decoder->at < 0x80)
        return *decoder->at++;
    size_t n = varint_read(decoder->at, decoder->end, &value);
    if (n == 0) {
        decoder_fail(decoder);
        return 0;
    }
    decoder->at += n;
    return value;
}

/* A varint whose length is hard to predict: it is found without a branch, from 8 bytes at once. */
DECODER_INLINE uint64_t
decoder_varint_of_any_length(struct decoder *decoder)
{
    uint64_t word;
    if (decoder_left(decoder) < sizeof(word))
        return decoder_varint(decoder);
    memcpy(&word, decoder->at, sizeof(word));
    word = le64toh(word);
    uint64_t last = ~word & UINT64_C(0x8080808080808080);
    if (last == 0)
        return decoder_varint(decoder);
    last &= -last; /* the high bit of the last byte */
    decoder->at += (unsigned)__builtin_ctzll(last) / 8 + 1;
    word &= (last - 1) & UINT64_C(0x7f7f7f7f7f7f7f7f);
    word = (word & UINT64_C(0x007f007f007f007f)) | (word & UINT64_C(0x7f007f007f007f00)) >> 1;
    word = (word & UINT64_C(0x00003fff00003fff)) | (word & UINT64_C(0x3fff00003fff0000)) >> 2;
    return (word & UINT64_C(0x000000000fffffff)) | (word & UINT64_C(0x0fffffff00000000)) >> 4;
}

/* A varint that must not pass MAX; fails when it does. */
DECODER_INLINE uint64_t
decoder_varint_max(struct decoder *decoder, uint64_t max)
{
    uint64_t value = decoder_varint(decoder);
    if (value <= max)
        return value;
    decoder_fail(decoder);
    return 0;
}

/* Did every take succeed, and are all bytes taken? */
DECODER_INLINE bool
decoder_done(const struct decoder *decoder)
{
    return !decoder->failed && decoder->at == decoder->end;
}

#endif
