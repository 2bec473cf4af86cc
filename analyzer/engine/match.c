/*
 * See match.h: the life of a struct matching, its frames and bindings, and match_node, which
 * dispatches on the kind of matcher.  Patterns, relations and nthChild are in files of their own.
 */
#include "analyzer/engine/match.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/utf8.h"

enum {
    DEPTH_MAX = 10000, /* evaluations within each other: some MiB of stack */
    STACK_MAX = 1 << 20,
    TRAIL_MAX = 1 << 24,
    FILTERED_BYTES_MIN = 48 /* a shorter text is searched sooner than its needs are looked up */
};

/* ---- Life ---------------------------------------------------------------------------------- */

int
matching_init(struct matching *matching, const struct program *program,
              const struct program_needs *needs, struct err *err)
{
    *matching = (struct matching){.program = program, .needs = needs};
    matching->caches = calloc(program->n_regexes + 1, sizeof(struct regex_cache *));
    return matching->caches ? 0 : err_nomem(err, "rules");
}

void
matching_clear(struct matching *matching)
{
    if (matching->caches)
        for (uint32_t i = 0; i < matching->program->n_regexes; i++)
            regex_cache_destroy(matching->caches[i]);
    free(matching->caches);
    free(matching->stack);
    free(matching->trail);
    *matching = (struct matching){0};
}

int
matching_begin(struct matching *matching, const struct flat *flat, struct arena *arena)
{
    matching->flat = flat;
    matching->arena = arena;
    matching->frame = matching->n_slots = matching->n_trail = matching->depth = 0;
    matching->named_position = matching->named_children = NULL;
    matching->has_literals = false;
    return kind_index_build(flat, arena, &matching->kinds);
}

static void
give_up_without_memory(struct matching *matching)
{
    matching->gave_up = matching->no_memory = true;
}

const struct literal_index *
match_literals(struct matching *matching)
{
    if (matching->has_literals)
        return &matching->literals;
    if (literal_index_build(&matching->needs->literals, matching->flat->source, matching->arena,
                            &matching->literals) < 0) {
        give_up_without_memory(matching);
        return NULL;
    }
    matching->has_literals = true;
    return &matching->literals;
}

/* ---- Bindings ------------------------------------------------------------------------------ */

bool
match_push_frame(struct matching *matching, uint32_t n_slots, struct saved_frame *saved)
{
    *saved = (struct saved_frame){matching->frame, matching->n_slots, matching->n_trail};
    uint32_t first = matching->frame + matching->n_slots;
    if (n_slots > STACK_MAX - first) {
        matching->gave_up = true;
        return false;
    }
    if (!ARRAY_RESERVE(matching->stack, first, matching->stack_capacity, n_slots)) {
        give_up_without_memory(matching);
        return false;
    }
    for (uint32_t i = 0; i < n_slots; i++)
        matching->stack[first + i] = (struct binding){FLAT_NONE, UNBOUND};
    matching->frame = first;
    matching->n_slots = n_slots;
    return true;
}

void
match_pop_frame(struct matching *matching, const struct saved_frame *saved)
{
    matching->frame = saved->frame;
    matching->n_slots = saved->n_slots;
    matching->n_trail = saved->n_trail; /* what it notes beyond is about the frame that is gone */
}

void
match_undo(struct matching *matching, uint32_t n_trail)
{
    while (matching->n_trail > n_trail) {
        const struct trail_entry *entry = &matching->trail[--matching->n_trail];
        matching->stack[entry->slot] = entry->before;
    }
}

static bool
bind(struct matching *matching, uint32_t slot, struct binding to)
{
    if (matching->n_trail == TRAIL_MAX ||
        !ARRAY_RESERVE(matching->trail, matching->n_trail, matching->trail_capacity, 1)) {
        give_up_without_memory(matching);
        return false;
    }
    uint32_t at = matching->frame + slot;
    matching->trail[matching->n_trail++] = (struct trail_entry){at, matching->stack[at]};
    matching->stack[at] = to;
    return true;
}

bool
match_bind_one(struct matching *matching, uint32_t slot, uint32_t node)
{
    struct binding bound = matching->stack[matching->frame + slot];
    if (bound.n != UNBOUND && !match_equal(matching, bound.node, node))
        return false;
    return bind(matching, slot, (struct binding){node, 1});
}

/* The next of *LEFT siblings from NODE on that is named; FLAT_NONE when there is none. */
static uint32_t
next_named(const struct flat *flat, uint32_t node, uint32_t *left)
{
    while (*left > 0 && !flat_is_named(flat, node)) {
        --*left;
        node = flat->subtree_end[node];
    }
    return *left > 0 ? node : FLAT_NONE;
}

/* Are the named ones of two runs of siblings equal, one by one? */
static bool
runs_equal(struct matching *matching, struct binding a, struct binding b)
{
    const struct flat *flat = matching->flat;
    for (;;) {
        uint32_t x = next_named(flat, a.node, &a.n), y = next_named(flat, b.node, &b.n);
        if (x == FLAT_NONE || y == FLAT_NONE)
            return x == y;
        if (!match_equal(matching, x, y))
            return false;
        a = (struct binding){flat->subtree_end[x], a.n - 1};
        b = (struct binding){flat->subtree_end[y], b.n - 1};
    }
}

bool
match_bind_many(struct matching *matching, uint32_t slot, uint32_t first, uint32_t n)
{
    struct binding to = {n ? first : FLAT_NONE, n};
    struct binding bound = matching->stack[matching->frame + slot];
    if (bound.n != UNBOUND && !runs_equal(matching, bound, to))
        return false;
    return bind(matching, slot, to);
}

/* ---- Equality ------------------------------------------------------------------------------ */

static void
count_children(const struct flat *flat, uint32_t node, uint32_t *n, bool *any_named)
{
    *n = 0;
    *any_named = false;
    for (uint32_t c = node + 1; c < flat->subtree_end[node]; c = flat->subtree_end[c]) {
        ++*n;
        *any_named |= flat_is_named(flat, c);
    }
}

/*
 * Both trees are walked in step.  Where either node has no named child the texts decide and both
 * subtrees are passed over; so no stack is needed: as long as kinds and numbers of children agree,
 * both walks leave a subtree at the same time.
 */
bool
match_equal(struct matching *matching, uint32_t a, uint32_t b)
{
    const struct flat *flat = matching->flat;
    uint32_t end = flat->subtree_end[a];
    while (a < end) {
        uint32_t n_a, n_b;
        bool named_a, named_b;
        if (a == b)
            return true; /* the same node; what follows is the same too */
        count_children(flat, a, &n_a, &named_a);
        count_children(flat, b, &n_b, &named_b);
        if (!match_step(matching) ||
            !match_read(matching, (uint64_t)n_a + n_b + flat->end_byte[a] - flat->start_byte[a]))
            return false;
        if (!named_a || !named_b) {
            if (!bytes_equal(flat_text(flat, a), flat_text(flat, b)))
                return false;
            a = flat->subtree_end[a];
            b = flat->subtree_end[b];
            continue;
        }
        if (flat->kind[a] != flat->kind[b] || n_a != n_b)
            return false;
        a++;
        b++;
    }
    return true;
}

/* ---- Evaluation ---------------------------------------------------------------------------- */

/* Does the text of NODE hold what the regex needs? */
static bool
can_match_regex(struct matching *matching, uint32_t regex, uint32_t node)
{
    const struct flat *flat = matching->flat;
    const struct need_list *needs = &matching->needs->of_regex[regex];
    uint32_t n_newlines = flat->end_row[node] - flat->start_row[node];
    uint32_t from = flat->start_byte[node], to = flat->end_byte[node];
    if (n_newlines < matching->program->regexes[regex].min_newlines)
        return false;
    if (needs->n == 0 || to - from < FILTERED_BYTES_MIN)
        return true;
    const struct literal_index *literals = match_literals(matching);
    return literals && needs_are_met_within(matching->needs, literals, needs, from, to);
}

static bool
match_regex(struct matching *matching, uint32_t regex, uint32_t node)
{
    struct bytes text = flat_text(matching->flat, node);
    if (text.len > 0 &&
        !regex_may_end_in(&matching->program->regexes[regex], text.data[text.len - 1]))
        return false;
    if (!can_match_regex(matching, regex, node) || !match_read(matching, text.len))
        return false;
    struct regex_cache **cache = &matching->caches[regex];
    if (!*cache) {
        *cache = regex_cache_create(&matching->program->regexes[regex]);
        if (!*cache) {
            give_up_without_memory(matching);
            return false;
        }
    }
    enum regex_outcome outcome = regex_search(*cache, text, &matching->steps);
    matching->gave_up |= outcome == REGEX_GAVE_UP;
    return outcome == REGEX_MATCH;
}

/* Is BYTE, in ROW, behind as many code points of its row as COLUMN says? */
static bool
is_at_column(struct matching *matching, uint32_t row, uint32_t byte, uint32_t column)
{
    const struct flat *flat = matching->flat;
    uint32_t start = flat->row_start[row], n_bytes = byte - start;
    if (n_bytes < column || n_bytes / 4 > column || !match_read(matching, n_bytes))
        return false;
    return utf8_count(flat->source, start, byte) == column;
}

static bool
match_range(struct matching *matching, const struct matcher *m, uint32_t node)
{
    const struct flat *flat = matching->flat;
    uint32_t start_row = flat->start_row[node], end_row = flat->end_row[node];
    return start_row == m->range.start_line && end_row == m->range.end_line &&
           (m->range.start_column == COLUMN_ANY ||
            is_at_column(matching, start_row, flat->start_byte[node], m->range.start_column)) &&
           (m->range.end_column == COLUMN_ANY ||
            is_at_column(matching, end_row, flat->end_byte[node], m->range.end_column));
}

static uint32_t
match_all(struct matching *matching, const struct matcher *m, uint32_t node)
{
    const uint32_t *parts = matching->program->parts + m->parts.first;
    for (uint32_t i = 0; i < m->parts.n; i++)
        if (match_node(matching, parts[i], node) == FLAT_NONE)
            return FLAT_NONE;
    return node;
}

static uint32_t
match_any(struct matching *matching, const struct matcher *m, uint32_t node)
{
    const uint32_t *parts = matching->program->parts + m->parts.first;
    for (uint32_t i = 0; i < m->parts.n; i++) {
        uint32_t yielded = match_node(matching, parts[i], node);
        if (yielded != FLAT_NONE)
            return yielded;
    }
    return FLAT_NONE;
}

static bool
match_not(struct matching *matching, const struct matcher *m, uint32_t node)
{
    uint32_t n_trail = matching->n_trail;
    bool held = match_node(matching, m->inner, node) != FLAT_NONE;
    match_undo(matching, n_trail);
    return !held;
}

static uint32_t
evaluate(struct matching *matching, const struct matcher *m, uint32_t node)
{
    bool holds = false;
    switch ((enum matcher_op)m->op) {
    case MATCHER_PATTERN:
        holds = match_pattern(matching, &matching->program->patterns[m->pattern], node);
        break;
    case MATCHER_KIND:
        holds = matching->flat->kind[node] == m->kind;
        break;
    case MATCHER_REGEX:
        holds = match_regex(matching, m->regex, node);
        break;
    case MATCHER_NTH:
        holds = match_nth(matching, m, node);
        break;
    case MATCHER_RANGE:
        holds = match_range(matching, m, node);
        break;
    case MATCHER_ALL:
        return match_all(matching, m, node);
    case MATCHER_ANY:
        return match_any(matching, m, node);
    case MATCHER_NOT:
        holds = match_not(matching, m, node);
        break;
    case MATCHER_CALL:
        return match_node(matching, matching->program->procedures[m->callee], node);
    case MATCHER_INSIDE:
    case MATCHER_HAS:
    case MATCHER_PRECEDES:
    case MATCHER_FOLLOWS:
        return match_relation(matching, m, node);
    }
    return holds ? node : FLAT_NONE;
}

uint32_t
match_node(struct matching *matching, uint32_t matcher, uint32_t node)
{
    const struct matcher *m = &matching->program->matchers[matcher];
    if (!match_is_possible(matching, m, node))
        return FLAT_NONE;
    if (!match_step(matching))
        return FLAT_NONE;
    if (matching->depth == DEPTH_MAX) {
        matching->gave_up = true;
        return FLAT_NONE;
    }
    struct saved_frame saved;
    if (m->n_slots && !match_push_frame(matching, m->n_slots, &saved))
        return FLAT_NONE;
    uint32_t n_trail = matching->n_trail;
    matching->depth++;
    uint32_t yielded = evaluate(matching, m, node);
    matching->depth--;
    if (m->n_slots)
        match_pop_frame(matching, &saved);
    else if (yielded == FLAT_NONE)
        match_undo(matching, n_trail);
    return yielded;
}

bool
match_apart(struct matching *matching, uint32_t matcher, uint32_t node)
{
    struct saved_frame saved;
    if (matching->program->matchers[matcher].is_closed)
        return match_node(matching, matcher, node) != FLAT_NONE;
    if (!match_push_frame(matching, matching->n_slots, &saved))
        return false;
    bool held = match_node(matching, matcher, node) != FLAT_NONE;
    match_pop_frame(matching, &saved);
    return held;
}
