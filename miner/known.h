/*
 * Known: what the store already has.
 */
#ifndef STRATA_MINER_KNOWN_H
#define STRATA_MINER_KNOWN_H

#include "base/arena.h"
#include "base/err.h"
#include "miner/job.h"
#include "store/store.h"

struct known {
    const struct job_context *context;
    struct store_reader *reader; /* of the store as it was at known_init */
};

/* Open a reader of the newest snapshot of the store of CONTEXT, which is borrowed.  0, or -1. */
int known_init(struct known *known, const struct job_context *context, struct err *err);
/* Close the reader. */
void known_clear(struct known *known);

/* What the store lacks of BLOB, as a set of enum store_want; CONTEXT is a struct known.  -1 with
 * ERR. */
int known_wants(void *context, const struct oid *blob, struct err *err);
/* Does the store have the trajectory ID with the parameters of this run?  1 with *OUT in ARENA; 0,
 * also when it is damaged; -1 with ERR. */
int known_trajectory(struct known *known, struct bytes id, struct arena *arena,
                     struct store_trajectory *out, struct err *err);
/* Make *OUT the *N_OUT checkpoints of the trajectory ID, in ARENA; none when one is damaged.  0, or
 * -1. */
int known_checkpoints(struct known *known, struct bytes id, struct arena *arena,
                      struct store_checkpoint **out, size_t *n_out, struct err *err);
/* Does the store have everything of CHECKPOINTS that a mine records: author dates, listings, and
 * what is wanted of each blob?  1 with the number of files and of distinct blobs, 0, or -1 with
 * ERR. */
int known_is_whole(struct known *known, const struct store_checkpoint *checkpoints,
                   size_t n_checkpoints, uint64_t *n_files, uint64_t *n_blobs, struct err *err);

#endif
