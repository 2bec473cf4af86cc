/*
 * Bytes with a length.
 *
 * What comes out of a repository holds NULs and need not be UTF-8, so it travels as a pointer and
 * a length and is never measured with strlen.  A struct bytes owns nothing.
 */
#ifndef STRATA_BASE_BYTES_H
#define STRATA_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct bytes {
    const uint8_t *data; /* may be NULL when len is 0 */
    size_t len;
};

/* The bytes of a string literal, without its NUL. */
#define BYTES(literal) ((struct bytes){(const uint8_t *)("" literal), sizeof(literal) - 1})

/* For printf: "%.*s", BYTES_ARG(b).  Stops at a NUL, as printf does. */
#define BYTES_ARG(b) (int)((b).len > 4096 ? 4096 : (b).len), (const char *)(b).data

/* The bytes of TEXT, without its NUL; borrowed until TEXT goes. */
static inline struct bytes
bytes_of_text(const char *text)
{
    return (struct bytes){(const uint8_t *)text, strlen(text)};
}

/* Are A and B the same bytes? */
static inline bool
bytes_equal(struct bytes a, struct bytes b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

/* Order of A and B as unsigned bytes, a prefix first: below, equal to, or above 0. */
static inline int
bytes_compare(struct bytes a, struct bytes b)
{
    size_t n = a.len < b.len ? a.len : b.len;
    int order = n ? memcmp(a.data, b.data, n) : 0;
    if (order != 0)
        return order;
    return a.len < b.len ? -1 : a.len > b.len;
}

/* Does B start with PREFIX, end with SUFFIX? */
static inline bool
bytes_starts_with(struct bytes b, struct bytes prefix)
{
    return b.len >= prefix.len && (prefix.len == 0 || memcmp(b.data, prefix.data, prefix.len) == 0);
}

static inline bool
bytes_ends_with(struct bytes b, struct bytes suffix)
{
    return b.len >= suffix.len &&
           (suffix.len == 0 || memcmp(b.data + b.len - suffix.len, suffix.data, suffix.len) == 0);
}

/* FROM up to, not including, TO; both must be within B. */
static inline struct bytes
bytes_slice(struct bytes b, size_t from, size_t to)
{
    return (struct bytes){b.data ? b.data + from : NULL, to - from};
}

/* The next line of *REST without its end; *REST moves past it.  False at the end of the text. */
static inline bool
bytes_take_line(struct bytes *rest, struct bytes *line)
{
    if (rest->len == 0)
        return false;
    const uint8_t *end = memchr(rest->data, '\n', rest->len);
    size_t n = end ? (size_t)(end - rest->data) : rest->len;
    *line = bytes_slice(*rest, 0, n);
    *rest = bytes_slice(*rest, end ? n + 1 : n, rest->len);
    return true;
}

/* Is there nothing in LINE but spaces, tabs and carriage returns? */
static inline bool
bytes_is_blank(struct bytes line)
{
    for (size_t i = 0; i < line.len; i++)
        if (!memchr(" \t\r", line.data[i], 3))
            return false;
    return true;
}

#endif
