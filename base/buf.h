/*
 * Buf: bytes that grow at the end.
 *
 * Appending never reports failure on the spot: when memory runs out the buffer remembers it and
 * ignores everything after.  Callers append freely and ask buf_failed once, at the end.
 */
#ifndef STRATA_BASE_BUF_H
#define STRATA_BASE_BUF_H

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

/* Make BUF empty, without memory; {0} is such a buffer too. */
void buf_init(struct buf *buf);
/* Free the memory; BUF is as after buf_init. */
void buf_clear(struct buf *buf);
/* Make it empty and forget a failure; the memory is kept. */
void buf_reset(struct buf *buf);
/* Was an append lost because memory ran out?  Then the content cannot be used. */
bool buf_failed(const struct buf *buf);

/* Make room for N more bytes and return where they go (not yet counted); NULL when memory is out.
 */
uint8_t *buf_reserve(struct buf *buf, size_t n);
/* Append N bytes, the bytes B, TEXT up to its NUL, one byte. */
void buf_append(struct buf *buf, const void *data, size_t n);
void buf_append_bytes(struct buf *buf, struct bytes b);
void buf_append_text(struct buf *buf, const char *text);
void buf_append_byte(struct buf *buf, uint8_t byte);
/* Append formatted text, or VALUE in decimal. */
void buf_printf(struct buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buf_append_decimal(struct buf *buf, uint64_t value);
/* Append an unsigned number in base 128, low digits first, high bit meaning "more" (at most 10
 * bytes). */
void buf_append_varint(struct buf *buf, uint64_t value);
/* Append VALUE as 4 or 8 bytes, big-endian, so that bytewise order is numeric order. */
void buf_append_be32(struct buf *buf, uint32_t value);
void buf_append_be64(struct buf *buf, uint64_t value);

/* The content, borrowed until the next change. */
static inline struct bytes
buf_bytes(const struct buf *buf)
{
    return (struct bytes){buf->data, buf->len};
}

#endif
