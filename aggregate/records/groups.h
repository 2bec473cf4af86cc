/*
 * Groups: records that belong together, in order of first appearance.
 */
#ifndef STRATA_AGGREGATE_RECORDS_GROUPS_H
#define STRATA_AGGREGATE_RECORDS_GROUPS_H

#include "aggregate/records/record.h"

struct group {
    const struct record **records; /* in order */
    size_t n_records;
};

struct groups {
    struct group *items;
    size_t n_items;
    struct arena arena;
};

/* The text that says to which group a record belongs; appended to KEY, which is empty. */
typedef void group_key(const struct record *record, struct buf *key);

void group_by_problem(const struct record *record, struct buf *key);
/* By model, variant and run. */
void group_by_run(const struct record *record, struct buf *key);

/* Group the N RECORDS, which are borrowed.  OUT is the caller's, to groups_clear.  ERR_NOMEM. */
int groups_of(const struct record *const *records, size_t n, group_key *key, struct groups *out,
              struct err *err);
void groups_clear(struct groups *groups);

#endif
