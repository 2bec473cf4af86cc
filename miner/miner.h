/*
 * miner: from repositories to trajectories, and from trees to facts.
 *
 * Commits and trees are read from the object databases; nothing is checked out, and nothing in a
 * repository is run or written.  May include intake, git, analyzer, store, manifests and base.
 * Computes no score.
 *
 * Threads: call these functions from one thread at a time; they use as many threads as their
 * options say. The settings of libgit2 are global to the process, so nothing else may change them.
 */
#ifndef STRATA_MINER_H
#define STRATA_MINER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzer/analyzer.h"
#include "intake/intake.h"
#include "base/arena.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/oid.h"
#include "base/progress.h"
#include "manifests/manifests.h"
#include "store/store.h"

/* ---- Panels -------------------------------------------------------------------------------- */

/* A repository to mine.  Texts are as in struct store_trajectory. */
struct miner_repository {
    struct bytes id; /* of its trajectory; unique in a run */
    const char *path;
    struct bytes origin;
    int64_t stars; /* -1 when unknown */
    struct bytes as_of;
    struct bytes license;
    struct bytes ref;  /* a branch or tag; empty: HEAD */
    struct oid pinned; /* walk from this commit instead of REF; len 0: not pinned */
};

/* What to do with a trajectory when the head of its repository has moved since it was mined. */
enum miner_moved {
    MINER_MOVED_KEEP,   /* keep it as it is */
    MINER_MOVED_EXTEND, /* keep its checkpoints, add new commits at the same rate */
    MINER_MOVED_ANEW    /* sample again from the new head */
};

struct miner_options {
    struct sampling sampling;
    const struct source_filter *filter; /* which files are source */
    bool content_only;                  /* a commit that only changes modes does not touch source */
    enum miner_moved moved;
    int64_t latest_s;    /* a committer date after it cannot be real */
    bool verify_objects; /* check the hash of every object that is read */
    struct analyzer_options analyzer;
    size_t n_jobs;             /* at least 1 */
    uint64_t memory_bytes;     /* see miner_mine; 0: MINER_MEMORY_DEFAULT */
    uint64_t commit_bytes;     /* bytes between two commits of the store, which a crash can lose; 0:
                                  MINER_COMMIT_DEFAULT */
    struct progress *progress; /* may be NULL */
};

#define MINER_MEMORY_DEFAULT ((uint64_t)256 * 1024 * 1024)
#define MINER_COMMIT_DEFAULT ((uint64_t)16 * 1024 * 1024)

/* What became of one repository. */
struct miner_result {
    enum store_status status; /* UNFINISHED when the run was stopped before its end */
    bool was_done;            /* mined before and nothing to add */
    bool has_moved;           /* its head is not the one it was mined from, and it was kept */
    bool has_grafts;          /* it has grafts or replacement refs, which are not followed */
    uint64_t n_commits;       /* walked; 0 when its commits were known from before */
    uint64_t n_tested;        /* compared with their parent */
    uint64_t n_touching;      /* of these: touch source */
    uint64_t n_checkpoints;
    uint64_t n_files;       /* listed in all checkpoints */
    uint64_t n_blobs;       /* distinct */
    uint64_t n_analysed;    /* of these: analysed now */
    uint64_t n_taken_over;  /* of these: earlier hits of unchanged rules reused */
    uint32_t n_fresh_rules; /* rules that were run for these */
    uint64_t n_bytes;       /* of these: of source */
    uint64_t n_bad_dates;   /* checkpoints without a time: a date that cannot be real */
    uint64_t n_notes;       /* notes in the store about it */
    char reason[256];       /* the first of them; "" when there is none */
};

/*
 * Mine REPOSITORIES into STORE: choose commits, list their trees, and analyse each blob that the
 * store lacks.  RESULTS has an element for each repository.  A repository that cannot be used is a
 * result, not a failure.  The content of the store in the end does not depend on n_jobs, nor on how
 * often the run was stopped or killed.
 *
 * Memory: lists of files and results that wait to be written take at most three quarters of
 * memory_bytes, and packs in memory at most one quarter.  Parsing takes about 110 bytes for a byte
 * of source; several files are parsed at the same time only while that fits into memory_bytes; one
 * is always parsed.  Walking a history takes at most 2 MB; the rest is in a temporary file.
 *
 * 0, or -1: the store cannot be written, ERR_NOMEM, or ERR_STOPPED; what was committed stays.
 */
int miner_mine(const struct miner_options *options, struct store *store,
               const struct miner_repository *repositories, size_t n_repositories,
               struct miner_result *results, struct err *err);

/* What a history has, before it is mined. */
struct miner_counts {
    uint64_t n_commits; /* reachable, each once */
    uint64_t n_single;  /* of these: fewer than two parents */
    uint64_t n_content; /* of the single ones: change the content of a source file */
    uint64_t n_mode;    /* of the single ones: change only the mode of one */
    uint64_t n_unknown; /* of the single ones: a tree cannot be read */
};

/* Count the whole history of the repository in the folder PATH from REF (empty: HEAD).  0, or -1:
 * ERR_INPUT, ERR_DAMAGED, ERR_NOMEM, ERR_STOPPED. */
int miner_count(const char *path, struct bytes ref, const struct source_filter *filter,
                struct miner_counts *out, struct err *err);

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
    bool keep_sources;         /* keep the bytes of each file in miner_file.source */
    struct progress *progress; /* may be NULL */
};

struct miner_file {
    struct bytes path; /* below the root of the scan */
    struct oid blob;   /* len 0 for a file on disk */
    uint32_t mode;
    struct facts facts;     /* skipped is SKIP_UNREADABLE when it could not be read */
    const struct hit *hits; /* sorted by rule, start byte, end byte */
    uint32_t n_hits;
    const uint32_t *gave_up; /* rules whose hits are not known, as in struct hit_list */
    uint32_t n_gave_up;
    struct bytes source; /* as stored, not decoded; empty unless keep_sources */
    const char *problem; /* why it could not be read; NULL when it was */
};

/* A defect of a tree, such as a name that is there twice. */
struct miner_defect {
    struct bytes folder; /* below the root of the scan, "" or ending in '/' */
    const char *what;
};

struct miner_tree {
    struct miner_file *files; /* in bytewise order of paths */
    size_t n_files;
    struct miner_defect *defects;
    size_t n_defects;
    struct oid commit;    /* the commit read; len 0 for a tree id or files on disk */
    struct arena *arenas; /* hold everything; [0, n_arenas) */
    size_t n_arenas;
};

/*
 * Analyse every source file of one tree.  The result does not depend on n_jobs.  A file that is
 * given by name is analysed whatever the filter says; folders are searched with the filter.  *OUT
 * is the caller's, to miner_tree_destroy.  0, or -1: ERR_INPUT, ERR_DAMAGED (a tree cannot be
 * read), ERR_NOMEM, ERR_STOPPED.
 */
int
miner_read_tree(const struct miner_tree_options *options, struct miner_tree **out, struct err *err);
/* Free TREE and everything it points to.  NULL is fine. */
void miner_tree_destroy(struct miner_tree *tree);

#endif
