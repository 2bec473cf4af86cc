/*
 * Unicode classes and case folding for regexes, read out of PCRE2's property tables.
 *
 * PCRE2 has no interface to its tables, so a class is found by letting PCRE2 scan every code point
 * once with the class as its pattern.  That takes some milliseconds, so the classes found are kept
 * in a struct regex_unicode, which lives as long as the loading of a rule set.
 */
#ifndef STRATA_ANALYZER_REGEX_UNICODE_H
#define STRATA_ANALYZER_REGEX_UNICODE_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/regex_class.h"
#include "base/arena.h"
#include "base/bytes.h"
#include "base/map.h"

struct regex_unicode {
    struct arena arena;  /* of the classes */
    struct map by_name;  /* PCRE2 pattern to index into classes */
    struct regex_class *classes;
    uint32_t n_classes;
    uint32_t capacity;
};

void regex_unicode_init(struct regex_unicode *unicode);
void regex_unicode_clear(struct regex_unicode *unicode);

/* The class of \w, \d, \s and of letters, as Rust's regex crate has them; NULL when memory is out. */
const struct regex_class *unicode_word(struct regex_unicode *unicode);
const struct regex_class *unicode_digit(struct regex_unicode *unicode);
const struct regex_class *unicode_space(struct regex_unicode *unicode);
const struct regex_class *unicode_alphabetic(struct regex_unicode *unicode);

enum unicode_outcome { UNICODE_FOUND, UNICODE_UNKNOWN, UNICODE_NO_MEMORY };

/* The class of \p{NAME} or, when VALUE is not empty, \p{NAME=VALUE}. */
enum unicode_outcome unicode_property(struct regex_unicode *unicode, struct bytes name,
                                      struct bytes value, const struct regex_class **out);

/* Add to SET every code point that simple case folding makes equal to one in it. */
void unicode_fold(struct regex_unicode *unicode, struct regex_class *set);

/* Is CODE_POINT alphabetic?  For rare single questions: nothing is kept. */
bool unicode_is_alphabetic(uint32_t code_point);

#endif
