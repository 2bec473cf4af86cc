/*
 * Character classes: sets of code points as sorted ranges, with the operations Rust's class syntax
 * needs.  Everything lives in an arena; a set that could not grow is marked failed and stays so
 * through every operation, so callers ask once at the end.
 */
#ifndef STRATA_ANALYZER_REGEX_CLASS_H
#define STRATA_ANALYZER_REGEX_CLASS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

enum { CODE_POINT_MAX = 0x10ffff };

struct class_range {
    uint32_t first, last; /* both inclusive */
};

struct regex_class {
    struct arena *arena;
    struct class_range
        *ranges; /* after class_normalise: ascending, neither touching nor overlapping */
    uint32_t n_ranges;
    uint32_t capacity;
    bool failed; /* memory ran out */
};

/* An empty set in ARENA. */
struct regex_class class_init(struct arena *arena);
/* Add FIRST to LAST; the set must be normalised before it is used further. */
void class_add(struct regex_class *set, uint32_t first, uint32_t last);
/* Add all of OTHER, in the same way. */
void class_add_all(struct regex_class *set, const struct regex_class *other);
/* Sort the ranges and merge those that touch or overlap. */
void class_normalise(struct regex_class *set);

/* The functions below take normalised sets and leave SET normalised: everything up to MAX that is
 * not in it, what is in both, in SET only, in exactly one of the two. */
void class_negate(struct regex_class *set, uint32_t max);
void class_intersect(struct regex_class *set, const struct regex_class *other);
void class_subtract(struct regex_class *set, const struct regex_class *other);
void class_symmetric_difference(struct regex_class *set, const struct regex_class *other);
/* Is CODE_POINT in SET? */
bool class_has(const struct regex_class *set, uint32_t code_point);

#endif
