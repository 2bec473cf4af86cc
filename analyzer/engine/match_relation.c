/*
 * inside, has, precedes, follows: the first candidate that matches is final.
 *
 * Siblings are those that tree-sitter's functions give.  The difference matters only for nodes of
 * zero bytes, which occur in broken code.
 */
#include "analyzer/engine/match.h"

enum { LISTED_NODES_MIN = 32 /* fewer are looked at sooner than found in the kind index */ };

static bool
is_stop(struct matching *matching, const struct matcher *m, uint32_t node)
{
    return match_apart(matching, m->relation.stop_rule, node);
}

static inline bool
is_wanted(struct matching *matching, const struct matcher *m, uint32_t node)
{
    const struct matcher *inner = &matching->program->matchers[m->relation.inner];
    if (!match_is_possible(matching, inner, node))
        return false;
    return inner->op == MATCHER_KIND || match_node(matching, m->relation.inner, node) != FLAT_NONE;
}

/* flat_child_by_field, counting its steps. */
static uint32_t
child_by_field(struct matching *matching, uint32_t node, uint8_t field)
{
    const struct flat *flat = matching->flat;
    for (uint32_t c = node + 1; c < flat->subtree_end[node] && match_step(matching);
         c = flat->subtree_end[c])
        if (flat->field[c] == field)
            return c;
    return FLAT_NONE;
}

/* ---- inside -------------------------------------------------------------------------------- */

static uint32_t
match_inside(struct matching *matching, const struct matcher *m, uint32_t node)
{
    const struct flat *flat = matching->flat;
    uint8_t field = m->relation.field;
    for (uint32_t below = node, at = flat->parent[node]; at != FLAT_NONE && match_step(matching);
         below = at, at = flat->parent[at]) {
        bool counts = field == 0 ||
                      (flat->field[below] == field && child_by_field(matching, at, field) == below);
        if (counts && is_wanted(matching, m, at))
            return at;
        if (m->relation.stop == STOP_NEIGHBOR ||
            (m->relation.stop == STOP_RULE && is_stop(matching, m, at)))
            break;
    }
    return FLAT_NONE;
}

/* ---- has ----------------------------------------------------------------------------------- */

static uint32_t
first_child_wanted(struct matching *matching, const struct matcher *m, uint32_t node)
{
    const struct flat *flat = matching->flat;
    for (uint32_t c = node + 1; c < flat->subtree_end[node] && match_step(matching);
         c = flat->subtree_end[c])
        if (is_wanted(matching, m, c))
            return c;
    return FLAT_NONE;
}

/* The only kind in KINDS; false when there is not exactly one. */
static bool
single_kind(const struct kind_set *kinds, unsigned *out)
{
    bool found = false;
    for (unsigned word = 0; word < KIND_WORDS; word++) {
        uint64_t bits = kinds->words[word];
        if (bits == 0)
            continue;
        if (found || (bits & (bits - 1)))
            return false;
        *out = word * 64 + (unsigned)__builtin_ctzll(bits);
        found = true;
    }
    return found;
}

/* first_wanted where all candidates are of KIND: they are listed. */
static uint32_t
first_listed(struct matching *matching, const struct matcher *m, unsigned kind, uint32_t first,
             uint32_t end)
{
    const uint32_t *nodes = matching->kinds.nodes;
    uint32_t low = matching->kinds.first[kind], high = matching->kinds.first[kind + 1];
    const uint32_t last = high;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (nodes[middle] < first)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < last && nodes[low] < end && match_step(matching); low++)
        if (is_wanted(matching, m, nodes[low]))
            return nodes[low];
    return FLAT_NONE;
}

/* Among the nodes FIRST up to, not including, END, in document order. */
static uint32_t
first_wanted(struct matching *matching, const struct matcher *m, uint32_t first, uint32_t end)
{
    const struct matcher *inner = &matching->program->matchers[m->relation.inner];
    unsigned kind;
    if (end - first >= LISTED_NODES_MIN && inner->has_kinds && single_kind(&inner->kinds, &kind))
        return first_listed(matching, m, kind, first, end);
    for (uint32_t d = first; d < end && match_step(matching); d++)
        if (is_wanted(matching, m, d))
            return d;
    return FLAT_NONE;
}

/* The same, what is below a node that stops left out. */
static uint32_t
first_wanted_before_stop(struct matching *matching, const struct matcher *m, uint32_t node)
{
    const struct flat *flat = matching->flat;
    for (uint32_t d = node + 1; d < flat->subtree_end[node] && match_step(matching);) {
        if (is_wanted(matching, m, d))
            return d;
        d = is_stop(matching, m, d) ? flat->subtree_end[d] : d + 1;
    }
    return FLAT_NONE;
}

static uint32_t
match_has_field(struct matching *matching, const struct matcher *m, uint32_t node)
{
    const struct flat *flat = matching->flat;
    uint32_t child = child_by_field(matching, node, m->relation.field);
    if (child == FLAT_NONE)
        return FLAT_NONE;
    if (m->relation.stop == STOP_END)
        return first_wanted(matching, m, child, flat->subtree_end[child]);
    if (is_wanted(matching, m, child))
        return child;
    if (m->relation.stop == STOP_NEIGHBOR || is_stop(matching, m, child))
        return FLAT_NONE;
    return first_child_wanted(matching, m, child);
}

static uint32_t
match_has(struct matching *matching, const struct matcher *m, uint32_t node)
{
    if (m->relation.field != 0)
        return match_has_field(matching, m, node);
    switch ((enum stop_by)m->relation.stop) {
    case STOP_NEIGHBOR:
        return first_child_wanted(matching, m, node);
    case STOP_END:
        return first_wanted(matching, m, node + 1, matching->flat->subtree_end[node]);
    case STOP_RULE:
        return first_wanted_before_stop(matching, m, node);
    }
    return FLAT_NONE;
}

/* flat_previous_sibling, counting its steps. */
static uint32_t
previous_sibling(struct matching *matching, uint32_t node)
{
    const struct flat *flat = matching->flat;
    uint32_t parent = flat->parent[node];
    if (parent == FLAT_NONE || node == parent + 1)
        return FLAT_NONE;
    uint32_t at = node - 1;
    while (flat->parent[at] != parent && match_step(matching))
        at = flat->parent[at];
    return matching->gave_up ? FLAT_NONE : at;
}

/* ---- precedes, follows --------------------------------------------------------------------- */

/* The next sibling that ends after NODE: an empty one at its end is skipped. */
static uint32_t
next_neighbor(const struct flat *flat, uint32_t node)
{
    uint32_t next = flat_next_sibling(flat, node);
    while (next != FLAT_NONE && flat->end_byte[next] <= flat->end_byte[node])
        next = flat_next_sibling(flat, next);
    return next;
}

/*
 * Where the longer forms start to walk: the parent's first child that ends after the start of
 * NODE.  That is NODE itself unless it is empty.  The file node walks its own children.
 */
static uint32_t
walk_start(const struct flat *flat, uint32_t node)
{
    uint32_t at = flat->parent[node] == FLAT_NONE ? flat_first_child(flat, node) : node;
    while (at != FLAT_NONE && flat->end_byte[at] <= flat->start_byte[node])
        at = flat_next_sibling(flat, at);
    return at;
}

static uint32_t
match_sibling(struct matching *matching, const struct matcher *m, uint32_t node)
{
    const struct flat *flat = matching->flat;
    bool forward = m->op == MATCHER_PRECEDES;
    if (m->relation.stop == STOP_NEIGHBOR) {
        uint32_t neighbor = forward ? next_neighbor(flat, node) : previous_sibling(matching, node);
        return neighbor != FLAT_NONE && is_wanted(matching, m, neighbor) ? neighbor : FLAT_NONE;
    }
    uint32_t at = walk_start(flat, node);
    while (at != FLAT_NONE && match_step(matching)) {
        at = forward ? flat_next_sibling(flat, at) : previous_sibling(matching, at);
        if (at == FLAT_NONE)
            break;
        if (is_wanted(matching, m, at))
            return at;
        if (m->relation.stop == STOP_RULE && is_stop(matching, m, at))
            break;
    }
    return FLAT_NONE;
}

uint32_t
match_relation(struct matching *matching, const struct matcher *m, uint32_t node)
{
    switch ((enum matcher_op)m->op) {
    case MATCHER_INSIDE:
        return match_inside(matching, m, node);
    case MATCHER_HAS:
        return match_has(matching, m, node);
    default:
        return match_sibling(matching, m, node);
    }
}
