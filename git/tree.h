/*
 * Tree: the entries of one tree object, parsed from its raw bytes.
 *
 * Modes are read as octal numbers, so that the zero-padded ones of old trees mean what they mean.
 * A tree no sound git would write is made usable: an entry with an empty name, a '/', ".", "..",
 * ".git" or a null id is left out, an unsorted tree is sorted, of doubled names the first stays.
 * Each such thing is a defect that the caller can name.  A tree cut short cannot be used.
 */
#ifndef STRATA_GIT_TREE_H
#define STRATA_GIT_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/oid.h"
#include "git/objects.h"

/* A tree made of copies of itself can stand for more files than there are atoms, so folders and
 * entries looked at for one commit are bounded: at several times what the largest known trees hold
 * (some 400,000 files in 40,000 folders).  Commits of one repository may be bombs all of them, so
 * what their trees hold beyond what is free is taken from the budget of the repository. */
enum {
    TREE_DEPTH_MAX = 4096,
    TREE_BYTES_MAX = 64 * 1024 * 1024,
    TREE_FOLDERS_MAX = 200 * 1000,
    TREE_ENTRIES_MAX = 10 * 1000 * 1000,
    TREE_LISTED_FREE = 256 * 1024 * 1024,  /* bytes of trees of one commit, free of charge */
    TREE_COMPARED_FREE = 16 * 1024 * 1024, /* of one comparison */
    TREE_COST = 4 * 1024                   /* of reading a tree, as so many bytes */
};

struct tree_entry {
    uint32_t mode;     /* as stored, an octal number */
    struct bytes name; /* borrowed from the object */
    const uint8_t *id; /* OID_SHA1_BYTES raw bytes, borrowed from the object */
};

enum tree_defect {
    TREE_DEFECT_NAME = 1 << 0, /* a name that leads out of the tree, or none */
    TREE_DEFECT_NULL_ID = 1 << 1,
    TREE_DEFECT_ORDER = 1 << 2,
    TREE_DEFECT_DOUBLED = 1 << 3,
    TREE_DEFECT_MODE = 1 << 4 /* no mode that git writes */
};

struct tree {
    struct object object;
    struct tree_entry *entries; /* in git's order, names unique */
    size_t n_entries;
    size_t capacity;
    unsigned defects; /* enum tree_defect */
};

/*
 * Parse RAW, from which the entries borrow, into TREE, which holds none.  On anything but OBJECT_OK
 * the tree cannot be used and *WHY says why.
 */
enum object_outcome tree_parse(struct bytes raw, struct tree *tree, const char **why);
/* Read tree ID into TREE ({0} or used before, whose memory is used again).  When the outcome is
 * not OBJECT_OK the tree is empty and *WHY says why, borrowed until the next read. */
enum object_outcome
tree_read(struct objects *objects, const struct oid *id, struct tree *tree, const char **why);
/* The tree without entries, for comparing with nothing; memory is kept. */
void tree_make_empty(struct tree *tree);
/* Give its memory back. */
void tree_clear(struct tree *tree);

/* A sentence about the first of DEFECTS, which is not 0. */
const char *tree_defect_name(unsigned defects);

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

/* Order of two entries as git sorts them: as if a tree's name ended in '/'. */
int tree_entry_compare(const struct tree_entry *a, const struct tree_entry *b);

#endif
