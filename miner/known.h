/*
 * Known: what the store has already.
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

int known_init(struct known *known, const struct job_context *context, struct err *err);
void known_clear(struct known *known);

/* What the store lacks of BLOB (enum store_want); CONTEXT is a struct known.  -1: it cannot be
 * read. */
int known_wants(void *context, const struct oid *blob, struct err *err);
/* The trajectory ID, when it was mined with the same parameters; a damaged one counts as missing.
 * 1 with *OUT in ARENA, 0, -1. */
int known_trajectory(struct known *known, struct bytes id, struct arena *arena,
                     struct store_trajectory *out, struct err *err);
/* Its checkpoints in ARENA; a damaged one counts as none at all.  0, -1. */
int known_checkpoints(struct known *known, struct bytes id, struct arena *arena,
                      struct store_checkpoint **out, size_t *n_out, struct err *err);
/* Has the store all that is recorded of CHECKPOINTS now, the listing of each and all that is wanted
 * of each blob in them?  1, 0, -1.  *N_FILES and *N_BLOBS are how many there are, when it is 1. */
int known_is_whole(struct known *known, const struct store_checkpoint *checkpoints,
                   size_t n_checkpoints, uint64_t *n_files, uint64_t *n_blobs, struct err *err);

#endif
