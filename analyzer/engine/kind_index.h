/*
 * Kind index: the nodes of a flat tree by kind, in document order.
 */
#ifndef STRATA_ANALYZER_ENGINE_KIND_INDEX_H
#define STRATA_ANALYZER_ENGINE_KIND_INDEX_H

#include "analyzer/parse/flat.h"
#include "analyzer/engine/matcher.h"
#include "base/arena.h"

struct kind_index {
    uint32_t first[KIND_BITS + 1]; /* into nodes, by kind modulo KIND_BITS */
    uint32_t *nodes;
};

/* List the nodes of FLAT in ARENA.  -1 when memory is out. */
int kind_index_build(const struct flat *flat, struct arena *arena, struct kind_index *out);

/* How many nodes have KIND. */
static inline uint32_t
kind_index_count(const struct kind_index *index, uint16_t kind)
{
    unsigned bit = kind % KIND_BITS;
    return index->first[bit + 1] - index->first[bit];
}

/* How many nodes have a kind in KINDS. */
static inline uint32_t
kind_index_count_all(const struct kind_index *index, const struct kind_set *kinds)
{
    uint32_t n = 0;
    for (unsigned word = 0; word < KIND_WORDS; word++)
        for (uint64_t bits = kinds->words[word]; bits; bits &= bits - 1)
            n += kind_index_count(index, (uint16_t)(word * 64 + (unsigned)__builtin_ctzll(bits)));
    return n;
}

#endif
