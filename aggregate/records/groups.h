/*
 * Groups: records with the same key, groups in order of first appearance.
 */
#ifndef STRATA_AGGREGATE_RECORDS_GROUPS_H
#define STRATA_AGGREGATE_RECORDS_GROUPS_H

#include "aggregate/records/record.h"

struct group {
    const struct record **records; /* in their original order */
    size_t n_records;
};

struct groups {
    struct group *items;
    size_t n_items;
    struct arena arena;
};

/* Append the key of RECORD's group to KEY: records with equal keys are in one group. */
typedef void group_key(const struct record *record, struct buf *key);

/* Keys for groups_of: the problem; model, variant and run. */
void group_by_problem(const struct record *record, struct buf *key);
void group_by_run(const struct record *record, struct buf *key);

/* Group the N RECORDS, which are borrowed, by KEY.  OUT is the caller's, to groups_clear.  0, or -1
 * with ERR_NOMEM. */
int groups_of(const struct record *const *records, size_t n, group_key *key, struct groups *out,
              struct err *err);
/* Free the memory of GROUPS. */
void groups_clear(struct groups *groups);

#endif
