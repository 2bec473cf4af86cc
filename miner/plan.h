/*
 * Plan: what is to be analysed for some checkpoints of one repository.
 *
 * A plan has the listings of as many checkpoints as its memory allows, with each path and each blob
 * once, and the blobs that the store lacks, divided into slices: large blobs first, so that none is
 * left for the end, then the others by path and commit, so that neighbours share the bases of their
 * deltas in a pack.
 */
#ifndef STRATA_MINER_PLAN_H
#define STRATA_MINER_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "base/oid.h"
#include "miner/listing.h"
#include "miner/markers.h"
#include "intake/notes.h"
#include "git/objects.h"

struct plan_blob {
    struct oid id;
    uint64_t size_bytes;
    uint32_t path; /* the first path it has */
    uint8_t wants; /* set of enum store_want; 0: the store has everything */
    char *problem; /* why it cannot be read; malloc'ed, NULL when it can */
};

struct plan_file {
    uint32_t path; /* index into paths */
    uint32_t blob; /* index into blobs */
    uint32_t mode;
};

struct plan_checkpoint {
    struct oid commit;
    int64_t time_s;
    const char *date_problem; /* NULL: time_s is good */
    bool has_author_time;
    int64_t author_time_s;
    uint32_t n_parents;
    struct bytes markers; /* in the arena */
    size_t first_file;
    size_t n_files;
    struct notes notes; /* in the arena */
};

struct plan_slice {
    uint32_t first; /* into order */
    uint32_t n_blobs;
    uint64_t n_bytes;       /* of source in all of them */
    uint64_t largest_bytes; /* of the largest */
};

struct plan {
    struct arena arena;
    struct map paths; /* path to its index */
    struct map ids;   /* raw blob id to its index */
    struct plan_blob *blobs;
    size_t blobs_capacity;
    struct plan_file *files;
    size_t n_files, files_capacity;
    struct plan_checkpoint *checkpoints;
    size_t n_checkpoints, checkpoints_capacity;
    uint32_t *order; /* blobs to analyse */
    size_t n_order;
    struct plan_slice *slices;
    size_t n_slices;
};

/* Make PLAN empty. */
void plan_init(struct plan *plan);
/* Free the memory of PLAN. */
void plan_clear(struct plan *plan);
/* About how many bytes PLAN takes. */
size_t plan_size(const struct plan *plan);

/* What the checkpoints of one repository are made from; borrowed. */
struct plan_sources {
    struct objects *objects;
    struct listing *listing;
    const struct markers *markers;
    int64_t latest_s; /* a committer date after it cannot be real */
};

/*
 * Add the checkpoint of COMMIT.  Defects of its trees go into the checkpoint's notes.  0; 1 when it
 * does not fit into MAX_BYTES with the others, and the plan is as it was; -1: ERR_DAMAGED or
 * ERR_UNSUPPORTED when this commit cannot be listed (the plan is as it was), ERR_NOMEM,
 * ERR_STOPPED.
 */
int plan_add(struct plan *plan, const struct plan_sources *sources, const struct oid *commit,
             size_t max_bytes, struct err *err);

/* What is wanted of BLOB, as a set of enum store_want; -1 with ERR. */
typedef int plan_wants(void *context, const struct oid *blob, struct err *err);

/* Ask WANTS about every blob, and divide those of which something is wanted into slices.  0, or -1.
 */
int plan_cut(struct plan *plan, struct objects *objects, plan_wants *wants, void *context,
             struct err *err);

/* The number of distinct blobs in PLAN. */
static inline size_t
plan_n_blobs(const struct plan *plan)
{
    return plan->ids.n_entries;
}

#endif
