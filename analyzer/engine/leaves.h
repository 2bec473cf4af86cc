/*
 * Leaves: the nodes of a file that have a given kind and spell a given text, such as the identifier
 * `len`.
 *
 * A struct leaf_set holds the leaves that rules ask for; it is filled while they are loaded and
 * immutable afterwards.  A struct leaf_index holds where they are in one file.
 */
#ifndef STRATA_ANALYZER_ENGINE_LEAVES_H
#define STRATA_ANALYZER_ENGINE_LEAVES_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/parse/flat.h"
#include "analyzer/engine/kind_index.h"
#include "base/arena.h"
#include "base/map.h"

#define LEAF_NONE UINT32_MAX

struct leaf {
    uint16_t kind;
    uint32_t next; /* of the same text and another kind, or LEAF_NONE */
};

struct leaf_set {
    struct map texts; /* to the first leaf of that text */
    struct leaf *leaves;
    uint32_t n_leaves, capacity;
    struct kind_set kinds; /* of all leaves */
    bool starts[256];      /* of each byte: does a text start with it? */
    uint64_t lengths;      /* lengths of texts as bits; bit 63 is 63 and more */
};

/* Make SET empty; free what it holds. */
void leaf_set_init(struct leaf_set *set);
void leaf_set_clear(struct leaf_set *set);
/* The number of a leaf, which is added when it is new; LEAF_NONE when the set is full or memory is
 * out. */
uint32_t leaf_set_put(struct leaf_set *set, uint16_t kind, struct bytes text);

/* The nodes of each leaf as a chain in document order. */
struct leaf_index {
    uint32_t *first; /* of each leaf: its first node, or FLAT_NONE */
    uint32_t *last;
    uint32_t *count;
    uint32_t *next; /* of each node: the next one of the same leaf, or FLAT_NONE */
};

/* Find the leaves of SET in FLAT, whose nodes are listed in KINDS; -1 when memory is out. */
int leaf_index_build(const struct leaf_set *set, const struct flat *flat,
                     const struct kind_index *kinds, struct arena *arena, struct leaf_index *out);

#endif
