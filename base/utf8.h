/*
 * UTF-8: well-formedness as the Unicode standard's table 3-7 has it (no overlong forms, no
 * surrogates, nothing above U+10FFFF).
 */
#ifndef STRATA_BASE_UTF8_H
#define STRATA_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/bytes.h"

/* Bytes of the well-formed character that starts at AT (1 to 4), or 0 when none does. */
size_t utf8_length(struct bytes text, size_t at);
/* Is all of TEXT well formed? */
bool utf8_valid(struct bytes text);
/* Append TEXT to OUT as UTF-8 without NULs: what is neither becomes U+FFFD. */
void utf8_append_clean(struct buf *out, struct bytes text);

#endif
