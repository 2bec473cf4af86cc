/*
 * Compare: does a commit touch source?
 *
 * Two trees are compared side by side.  Subtrees with equal ids are never read, and the first
 * source file whose content differs ends the comparison.  Renames are not followed.
 */
#ifndef STRATA_MINER_COMPARE_H
#define STRATA_MINER_COMPARE_H

#include "base/buf.h"
#include "manifests/manifests.h"
#include "git/objects.h"
#include "git/tree.h"

enum touch {
    TOUCH_NONE,
    TOUCH_MODE,    /* a source file changed its executable bit, none its content */
    TOUCH_CONTENT, /* a source file was added, changed or removed */
    TOUCH_UNKNOWN  /* a tree that matters cannot be read */
};

struct compare_level;

/* The memory of one thread, reused by its comparisons. */
struct compare {
    struct objects *objects;            /* borrowed */
    const struct source_filter *filter; /* borrowed */
    struct compare_level *levels;       /* [0, n_open) are open, trees of all are kept for reuse */
    size_t n_open;
    size_t n_levels;
    struct buf path;    /* of the entry being looked at */
    uint64_t n_entries; /* compared in this comparison */
    uint64_t n_folders;
    uint64_t tree_bytes; /* read in this comparison, and TREE_COST for each */
    char reason[384];    /* why it is unknown */
};

/* Make COMPARE ready.  OBJECTS and FILTER are borrowed until compare_clear. */
void
compare_init(struct compare *compare, struct objects *objects, const struct source_filter *filter);
/* Free the memory of COMPARE. */
void compare_clear(struct compare *compare);

/* Compare the trees with these ids; OLD_TREE is NULL for a commit without a parent.  For
 * TOUCH_UNKNOWN compare->reason is a line about the tree that cannot be read. */
enum touch
compare_trees(struct compare *compare, const struct oid *old_tree, const struct oid *new_tree);

#endif
