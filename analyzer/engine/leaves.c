/*
 * See leaves.h.  Most nodes are excluded by kind, length and first byte before their text is looked
 * up.
 */
#include "analyzer/engine/leaves.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { LEAVES_MAX = 100000, LENGTH_MAX = 63 };

/* ---- The set ------------------------------------------------------------------------------- */

void
leaf_set_init(struct leaf_set *set)
{
    *set = (struct leaf_set){0};
    map_init(&set->texts);
}

void
leaf_set_clear(struct leaf_set *set)
{
    map_clear(&set->texts);
    free(set->leaves);
    leaf_set_init(set);
}

static uint64_t
length_bit(size_t len)
{
    return (uint64_t)1 << (len < LENGTH_MAX ? len : LENGTH_MAX);
}

static bool
make_room(struct leaf_set *set)
{
    return set->n_leaves < LEAVES_MAX &&
           ARRAY_RESERVE(set->leaves, set->n_leaves, set->capacity, 1);
}

uint32_t
leaf_set_put(struct leaf_set *set, uint16_t kind, struct bytes text)
{
    if (text.len == 0 || !make_room(set))
        return LEAF_NONE;
    bool is_new;
    uint64_t *first = map_put(&set->texts, text, &is_new);
    if (!first)
        return LEAF_NONE;
    if (is_new)
        *first = LEAF_NONE;
    for (uint32_t i = (uint32_t)*first; i != LEAF_NONE; i = set->leaves[i].next)
        if (set->leaves[i].kind == kind)
            return i;
    set->leaves[set->n_leaves] = (struct leaf){kind, (uint32_t)*first};
    *first = set->n_leaves;
    kind_set_add(&set->kinds, kind);
    set->starts[text.data[0]] = true;
    set->lengths |= length_bit(text.len);
    return set->n_leaves++;
}

/* ---- A file -------------------------------------------------------------------------------- */

static void
append_node(struct leaf_index *index, uint32_t leaf, uint32_t node)
{
    if (index->count[leaf]++ == 0)
        index->first[leaf] = node;
    else
        index->next[index->last[leaf]] = node;
    index->last[leaf] = node;
    index->next[node] = FLAT_NONE;
}

/* Length and first byte exclude most nodes. */
static void
find_leaves(const struct leaf_set *set, const struct flat *flat, const uint32_t *nodes, uint32_t n,
            struct leaf_index *index)
{
    for (uint32_t i = 0; i < n; i++) {
        struct bytes text = flat_text(flat, nodes[i]);
        if (!(set->lengths & length_bit(text.len)) || !set->starts[text.data[0]])
            continue;
        const uint64_t *first = map_get(&set->texts, text);
        for (uint32_t leaf = first ? (uint32_t)*first : LEAF_NONE; leaf != LEAF_NONE;
             leaf = set->leaves[leaf].next)
            if (set->leaves[leaf].kind == flat->kind[nodes[i]])
                append_node(index, leaf, nodes[i]);
    }
}

int
leaf_index_build(const struct leaf_set *set, const struct flat *flat,
                 const struct kind_index *kinds, struct arena *arena, struct leaf_index *out)
{
    *out = (struct leaf_index){.first = ARENA_ARRAY(arena, set->n_leaves, uint32_t),
                               .last = ARENA_ARRAY(arena, set->n_leaves, uint32_t),
                               .count = ARENA_ARRAY(arena, set->n_leaves, uint32_t),
                               .next = ARENA_ARRAY(arena, flat->n_nodes, uint32_t)};
    if (!out->first || !out->last || !out->count || !out->next)
        return -1;
    for (unsigned word = 0; word < KIND_WORDS; word++) {
        for (uint64_t bits = set->kinds.words[word]; bits; bits &= bits - 1) {
            unsigned kind = word * 64 + (unsigned)__builtin_ctzll(bits);
            uint32_t first = kinds->first[kind];
            find_leaves(set, flat, kinds->nodes + first, kinds->first[kind + 1] - first, out);
        }
    }
    return 0;
}
