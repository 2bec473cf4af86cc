/*
 * A hash table from the hashes of clone candidates to group numbers.
 *
 * 1. slots has n_slots entries, a power of two; an entry is a group number + 1, or 0.
 * 2. At most half of the slots are used, so that a probe ends.
 * 3. The hashes are evenly distributed, so that their low bits choose the slot.  The general map of
 *    base, which hashes and copies keys, took a sixth of the time of a score.
 */
#include "aggregate/score/clone_index.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS_MIN = 1024 };

void
clone_index_clear(struct clone_index *index)
{
    free(index->slots);
    free(index->hashes);
    free(index->members);
    *index = (struct clone_index){0};
}

void
clone_index_reset(struct clone_index *index)
{
    if (index->n_slots)
        memset(index->slots, 0, index->n_slots * sizeof(*index->slots));
    index->n_groups = 0;
}

/* The slot of HASH: where it is, or the free slot where it belongs. */
static uint32_t *
find_slot(const struct clone_index *index, const uint64_t hash[2])
{
    assert(index->n_slots && index->n_groups * 2 <= index->n_slots);
    size_t at = (size_t)hash[0] & (index->n_slots - 1);
    for (; index->slots[at]; at = (at + 1) & (index->n_slots - 1)) {
        const uint64_t *half = index->hashes[index->slots[at] - 1].half;
        if (half[0] == hash[0] && half[1] == hash[1])
            break;
    }
    return &index->slots[at];
}

/* Double the slots.  On failure the index stays as it is. */
static int
grow(struct clone_index *index, struct err *err)
{
    size_t n_slots = index->n_slots ? index->n_slots * 2 : SLOTS_MIN;
    struct clone_hash *hashes = reallocarray(index->hashes, n_slots / 2, sizeof(*hashes));
    if (!hashes)
        return err_nomem(err, "clone groups");
    index->hashes = hashes;
    uint32_t *members = reallocarray(index->members, n_slots / 2, sizeof(*members));
    if (!members)
        return err_nomem(err, "clone groups");
    index->members = members;
    uint32_t *slots = calloc(n_slots, sizeof(*slots));
    if (!slots)
        return err_nomem(err, "clone groups");
    free(index->slots);
    index->slots = slots;
    index->n_slots = n_slots;
    for (size_t i = 0; i < index->n_groups; i++)
        *find_slot(index, hashes[i].half) = (uint32_t)i + 1;
    return 0;
}

int
clone_index_group(struct clone_index *index, const struct clone_candidate *candidate,
                  uint32_t *group, struct err *err)
{
    if (index->n_groups * 2 >= index->n_slots && grow(index, err) < 0)
        return -1;
    uint32_t *slot = find_slot(index, candidate->hash);
    if (!*slot) {
        index->hashes[index->n_groups] =
            (struct clone_hash){{candidate->hash[0], candidate->hash[1]}};
        index->members[index->n_groups++] = 0;
        *slot = (uint32_t)index->n_groups;
    }
    *group = *slot - 1;
    return 0;
}
