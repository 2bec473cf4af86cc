/*
 * mirrors: the local mirrors of a panel's repositories: where they are, what is wrong with one,
 * making them with the system's git, and what that takes.
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

/* Where the mirror of repository NAME is in the folder MIRRORS: NAME.git, or NAME when only that is
 * there.  In ARENA; NULL when memory is out. */
char *miner_mirror_path(const char *mirrors, struct bytes name, struct arena *arena);

enum miner_mirror_state {
    MINER_MIRROR_GOOD,
    MINER_MIRROR_MISSING,
    MINER_MIRROR_DAMAGED,
    MINER_MIRROR_SHALLOW,
    MINER_MIRROR_PARTIAL,
    MINER_MIRROR_LACKS_HEAD, /* not the commit that the manifest pins */
    MINER_MIRROR_MOVED       /* the pinned commit is there, but is not its head */
};

/* "good", "lacks head" and so on. */
const char *miner_mirror_state_name(enum miner_mirror_state state);

struct miner_mirror {
    enum miner_mirror_state state;
    struct oid head;    /* of the ref asked for; len 0 when it cannot be read */
    uint64_t n_commits; /* of its first-parent history; 0 when it cannot be walked */
    char reason[1024];  /* "" for a good one */
};

/* Look at the mirror of REPOSITORY in the folder PATH. */
int miner_mirror_check(const struct manifest_repository *repository, const char *path,
                       struct miner_mirror *out, struct err *err);

struct miner_clone_options {
    const char *mirrors;  /* the folder; made when it is missing */
    size_t n_jobs;        /* at once */
    unsigned n_tries;     /* for each repository, at least 1 */
    double retry_delay_s; /* before the second try; doubled for each after it */
    unsigned stall_s;     /* a connection that brings less than 1 kB/s for so long is given up */
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
 * Make bare mirrors of REPOSITORIES with the git of the system: whole histories of their default
 * branch (or of the ref the manifest names), nothing else.  A mirror appears under its name only
 * when it is complete, so a run that was stopped goes on with those that lack, and with what it has
 * of them.  What cannot be had is a result.  -1: git cannot be run, the folder cannot be written,
 * ERR_STOPPED.
 */
int miner_clone(const struct miner_clone_options *options,
                const struct manifest_repository *repositories, size_t n_repositories,
                struct miner_clone *results, struct err *err);

/*
 * What cloning the ones that are not there will take, roughly, and what the disk has.  No list of
 * repositories tells sizes, and stars do not (of 40, ten a tier, the hobby ones were the largest):
 * it is a mean, of the mirrors that are there when they are twenty or more, else the constant.
 */
struct miner_clone_estimate {
    size_t n_missing;
    size_t n_measured; /* mirrors whose sizes MEAN_BYTES is of; 0 for the constant */
    uint64_t mean_bytes;
    uint64_t wanted_bytes;
    uint64_t free_bytes;
};

/* The mean over 40 repositories of all star tiers; the median is 7 MB, the largest had 147. */
enum { MINER_CLONE_MEAN_BYTES = 16 * 1000 * 1000 };

int miner_clone_estimate(const char *mirrors, const struct manifest_repository *repositories,
                         size_t n_repositories, struct miner_clone_estimate *out, struct err *err);

#endif
