/*
 * mirrors: local mirrors of the repositories of a panel: finding them, checking them, making them
 * with the system's git, and estimating what that takes.
 *
 * May include git, manifests and base.
 */
#ifndef STRATA_MINER_MIRRORS_H
#define STRATA_MINER_MIRRORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/oid.h"
#include "base/progress.h"
#include "manifests/manifests.h"

/* The path of the mirror of repository NAME in the folder MIRRORS, in ARENA: NAME.git, or NAME when
 * only that is there.  NULL when memory is out. */
char *miner_mirror_path(const char *mirrors, struct bytes name, struct arena *arena);

enum miner_mirror_state {
    MINER_MIRROR_GOOD,
    MINER_MIRROR_MISSING,
    MINER_MIRROR_DAMAGED,
    MINER_MIRROR_SHALLOW,
    MINER_MIRROR_PARTIAL,
    MINER_MIRROR_LACKS_HEAD, /* it lacks the commit that the manifest pins */
    MINER_MIRROR_MOVED       /* it has the pinned commit, but its head is another one */
};

/* "good", "missing", "lacks head" and so on.  Static. */
const char *miner_mirror_state_name(enum miner_mirror_state state);

struct miner_mirror {
    enum miner_mirror_state state;
    struct oid head;    /* of the requested ref; len 0 when it cannot be read */
    uint64_t n_commits; /* of its first-parent history; 0 when it cannot be walked */
    char reason[1024];  /* "" for a good one */
};

/* Check the mirror of REPOSITORY in the folder PATH.  0, or -1 with ERR_NOMEM. */
int miner_mirror_check(const struct manifest_repository *repository, const char *path,
                       struct miner_mirror *out, struct err *err);

struct miner_clone_options {
    const char *mirrors;  /* the folder; made when it is missing */
    size_t n_jobs;        /* clones at the same time */
    unsigned n_tries;     /* for each repository, at least 1 */
    double retry_delay_s; /* before the second try; doubled for each after it */
    unsigned stall_s;     /* a connection with less than 1 kB/s for so long is given up */
    bool update;          /* fetch into mirrors that are there already */
    struct progress *progress;
};

enum miner_clone_state {
    MINER_CLONE_MADE,
    MINER_CLONE_UPDATED,
    MINER_CLONE_PRESENT,
    MINER_CLONE_FAILED,
    MINER_CLONE_STOPPED
};

struct miner_clone {
    enum miner_clone_state state;
    unsigned n_tries;
    char reason[512]; /* why it failed, in git's words; "" otherwise */
};

/*
 * Make bare mirrors of REPOSITORIES with the system's git: the whole history of the default branch,
 * or of the ref that the manifest names, and nothing else.  A mirror has its name only when it is
 * complete, so after a stop the next run continues with those that are missing.  A repository that
 * cannot be cloned is a result.  0, or -1: ERR_INPUT (git cannot be run), ERR_STOPPED, ERR_NOMEM,
 * ERR_IO.
 */
int miner_clone(const struct miner_clone_options *options,
                const struct manifest_repository *repositories, size_t n_repositories,
                struct miner_clone *results, struct err *err);

/*
 * About how many bytes the missing mirrors will take, and how many are free.  Manifests have no
 * sizes, and stars do not predict them (of 40 repositories, ten of each tier, the hobby ones were
 * the largest), so the estimate is a mean: of the mirrors that are there if they are twenty or
 * more, else a constant.
 */
struct miner_clone_estimate {
    size_t n_missing;
    size_t n_measured; /* mirrors that MEAN_BYTES is the mean of; 0: it is the constant */
    uint64_t mean_bytes;
    uint64_t wanted_bytes;
    uint64_t free_bytes;
};

/* The mean over 40 repositories of all star tiers; the median is 7 MB, the largest had 147. */
enum { MINER_CLONE_MEAN_BYTES = 16 * 1000 * 1000 };

/* Estimate for REPOSITORIES in the folder MIRRORS, which is made when it is missing.  0, or -1 with
 * ERR_IO or another error of the folder. */
int miner_clone_estimate(const char *mirrors, const struct manifest_repository *repositories,
                         size_t n_repositories, struct miner_clone_estimate *out, struct err *err);

#endif
