/*
 * Matchers: what a rule object is made of, as an array.
 *
 * A matcher names its parts by index and comes after them, so the array has no pointers and one
 * pass sees every part before its users.  The only cycles go through a procedure, a util that
 * refers to itself through a relation.  Rules being read have an array each (struct matcher_list);
 * in a program that is ready all rules share one, where equal matchers are one (see intern.h).
 */
#ifndef STRATA_ANALYZER_ENGINE_MATCHER_H
#define STRATA_ANALYZER_ENGINE_MATCHER_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/engine/pattern.h"
#include "analyzer/regex/regex.h"
#include "base/arena.h"
#include "base/map.h"

#define MATCHER_NONE UINT32_MAX

/* ---- Sets of kinds ------------------------------------------------------------------------- */

/* Symbols are below 511; ERROR, 65535, takes the last bit. */
enum { KIND_BITS = 512, KIND_WORDS = KIND_BITS / 64 };

struct kind_set {
    uint64_t words[KIND_WORDS];
};

static inline bool
kind_set_has(const struct kind_set *set, uint16_t kind)
{
    unsigned bit = kind % KIND_BITS;
    return set->words[bit / 64] >> bit % 64 & 1;
}

static inline void
kind_set_add(struct kind_set *set, uint16_t kind)
{
    unsigned bit = kind % KIND_BITS;
    set->words[bit / 64] |= (uint64_t)1 << bit % 64;
}

/* ---- Matchers ------------------------------------------------------------------------------ */

enum matcher_op {
    MATCHER_PATTERN,
    MATCHER_KIND,
    MATCHER_REGEX,
    MATCHER_NTH,
    MATCHER_RANGE,
    MATCHER_ALL,
    MATCHER_ANY,
    MATCHER_NOT,
    MATCHER_CALL, /* a util; in a ready program a procedure */
    MATCHER_INSIDE,
    MATCHER_HAS,
    MATCHER_PRECEDES,
    MATCHER_FOLLOWS
};

enum stop_by { STOP_NEIGHBOR, STOP_END, STOP_RULE };

#define COLUMN_ANY UINT32_MAX

struct matcher {
    uint8_t op;     /* enum matcher_op */
    bool has_kinds; /* only nodes of these kinds can match */
    /* Nothing outside uses its bindings, so it runs in a frame of its own with n_slots. */
    bool is_closed;
    uint32_t n_slots;
    struct kind_set kinds;
    union {
        uint32_t pattern; /* index into patterns */
        uint16_t kind;
        uint32_t regex; /* index into regexes */
        struct {
            int64_t step, offset; /* position = step * k + offset for a k >= 0 */
            uint32_t of_rule;     /* MATCHER_NONE: every named sibling counts */
            bool reverse;
        } nth;
        struct {
            uint32_t start_line, start_column, end_line, end_column; /* from 0; COLUMN_ANY */
        } range;
        struct {
            uint32_t first, n; /* of parts */
        } parts;               /* ALL, ANY */
        uint32_t inner;        /* NOT */
        uint32_t callee;       /* CALL: index of the util or procedure */
        struct {
            uint32_t inner;
            uint32_t stop_rule; /* STOP_RULE */
            uint8_t stop;       /* enum stop_by */
            uint8_t field;      /* 0: none */
        } relation;
    };
};

static inline bool
matcher_is_relation(const struct matcher *matcher)
{
    return matcher->op >= MATCHER_INSIDE;
}

/* ---- A rule being read --------------------------------------------------------------------- */

struct rule_variable {
    struct bytes name;
    bool many;
    bool is_pinned; /* used outside of its pattern, so it must be bound */
};

struct rule_util {
    struct bytes name;
    uint32_t matcher;
    bool is_recursive; /* refers to itself, through a relation */
};

struct rule_constraint {
    uint32_t variable;
    uint32_t matcher;
};

/* A rule as it is being read; filled by the rule_*.c files. */
struct matcher_list {
    struct arena *arena;
    struct matcher *matchers;
    uint32_t n_matchers, matchers_capacity;
    uint32_t *lines; /* of each matcher in the rule file */
    uint32_t *parts;
    uint32_t n_parts, parts_capacity;
    struct pattern *patterns;
    uint32_t n_patterns, patterns_capacity;
    struct rule_variable *variables;
    uint32_t n_variables, variables_capacity;
    struct map variable_names; /* "0$A" or "3$$$A", scope and name, to number */
    /* A stopBy rule has its own bindings, so its variables are in another scope. */
    uint32_t scope, n_scopes;
    struct rule_util *utils;
    uint32_t n_utils;
    struct rule_constraint *constraints;
    uint32_t n_constraints;
    uint32_t root;
};

/* Make LIST empty, in ARENA; free what it holds outside of ARENA. */
void matcher_list_init(struct matcher_list *list, struct arena *arena);
void matcher_list_clear(struct matcher_list *list);
/* Append MATCHER, read at LINE; MATCHER_NONE when memory is out. */
uint32_t matcher_list_add(struct matcher_list *list, const struct matcher *matcher, uint32_t line);
/* Append one matcher OP of N_PARTS PARTS, in order; MATCHER_NONE when memory is out. */
uint32_t matcher_list_add_group(struct matcher_list *list, enum matcher_op op,
                                const uint32_t *parts, uint32_t n_parts, uint32_t line);
/* Append a matcher of KIND; MATCHER_NONE when memory is out. */
uint32_t matcher_list_add_kind(struct matcher_list *list, uint16_t kind, uint32_t line);
/* Append the relation OP to INNER, without a field; MATCHER_NONE when memory is out. */
uint32_t matcher_list_add_relation(struct matcher_list *list, enum matcher_op op, uint32_t inner,
                                   enum stop_by stop, uint32_t line);
/* The number of a variable, made when it is new; a pattern_number, CONTEXT being the list. */
uint32_t matcher_list_variable(void *context, struct bytes name, bool many);
/* The number of a known variable outside stopBy rules, or VARIABLE_NONE. */
uint32_t matcher_list_find_variable(const struct matcher_list *list, struct bytes name, bool many);
/* Does any pattern, those in stopBy rules included, capture NAME? */
bool matcher_list_captures(const struct matcher_list *list, struct bytes name);

#endif
