/*
 * Each rule in turn is tried on the nodes of its kinds, which the kind index lists, or, where those
 * are fewer, on the nodes above its anchors.  So a rule whose parts do not occur costs nothing, and
 * the hits of a rule are together.
 */
#include "analyzer/engine/run.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "analyzer/engine/rule_names.h"
#include "analyzer/engine/runner.h"
#include "base/utf8.h"

enum {
    /* What ast-grep passes over has more bytes than this and more lines than that. */
    BYTES_MAX = 3000000,
    LINES_MAX = 200000,
    /* Steps a rule may take in a file: so many a node, and so many anyway.  Of the 355 rules of
     * SlopCodeBench none takes more than 71,000 in a file of django or scikit-learn. */
    STEPS_PER_NODE = 1000,
    STEPS_ALWAYS = 10000000,
    STEPS_MAX = 200000000,
    HITS_MAX = 1 << 22,      /* of all rules in a file */
    FILE_SHARE = 3,          /* all rules together: so many times as much */
    FILTERED_BYTES_MIN = 100 /* nodes with shorter texts are matched at once */
};

/* ---- Life ---------------------------------------------------------------------------------- */

int
rules_runner_create(const struct ruleset *set, struct rules_runner **out, struct err *err)
{
    struct rules_runner *runner = calloc(1, sizeof(*runner));
    if (!runner)
        return err_nomem(err, "rules");
    runner->set = set;
    arena_init(&runner->arena, 0);
    runner->comment_kind = rule_kind_of_name(BYTES("comment"));
    runner->gave_up = calloc(set->n_rules + 1, sizeof(*runner->gave_up));
    if (!runner->gave_up || matching_init(&runner->matching, &set->program, &set->needs, err) < 0) {
        rules_runner_destroy(runner);
        return err_nomem(err, "rules");
    }
    *out = runner;
    return 0;
}

void
rules_runner_destroy(struct rules_runner *runner)
{
    if (!runner)
        return;
    matching_clear(&runner->matching);
    arena_clear(&runner->arena);
    free(runner->hits);
    free(runner->gave_up);
    free(runner);
}

/* ---- Hits ---------------------------------------------------------------------------------- */

/* Code points from the start of ROW to BYTE.  Places follow each other, so they are counted from
 * the last one in the row: a row may be the whole file. */
static uint32_t
column_of(const struct flat *flat, struct column_place *last, uint32_t row, uint32_t byte)
{
    if (last->row != row || last->byte < flat->row_start[row])
        *last = (struct column_place){row, flat->row_start[row], 0};
    if (byte >= last->byte)
        last->column += (uint32_t)utf8_count(flat->source, last->byte, byte);
    else
        last->column -= (uint32_t)utf8_count(flat->source, byte, last->byte);
    last->byte = byte;
    return last->column;
}

static int
add_hit(struct rules_runner *runner, uint32_t rule, uint32_t node)
{
    const struct flat *flat = runner->matching.flat;
    uint32_t start_row = flat->start_row[node], end_row = flat->end_row[node];
    if (suppressions_cover(&runner->suppressions, start_row, runner->set->infos[rule].id))
        return 0;
    if (runner->n_hits == HITS_MAX) {
        runner->matching.gave_up = true;
        return 0;
    }
    if (!ARRAY_RESERVE(runner->hits, runner->n_hits, runner->hits_capacity, 1))
        return -1;
    runner->hits[runner->n_hits++] = (struct hit){
        .rule = rule,
        .start_line = start_row + 1,
        .end_line = end_row + 1,
        .start_column = column_of(flat, &runner->last_start, start_row, flat->start_byte[node]),
        .end_column = column_of(flat, &runner->last_end, end_row, flat->end_byte[node]),
        .start_byte = flat->start_byte[node],
        .end_byte = flat->end_byte[node]};
    return 0;
}

static int
compare_hits(const void *a, const void *b)
{
    const struct hit *x = a, *y = b;
    if (x->start_byte != y->start_byte)
        return x->start_byte < y->start_byte ? -1 : 1;
    return (x->end_byte > y->end_byte) - (x->end_byte < y->end_byte);
}

/* Nodes come in document order, outermost first; sort where that is not the wanted one. */
static void
sort_hits(struct hit *hits, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        if (compare_hits(&hits[i - 1], &hits[i]) > 0) {
            qsort(hits, n, sizeof(*hits), compare_hits);
            return;
        }
    }
}

/* ---- A match ------------------------------------------------------------------------------- */

static bool
constraints_hold(struct matching *matching, const struct program_rule *rule)
{
    for (uint32_t i = 0; i < rule->n_constraints; i++) {
        const struct program_constraint *c = &rule->constraints[i];
        struct binding bound = matching->stack[matching->frame + c->slot];
        if (bound.n != UNBOUND && match_node(matching, c->matcher, bound.node) == FLAT_NONE)
            return false;
    }
    return true;
}

static bool
rule_matches(struct matching *matching, const struct program_rule *rule, uint32_t node)
{
    struct saved_frame saved;
    if (rule->n_slots == 0)
        return match_node(matching, rule->root, node) != FLAT_NONE;
    if (!match_push_frame(matching, rule->n_slots, &saved))
        return false;
    bool matches =
        match_node(matching, rule->root, node) != FLAT_NONE && constraints_hold(matching, rule);
    match_pop_frame(matching, &saved);
    return matches;
}

/* ---- Where it can match -------------------------------------------------------------------- */

/* Does the file hold what RULE needs? */
static bool
can_match_file(struct rules_runner *runner, const struct program_rule *rule)
{
    const struct program_anchors *anchors = &runner->set->anchors;
    const struct choice_list *around = &anchors->of_matcher[rule->root].around;
    for (uint32_t i = 0; i < around->n; i++)
        if (choice_count(anchors, around->items[i], &runner->matching.kinds, &runner->leaves) == 0)
            return false;
    const struct matcher_needs *needs = &runner->set->needs.of_matcher[rule->root];
    if (needs->node.n + needs->file.n == 0)
        return true;
    const struct literal_index *literals = match_literals(&runner->matching);
    return literals && needs_are_met(&runner->set->needs, literals, &needs->node) &&
           needs_are_met(&runner->set->needs, literals, &needs->file);
}

/* Does the text of NODE?  Short ones are not worth the question. */
static bool
can_match_node(struct rules_runner *runner, const struct program_rule *rule, uint32_t node)
{
    const struct matcher_needs *needs = &runner->set->needs.of_matcher[rule->root];
    const struct flat *flat = runner->matching.flat;
    uint32_t from = flat->start_byte[node], to = flat->end_byte[node];
    if (flat->end_row[node] - flat->start_row[node] < needs->rows)
        return false;
    if (needs->node.n == 0 || to - from < FILTERED_BYTES_MIN)
        return true;
    const struct literal_index *literals = match_literals(&runner->matching);
    return literals && needs_are_met_within(&runner->set->needs, literals, &needs->node, from, to);
}

/* ---- A rule -------------------------------------------------------------------------------- */

/* A rule on its way through a file. */
struct pass {
    struct rules_runner *runner;
    const struct program_rule *rule;
    const struct kind_set *kinds; /* of nodes that can match */
    uint32_t index;               /* of the rule */
};

/* -1 when memory is out. */
static int
try_node(const struct pass *pass, uint32_t node)
{
    struct matching *matching = &pass->runner->matching;
    if (can_match_node(pass->runner, pass->rule, node) &&
        rule_matches(matching, pass->rule, node) && !matching->gave_up &&
        add_hit(pass->runner, pass->index, node) < 0)
        return -1;
    return matching->no_memory ? -1 : 0;
}

static int
try_kind(const struct pass *pass, unsigned kind)
{
    const struct kind_index *kinds = &pass->runner->matching.kinds;
    for (uint32_t i = kinds->first[kind];
         i < kinds->first[kind + 1] && !pass->runner->matching.gave_up; i++)
        if (try_node(pass, kinds->nodes[i]) < 0)
            return -1;
    return 0;
}

static int
try_all(const struct pass *pass)
{
    for (unsigned word = 0; word < KIND_WORDS; word++)
        for (uint64_t bits = pass->kinds->words[word]; bits; bits &= bits - 1)
            if (try_kind(pass, word * 64 + (unsigned)__builtin_ctzll(bits)) < 0)
                return -1;
    return 0;
}

/* Go up from NODE to where the rule can match, unless it has been there: then also further up. */
static int
try_above(const struct pass *pass, const struct anchor *anchor, uint32_t node)
{
    struct matching *matching = &pass->runner->matching;
    const struct flat *flat = matching->flat;
    uint32_t *tried_by = pass->runner->tried_by;
    for (uint8_t i = 0; i < anchor->levels && node != FLAT_NONE && match_step(matching); i++)
        node = flat->parent[node];
    for (; node != FLAT_NONE && tried_by[node] != pass->index + 1 && !matching->gave_up;
         node = flat->parent[node]) {
        tried_by[node] = pass->index + 1;
        if (kind_set_has(pass->kinds, flat->kind[node]) && try_node(pass, node) < 0)
            return -1;
        if (!anchor->and_above)
            break;
    }
    return 0;
}

static int
try_from(const struct pass *pass, const struct anchor *anchor)
{
    const struct kind_index *kinds = &pass->runner->matching.kinds;
    const struct leaf_index *leaves = &pass->runner->leaves;
    unsigned kind = anchor->kind % KIND_BITS;
    if (anchor->leaf != LEAF_NONE) {
        uint32_t node = leaves->first[anchor->leaf];
        for (uint32_t n = leaves->count[anchor->leaf]; n > 0; n--, node = leaves->next[node])
            if (try_above(pass, anchor, node) < 0)
                return -1;
        return 0;
    }
    for (uint32_t i = kinds->first[kind]; i < kinds->first[kind + 1]; i++)
        if (try_above(pass, anchor, kinds->nodes[i]) < 0)
            return -1;
    return 0;
}

/* The choice of RULE with the fewest nodes in the file, and how many: CHOICE_NONE when there are
 * not less of them than of the nodes it can match at. */
static uint32_t
best_choice(const struct rules_runner *runner, const struct program_rule *rule,
            const struct kind_set *kinds, uint32_t *n_nodes)
{
    const struct program_anchors *anchors = &runner->set->anchors;
    const struct choice_list *list = &anchors->of_matcher[rule->root].below;
    uint32_t best = CHOICE_NONE;
    *n_nodes = kind_index_count_all(&runner->matching.kinds, kinds);
    for (uint32_t i = 0; i<list->n && * n_nodes> 0; i++) {
        uint32_t n =
            choice_count(anchors, list->items[i], &runner->matching.kinds, &runner->leaves);
        if (n < *n_nodes) {
            *n_nodes = n;
            best = list->items[i];
        }
    }
    return best;
}

static int
run_rule(struct rules_runner *runner, uint32_t index, uint64_t steps)
{
    const struct program_rule *rule = &runner->set->rules[index];
    struct pass pass = {runner, rule, &runner->set->program.matchers[rule->root].kinds, index};
    uint32_t n_nodes, first_hit = runner->n_hits;
    uint32_t choice = best_choice(runner, rule, pass.kinds, &n_nodes);
    runner->matching.steps = steps;
    runner->matching.gave_up = false;
    if (n_nodes == 0 || !can_match_file(runner, rule))
        return runner->matching.no_memory ? -1 : 0;
    if (choice == CHOICE_NONE) {
        if (try_all(&pass) < 0)
            return -1;
    } else {
        const struct choice *c = &runner->set->anchors.choices[choice];
        for (uint32_t i = 0; i < c->n; i++)
            if (try_from(&pass, &runner->set->anchors.anchors[c->first + i]) < 0)
                return -1;
    }
    if (runner->matching.gave_up) {
        runner->n_hits = first_hit;
        runner->gave_up[runner->n_gave_up++] = index;
    }
    if (runner->n_hits > first_hit)
        sort_hits(runner->hits + first_hit, runner->n_hits - first_hit);
    return 0;
}

/* ---- A file -------------------------------------------------------------------------------- */

enum skip_reason
rules_skip(struct bytes source)
{
    if (!utf8_valid(source))
        return SKIP_ENCODING;
    if (source.len <= BYTES_MAX)
        return SKIP_NONE;
    size_t n_lines = 0;
    for (size_t i = 0; i < source.len; i++)
        n_lines += source.data[i] == '\n';
    n_lines += source.data[source.len - 1] != '\n';
    return n_lines > LINES_MAX ? SKIP_TOO_LARGE : SKIP_NONE;
}

int
rules_begin(struct rules_runner *runner, const struct flat *flat)
{
    arena_reset(&runner->arena);
    runner->n_hits = runner->n_gave_up = 0;
    runner->last_start = runner->last_end = (struct column_place){0, 0, 0};
    runner->matching.no_memory = false;
    if (matching_begin(&runner->matching, flat, &runner->arena) < 0 ||
        leaf_index_build(&runner->set->anchors.leaves, flat, &runner->matching.kinds,
                         &runner->arena, &runner->leaves) < 0)
        return -1;
    runner->tried_by = ARENA_ARRAY(&runner->arena, flat->n_nodes, uint32_t);
    if (!runner->tried_by)
        return -1;
    const uint32_t *comments = runner->matching.kinds.nodes +
                               runner->matching.kinds.first[runner->comment_kind % KIND_BITS];
    return suppressions_find(flat, comments,
                             kind_index_count(&runner->matching.kinds, runner->comment_kind),
                             &runner->arena, &runner->suppressions);
}

static uint64_t
steps_for(const struct flat *flat)
{
    uint64_t steps = STEPS_ALWAYS + (uint64_t)STEPS_PER_NODE * flat->n_nodes;
    return steps < STEPS_MAX ? steps : STEPS_MAX;
}

int
rules_run(struct rules_runner *runner, const struct flat *flat, struct hit_list *out,
          struct err *err)
{
    *out = (struct hit_list){0};
    if (flat->source.len == 0)
        return 0;
    if (rules_begin(runner, flat) < 0)
        return err_nomem(err, "rules");
    uint64_t steps = steps_for(flat), left = FILE_SHARE * steps;
    for (uint32_t i = 0; i < runner->set->n_rules; i++) {
        if (runner->set->rules[i].root == MATCHER_NONE)
            continue;
        uint64_t given = steps < left ? steps : left;
        if (run_rule(runner, i, given) < 0)
            return err_nomem(err, "rules");
        left -= given - runner->matching.steps;
    }
    *out = (struct hit_list){.hits = runner->hits,
                             .n_hits = runner->n_hits,
                             .gave_up = runner->gave_up,
                             .n_gave_up = runner->n_gave_up};
    return 0;
}
