/*
 * Listing a tree: depth first, with a stack instead of recursion.  Git sorts a folder as its name
 * and '/', so files come in bytewise order of whole paths: "a.py", "a/b.py", "a0.py".
 */
#include "miner/listing.h"

#include <assert.h>
#include <stdlib.h>

#include "base/stop.h"

struct listing_level {
    struct tree tree;
    size_t at;       /* the next entry */
    size_t path_len; /* of the folder, its '/' included */
};

void
listing_init(struct listing *listing, struct objects *objects, const struct source_filter *filter)
{
    *listing = (struct listing){.objects = objects, .filter = filter};
}

void
listing_clear(struct listing *listing)
{
    for (size_t i = 0; i < listing->n_levels; i++)
        tree_clear(&listing->levels[i].tree);
    free(listing->levels);
    buf_clear(&listing->path);
    *listing = (struct listing){0};
}

/* Set ERR about the folder that is being entered.  Returns -1. */
static int
bad_folder(const struct listing *listing, enum err_code code, const char *why, struct err *err)
{
    struct bytes path = buf_bytes(&listing->path);
    return path.len ? err_set(err, code, "folder %.*s: %s", BYTES_ARG(path), why)
                    : err_set(err, code, "%s", why);
}

static int
push(struct listing *listing, const struct oid *id, const struct listing_sink *sink,
     struct err *err)
{
    if (stop_requested())
        return err_set(err, ERR_STOPPED, "stopped on request");
    if (listing->n_open == TREE_DEPTH_MAX)
        return bad_folder(listing, ERR_UNSUPPORTED, "folders are nested too deep", err);
    if (++listing->n_folders > TREE_FOLDERS_MAX)
        return err_set(err, ERR_UNSUPPORTED, "the tree holds too many folders to list");
    if (listing->n_open == listing->n_levels) {
        size_t n = listing->n_levels ? listing->n_levels * 2 : 16;
        struct listing_level *levels = reallocarray(listing->levels, n, sizeof(*levels));
        if (!levels)
            return err_nomem(err, "folders of a listing");
        memset(levels + listing->n_levels, 0, (n - listing->n_levels) * sizeof(*levels));
        listing->levels = levels;
        listing->n_levels = n;
    }
    struct listing_level *level = &listing->levels[listing->n_open];
    const char *why;
    enum object_outcome outcome = tree_read(listing->objects, id, &level->tree, &why);
    if (outcome != OBJECT_OK)
        return bad_folder(listing, outcome == OBJECT_NO_MEMORY ? ERR_NOMEM : ERR_DAMAGED, why, err);
    level->at = 0;
    level->path_len = listing->path.len;
    listing->n_open++;
    uint64_t n_bytes = TREE_COST + level->tree.object.data.len;
    listing->tree_bytes += n_bytes;
    bool is_free = listing->tree_bytes <= TREE_LISTED_FREE;
    if (!objects_charge_trees(listing->objects, n_bytes, is_free))
        return bad_folder(listing, ERR_UNSUPPORTED,
                          "the trees of the repository hold more than is listed", err);
    if (level->tree.defects == 0)
        return 0;
    return sink->on_defect(sink->context, buf_bytes(&listing->path),
                           tree_defect_name(level->tree.defects), err);
}

static void
pop(struct listing *listing)
{
    tree_make_empty(&listing->levels[--listing->n_open].tree);
}

/* Handle the next entry of the innermost folder, or leave the folder. */
static int
step(struct listing *listing, const struct listing_sink *sink, struct err *err)
{
    assert(listing->n_open > 0 && listing->n_open <= listing->n_levels);
    struct listing_level *level = &listing->levels[listing->n_open - 1];
    if (level->at == level->tree.n_entries) {
        pop(listing);
        return 0;
    }
    const struct tree_entry *entry = &level->tree.entries[level->at++];
    if (++listing->n_entries > TREE_ENTRIES_MAX)
        return err_set(err, ERR_UNSUPPORTED, "the tree holds too many files to list");
    if (!mode_is_tree(entry->mode) && !mode_is_regular(entry->mode))
        return 0;
    if (mode_is_tree(entry->mode) && source_filter_excludes_dir(listing->filter, entry->name))
        return 0;
    listing->path.len = level->path_len;
    buf_append_bytes(&listing->path, entry->name);
    if (mode_is_tree(entry->mode))
        buf_append_byte(&listing->path, '/');
    if (buf_failed(&listing->path))
        return err_nomem(err, "path");
    if (mode_is_tree(entry->mode)) {
        struct oid id = oid_from_raw(entry->id, OID_SHA1_BYTES);
        return push(listing, &id, sink, err);
    }
    if (!source_filter_takes(listing->filter, buf_bytes(&listing->path), entry->mode))
        return 0;
    return sink->on_file(sink->context, buf_bytes(&listing->path), entry, err);
}

int
listing_run(struct listing *listing, const struct oid *id, const struct listing_sink *sink,
            struct err *err)
{
    listing->n_entries = listing->n_folders = listing->tree_bytes = 0;
    buf_reset(&listing->path);
    int rc = push(listing, id, sink, err);
    while (rc == 0 && listing->n_open > 0)
        rc = step(listing, sink, err);
    while (listing->n_open > 0)
        pop(listing);
    return rc;
}
