/*
 * Clone index: how many places of a checkpoint share the hash of a clone candidate.
 *
 * A hash becomes a small group number once.  After that, files enter and leave a checkpoint by
 * adding to and subtracting from the group's count, so that the next checkpoint of a trajectory
 * costs only what changed.
 */
#ifndef STRATA_AGGREGATE_SCORE_CLONE_INDEX_H
#define STRATA_AGGREGATE_SCORE_CLONE_INDEX_H

#include <stddef.h>
#include <stdint.h>

#include "analyzer/facts.h"
#include "analyzer/hits.h"

struct clone_hash {
    uint64_t half[2];
};

struct clone_index {
    uint32_t *slots; /* open addressing by hash: group + 1, or 0 if free; at most half full */
    size_t n_slots;  /* a power of two, or 0 */
    struct clone_hash *hashes; /* by group */
    uint32_t *members;         /* by group: places in the current checkpoint */
    size_t n_groups;
};

/* Free the memory; the index is as {0}, which is an empty index. */
void clone_index_clear(struct clone_index *index);
/* Forget all groups; the memory is kept. */
void clone_index_reset(struct clone_index *index);
/* Fetch the slot of CANDIDATE into the cache.  In a large index every look-up waits for memory;
 * fetched ahead, these waits overlap. */
static inline void
clone_index_prefetch(const struct clone_index *index, const struct clone_candidate *candidate)
{
    if (index->n_slots)
        __builtin_prefetch(&index->slots[candidate->hash[0] & (index->n_slots - 1)]);
}
/* Set *GROUP to the group of CANDIDATE, which is created without members if it is new.  0, or -1
 * with ERR_NOMEM. */
int clone_index_group(struct clone_index *index, const struct clone_candidate *candidate,
                      uint32_t *group, struct err *err);

#endif
