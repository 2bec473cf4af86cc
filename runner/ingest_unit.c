/*
 * One tree of one checkpoint: list it, hash and analyse its Python files, and make its record.
 *
 * Threads share a map of the blobs that were claimed.  The first to claim a blob that the store
 * lacks analyses it, so each content is analysed once whichever tree comes first.  A blob that its
 * claimer cannot read is marked as lost there, and every tree that has it leaves it out when it is
 * written.
 */
#include "runner/ingest_unit.h"

#include <assert.h>
#include <stdlib.h>

#include "git/blob_id.h"
#include "manifests/manifests.h"
#include "runner/read/checkpoint_record.h"

/* ---- Workers ------------------------------------------------------------------------------- */

int
ingest_worker_init(struct ingest_worker *worker, struct ingest_context *context,
                   const struct source_place *place, struct err *err)
{
    struct blob_encoder_options options = {.limits = context->options->analyzer.limits,
                                           .rules = context->options->analyzer.rules,
                                           .reuse = context->rules.reuse};
    *worker = (struct ingest_worker){.context = context};
    arena_init(&worker->scratch, 0);
    if (source_open(place, &worker->source, err) < 0 ||
        store_reader_open(context->store, &worker->reader, err) < 0)
        return -1;
    return blob_encoder_create(&options, &worker->encoder, err);
}

void
ingest_worker_clear(struct ingest_worker *worker)
{
    source_close(worker->source);
    if (worker->reader)
        store_reader_close(worker->reader);
    blob_encoder_destroy(worker->encoder);
    buf_clear(&worker->content);
    arena_clear(&worker->scratch);
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

/* What is to be made of BLOB here: enum store_want, what the store lacks, or 0 when another thread
 * has claimed it; -1. */
static int
claim(struct ingest_worker *worker, const struct oid *blob, struct err *err)
{
    struct ingest_context *context = worker->context;
    bool is_new = false;
    int wants = store_wants(worker->reader, blob, &context->facts, &context->rules.groups, err);
    if (wants <= 0)
        return wants;
    pthread_mutex_lock(&context->mutex);
    const uint64_t *slot = map_put(&context->claimed, oid_bytes(blob), &is_new);
    pthread_mutex_unlock(&context->mutex);
    if (!slot)
        return err_nomem(err, "blobs");
    return is_new ? wants : 0;
}

/* Mark BLOB, claimed here, as one that could not be read. */
static int
mark_lost(struct ingest_context *context, const struct oid *blob, struct err *err)
{
    pthread_mutex_lock(&context->mutex);
    uint64_t *slot = map_put(&context->claimed, oid_bytes(blob), NULL);
    if (slot)
        *slot = INGEST_BLOB_LOST;
    pthread_mutex_unlock(&context->mutex);
    return slot ? 0 : err_nomem(err, "blobs");
}

/* A file of a tree, and how much of it is known so far. */
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
        return blob_id(buf_bytes(&worker->content), &file->id, why);
    return source_hash_large(worker->source, folder, file->entry, &file->id, why);
}

/* Analyse FILE for what WANTS names (enum store_want) and keep the encoded results in UNIT. */
static int
analyse(struct ingest_unit *unit, struct ingest_worker *worker, const struct candidate *file,
        int wants, struct err *err)
{
    struct bytes source = file->is_read ? buf_bytes(&worker->content)
                                        : (struct bytes){NULL, (size_t)file->size_bytes};
    const struct blob_encoding with = {worker->encoder, worker->reader, &worker->context->rules,
                                       &worker->scratch};
    struct ingest_blob *blobs = reallocarray(unit->blobs, unit->n_blobs + 1, sizeof(*blobs));
    if (!blobs)
        return err_nomem(err, "blobs");
    unit->blobs = blobs;
    struct ingest_blob *blob = &blobs[unit->n_blobs];
    *blob = (struct ingest_blob){.id = file->id, .at = unit->encoded.len};
    if (encoded_blob_make(&blob->made, &with, &file->id, wants, source, &unit->encoded, err) < 0)
        return -1;
    unit->n_blobs++;
    unit->n_bytes += source.len;
    return 0;
}

/* Fill *OUT from the file ENTRY of the tree FOLDER.  0, 1 when it was left out, -1. */
static int
take_file(struct ingest_unit *unit, struct ingest_worker *worker, struct bytes folder,
          const struct source_entry *entry, struct store_file *out, struct err *err)
{
    struct candidate file = {.entry = entry, .id = entry->blob};
    struct err why;
    if (!file.id.len && (read_content(worker, folder, &file, &why) < 0 ||
                         name_content(worker, folder, &file, &why) < 0))
        return notes_add_failure(&unit->notes, entry->name, &why, err) < 0 ? -1 : 1;
    *out = (struct store_file){.path = entry->name, .blob = file.id, .mode = entry->mode};
    int wants = claim(worker, &file.id, err);
    if (wants <= 0)
        return wants;
    bool is_known = file.is_read || file.is_too_large;
    if (is_known || read_content(worker, folder, &file, &why) == 0)
        return analyse(unit, worker, &file, wants, err);
    if (why.code == ERR_NOMEM) {
        *err = why;
        return -1;
    }
    return mark_lost(worker->context, &file.id, err);
}

/* ---- Trees --------------------------------------------------------------------------------- */

/* Every Python file is listed: profiles choose which of them count. */
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
        return notes_add_failure(&unit->notes, BYTES("snapshot"), &why, err);
    const char *defect = source_take_defect(worker->source);
    if (defect && notes_addf(&unit->notes, BYTES("snapshot"), err, "in a tree %s", defect) < 0)
        return -1;
    unit->has_tree = true;
    unit->files = ARENA_ARRAY(&unit->arena, n, struct store_file);
    if (!unit->files)
        return err_nomem(err, "listing");
    for (size_t i = 0; i < n; i++) {
        if (!is_python(&entries[i]))
            continue;
        assert(!unit->n_files ||
               !bytes_equal(entries[i].name, unit->files[unit->n_files - 1].path));
        struct store_file *file = &unit->files[unit->n_files];
        int rc = take_file(unit, worker, folder, &entries[i], file, err);
        if (rc < 0)
            return err_wrap(err, "%.*s/%.*s", BYTES_ARG(folder), BYTES_ARG(entries[i].name));
        unit->n_files += rc == 0;
    }
    progress_add_bytes(worker->context->options->progress, unit->n_bytes);
    return 0;
}

/* ---- Checkpoints --------------------------------------------------------------------------- */

/* Make the record of a checkpoint without a line in the run's checkpoint_results.jsonl.  A tree
 * after the extra step never has one. */
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
        .source = worker->source, .arena = &unit->arena, .notes = &unit->notes};
    struct err why;
    if (run_folder_open(&folder, path, &why) < 0)
        return notes_add_failure(&unit->notes, BYTES("folder"), &why, err);
    if ((unit->after_step || !unit->checkpoint->record.data) && make_record(unit, &folder, err) < 0)
        return -1;
    const struct source_entry *snapshot = source_find(folder.entries, folder.n_entries, "snapshot");
    if (!snapshot || !source_is_folder(snapshot))
        return notes_addf(&unit->notes, BYTES("snapshot"), err, "there is no such folder");
    struct bytes tree = run_path(&unit->arena, path, snapshot->name);
    return tree.data ? read_tree(unit, worker, tree, err) : err_nomem(err, "path");
}

int
ingest_unit_read(struct ingest_unit *unit, struct ingest_worker *worker, struct err *err)
{
    unit->notes = (struct notes){.arena = &unit->arena};
    unit->is_read = true;
    if (!unit->checkpoint->has_folder)
        return notes_addf(&unit->notes, BYTES("folder"), err,
                          "the run has a record of it, but no folder");
    struct bytes path = run_path(&unit->arena, unit->run->place, unit->problem->folder);
    path = path.data ? run_path(&unit->arena, path, unit->checkpoint->name) : path;
    if (path.data && unit->after_step)
        path = run_path(&unit->arena, path, BYTES("after_skill"));
    return path.data ? read_folder(unit, worker, path, err) : err_nomem(err, "path");
}
