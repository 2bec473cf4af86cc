/*
 * Clone index: how many places of a checkpoint share a clone candidate's hash.
 *
 * Hashes become small group numbers once; after that files join and leave a checkpoint by counting
 * up and down, so the next checkpoint of a trajectory costs what changed and not what is there.
 */
#ifndef STRATA_AGGREGATE_CLONE_INDEX_H
#define STRATA_AGGREGATE_CLONE_INDEX_H

#include <stddef.h>
#include <stdint.h>

#include "analyzer/analyzer.h"

struct clone_slot {
    uint64_t hash[2];
    uint32_t group;
    uint32_t round; /* of the index when it was filled; another one: it is free */
};

struct clone_index {
    struct clone_slot *slots; /* open addressing by hash[0], kept under half full */
    size_t n_slots;           /* a power of two, or 0 */
    uint32_t *members;        /* by group */
    size_t n_groups;
    uint32_t round; /* counts the resets, so that these need not touch the slots */
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
