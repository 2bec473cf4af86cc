/* The table is filled in one pass, so the cost does not depend on how many nodes end in the same
 * run of comments. */
#include "analyzer/facts/tokens.h"

bool
tokens_find(const struct flat *flat, struct arena *arena, struct tokens *out)
{
    out->last = ARENA_ARRAY(arena, flat->n_nodes, uint32_t);
    if (!out->last)
        return false;
    uint32_t last = 0;
    for (uint32_t i = 0; i < flat->n_nodes; i++) {
        if (flat_is_leaf(flat, i) && !(flat->flags[i] & FLAT_EXTRA) &&
            flat->start_byte[i] < flat->end_byte[i])
            last = i;
        out->last[i] = last;
    }
    return true;
}
