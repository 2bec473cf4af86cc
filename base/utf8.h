/*
 * UTF-8: checked, decoded and encoded in one place.
 *
 * Well-formed is what table 3-7 of the Unicode standard allows: no overlong forms, no surrogates,
 * nothing above U+10FFFF.
 */
#ifndef STRATA_BASE_UTF8_H
#define STRATA_BASE_UTF8_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/bytes.h"

/* Bytes of the well-formed character that starts at AT (1 to 4), or 0 when none does. */
size_t utf8_length(struct bytes text, size_t at);
/* The code point of the well-formed character of LEN bytes (1 to 4, from utf8_length) at AT. */
static inline uint32_t
utf8_decode(const uint8_t *at, size_t len)
{
    assert(len >= 1 && len <= 4);
    switch (len) {
    case 1:
        return at[0];
    case 2:
        return (at[0] & 0x1fu) << 6 | (at[1] & 0x3fu);
    case 3:
        return (at[0] & 0x0fu) << 12 | (at[1] & 0x3fu) << 6 | (at[2] & 0x3fu);
    default:
        return (at[0] & 0x07u) << 18 | (at[1] & 0x3fu) << 12 | (at[2] & 0x3fu) << 6 |
               (at[3] & 0x3fu);
    }
}

/* Write CODE_POINT, at most U+10FFFF, to OUT; returns how many bytes that takes. */
size_t utf8_encode(uint32_t code_point, uint8_t out[4]);
/* How many characters start between the bytes FROM and TO of TEXT: bytes that do not continue one.
 */
size_t utf8_count(struct bytes text, size_t from, size_t to);
/* Is all of TEXT well formed? */
bool utf8_valid(struct bytes text);
/* Append TEXT to OUT as UTF-8 without NULs: what is neither becomes U+FFFD. */
void utf8_append_clean(struct buf *out, struct bytes text);

#endif
