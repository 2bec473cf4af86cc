/*
 * Clone index: how many places of a checkpoint share a clone candidate's hash.
 *
 * Hashes become small group numbers once; after that files join and leave a checkpoint by counting
 * up and down, so the next checkpoint of a trajectory costs what changed and not what is there.
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
    uint32_t *slots; /* open addressing by hash: a group + 1, 0 for free; kept under half full */
    size_t n_slots;  /* a power of two, or 0 */
    struct clone_hash *hashes; /* by group */
    uint32_t *members;         /* by group */
    size_t n_groups;
};

/* {0} is an empty index. */
void clone_index_clear(struct clone_index *index);
/* Forget all groups, keep the memory. */
void clone_index_reset(struct clone_index *index);
/* Say that the group of CANDIDATE will be asked for soon: in a large index each is a wait for
 * memory, and waits that are announced overlap. */
static inline void
clone_index_prefetch(const struct clone_index *index, const struct clone_candidate *candidate)
{
    if (index->n_slots)
        __builtin_prefetch(&index->slots[candidate->hash[0] & (index->n_slots - 1)]);
}
/* The group CANDIDATE belongs to, made when it is new, with no member yet. */
int clone_index_group(struct clone_index *index, const struct clone_candidate *candidate,
                      uint32_t *group, struct err *err);

#endif
