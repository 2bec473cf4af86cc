/*
 * miner: repositories to trajectories, and trees to facts.
 *
 * Commits and trees are read raw from the object databases; nothing is checked out, nothing in a
 * repository is run or written.  May include analyzer, store, manifests, base.  Computes no score.
 *
 * Threads: every function may be called from one thread at a time; inside they use as many as
 * they are told.  libgit2's settings are the process's, so nothing else here may change them.
 */
#ifndef STRATA_MINER_H
#define STRATA_MINER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzer/analyzer.h"
#include "base/arena.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/oid.h"
#include "base/progress.h"
#include "manifests/manifests.h"
#include "store/store.h"

/* ---- One tree ------------------------------------------------------------------------------ */

struct miner_tree_options {
    /* Either files and folders on disk ... */
    const char *const *paths;
    size_t n_paths;
    /* ... or the folder PREFIX (empty: the root) of REVISION in the repository in this folder. */
    const char *repository; /* NULL: the paths above */
    struct bytes revision;  /* commit, tree, branch, tag, HEAD~3; empty: HEAD */
    struct bytes prefix;

    const struct source_filter *filter; /* NULL: source_filter_default */
    struct analyzer_options analyzer;
    size_t n_jobs;             /* 0: every core */
    bool keep_sources;         /* leave the bytes of each file in miner_file.source */
    struct progress *progress; /* may be NULL */
};

struct miner_file {
    struct bytes path;       /* below the root of the scan */
    struct oid blob;         /* len 0 for a file on disk */
    uint32_t mode;
    struct facts facts;      /* skipped is SKIP_UNREADABLE when the bytes could not be had */
    const struct hit *hits;  /* sorted by rule, start byte, end byte */
    uint32_t n_hits;
    struct bytes source;     /* as stored, not decoded; empty unless keep_sources */
    const char *problem;     /* why the bytes could not be had; NULL when they could */
};

/* What a tree holds that cannot be taken at its word, such as a name that stands twice. */
struct miner_defect {
    struct bytes folder; /* below the root of the scan, "" or ending in '/' */
    const char *what;
};

struct miner_tree {
    struct miner_file *files; /* in bytewise order of paths */
    size_t n_files;
    struct miner_defect *defects;
    size_t n_defects;
    struct oid commit;  /* that was read; len 0 for a tree id or files on disk */
    struct arena *arenas; /* hold everything; [0, n_arenas) */
    size_t n_arenas;
};

/*
 * Analyse every source file of one tree on all cores.  The result does not depend on n_jobs.  A
 * path given by name is analysed whatever its ending; folders are searched by the filter.  *out is
 * the caller's, to miner_tree_destroy.  ERR_INPUT, ERR_DAMAGED (a tree cannot be read), ERR_NOMEM,
 * ERR_STOPPED.
 */
int miner_read_tree(const struct miner_tree_options *options, struct miner_tree **out,
                    struct err *err);
void miner_tree_destroy(struct miner_tree *tree);

#endif
