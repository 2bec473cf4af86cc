/*
 * Buf: bytes that grow at the end.
 *
 * Appending never reports failure on the spot: when memory runs out the buffer remembers it and
 * ignores everything after, and buf_failed tells.  Callers append freely and ask once.
 */
#ifndef STRATA_BASE_BUF_H
#define STRATA_BASE_BUF_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/bytes.h"

struct buf {
    uint8_t *data;
    size_t len;
    size_t capacity;
    bool failed; /* an append was lost; the content cannot be used */
};

/* {0} is an empty buffer. */
void buf_init(struct buf *buf);
/* Free the memory; BUF is as after buf_init. */
void buf_clear(struct buf *buf);
/* Make it empty and forget a failure; the memory is kept. */
void buf_reset(struct buf *buf);
bool buf_failed(const struct buf *buf);

/* Make room for N more bytes and return where they go (not yet counted); NULL when memory is out.
 */
uint8_t *buf_reserve(struct buf *buf, size_t n);
void buf_append(struct buf *buf, const void *data, size_t n);
void buf_append_bytes(struct buf *buf, struct bytes b);
void buf_append_text(struct buf *buf, const char *text);
void buf_append_byte(struct buf *buf, uint8_t byte);
void buf_printf(struct buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buf_append_decimal(struct buf *buf, uint64_t value);
/* An unsigned number in base 128, low digits first, high bit meaning "more" (at most 10 bytes). */
void buf_append_varint(struct buf *buf, uint64_t value);
/* Numbers of fixed width: big-endian where bytewise order must be numeric order. */
void buf_append_be32(struct buf *buf, uint32_t value);
void buf_append_be64(struct buf *buf, uint64_t value);

/* The content, borrowed until the next change. */
static inline struct bytes
buf_bytes(const struct buf *buf)
{
    return (struct bytes){buf->data, buf->len};
}

/* A reader over untrusted encoded bytes: every take is bounded, the first short one makes it fail
 * and every take after gives zero.  All of it is inline, so that one in a local variable lives in
 * registers while many numbers are taken; one call that is not, however rare, would keep it in
 * memory all the time, and that took a fifth of decoding.  So must be what a decoder wraps around.
 */
#define CUT_INLINE static inline __attribute__((always_inline))

struct cut {
    const uint8_t *at;
    const uint8_t *end; /* at stands there after a failure */
    bool failed;
};

CUT_INLINE struct cut
cut_init(struct bytes b)
{
    return (struct cut){b.data, b.data ? b.data + b.len : NULL, false};
}

CUT_INLINE size_t
cut_left(const struct cut *cut)
{
    return (size_t)(cut->end - cut->at);
}

CUT_INLINE void
cut_fail(struct cut *cut)
{
    cut->at = cut->end;
    cut->failed = true;
}

CUT_INLINE uint8_t
cut_byte(struct cut *cut)
{
    if (cut->at != cut->end)
        return *cut->at++;
    cut_fail(cut);
    return 0;
}

/* N bytes, borrowed from what is being read; {NULL, 0} on failure. */
CUT_INLINE struct bytes
cut_take(struct cut *cut, size_t n)
{
    if (cut->failed || cut_left(cut) < n) {
        cut_fail(cut);
        return (struct bytes){NULL, 0};
    }
    struct bytes taken = {cut->at, n};
    cut->at += n;
    return taken;
}

/* N bytes, at most 8, when they and 8 in all are there and each of them is below 0x80, so that they
 * are N varints; NULL, and nothing taken, when not.  Several numbers for one look. */
CUT_INLINE const uint8_t *
cut_short_varints(struct cut *cut, size_t n)
{
    static const uint8_t high_bits[16] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80};
    uint64_t bytes, mask;
    if (cut_left(cut) < sizeof(bytes))
        return NULL;
    memcpy(&bytes, cut->at, sizeof(bytes));
    memcpy(&mask, high_bits + 8 - n, sizeof(mask));
    if (bytes & mask)
        return NULL;
    cut->at += n;
    return cut->at - n;
}

CUT_INLINE uint32_t
cut_be32(struct cut *cut)
{
    struct bytes b = cut_take(cut, 4);
    if (!b.data)
        return 0;
    return (uint32_t)b.data[0] << 24 | (uint32_t)b.data[1] << 16 | (uint32_t)b.data[2] << 8 |
           b.data[3];
}

CUT_INLINE uint64_t
cut_be64(struct cut *cut)
{
    uint64_t high = cut_be32(cut);
    return high << 32 | cut_be32(cut);
}

/* How many bytes the varint between AT and END takes, whose value is *OUT; 0 when there is none. */
size_t varint_read(const uint8_t *at, const uint8_t *end, uint64_t *out);

/* A varint.  Nearly all are one byte, which costs two comparisons. */
CUT_INLINE uint64_t
cut_varint(struct cut *cut)
{
    uint64_t value;
    if (cut->at != cut->end && *cut->at < 0x80)
        return *cut->at++;
    size_t n = varint_read(cut->at, cut->end, &value);
    if (n == 0) {
        cut_fail(cut);
        return 0;
    }
    cut->at += n;
    return value;
}

/* A varint that takes one byte as often as more, so that no branch could foresee how many. */
CUT_INLINE uint64_t
cut_varint_of_any_length(struct cut *cut)
{
    uint64_t word;
    if (cut_left(cut) < sizeof(word))
        return cut_varint(cut);
    memcpy(&word, cut->at, sizeof(word));
    word = le64toh(word);
    uint64_t last = ~word & UINT64_C(0x8080808080808080);
    if (last == 0)
        return cut_varint(cut);
    last &= -last; /* the high bit of the last byte */
    cut->at += (unsigned)__builtin_ctzll(last) / 8 + 1;
    word &= (last - 1) & UINT64_C(0x7f7f7f7f7f7f7f7f);
    word = (word & UINT64_C(0x007f007f007f007f)) | (word & UINT64_C(0x7f007f007f007f00)) >> 1;
    word = (word & UINT64_C(0x00003fff00003fff)) | (word & UINT64_C(0x3fff00003fff0000)) >> 2;
    return (word & UINT64_C(0x000000000fffffff)) | (word & UINT64_C(0x0fffffff00000000)) >> 4;
}

/* A varint that must not pass MAX; fails when it does. */
CUT_INLINE uint64_t
cut_varint_max(struct cut *cut, uint64_t max)
{
    uint64_t value = cut_varint(cut);
    if (value <= max)
        return value;
    cut_fail(cut);
    return 0;
}

/* Did everything fit and is nothing left? */
CUT_INLINE bool
cut_done(const struct cut *cut)
{
    return !cut->failed && cut->at == cut->end;
}

#endif
