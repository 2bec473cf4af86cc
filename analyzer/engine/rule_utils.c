/*
 * See rule_utils.h.  Who calls whom is a matrix of bits, one for calls on the same node and one for
 * all calls; both are closed transitively, and a util that reaches itself is in a cycle.
 */
#include "analyzer/engine/rule_utils.h"

#include <string.h>

/* Who calls whom, as bits: row and column are utils. */
struct calls {
    struct matcher_list *list;
    uint32_t *stack;  /* of the walk; room for every matcher */
    uint64_t *direct; /* on the same node */
    uint64_t *any;
    uint32_t row_words;
    uint32_t unknown_line; /* a reached call of no known util; 0: none */
};

static void
set_bit(uint64_t *row, uint32_t bit)
{
    row[bit / 64] |= (uint64_t)1 << bit % 64;
}

static bool
has_bit(const uint64_t *row, uint32_t bit)
{
    return row[bit / 64] >> bit % 64 & 1;
}

/*
 * Note the utils called from the tree under ROOT: in ANY all, in DIRECT those on the same node.
 * The top bit of a stack entry says that a relation lies between.
 */
static void
walk(struct calls *calls, uint32_t root, uint64_t *direct, uint64_t *any)
{
    const uint32_t RELATED = (uint32_t)1 << 31;
    const struct matcher_list *list = calls->list;
    uint32_t n = 0;
    calls->stack[n++] = root;
    while (n > 0) {
        uint32_t at = calls->stack[--n];
        uint32_t related = at & RELATED;
        const struct matcher *m = &list->matchers[at & ~RELATED];
        if (m->op == MATCHER_CALL && m->callee == MATCHER_NONE) {
            calls->unknown_line = list->lines[at & ~RELATED];
        } else if (m->op == MATCHER_CALL) {
            set_bit(any, m->callee);
            if (!related)
                set_bit(direct, m->callee);
        } else if (m->op == MATCHER_ALL || m->op == MATCHER_ANY) {
            for (uint32_t i = 0; i < m->parts.n; i++)
                calls->stack[n++] = list->parts[m->parts.first + i] | related;
        } else if (m->op == MATCHER_NOT) {
            calls->stack[n++] = m->inner | related;
        } else if (m->op == MATCHER_NTH && m->nth.of_rule != MATCHER_NONE) {
            calls->stack[n++] = m->nth.of_rule | related;
        } else if (matcher_is_relation(m)) {
            calls->stack[n++] = m->relation.inner | RELATED;
            if (m->relation.stop_rule != MATCHER_NONE)
                calls->stack[n++] = m->relation.stop_rule | RELATED;
        }
    }
}

/* Follow calls of calls, and theirs. */
static void
close_transitively(uint64_t *rows, uint32_t n, uint32_t row_words)
{
    for (uint32_t via = 0; via < n; via++)
        for (uint32_t from = 0; from < n; from++)
            if (has_bit(rows + (size_t)from * row_words, via))
                for (uint32_t w = 0; w < row_words; w++)
                    rows[(size_t)from * row_words + w] |= rows[(size_t)via * row_words + w];
}

/* Refuse a call of no known util in the rule, its constraints, or what they call. */
static int
check_reached(struct rule_reader *reader, struct calls *calls, uint64_t *reached)
{
    struct matcher_list *list = reader->list;
    calls->unknown_line = 0;
    walk(calls, list->root, reached, reached);
    for (uint32_t i = 0; i < list->n_constraints; i++)
        walk(calls, list->constraints[i].matcher, reached, reached);
    for (uint32_t i = 0; i < list->n_utils; i++)
        if (has_bit(reached, i))
            for (uint32_t w = 0; w < calls->row_words; w++)
                reached[w] |= calls->any[(size_t)i * calls->row_words + w];
    for (uint32_t i = 0; i < list->n_utils && !calls->unknown_line; i++)
        if (has_bit(reached, i))
            walk(calls, list->utils[i].matcher, reached, reached);
    if (calls->unknown_line)
        return rule_refuse(reader, calls->unknown_line,
                           "`matches` names a util that this rule does not have");
    return 0;
}

int
rule_check_utils(struct rule_reader *reader, uint32_t line)
{
    struct matcher_list *list = reader->list;
    uint32_t n = list->n_utils;
    struct calls calls = {.list = list, .row_words = n / 64 + 1};
    calls.stack = ARENA_ARRAY(list->arena, (size_t)list->n_matchers + 1, uint32_t);
    calls.direct = ARENA_ARRAY(list->arena, (size_t)calls.row_words * n, uint64_t);
    calls.any = ARENA_ARRAY(list->arena, (size_t)calls.row_words * n, uint64_t);
    uint64_t *reached = ARENA_ARRAY(list->arena, calls.row_words, uint64_t);
    if (!calls.stack || !calls.direct || !calls.any || !reached)
        return err_nomem(reader->err, "rules");
    for (uint32_t i = 0; i < n; i++)
        walk(&calls, list->utils[i].matcher, calls.direct + (size_t)i * calls.row_words,
             calls.any + (size_t)i * calls.row_words);
    close_transitively(calls.direct, n, calls.row_words);
    close_transitively(calls.any, n, calls.row_words);
    for (uint32_t i = 0; i < n; i++) {
        if (has_bit(calls.direct + (size_t)i * calls.row_words, i))
            return rule_refuse(reader, line,
                               "the util \"%.*s\" refers to itself; only through a relation such "
                               "as `inside` it may",
                               BYTES_ARG(list->utils[i].name));
        list->utils[i].is_recursive = has_bit(calls.any + (size_t)i * calls.row_words, i);
    }
    return check_reached(reader, &calls, reached);
}
