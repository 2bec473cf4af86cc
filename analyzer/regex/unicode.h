/*
 * Unicode classes and case folding for regexes.
 *
 * \d, \s and \w are tables here, in the Unicode version of ast-grep's regex crate.  Properties
 * (\p) and folding are read out of PCRE2 and have its version.  PCRE2 has no interface to its
 * tables, so a class is found by letting it scan every code point once with the class as its
 * pattern.  That takes some milliseconds, so the classes found are kept in a struct regex_unicode,
 * which lives as long as the loading of a rule set.
 */
#ifndef STRATA_ANALYZER_REGEX_UNICODE_H
#define STRATA_ANALYZER_REGEX_UNICODE_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/regex/class.h"
#include "base/arena.h"
#include "base/bytes.h"
#include "base/map.h"

struct regex_unicode {
    struct arena arena; /* of the classes */
    struct map by_name; /* PCRE2 pattern to index into classes */
    struct regex_class *classes;
    uint32_t n_classes;
    uint32_t capacity;
};

void regex_unicode_init(struct regex_unicode *unicode);
void regex_unicode_clear(struct regex_unicode *unicode);

/* Add the members of \d, \s, \w to SET (regex_tables.c). */
void unicode_add_digits(struct regex_class *set);
void unicode_add_spaces(struct regex_class *set);
void unicode_add_words(struct regex_class *set);

/* The class of letters; NULL when memory is out. */
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
