/*
 * Listing: the source files of one tree.
 */
#ifndef STRATA_MINER_LISTING_H
#define STRATA_MINER_LISTING_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "manifests/manifests.h"
#include "git/objects.h"
#include "git/tree.h"

/* Called for each source file, in bytewise order of paths within sound trees.  PATH is borrowed
 * until the call returns.  -1 ends the listing. */
typedef int
listing_file(void *context, struct bytes path, const struct tree_entry *entry, struct err *err);
/* Called for what the trees hold that cannot be taken at its word: FOLDER and a sentence. */
typedef int listing_defect(void *context, struct bytes folder, const char *what, struct err *err);

struct listing_sink {
    listing_file *on_file;
    listing_defect *on_defect;
    void *context;
};

struct listing_level;

/* Memory of one thread for one listing after another. */
struct listing {
    struct objects *objects;            /* borrowed */
    const struct source_filter *filter; /* borrowed */
    struct listing_level *levels;       /* [0, n_open) are open */
    size_t n_open;
    size_t n_levels;
    struct buf path;
    uint64_t n_entries; /* looked at in this listing */
    uint64_t n_folders;
    uint64_t tree_bytes; /* read, and TREE_COST for each tree */
};

void
listing_init(struct listing *listing, struct objects *objects, const struct source_filter *filter);
void listing_clear(struct listing *listing);

/*
 * List the source files below the tree ID.  -1: a tree cannot be read (ERR_DAMAGED, the sentence
 * names the folder), holds more files than can be walked (ERR_UNSUPPORTED), or the sink ended it.
 */
int listing_run(struct listing *listing, const struct oid *id, const struct listing_sink *sink,
                struct err *err);

#endif
