/*
 * See kind_index.h.  It is made by a counting sort, which keeps the order within each kind.
 */
#include "analyzer/engine/kind_index.h"

#include <string.h>

/* A counting sort: it keeps the order within each kind. */
int
kind_index_build(const struct flat *flat, struct arena *arena, struct kind_index *out)
{
    uint32_t next[KIND_BITS];
    memset(out->first, 0, sizeof(out->first));
    out->nodes = ARENA_ARRAY(arena, flat->n_nodes, uint32_t);
    if (!out->nodes)
        return -1;
    for (uint32_t i = 0; i < flat->n_nodes; i++)
        out->first[flat->kind[i] % KIND_BITS + 1]++;
    for (unsigned k = 0; k < KIND_BITS; k++)
        out->first[k + 1] += out->first[k];
    memcpy(next, out->first, sizeof(next));
    for (uint32_t i = 0; i < flat->n_nodes; i++)
        out->nodes[next[flat->kind[i] % KIND_BITS]++] = i;
    return 0;
}
