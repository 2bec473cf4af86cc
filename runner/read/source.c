/*
 * What both kinds of source share: calling the right one, finding a name in a listing, and walking
 * all files below a folder.
 *
 * A walk keeps the folders still to list on a stack of its own, so its depth does not matter, and
 * stops at WALK_FILES_MAX files or a path of WALK_PATH_MAX bytes.
 */
#include "runner/read/source.h"

#include <stdlib.h>

#include "base/array.h"
#include "runner/read/source_private.h"

enum { WALK_FILES_MAX = 1000000, WALK_PATH_MAX = 4096 };

struct source {
    const struct source_kind *kind;
    void *self;
    const char *defect; /* the first since source_take_defect; a string literal */
};

int
source_open(const struct source_place *place, struct source **out, struct err *err)
{
    struct source *source = calloc(1, sizeof(*source));
    if (!source)
        return err_nomem(err, "source");
    source->kind = place->folder ? &source_folder : &source_git;
    if (source->kind->open(place, &source->self, err) < 0) {
        free(source);
        return -1;
    }
    *out = source;
    return 0;
}

void
source_close(struct source *source)
{
    if (!source)
        return;
    source->kind->close(source->self);
    free(source);
}

int
source_list(struct source *source, struct bytes folder, struct arena *arena,
            struct source_entry **out, size_t *n_out, struct err *err)
{
    const char *defect = NULL;
    int rc = source->kind->list(source->self, folder, arena, out, n_out, &defect, err);
    if (!source->defect)
        source->defect = defect;
    return rc;
}

const char *
source_take_defect(struct source *source)
{
    const char *defect = source->defect;
    source->defect = NULL;
    return defect;
}

int
source_read(struct source *source, struct bytes folder, const struct source_entry *entry,
            size_t max_bytes, struct buf *out, uint64_t *size, struct err *err)
{
    return source->kind->read(source->self, folder, entry, max_bytes, out, size, err);
}

int
source_hash_large(struct source *source, struct bytes folder, const struct source_entry *entry,
                  struct oid *out, struct err *err)
{
    return source->kind->hash_large(source->self, folder, entry, out, err);
}

const struct source_entry *
source_find(const struct source_entry *entries, size_t n, const char *name)
{
    struct bytes wanted = bytes_of_text(name);
    size_t from = 0;
    while (from < n) {
        size_t middle = from + (n - from) / 2;
        int order = bytes_compare(entries[middle].name, wanted);
        if (order == 0)
            return &entries[middle];
        if (order < 0)
            from = middle + 1;
        else
            n = middle;
    }
    return NULL;
}

/* ---- Walking ------------------------------------------------------------------------------- */

struct walk {
    struct source *source;
    struct bytes root;
    source_enter *enter;
    void *context;
    struct arena *arena;
    struct source_entry *entries; /* malloc'ed while growing */
    size_t n_entries, capacity;
    struct bytes *pending; /* folders still to list, below the root, in the arena; malloc'ed */
    size_t n_pending, pending_capacity;
};

static struct bytes
join(struct arena *arena, struct bytes folder, struct bytes name)
{
    const char *slash = folder.len && name.len ? "/" : "";
    char *path = arena_format(arena, "%.*s%s%.*s", BYTES_ARG(folder), slash, BYTES_ARG(name));
    return path ? bytes_of_text(path) : (struct bytes){NULL, 0};
}

static int
add_file(struct walk *walk, struct source_entry entry, struct err *err)
{
    if (walk->n_entries == WALK_FILES_MAX)
        return err_set(err, ERR_UNSUPPORTED, "%.*s holds more than %d files", BYTES_ARG(walk->root),
                       WALK_FILES_MAX);
    if (!ARRAY_RESERVE(walk->entries, walk->n_entries, walk->capacity, 1))
        return err_nomem(err, "list of files");
    walk->entries[walk->n_entries++] = entry;
    return 0;
}

static int
add_folder(struct walk *walk, struct bytes path, struct err *err)
{
    if (!ARRAY_RESERVE(walk->pending, walk->n_pending, walk->pending_capacity, 1))
        return err_nomem(err, "list of folders");
    walk->pending[walk->n_pending++] = path;
    return 0;
}

static int
walk_folder(struct walk *walk, struct bytes folder, struct err *err)
{
    struct source_entry *entries;
    size_t n;
    struct bytes place = join(walk->arena, walk->root, folder);
    if (!place.data)
        return err_nomem(err, "list of files");
    if (source_list(walk->source, place, walk->arena, &entries, &n, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        bool is_folder = source_is_folder(&entries[i]);
        if (is_folder && walk->enter && !walk->enter(walk->context, entries[i].name))
            continue;
        if (folder.len + entries[i].name.len >= WALK_PATH_MAX)
            return err_set(err, ERR_UNSUPPORTED, "%.*s: a path is longer than %d bytes",
                           BYTES_ARG(place), WALK_PATH_MAX);
        entries[i].name = join(walk->arena, folder, entries[i].name);
        if (!entries[i].name.data)
            return err_nomem(err, "list of files");
        if ((is_folder ? add_folder(walk, entries[i].name, err) : add_file(walk, entries[i], err)) <
            0)
            return -1;
    }
    return 0;
}

static int
compare_entries(const void *a, const void *b)
{
    return bytes_compare(((const struct source_entry *)a)->name,
                         ((const struct source_entry *)b)->name);
}

int
source_walk(struct source *source, struct bytes folder, source_enter *enter, void *context,
            struct arena *arena, struct source_entry **out, size_t *n_out, struct err *err)
{
    struct walk walk = {
        .source = source, .root = folder, .enter = enter, .context = context, .arena = arena};
    int rc = add_folder(&walk, BYTES(""), err);
    while (rc == 0 && walk.n_pending > 0)
        rc = walk_folder(&walk, walk.pending[--walk.n_pending], err);
    if (rc == 0) {
        if (walk.n_entries > 1)
            qsort(walk.entries, walk.n_entries, sizeof(*walk.entries), compare_entries);
        *out = ARENA_ARRAY(arena, walk.n_entries, struct source_entry);
        *n_out = walk.n_entries;
        if (!*out)
            rc = err_nomem(err, "list of files");
        else if (walk.n_entries)
            memcpy(*out, walk.entries, walk.n_entries * sizeof(**out));
    }
    free(walk.entries);
    free(walk.pending);
    return rc;
}
