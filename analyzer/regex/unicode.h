/*
 * Unicode classes and case folding for regexes.
 *
 * \d, \s and \w are those of Unicode 16.0, the version of ast-grep's regex crate (tables.c).
 * Properties (\p) and folding are those of Unicode 14.0, out of a generated table
 * (unicode_table.h).
 */
#ifndef STRATA_ANALYZER_REGEX_UNICODE_H
#define STRATA_ANALYZER_REGEX_UNICODE_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/regex/class.h"
#include "base/bytes.h"

/* Add the members of \d, \s, \w to SET. */
void unicode_add_digits(struct regex_class *set);
void unicode_add_spaces(struct regex_class *set);
void unicode_add_words(struct regex_class *set);

/* Add the members of \p{NAME} or, when VALUE is not empty, \p{NAME=VALUE} to SET, which must be
 * normalised before it is used further.  False when there is no such property. */
bool unicode_add_property(struct bytes name, struct bytes value, struct regex_class *set);

/* Add to SET, which is normalised and stays so, every code point that simple case folding makes
 * equal to one in it. */
void unicode_fold(struct regex_class *set);

/* Is CODE_POINT alphabetic?  One that is not a character, such as UINT32_MAX, is not. */
bool unicode_is_alphabetic(uint32_t code_point);

#endif
