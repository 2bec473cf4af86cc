/*
 * The program of a rule set: all its rules as matchers in one array, equal ones only once.
 *
 * Immutable once built; shared by all workers.
 */
#ifndef STRATA_ANALYZER_ENGINE_PROGRAM_H
#define STRATA_ANALYZER_ENGINE_PROGRAM_H

#include "analyzer/engine/matcher.h"
#include "base/map.h"

struct program_constraint {
    uint32_t slot;
    uint32_t matcher;
};

struct rule_scope;

/* A rule as it runs: its root in a frame of n_slots bindings, then its constraints. */
struct program_rule {
    uint32_t root; /* MATCHER_NONE: the rule does not run */
    uint32_t n_slots;
    const struct program_constraint *constraints;
    uint32_t n_constraints;
    const struct rule_scope *scope; /* the files it applies to; NULL: all */
};

struct program {
    struct arena arena; /* of patterns and constraints */
    struct matcher *matchers;
    uint32_t n_matchers, matchers_capacity;
    uint32_t *parts;
    uint32_t n_parts, parts_capacity;
    struct pattern *patterns;
    uint32_t n_patterns, patterns_capacity;
    struct regex *regexes;
    uint32_t n_regexes;
    uint32_t *procedures; /* matcher of each */
    uint32_t n_procedures, procedures_capacity;
    struct map known; /* while it is built: a matcher spelled as bytes to its index */
};

/* Make PROGRAM empty; free what it holds. */
void program_init(struct program *program);
void program_clear(struct program *program);

#endif
