/*
 * Comparing two trees: a merge of two sorted lists on every level, with a stack of levels instead
 * of recursion.  Only folders whose ids differ are entered, so most comparisons read a few trees.
 *
 * 1. levels[0, n_open) are the folders from the root to the one being compared; the memory of
 * closed levels is kept for reuse.
 * 2. compare->path is the path of that folder, with a '/' at its end.
 */
#include "miner/compare.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/stop.h"

struct compare_level {
    struct tree old_tree, new_tree;
    size_t at_old, at_new; /* the next entries */
    size_t path_len;       /* of the folder, its '/' included */
};

void
compare_init(struct compare *compare, struct objects *objects, const struct source_filter *filter)
{
    *compare = (struct compare){.objects = objects, .filter = filter};
}

void
compare_clear(struct compare *compare)
{
    for (size_t i = 0; i < compare->n_levels; i++) {
        tree_clear(&compare->levels[i].old_tree);
        tree_clear(&compare->levels[i].new_tree);
    }
    free(compare->levels);
    buf_clear(&compare->path);
    *compare = (struct compare){0};
}

static enum touch
unknown(struct compare *compare, const char *why)
{
    struct bytes path = buf_bytes(&compare->path);
    snprintf(compare->reason, sizeof(compare->reason), "%s%.*s%s%s", path.len ? "folder " : "",
             path.len > 160 ? 160 : (int)path.len, path.len ? (const char *)path.data : "",
             path.len ? ": " : "", why);
    return TOUCH_UNKNOWN;
}

/* What a comparison reads beyond what is free is the repository's. */
static enum touch
charge(struct compare *compare, uint64_t n_bytes)
{
    compare->tree_bytes += n_bytes;
    bool is_free = compare->tree_bytes <= TREE_COMPARED_FREE;
    if (objects_charge_trees(compare->objects, n_bytes, is_free))
        return TOUCH_NONE;
    return unknown(compare, "the trees of the repository hold more than is read");
}

static enum touch
read_side(struct compare *compare, const struct oid *id, struct tree *tree)
{
    const char *why;
    if (!id) {
        tree_make_empty(tree);
        return TOUCH_NONE;
    }
    if (tree_read(compare->objects, id, tree, &why) != OBJECT_OK)
        return unknown(compare, why);
    return charge(compare, TREE_COST + tree->object.data.len);
}

/* Push a level for the folder compare->path.  TOUCH_NONE, or TOUCH_UNKNOWN with a reason. */
static enum touch
push(struct compare *compare, const struct oid *old_tree, const struct oid *new_tree)
{
    if (stop_requested())
        return unknown(compare, "stopped on request");
    if (compare->n_open == TREE_DEPTH_MAX)
        return unknown(compare, "folders are nested too deep");
    if (++compare->n_folders > TREE_FOLDERS_MAX)
        return unknown(compare, "the tree has too many folders to compare");
    if (compare->n_open == compare->n_levels) {
        size_t n = compare->n_levels ? compare->n_levels * 2 : 16;
        struct compare_level *levels = reallocarray(compare->levels, n, sizeof(*levels));
        if (!levels)
            return unknown(compare, "out of memory");
        memset(levels + compare->n_levels, 0, (n - compare->n_levels) * sizeof(*levels));
        compare->levels = levels;
        compare->n_levels = n;
    }
    struct compare_level *level = &compare->levels[compare->n_open];
    enum touch touch = read_side(compare, old_tree, &level->old_tree);
    if (touch == TOUCH_NONE)
        touch = read_side(compare, new_tree, &level->new_tree);
    if (touch != TOUCH_NONE)
        return touch;
    level->at_old = level->at_new = 0;
    level->path_len = compare->path.len;
    compare->n_open++;
    return TOUCH_NONE;
}

static void
pop(struct compare *compare)
{
    struct compare_level *level = &compare->levels[--compare->n_open];
    tree_make_empty(&level->old_tree);
    tree_make_empty(&level->new_tree);
}

/* The next pair of entries of LEVEL, which have one name and kind.  One is NULL when only the other
 * exists, both are NULL at the end. */
static void
next_pair(struct compare_level *level, const struct tree_entry **old_entry,
          const struct tree_entry **new_entry)
{
    bool has_old = level->at_old < level->old_tree.n_entries;
    bool has_new = level->at_new < level->new_tree.n_entries;
    const struct tree_entry *a = has_old ? &level->old_tree.entries[level->at_old] : NULL;
    const struct tree_entry *b = has_new ? &level->new_tree.entries[level->at_new] : NULL;
    int order = a && b ? tree_entry_compare(a, b) : a ? -1 : 1;
    *old_entry = order <= 0 ? a : NULL;
    *new_entry = order >= 0 ? b : NULL;
    level->at_old += *old_entry != NULL;
    level->at_new += *new_entry != NULL;
}

static bool
is_executable(uint32_t mode)
{
    return (mode & 0100) != 0;
}

static enum touch
compare_files(const struct compare *compare, const struct tree_entry *old_entry,
              const struct tree_entry *new_entry)
{
    struct bytes path = buf_bytes(&compare->path);
    bool in_old = old_entry && source_filter_takes(compare->filter, path, old_entry->mode);
    bool in_new = new_entry && source_filter_takes(compare->filter, path, new_entry->mode);
    if (!in_old && !in_new)
        return TOUCH_NONE;
    if (in_old != in_new || memcmp(old_entry->id, new_entry->id, OID_SHA1_BYTES) != 0)
        return TOUCH_CONTENT;
    return is_executable(old_entry->mode) == is_executable(new_entry->mode) ? TOUCH_NONE
                                                                            : TOUCH_MODE;
}

/* Enter a folder that is on one side, or on both with different ids. */
static enum touch
enter(struct compare *compare, const struct tree_entry *old_entry,
      const struct tree_entry *new_entry)
{
    struct oid ids[2];
    if (source_filter_excludes_dir(compare->filter, (old_entry ? old_entry : new_entry)->name))
        return TOUCH_NONE;
    buf_append_byte(&compare->path, '/');
    if (old_entry)
        ids[0] = oid_from_raw(old_entry->id, OID_SHA1_BYTES);
    if (new_entry)
        ids[1] = oid_from_raw(new_entry->id, OID_SHA1_BYTES);
    return push(compare, old_entry ? &ids[0] : NULL, new_entry ? &ids[1] : NULL);
}

/* Compare one pair of the innermost level. */
static enum touch
step(struct compare *compare)
{
    assert(compare->n_open > 0 && compare->n_open <= compare->n_levels);
    struct compare_level *level = &compare->levels[compare->n_open - 1];
    const struct tree_entry *old_entry, *new_entry;
    next_pair(level, &old_entry, &new_entry);
    const struct tree_entry *either = old_entry ? old_entry : new_entry;
    if (!either) {
        pop(compare);
        return TOUCH_NONE;
    }
    if (old_entry && new_entry && old_entry->mode == new_entry->mode &&
        memcmp(old_entry->id, new_entry->id, OID_SHA1_BYTES) == 0)
        return TOUCH_NONE;
    if (++compare->n_entries > TREE_ENTRIES_MAX)
        return unknown(compare, "the tree has too many files to compare");
    compare->path.len = level->path_len;
    buf_append_bytes(&compare->path, either->name);
    if (buf_failed(&compare->path))
        return unknown(compare, "out of memory");
    return mode_is_tree(either->mode) ? enter(compare, old_entry, new_entry)
                                      : compare_files(compare, old_entry, new_entry);
}

enum touch
compare_trees(struct compare *compare, const struct oid *old_tree, const struct oid *new_tree)
{
    if (old_tree && oid_equal(old_tree, new_tree))
        return TOUCH_NONE;
    compare->n_entries = compare->n_folders = compare->tree_bytes = 0;
    buf_reset(&compare->path);
    enum touch most = push(compare, old_tree, new_tree);
    while (compare->n_open > 0 && most < TOUCH_CONTENT) {
        enum touch touch = step(compare);
        if (touch > most)
            most = touch;
    }
    while (compare->n_open > 0)
        pop(compare);
    return most;
}
