/*
 * nthChild: the position of a node among the named children of its parent.  Positions of all nodes
 * of a file are computed once, when the first rule needs them.
 */
#include "analyzer/engine/match.h"

/* Number all named nodes among their siblings, once a file. */
static bool
number_named_nodes(struct matching *matching)
{
    const struct flat *flat = matching->flat;
    if (matching->named_position)
        return true;
    matching->named_position = ARENA_ARRAY(matching->arena, flat->n_nodes, uint32_t);
    matching->named_children = ARENA_ARRAY(matching->arena, flat->n_nodes, uint32_t);
    if (!matching->named_position || !matching->named_children) {
        matching->named_position = NULL;
        matching->gave_up = matching->no_memory = true;
        return false;
    }
    for (uint32_t i = 1; i < flat->n_nodes; i++)
        if (flat_is_named(flat, i))
            matching->named_position[i] = ++matching->named_children[flat->parent[i]];
    return true;
}

/* The position of NODE among the named siblings that RULE matches, and how many those are; 0 when
 * it is none.  A sibling is counted as the node that RULE yields for it. */
static uint32_t
position_among(struct matching *matching, uint32_t rule, uint32_t node, uint32_t *n_counted)
{
    const struct flat *flat = matching->flat;
    uint32_t parent = flat->parent[node], position = 0;
    *n_counted = 0;
    for (uint32_t c = parent + 1; c < flat->subtree_end[parent] && match_step(matching);
         c = flat->subtree_end[c]) {
        if (!flat_is_named(flat, c))
            continue;
        uint32_t n_trail = matching->n_trail;
        uint32_t yielded = match_node(matching, rule, c);
        match_undo(matching, n_trail);
        if (yielded == FLAT_NONE)
            continue;
        ++*n_counted;
        if (yielded == node && position == 0)
            position = *n_counted;
    }
    return position;
}

static bool
fits(const struct matcher *m, int64_t position)
{
    int64_t rest = position - m->nth.offset;
    if (m->nth.step == 0)
        return rest == 0;
    return rest % m->nth.step == 0 && rest / m->nth.step >= 0;
}

bool
match_nth(struct matching *matching, const struct matcher *m, uint32_t node)
{
    const struct flat *flat = matching->flat;
    uint32_t position, n_counted;
    if (flat->parent[node] == FLAT_NONE || !flat_is_named(flat, node))
        return false;
    if (m->nth.of_rule == MATCHER_NONE) {
        if (!number_named_nodes(matching))
            return false;
        position = matching->named_position[node];
        n_counted = matching->named_children[flat->parent[node]];
    } else {
        position = position_among(matching, m->nth.of_rule, node, &n_counted);
        if (position == 0)
            return false;
        /* What the rule binds on the node itself stays. */
        (void)match_node(matching, m->nth.of_rule, node);
    }
    return fits(m, m->nth.reverse ? (int64_t)n_counted - position + 1 : position);
}
