/* See buf.h.  Capacity doubles, so appending is amortised constant time. */
#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void
buf_init(struct buf *buf)
{
    *buf = (struct buf){0};
}

void
buf_clear(struct buf *buf)
{
    free(buf->data);
    buf_init(buf);
}

void
buf_reset(struct buf *buf)
{
    buf->len = 0;
    buf->failed = false;
}

bool
buf_failed(const struct buf *buf)
{
    return buf->failed;
}

uint8_t *
buf_reserve(struct buf *buf, size_t n)
{
    size_t need;
    if (buf->failed || __builtin_add_overflow(buf->len, n, &need)) {
        buf->failed = true;
        return NULL;
    }
    if (need > buf->capacity) {
        size_t capacity = buf->capacity ? buf->capacity : 256;
        while (capacity < need)
            capacity = capacity > SIZE_MAX / 2 ? need : capacity * 2;
        uint8_t *data = realloc(buf->data, capacity);
        if (!data) {
            buf->failed = true;
            return NULL;
        }
        buf->data = data;
        buf->capacity = capacity;
    }
    return buf->data ? buf->data + buf->len : NULL;
}

void
buf_append(struct buf *buf, const void *data, size_t n)
{
    if (n == 0)
        return;
    uint8_t *to = buf_reserve(buf, n);
    if (!to)
        return;
    memcpy(to, data, n);
    buf->len += n;
}

void
buf_append_bytes(struct buf *buf, struct bytes b)
{
    buf_append(buf, b.data, b.len);
}

void
buf_append_text(struct buf *buf, const char *text)
{
    buf_append(buf, text, strlen(text));
}

void
buf_append_byte(struct buf *buf, uint8_t byte)
{
    buf_append(buf, &byte, 1);
}

void
buf_printf(struct buf *buf, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (n < 0) {
        buf->failed = true;
        return;
    }
    uint8_t *to = buf_reserve(buf, (size_t)n + 1);
    if (!to)
        return;
    va_start(args, format);
    vsnprintf((char *)to, (size_t)n + 1, format, args);
    va_end(args);
    buf->len += (size_t)n;
}

void
buf_append_decimal(struct buf *buf, uint64_t value)
{
    char digits[20]; /* of UINT64_MAX */
    size_t at = sizeof(digits);
    do
        digits[--at] = (char)('0' + value % 10);
    while ((value /= 10) > 0);
    buf_append(buf, digits + at, sizeof(digits) - at);
}

void
buf_append_varint(struct buf *buf, uint64_t value)
{
    uint8_t digits[10];
    size_t n = 0;
    while (value >= 0x80) {
        digits[n++] = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    digits[n++] = (uint8_t)value;
    buf_append(buf, digits, n);
}

void
buf_append_be32(struct buf *buf, uint32_t value)
{
    uint8_t digits[4];
    for (int i = 0; i < 4; i++)
        digits[i] = (uint8_t)(value >> (24 - 8 * i));
    buf_append(buf, digits, sizeof(digits));
}

void
buf_append_be64(struct buf *buf, uint64_t value)
{
    buf_append_be32(buf, (uint32_t)(value >> 32));
    buf_append_be32(buf, (uint32_t)value);
}
