/*
 * Tree files: the files of one scan, and which of them share a blob.
 */
#ifndef STRATA_MINER_TREE_FILES_H
#define STRATA_MINER_TREE_FILES_H

#include "miner/miner.h"
#include "git/repo.h"

struct tree_file {
    struct bytes path;
    struct oid blob;
    uint32_t mode;
    const char *disk_path; /* NULL: the blob */
    size_t same_as;        /* index of the first file with this blob, perhaps its own */
};

struct tree_files {
    const struct miner_tree_options *options;
    const struct source_filter *filter;
    struct miner_tree *tree; /* takes its commit and defects */
    struct arena *arena;     /* of paths */
    struct repo repo;        /* open once a revision is listed; the owner's, to repo_clear */
    struct tree_file *items; /* in bytewise order of paths; the owner's, to free */
    size_t n_items, capacity;
    size_t defects_capacity;
};

/* Fill the items of FILES, whose options, filter, tree and arena are set.  0, or -1. */
int tree_files_list(struct tree_files *files, struct err *err);

#endif
