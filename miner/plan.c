/*
 * Plans: listing checkpoints into shared tables of paths and blobs, then dividing the blobs of
 * which the store lacks something into slices.
 *
 * 1. paths and ids map each path and each blob to its index, so both are there once.
 * 2. A checkpoint that cannot be added leaves the plan as it was, apart from paths and blobs that
 * no checkpoint uses.
 * 3. The order of slices depends on the repository alone.
 */
#include "miner/plan.h"

#include <assert.h>
#include <stdlib.h>

#include "git/commit.h"
#include "git/history.h"
#include "miner/markers.h"

/* A slice ends at either bound; a blob of SLICE_BYTES or more is a slice of its own. */
enum { SLICE_BYTES = 256 * 1024, SLICE_BLOBS = 64 };

void
plan_init(struct plan *plan)
{
    *plan = (struct plan){0};
    arena_init(&plan->arena, 0);
    map_init(&plan->paths);
    map_init(&plan->ids);
}

void
plan_clear(struct plan *plan)
{
    for (size_t i = 0; i < plan_n_blobs(plan); i++)
        free(plan->blobs[i].problem);
    free(plan->blobs);
    free(plan->files);
    free(plan->checkpoints);
    free(plan->order);
    free(plan->slices);
    map_clear(&plan->paths);
    map_clear(&plan->ids);
    arena_clear(&plan->arena);
    *plan = (struct plan){0};
}

size_t
plan_size(const struct plan *plan)
{
    size_t per_map_entry = sizeof(struct map_entry) + 2 * sizeof(uint32_t);
    return plan->arena.used_bytes + plan->paths.keys.used_bytes + plan->ids.keys.used_bytes +
           (plan->paths.n_entries + plan->ids.n_entries) * per_map_entry +
           plan->ids.n_entries * (sizeof(*plan->blobs) + sizeof(*plan->order)) +
           plan->n_files * sizeof(*plan->files) + plan->n_checkpoints * sizeof(*plan->checkpoints);
}

/* Grow *ITEMS for one item of SIZE bytes after the N that it has. */
static int
reserve(void **items, size_t *capacity, size_t n, size_t size, struct err *err)
{
    if (n < *capacity)
        return 0;
    size_t larger = *capacity ? *capacity * 2 : 64;
    void *grown = reallocarray(*items, larger, size);
    if (!grown)
        return err_nomem(err, "plan");
    *items = grown;
    *capacity = larger;
    return 0;
}

/* ---- One checkpoint ------------------------------------------------------------------------ */

struct adding {
    struct plan *plan;
    struct notes *notes; /* of the checkpoint */
    size_t max_bytes;
    bool is_full;
};

static int
add_blob(struct plan *plan, const struct tree_entry *entry, uint32_t path, uint32_t *out,
         struct err *err)
{
    bool is_new;
    void *blobs = plan->blobs;
    if (reserve(&blobs, &plan->blobs_capacity, plan_n_blobs(plan), sizeof(*plan->blobs), err) < 0)
        return -1;
    plan->blobs = blobs;
    struct bytes key = {entry->id, OID_SHA1_BYTES};
    size_t next = plan_n_blobs(plan);
    uint64_t *index = map_put(&plan->ids, key, &is_new);
    if (!index)
        return err_nomem(err, "plan");
    assert(is_new ? plan_n_blobs(plan) == next + 1 : *index < next);
    if (is_new) {
        *index = next;
        plan->blobs[next] =
            (struct plan_blob){.id = oid_from_raw(entry->id, OID_SHA1_BYTES), .path = path};
    }
    *out = (uint32_t)*index;
    return 0;
}

static int
on_file(void *context, struct bytes path, const struct tree_entry *entry, struct err *err)
{
    struct adding *adding = context;
    struct plan *plan = adding->plan;
    if (plan_size(plan) > adding->max_bytes) {
        adding->is_full = true;
        return err_set(err, ERR_UNSUPPORTED,
                       "the list of its files alone is larger than the memory allowed; give more "
                       "with --memory");
    }
    bool is_new;
    uint64_t next = plan->paths.n_entries;
    uint64_t *index = map_put(&plan->paths, path, &is_new);
    if (!index)
        return err_nomem(err, "plan");
    if (is_new)
        *index = next;
    struct plan_file file = {.path = (uint32_t)*index, .mode = entry->mode};
    void *files = plan->files;
    if (add_blob(plan, entry, file.path, &file.blob, err) < 0 ||
        reserve(&files, &plan->files_capacity, plan->n_files, sizeof(file), err) < 0)
        return -1;
    plan->files = files;
    plan->files[plan->n_files++] = file;
    return 0;
}

static int
on_defect(void *context, struct bytes folder, const char *what, struct err *err)
{
    struct adding *adding = context;
    return notes_add(adding->notes, folder.len ? folder : BYTES("/"), what, err);
}

static int
read_commit(struct plan *plan, const struct plan_sources *sources, struct plan_checkpoint *out,
            struct oid *tree, struct err *err)
{
    struct objects *objects = sources->objects;
    struct object object;
    struct commit commit;
    const char *why;
    if (objects_read(objects, &out->commit, OBJECT_COMMIT, COMMIT_BYTES_MAX, &object) != OBJECT_OK)
        return err_set(err, ERR_DAMAGED, "%s", objects_reason(objects));
    int rc = 0;
    if (commit_parse(object.data, &commit, &why) < 0) {
        rc = err_set(err, ERR_DAMAGED, "%s", why);
    } else {
        enum date_state state = commit_date(commit.date, sources->latest_s, &out->time_s);
        out->date_problem = state == DATE_GOOD ? NULL : date_state_name(state);
        out->has_author_time =
            commit_date(commit.author_date, sources->latest_s, &out->author_time_s) == DATE_GOOD;
        out->n_parents = commit.n_parents;
        *tree = commit.tree;
        rc = markers_find(sources->markers, &commit, &plan->arena, &out->markers, err);
        if (rc == 0 && state == DATE_UNREADABLE)
            rc = notes_add(&out->notes, BYTES("date"), out->date_problem, err);
    }
    object_clear(&object);
    return rc;
}

/* Files of a tree with defects may be out of order, and a path may be there twice. */
static int
compare_files(const void *a, const void *b, void *context)
{
    const struct plan *plan = context;
    const struct plan_file *x = a, *y = b;
    return bytes_compare(plan->paths.entries[x->path].key, plan->paths.entries[y->path].key);
}

static void
order_files(struct plan *plan, struct plan_checkpoint *checkpoint)
{
    struct plan_file *files = plan->files + checkpoint->first_file;
    size_t n = 0, n_found = plan->n_files - checkpoint->first_file;
    if (checkpoint->notes.n_items > 0 && n_found > 1)
        qsort_r(files, n_found, sizeof(*files), compare_files, plan);
    for (size_t i = 0; i < n_found; i++)
        if (n == 0 || files[i].path != files[n - 1].path)
            files[n++] = files[i];
    assert(n <= n_found);
    checkpoint->n_files = n;
    plan->n_files = checkpoint->first_file + n;
}

int
plan_add(struct plan *plan, const struct plan_sources *sources, const struct oid *commit,
         size_t max_bytes, struct err *err)
{
    void *checkpoints = plan->checkpoints;
    if (reserve(&checkpoints, &plan->checkpoints_capacity, plan->n_checkpoints,
                sizeof(*plan->checkpoints), err) < 0)
        return -1;
    plan->checkpoints = checkpoints;
    struct plan_checkpoint *checkpoint = &plan->checkpoints[plan->n_checkpoints];
    *checkpoint = (struct plan_checkpoint){.commit = *commit, .first_file = plan->n_files};
    notes_init(&checkpoint->notes, &plan->arena);
    struct adding adding = {plan, &checkpoint->notes, max_bytes, false};
    struct listing_sink sink = {on_file, on_defect, &adding};
    struct oid tree;
    if (read_commit(plan, sources, checkpoint, &tree, err) < 0)
        return -1;
    if (listing_run(sources->listing, &tree, &sink, err) < 0 ||
        notes_finish(&checkpoint->notes, err) < 0) {
        plan->n_files = checkpoint->first_file; /* paths and blobs that were added do no harm */
        return adding.is_full && plan->n_checkpoints > 0 ? 1 : -1;
    }
    order_files(plan, checkpoint);
    plan->n_checkpoints++;
    return 0;
}

/* ---- Slices -------------------------------------------------------------------------------- */

static bool
is_large(const struct plan_blob *blob)
{
    return blob->size_bytes >= SLICE_BYTES;
}

/* Large blobs first, the largest of them first; then by path; then in the order of the commits. */
static int
compare_blobs(const void *a, const void *b, void *context)
{
    const struct plan *plan = context;
    uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    const struct plan_blob *x = &plan->blobs[i], *y = &plan->blobs[j];
    if (is_large(x) != is_large(y))
        return is_large(x) ? -1 : 1;
    if (is_large(x) && x->size_bytes != y->size_bytes)
        return x->size_bytes > y->size_bytes ? -1 : 1;
    int order = x->path == y->path ? 0
                                   : bytes_compare(plan->paths.entries[x->path].key,
                                                   plan->paths.entries[y->path].key);
    return order != 0 ? order : i < j ? -1 : i > j;
}

static void
cut_slices(struct plan *plan)
{
    struct plan_slice *slice = NULL;
    for (uint32_t i = 0; i < plan->n_order; i++) {
        const struct plan_blob *blob = &plan->blobs[plan->order[i]];
        if (!slice || slice->n_blobs == SLICE_BLOBS ||
            slice->n_bytes + blob->size_bytes > SLICE_BYTES) {
            slice = &plan->slices[plan->n_slices++];
            *slice = (struct plan_slice){.first = i};
        }
        assert(plan->n_slices <= plan->n_order);
        slice->n_blobs++;
        slice->n_bytes += blob->size_bytes;
        if (blob->size_bytes > slice->largest_bytes)
            slice->largest_bytes = blob->size_bytes;
    }
}

int
plan_cut(struct plan *plan, struct objects *objects, plan_wants *ask, void *context,
         struct err *err)
{
    size_t n = plan_n_blobs(plan);
    plan->order = reallocarray(NULL, n + 1, sizeof(*plan->order));
    plan->slices = reallocarray(NULL, n + 1, sizeof(*plan->slices));
    if (!plan->order || !plan->slices)
        return err_nomem(err, "plan");
    for (uint32_t i = 0; i < n; i++) {
        struct plan_blob *blob = &plan->blobs[i];
        int wants = ask(context, &blob->id, err);
        if (wants < 0)
            return -1;
        blob->wants = (uint8_t)wants;
        if (wants == 0)
            continue;
        if (objects_size(objects, &blob->id, &blob->size_bytes) == OBJECT_OK) {
            plan->order[plan->n_order++] = i;
            continue;
        }
        blob->problem = strdup(objects_reason(objects));
        if (!blob->problem)
            return err_nomem(err, "plan");
    }
    qsort_r(plan->order, plan->n_order, sizeof(*plan->order), compare_blobs, plan);
    cut_slices(plan);
    return 0;
}
