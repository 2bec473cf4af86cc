/*
 * Tree: the entries of one tree object, parsed from its raw bytes.
 *
 * Modes are read as octal numbers, so that the zero-padded ones of old trees mean what they mean.
 * A tree that git would not write is made usable: an entry with a null id, or whose name is empty,
 * ".", "..", ".git" or has a '/', is left out; an unsorted tree is sorted; of equal names the first
 * stays.  Each of these is a defect that the caller can name.  A truncated tree cannot be used.
 */
#ifndef STRATA_GIT_TREE_H
#define STRATA_GIT_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/oid.h"
#include "git/objects.h"

/* A tree whose entries are all the same subtree, and so on down, lists more files than anybody can
 * count, so the folders and entries visited for one commit are bounded at several times those of
 * the largest known trees (some 400,000 files in 40,000 folders).  Every commit of a repository may
 * be made so; bytes of trees above the free amount are therefore taken from the repository's
 * budget. */
enum {
    TREE_DEPTH_MAX = 4096,
    TREE_BYTES_MAX = 64 * 1024 * 1024,
    TREE_FOLDERS_MAX = 200 * 1000,
    TREE_ENTRIES_MAX = 10 * 1000 * 1000,
    TREE_LISTED_FREE = 256 * 1024 * 1024,  /* bytes of trees listed for one commit */
    TREE_COMPARED_FREE = 16 * 1024 * 1024, /* bytes of trees read for one comparison */
    TREE_COST = 4 * 1024                   /* of reading one tree, counted as bytes */
};

struct tree_entry {
    uint32_t mode;     /* as stored, an octal number */
    struct bytes name; /* borrowed from the object */
    const uint8_t *id; /* OID_SHA1_BYTES raw bytes, borrowed from the object */
};

enum tree_defect {
    TREE_DEFECT_NAME = 1 << 0, /* a name that leads out of the tree, or an empty one */
    TREE_DEFECT_NULL_ID = 1 << 1,
    TREE_DEFECT_ORDER = 1 << 2,
    TREE_DEFECT_DOUBLED = 1 << 3,
    TREE_DEFECT_MODE = 1 << 4 /* a mode that git does not write */
};

struct tree {
    struct object object;
    struct tree_entry *entries; /* in git's order, names unique */
    size_t n_entries;
    size_t capacity;
    unsigned defects; /* enum tree_defect */
};

/*
 * Parse RAW, from which the entries borrow, into TREE, which has no object.  On anything but
 * OBJECT_OK the tree cannot be used and *WHY says why.
 */
enum object_outcome tree_parse(struct bytes raw, struct tree *tree, const char **why);
/* Read tree ID into TREE ({0} or used before, whose memory is used again).  When the outcome is
 * not OBJECT_OK the tree is empty and *WHY says why, borrowed until the next read. */
enum object_outcome
tree_read(struct objects *objects, const struct oid *id, struct tree *tree, const char **why);
/* Make TREE the empty tree, to compare another with; its memory is kept. */
void tree_make_empty(struct tree *tree);
/* Give its memory back. */
void tree_clear(struct tree *tree);

/* A sentence about the first of DEFECTS, which is not 0. */
const char *tree_defect_name(unsigned defects);

/* Is MODE that of a folder; of a regular file? */
static inline bool
mode_is_tree(uint32_t mode)
{
    return (mode & 0170000) == 0040000;
}

static inline bool
mode_is_regular(uint32_t mode)
{
    return (mode & 0170000) == 0100000;
}

/* Compare two entries as git sorts them, as if the name of a tree ended in '/': below, equal to, or
 * above 0. */
int tree_entry_compare(const struct tree_entry *a, const struct tree_entry *b);

#endif
