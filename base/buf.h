/*
 * Buf: bytes that grow at the end.
 *
 * Appending never reports failure on the spot: when memory runs out the buffer remembers it and
 * ignores everything after, and buf_failed tells.  Callers append freely and ask once.
 */
#ifndef STRATA_BASE_BUF_H
#define STRATA_BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* Make room for N more bytes and return where they go (not yet counted); NULL when memory is out. */
uint8_t *buf_reserve(struct buf *buf, size_t n);
void buf_append(struct buf *buf, const void *data, size_t n);
void buf_append_bytes(struct buf *buf, struct bytes b);
void buf_append_text(struct buf *buf, const char *text);
void buf_append_byte(struct buf *buf, uint8_t byte);
void buf_printf(struct buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
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
 * and every take after gives zero. */
struct cut {
    const uint8_t *at;
    const uint8_t *end;
    bool failed;
};

static inline struct cut
cut_init(struct bytes b)
{
    return (struct cut){b.data, b.data ? b.data + b.len : NULL, false};
}

uint64_t cut_long_varint(struct cut *cut); /* of any length; callers want cut_varint */
/* A varint.  Nearly all are one byte, which costs a comparison. */
static inline uint64_t
cut_varint(struct cut *cut)
{
    if (cut->at != cut->end && *cut->at < 0x80 && !cut->failed)
        return *cut->at++;
    return cut_long_varint(cut);
}
/* A varint that must not pass MAX; fails when it does. */
static inline uint64_t
cut_varint_max(struct cut *cut, uint64_t max)
{
    uint64_t value = cut_varint(cut);
    if (value <= max)
        return value;
    cut->failed = true;
    return 0;
}
uint8_t cut_byte(struct cut *cut);
uint32_t cut_be32(struct cut *cut);
uint64_t cut_be64(struct cut *cut);
/* N bytes, borrowed from what is being read; {NULL, 0} on failure. */
struct bytes cut_take(struct cut *cut, size_t n);
/* Did everything fit and is nothing left? */
bool cut_done(const struct cut *cut);
static inline size_t
cut_left(const struct cut *cut)
{
    return cut->failed ? 0 : (size_t)(cut->end - cut->at);
}

#endif
