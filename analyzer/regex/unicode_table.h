/*
 * Unicode table: sets of code points by name, and case folding, as tools/unicode-table writes them.
 *
 * A set is a list of toggles: the code points at which membership changes.  It is stored as the
 * sets it is made of and toggles of its own; the toggles of all of them are taken together, and two
 * that are equal cancel.
 */
#ifndef STRATA_ANALYZER_REGEX_UNICODE_TABLE_H
#define STRATA_ANALYZER_REGEX_UNICODE_TABLE_H

#include <stddef.h>
#include <stdint.h>

/* A name in lower case without spaces, '_' and '-', and the index of its set. */
struct unicode_name {
    const char *name;
    uint16_t set;
};

/* Each STEP-th code point from FIRST to LAST is equal to the one DELTA after it but for case. */
struct unicode_fold {
    uint32_t first, last;
    uint32_t step;
    int32_t delta;
};

/* "14.0.0": of all that is in this table. */
extern const char unicode_version[];

/* Where each set starts in unicode_sets: number of sets it is made of, their indices, number of its
 * own toggles, their distances; all base 128. */
extern const uint16_t unicode_set_starts[];
extern const uint8_t unicode_sets[];
extern const size_t unicode_sets_size;

/* In the order of strcmp: general categories, scripts, script extensions, yes-or-no properties. */
extern const struct unicode_name unicode_categories[], unicode_scripts[],
    unicode_script_extensions[], unicode_properties[];
extern const size_t unicode_categories_n, unicode_scripts_n, unicode_script_extensions_n,
    unicode_properties_n;

/* In the order of FIRST. */
extern const struct unicode_fold unicode_folds[];
extern const size_t unicode_folds_n;

#endif
