/*
 * Listing: the source files of a git tree, in order.
 */
#ifndef STRATA_MINER_LISTING_H
#define STRATA_MINER_LISTING_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "manifests/manifests.h"
#include "git/objects.h"
#include "git/tree.h"

/* Called for each source file, in bytewise order of paths if the trees are in order.  PATH is
 * borrowed until the call returns.  -1 with ERR ends the listing. */
typedef int
listing_file(void *context, struct bytes path, const struct tree_entry *entry, struct err *err);
/* Called for each defect of a tree, such as a name that is there twice, with the FOLDER and a
 * sentence. */
typedef int listing_defect(void *context, struct bytes folder, const char *what, struct err *err);

struct listing_sink {
    listing_file *on_file;
    listing_defect *on_defect;
    void *context;
};

struct listing_level;

/* The memory of one thread, reused by its listings. */
struct listing {
    struct objects *objects;            /* borrowed */
    const struct source_filter *filter; /* borrowed */
    struct listing_level *levels;       /* [0, n_open) are open */
    size_t n_open;
    size_t n_levels;
    struct buf path;
    uint64_t n_entries; /* visited in this listing */
    uint64_t n_folders;
    uint64_t tree_bytes; /* read, and TREE_COST for each tree */
};

/* Make LISTING ready.  OBJECTS and FILTER are borrowed until listing_clear. */
void
listing_init(struct listing *listing, struct objects *objects, const struct source_filter *filter);
/* Free the memory of LISTING. */
void listing_clear(struct listing *listing);

/*
 * List the source files below the tree ID.  0, or -1: a tree cannot be read (ERR_DAMAGED, with the
 * folder), has more entries than can be walked (ERR_UNSUPPORTED), or the sink ended the listing.
 */
int listing_run(struct listing *listing, const struct oid *id, const struct listing_sink *sink,
                struct err *err);

#endif
