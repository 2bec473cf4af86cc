/* One source parsed two ways, the plain and the fast, and the flat trees compared node by node. */
#ifndef STRATA_TESTS_ANALYZER_PARSE_PAIR_H
#define STRATA_TESTS_ANALYZER_PARSE_PAIR_H

#include <stdio.h>
#include <stdlib.h>

#include "analyzer/parse/methods.h"

struct parse_pair {
    struct parse *plain;
    struct parse *fast;
    struct arena plain_arena;
    struct arena fast_arena;
    struct analyzer_limits limits;
    /* What parse_pair_same found. */
    enum skip_reason plain_skip, fast_skip;
    char difference[200];
};

static inline int
parse_pair_init(struct parse_pair *pair, struct err *err)
{
    *pair = (struct parse_pair){.limits = analyzer_limits_default()};
    arena_init(&pair->plain_arena, 0);
    arena_init(&pair->fast_arena, 0);
    return parse_create_with(0, &pair->plain, err) < 0 ||
                   parse_create_with(PARSE_METHODS_BUILT, &pair->fast, err) < 0
               ? -1
               : 0;
}

static inline void
parse_pair_clear(struct parse_pair *pair)
{
    parse_destroy(pair->plain);
    parse_destroy(pair->fast);
    arena_clear(&pair->plain_arena);
    arena_clear(&pair->fast_arena);
}

/* The first place where two arrays of N differ. */
#define DIFFERENCE(field, n)                                                                       \
    for (uint32_t i = 0; i < (n); i++)                                                             \
        if (plain->field[i] != fast->field[i]) {                                                   \
            snprintf(pair->difference, sizeof(pair->difference), #field "[%u]: plain %u, fast %u", \
                     i, plain->field[i], fast->field[i]);                                          \
            return false;                                                                          \
        }

#define DIFFERENCE_OF(field)                                                               \
    if (plain->field != fast->field) {                                                     \
        snprintf(pair->difference, sizeof(pair->difference), #field ": plain %u, fast %u", \
                 (unsigned)plain->field, (unsigned)fast->field);                           \
        return false;                                                                      \
    }

static inline bool
flats_same(struct parse_pair *pair, const struct flat *plain, const struct flat *fast)
{
    DIFFERENCE_OF(n_nodes)
    DIFFERENCE_OF(has_error)
    DIFFERENCE_OF(n_errors)
    DIFFERENCE_OF(depth_max)
    DIFFERENCE_OF(n_rows)
    DIFFERENCE(kind, plain->n_nodes)
    DIFFERENCE(flags, plain->n_nodes)
    DIFFERENCE(field, plain->n_nodes)
    DIFFERENCE(start_byte, plain->n_nodes)
    DIFFERENCE(end_byte, plain->n_nodes)
    DIFFERENCE(start_row, plain->n_nodes)
    DIFFERENCE(end_row, plain->n_nodes)
    DIFFERENCE(parent, plain->n_nodes)
    DIFFERENCE(subtree_end, plain->n_nodes)
    DIFFERENCE(row_start, plain->n_rows)
    return true;
}

/* Do both ways give the same?  False: pair->difference says where not.  *OUT is the plain one,
 * empty when both were skipped. */
static inline bool
parse_pair_same(struct parse_pair *pair, struct bytes source, struct flat *out)
{
    struct flat fast;
    *out = (struct flat){0};
    arena_reset(&pair->plain_arena);
    arena_reset(&pair->fast_arena);
    pair->plain_skip = parse_source(pair->plain, source, &pair->limits, &pair->plain_arena, out);
    pair->fast_skip = parse_source(pair->fast, source, &pair->limits, &pair->fast_arena, &fast);
    if (pair->plain_skip != pair->fast_skip) {
        snprintf(pair->difference, sizeof(pair->difference), "outcome: plain %s, fast %s",
                 skip_reason_name(pair->plain_skip), skip_reason_name(pair->fast_skip));
        return false;
    }
    if (pair->plain_skip != SKIP_NONE)
        *out = (struct flat){0};
    return pair->plain_skip != SKIP_NONE || flats_same(pair, out, &fast);
}

#endif
