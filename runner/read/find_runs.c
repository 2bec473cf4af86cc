/*
 * Looking for runs, from the top down.
 *
 * A folder is a run when it has a file that only runs have, or when a folder in a folder of it
 * looks like a checkpoint's.  The folders of a run are not searched, so a snapshot that has outputs
 * of runs in it is never taken for one.  The search goes at most DEPTH_MAX folders deep and looks
 * at FOLDERS_MAX folders at most.
 */
#include "runner/read/find_runs.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/stop.h"
#include "runner/read/run_private.h"

enum { DEPTH_MAX = 8, FOLDERS_MAX = 100000 };

enum verdict { NOTHING, RUN, PART_OF_RUN };

struct paths {
    struct bytes *items; /* malloc'ed */
    size_t n, capacity;
};

struct search {
    struct source *source;
    struct arena *arena;
    struct notes *notes;
    struct paths pending; /* folders to look at: [next, n) */
    size_t next;
    struct paths runs;
};

static int
push(struct paths *paths, struct bytes path, struct err *err)
{
    if (!ARRAY_RESERVE(paths->items, paths->n, paths->capacity, 1))
        return err_nomem(err, "list of folders");
    paths->items[paths->n++] = path;
    return 0;
}

/* List the folder NAME in PATH: its own path and its entries. */
static int
list_below(struct search *search, struct bytes path, struct bytes name, struct bytes *below,
           struct source_entry **out, size_t *n_out, struct err *err)
{
    *below = run_path(search->arena, path, name);
    if (!below->data)
        return err_nomem(err, "path");
    return source_list(search->source, *below, search->arena, out, n_out, err);
}

/* Is a folder N_LEVELS (1 or 2) below PATH, which has ENTRIES, that of a checkpoint?  1, 0, -1. */
static int
holds_checkpoint(struct search *search, struct bytes path, const struct source_entry *entries,
                 size_t n, int n_levels, struct err *err)
{
    for (size_t i = 0; i < n; i++) {
        struct bytes below;
        struct source_entry *inner;
        size_t n_inner;
        if (!source_is_folder(&entries[i]))
            continue;
        if (list_below(search, path, entries[i].name, &below, &inner, &n_inner, err) < 0)
            return -1;
        int found = n_levels > 1
                        ? holds_checkpoint(search, below, inner, n_inner, n_levels - 1, err)
                        : run_is_checkpoint(inner, n_inner);
        if (found != 0)
            return found;
    }
    return 0;
}

static int
judge(struct search *search, struct bytes path, const struct source_entry *entries, size_t n,
      enum verdict *out, struct err *err)
{
    *out = RUN;
    if (run_has_file(entries, n, "checkpoint_results.jsonl") ||
        run_has_file(entries, n, "environment.yaml"))
        return 0;
    *out = PART_OF_RUN;
    if (run_is_checkpoint(entries, n))
        return 0;
    int found = holds_checkpoint(search, path, entries, n, 1, err);
    if (found == 0) {
        *out = RUN;
        found = holds_checkpoint(search, path, entries, n, 2, err);
    }
    if (found == 0)
        *out = NOTHING;
    return found < 0 ? -1 : 0;
}

static size_t
depth_of(struct bytes path)
{
    size_t depth = path.len > 0;
    for (size_t i = 0; i < path.len; i++)
        depth += path.data[i] == '/';
    return depth;
}

static int
look_at(struct search *search, struct bytes path, struct err *err)
{
    struct source_entry *entries;
    size_t n;
    enum verdict verdict;
    if (source_list(search->source, path, search->arena, &entries, &n, err) < 0 ||
        judge(search, path, entries, n, &verdict, err) < 0)
        return -1;
    if (verdict == RUN)
        return push(&search->runs, path, err);
    if (verdict == PART_OF_RUN)
        return notes_addf(search->notes, path, err,
                          "it is a part of a run; name the run's folder, above it");
    for (size_t i = 0; i < n; i++) {
        if (!source_is_folder(&entries[i]))
            continue;
        struct bytes below = run_path(search->arena, path, entries[i].name);
        if (!below.data)
            return err_nomem(err, "path");
        if (depth_of(below) > DEPTH_MAX || search->pending.n == FOLDERS_MAX)
            return notes_addf(search->notes, below, err, "too many folders to look for runs in");
        if (push(&search->pending, below, err) < 0)
            return -1;
    }
    return 0;
}

static int
compare_paths(const void *a, const void *b)
{
    return bytes_compare(*(const struct bytes *)a, *(const struct bytes *)b);
}

int
find_runs(struct source *source, struct arena *arena, struct notes *notes, struct bytes **out,
          size_t *n_out, struct err *err)
{
    struct search search = {.source = source, .arena = arena, .notes = notes};
    int rc = push(&search.pending, BYTES(""), err);
    while (rc == 0 && search.next < search.pending.n) {
        struct bytes path = search.pending.items[search.next++];
        if (stop_requested()) {
            rc = err_set(err, ERR_STOPPED, "stopped on request");
        } else if (look_at(&search, path, err) < 0) {
            struct err why = *err;
            rc = notes_add_failure(notes, path, &why, err);
        }
    }
    if (rc == 0) {
        if (search.runs.n > 1)
            qsort(search.runs.items, search.runs.n, sizeof(*search.runs.items), compare_paths);
        *out = ARENA_ARRAY(arena, search.runs.n, struct bytes);
        *n_out = search.runs.n;
        if (!*out)
            rc = err_nomem(err, "list of runs");
        else if (search.runs.n)
            memcpy(*out, search.runs.items, search.runs.n * sizeof(**out));
    }
    free(search.pending.items);
    free(search.runs.items);
    return rc;
}
