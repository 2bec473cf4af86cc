#include "runner/ingest_unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "manifests/manifests.h"
#include "runner/checkpoint_record.h"

/* ---- Workers ------------------------------------------------------------------------------- */

int
ingest_worker_init(struct ingest_worker *worker, struct ingest_context *context,
                   const struct source_place *place, struct err *err)
{
    *worker = (struct ingest_worker){.context = context};
    if (source_open(place, &worker->source, err) < 0 ||
        store_reader_open(context->store, &worker->reader, err) < 0)
        return -1;
    return analyzer_create(&context->options->analyzer, &worker->analyzer, err);
}

void
ingest_worker_clear(struct ingest_worker *worker)
{
    source_close(worker->source);
    if (worker->reader)
        store_reader_close(worker->reader);
    analyzer_destroy(worker->analyzer);
    buf_clear(&worker->content);
}

void
ingest_unit_init(struct ingest_unit *unit)
{
    *unit = (struct ingest_unit){0};
    arena_init(&unit->arena, 0);
}

void
ingest_unit_release_facts(struct ingest_unit *unit)
{
    buf_clear(&unit->encoded);
    free(unit->blobs);
    unit->blobs = NULL;
    unit->n_blobs = 0;
}

void
ingest_unit_clear(struct ingest_unit *unit)
{
    ingest_unit_release_facts(unit);
    buf_clear(&unit->record);
    arena_clear(&unit->arena);
}

/* ---- Blobs --------------------------------------------------------------------------------- */

/* Has the store all that is wanted of BLOB? */
static enum store_outcome
look_up(struct ingest_worker *worker, const struct oid *blob, struct err *err)
{
    const struct ingest_context *context = worker->context;
    enum store_outcome outcome = store_has_facts(worker->reader, blob, &context->facts, err);
    if (outcome == STORE_FOUND && context->options->analyzer.rules)
        outcome = store_has_hits(worker->reader, blob, &context->group, err);
    return outcome;
}

/* Must BLOB be analysed here?  1 when neither the store nor another thread has it; -1. */
static int
claim(struct ingest_worker *worker, const struct oid *blob, struct err *err)
{
    struct ingest_context *context = worker->context;
    bool is_new = false;
    switch (look_up(worker, blob, err)) {
    case STORE_FOUND:
        return 0;
    case STORE_FAILED:
        return -1;
    case STORE_MISSING:
        break;
    }
    pthread_mutex_lock(&context->mutex);
    const uint64_t *slot = map_put(&context->claimed, oid_bytes(blob), &is_new);
    pthread_mutex_unlock(&context->mutex);
    return slot ? is_new : err_nomem(err, "blobs");
}

static int
add_blob(struct ingest_unit *unit, const struct oid *id, const struct analysis *analysis,
         struct err *err)
{
    struct ingest_blob *blobs = reallocarray(unit->blobs, unit->n_blobs + 1, sizeof(*blobs));
    if (!blobs)
        return err_nomem(err, "blobs");
    unit->blobs = blobs;
    size_t at = unit->encoded.len;
    facts_encode(&analysis->facts, &unit->encoded);
    size_t facts_len = unit->encoded.len - at;
    hits_encode(&analysis->hits, &unit->encoded);
    if (buf_failed(&unit->encoded))
        return err_nomem(err, "facts");
    blobs[unit->n_blobs++] =
        (struct ingest_blob){*id, at, facts_len, unit->encoded.len - at - facts_len};
    unit->n_bytes += analysis->facts.n_bytes;
    return 0;
}

/* Others that hold BLOB, which could not be read, leave it out when they are written. */
static int
give_up_blob(struct ingest_context *context, const struct oid *blob, struct err *err)
{
    pthread_mutex_lock(&context->mutex);
    uint64_t *slot = map_put(&context->claimed, oid_bytes(blob), NULL);
    if (slot)
        *slot = INGEST_BLOB_LOST;
    pthread_mutex_unlock(&context->mutex);
    return slot ? 0 : err_nomem(err, "blobs");
}

/* A file that is looked at: what of it has been had so far. */
struct candidate {
    const struct source_entry *entry;
    struct oid id;
    bool is_read;      /* its content is the worker's */
    bool is_too_large; /* to be read */
    uint64_t size_bytes;
};

static int
read_content(struct ingest_worker *worker, struct bytes folder, struct candidate *file,
             struct err *why)
{
    size_t max_bytes = worker->context->options->analyzer.limits.max_file_bytes;
    buf_reset(&worker->content);
    file->is_read = source_read(worker->source, folder, file->entry, max_bytes, &worker->content,
                                &file->size_bytes, why) == 0;
    file->is_too_large = !file->is_read && why->code == ERR_UNSUPPORTED;
    return file->is_read || file->is_too_large ? 0 : -1;
}

static int
name_content(struct ingest_worker *worker, struct bytes folder, struct candidate *file,
             struct err *why)
{
    if (file->is_read)
        return source_hash(buf_bytes(&worker->content), &file->id, why);
    return source_hash_large(worker->source, folder, file->entry, &file->id, why);
}

static int
analyse(struct ingest_unit *unit, struct ingest_worker *worker, const struct candidate *file,
        struct err *err)
{
    struct analysis analysis = {.facts = {.skipped = SKIP_TOO_LARGE, .n_bytes = file->size_bytes}};
    if (file->is_read &&
        analyzer_run(worker->analyzer, buf_bytes(&worker->content), &analysis, err) < 0)
        return -1;
    return add_blob(unit, &file->id, &analysis, err);
}

/* Take the file ENTRY of the tree FOLDER into *OUT.  0, 1 when it was left out, -1. */
static int
take_file(struct ingest_unit *unit, struct ingest_worker *worker, struct bytes folder,
          const struct source_entry *entry, struct store_file *out, struct err *err)
{
    struct candidate file = {.entry = entry, .id = entry->blob};
    struct err why;
    if (!file.id.len && (read_content(worker, folder, &file, &why) < 0 ||
                         name_content(worker, folder, &file, &why) < 0))
        return remarks_add_failure(&unit->remarks, entry->name, &why, err) < 0 ? -1 : 1;
    *out = (struct store_file){.path = entry->name, .blob = file.id, .mode = entry->mode};
    int is_ours = claim(worker, &file.id, err);
    if (is_ours <= 0)
        return is_ours;
    bool is_had = file.is_read || file.is_too_large;
    if (is_had || read_content(worker, folder, &file, &why) == 0)
        return analyse(unit, worker, &file, err);
    if (why.code == ERR_NOMEM) {
        *err = why;
        return -1;
    }
    return give_up_blob(worker->context, &file.id, err);
}

/* ---- Trees --------------------------------------------------------------------------------- */

/* Every Python file is listed: which folders count is for profiles to say. */
static bool
is_python(const struct source_entry *entry)
{
    static const struct bytes suffixes[] = {{(const uint8_t *)".py", 3}};
    static const struct source_filter filter = {.suffixes = {suffixes, 1}};
    return source_filter_takes(&filter, entry->name, entry->mode);
}

static int
read_tree(struct ingest_unit *unit, struct ingest_worker *worker, struct bytes folder,
          struct err *err)
{
    struct source_entry *entries;
    size_t n;
    struct err why;
    if (source_walk(worker->source, folder, NULL, NULL, &unit->arena, &entries, &n, &why) < 0)
        return remarks_add_failure(&unit->remarks, BYTES("snapshot"), &why, err);
    unit->has_tree = true;
    unit->files = ARENA_ARRAY(&unit->arena, n, struct store_file);
    if (!unit->files)
        return err_nomem(err, "listing");
    for (size_t i = 0; i < n; i++) {
        if (!is_python(&entries[i]))
            continue;
        if (unit->n_files &&
            bytes_equal(entries[i].name, unit->files[unit->n_files - 1].path)) {
            if (remarks_add(&unit->remarks, entries[i].name, err, "the tree names it twice") < 0)
                return -1;
            continue;
        }
        struct store_file *file = &unit->files[unit->n_files];
        int result = take_file(unit, worker, folder, &entries[i], file, err);
        if (result < 0)
            return err_wrap(err, "%.*s/%.*s", BYTES_ARG(folder), BYTES_ARG(entries[i].name));
        unit->n_files += result == 0;
    }
    progress_add_bytes(worker->context->options->progress, unit->n_bytes);
    return 0;
}

/* ---- Checkpoints --------------------------------------------------------------------------- */

/* The record is the line of the run where there is one; after the extra step there never is. */
static int
make_record(struct ingest_unit *unit, const struct run_folder *folder, struct err *err)
{
    struct bytes path = run_path(&unit->arena, unit->run->output, unit->problem->folder);
    struct record_subject subject = {path, unit->problem, unit->checkpoint};
    if (!path.data)
        return err_nomem(err, "path");
    return checkpoint_record_write(folder, &subject, &unit->record, err);
}

static int
read_folder(struct ingest_unit *unit, struct ingest_worker *worker, struct bytes path,
            struct err *err)
{
    struct run_folder folder = {
        .source = worker->source, .arena = &unit->arena, .remarks = &unit->remarks};
    struct err why;
    if (run_folder_open(&folder, path, &why) < 0)
        return remarks_add_failure(&unit->remarks, BYTES("folder"), &why, err);
    if ((unit->after_step || !unit->checkpoint->record.data) &&
        make_record(unit, &folder, err) < 0)
        return -1;
    const struct source_entry *snapshot = source_find(folder.entries, folder.n_entries, "snapshot");
    if (!snapshot || !source_is_folder(snapshot))
        return remarks_add(&unit->remarks, BYTES("snapshot"), err, "there is no such folder");
    struct bytes tree = run_path(&unit->arena, path, snapshot->name);
    return tree.data ? read_tree(unit, worker, tree, err) : err_nomem(err, "path");
}

int
ingest_unit_read(struct ingest_unit *unit, struct ingest_worker *worker, struct err *err)
{
    unit->remarks = (struct remarks){.arena = &unit->arena};
    unit->is_read = true;
    if (!unit->checkpoint->has_folder)
        return remarks_add(&unit->remarks, BYTES("folder"), err,
                           "the run has a record of it, but no folder");
    struct bytes path = run_path(&unit->arena, unit->run->place, unit->problem->folder);
    path = path.data ? run_path(&unit->arena, path, unit->checkpoint->name) : path;
    if (path.data && unit->after_step)
        path = run_path(&unit->arena, path, BYTES("after_skill"));
    return path.data ? read_folder(unit, worker, path, err) : err_nomem(err, "path");
}
