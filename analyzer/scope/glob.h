/*
 * Globs as Rust's globset crate reads them without options, as regexes.
 *
 * `*` and `?` match '/' too; `**` in place of a whole component matches any number of components.
 */
#ifndef STRATA_ANALYZER_SCOPE_GLOB_H
#define STRATA_ANALYZER_SCOPE_GLOB_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/bytes.h"

/* Append to OUT the regex that GLOB means; if ANY_CASE, ASCII letters match in either case.  False
 * if it is not a glob; *WHY, a static text, then says why. */
bool glob_to_regex(struct bytes glob, bool any_case, struct buf *out, const char **why);

#endif
