/*
 * Writing a job.  A listing has only files whose facts are in the store: a blob that could not be
 * read becomes a note of its checkpoint.
 */
#include <stdio.h>
#include <stdlib.h>

#include "miner/job.h"

static void
describe(const struct job *job, struct store_trajectory *out)
{
    const struct miner_repository *spec = job->spec;
    *out = (struct store_trajectory){.id = spec->id,
                                     .kind = BYTES("human"),
                                     .origin = spec->origin,
                                     .stars = spec->stars,
                                     .as_of = spec->as_of,
                                     .license = spec->license,
                                     .ref = spec->ref.len ? spec->ref : job->repo.ref,
                                     .head = job->head,
                                     .params = job->context->params,
                                     .status = STORE_STATUS_UNFINISHED,
                                     .n_commits = job->n_commits};
}

int
job_announce(struct job *job, struct store_writer *writer, struct err *err)
{
    struct store_trajectory trajectory;
    if (job->is_announced || job_is_settled(job))
        return 0;
    describe(job, &trajectory);
    job->is_announced = true;
    const struct store_checkpoint none = {0};
    return store_put_trajectory(writer, &trajectory, &none, 0, err);
}

/* ---- A batch ------------------------------------------------------------------------------- */

static int
add_checkpoint(struct job *job, const struct store_checkpoint *checkpoint, struct err *err)
{
    if (job->n_checkpoints == job->checkpoints_capacity) {
        size_t capacity = job->checkpoints_capacity ? job->checkpoints_capacity * 2 : 32;
        struct store_checkpoint *grown = reallocarray(job->checkpoints, capacity, sizeof(*grown));
        if (!grown)
            return err_nomem(err, "checkpoints");
        job->checkpoints = grown;
        job->checkpoints_capacity = capacity;
    }
    job->checkpoints[job->n_checkpoints++] = *checkpoint;
    return 0;
}

/* Put the files of PLANNED that have facts into FILES, the others into NOTES. */
static int
select_files(const struct plan *plan, const struct plan_checkpoint *planned,
             struct store_file *files, size_t *n_out, struct notes *notes, struct err *err)
{
    *n_out = 0;
    for (size_t i = 0; i < planned->n_files; i++) {
        const struct plan_file *file = &plan->files[planned->first_file + i];
        const struct plan_blob *blob = &plan->blobs[file->blob];
        struct bytes path = plan->paths.entries[file->path].key;
        if (!blob->problem)
            files[(*n_out)++] =
                (struct store_file){.path = path, .blob = blob->id, .mode = file->mode};
        else if (notes_add(notes, path, blob->problem, err) < 0)
            return -1;
    }
    return 0;
}

/* Copy what of PLANNED must live as long as the job. */
static int
keep_checkpoint(struct job *job, const struct plan_checkpoint *planned, const struct notes *notes,
                struct store_checkpoint *out, struct err *err)
{
    char hex[OID_HEX_SIZE];
    out->ordinal = (uint32_t)job->n_checkpoints;
    out->name = arena_copy(&job->arena, bytes_of_text(oid_to_hex(&planned->commit, hex)));
    out->has_time = !planned->date_problem;
    out->time_s = out->has_time ? planned->time_s : 0;
    if (planned->date_problem)
        out->date_problem = bytes_of_text(planned->date_problem);
    out->author_date = planned->has_author_time ? STORE_AUTHOR_DATE : STORE_AUTHOR_NO_DATE;
    out->author_time_s = planned->has_author_time ? planned->author_time_s : 0;
    out->n_parents = planned->n_parents;
    if (planned->markers.len)
        out->markers = arena_copy(&job->arena, planned->markers);
    out->notes = notes->items;
    out->n_notes = notes->n_items;
    if (!out->name.data || (planned->markers.len && !out->markers.data))
        return err_nomem(err, "checkpoint");
    return add_checkpoint(job, out, err);
}

static int
write_checkpoint(struct job *job, const struct plan_checkpoint *planned, struct store_file *files,
                 struct store_writer *writer, struct err *err)
{
    struct notes notes;
    notes_init(&notes, &job->arena);
    for (uint32_t i = 0; i < planned->notes.n_items; i++) {
        const struct store_note *note = &planned->notes.items[i];
        if (notes_add(&notes, note->what, (const char *)note->reason.data, err) < 0)
            return -1;
    }
    struct store_checkpoint checkpoint = {0};
    size_t n_files;
    if (select_files(&job->plan, planned, files, &n_files, &notes, err) < 0 ||
        notes_finish(&notes, err) < 0 ||
        store_put_listing(writer, files, n_files, &checkpoint.listing, err) < 0 ||
        keep_checkpoint(job, planned, &notes, &checkpoint, err) < 0)
        return -1;
    struct miner_result *result = job->result;
    if (notes.n_items > 0 && !job->has_partial && job->notes.n_items == 0)
        snprintf(result->reason, sizeof(result->reason), "commit %.12s, %.*s: %.*s",
                 (const char *)checkpoint.name.data, BYTES_ARG(notes.items[0].what),
                 BYTES_ARG(notes.items[0].reason));
    job->has_partial |= notes.n_items > 0;
    result->n_bad_dates += !checkpoint.has_time;
    result->n_notes += notes.n_items;
    result->n_files += n_files;
    return 0;
}

int
job_write_batch(struct job *job, struct store_writer *writer, struct err *err)
{
    struct plan *plan = &job->plan;
    size_t n_files_max = 0;
    for (size_t i = 0; i < plan->n_checkpoints; i++)
        if (plan->checkpoints[i].n_files > n_files_max)
            n_files_max = plan->checkpoints[i].n_files;
    struct store_file *files = reallocarray(NULL, n_files_max + 1, sizeof(*files));
    int rc = files ? 0 : err_nomem(err, "listing");
    for (size_t i = 0; rc == 0 && i < plan->n_checkpoints; i++)
        rc = write_checkpoint(job, &plan->checkpoints[i], files, writer, err);
    free(files);
    job->result->n_blobs += plan_n_blobs(plan);
    plan_clear(plan);
    plan_init(plan);
    return rc;
}

/* ---- The end ------------------------------------------------------------------------------- */

int
job_end(struct job *job, struct store_writer *writer, struct err *err)
{
    struct miner_result *result = job->result;
    struct store_trajectory trajectory;
    if (result->was_done)
        return 0;
    if (notes_finish(&job->notes, err) < 0)
        return -1;
    if (result->status != STORE_STATUS_SKIPPED)
        result->status =
            job->notes.n_items > 0 || job->has_partial ? STORE_STATUS_PARTIAL : STORE_STATUS_DONE;
    result->n_commits = job->n_commits;
    result->n_checkpoints = job->n_checkpoints;
    result->n_notes += job->notes.n_items;
    if (job->notes.n_items > 0) {
        const struct store_note *first = &job->notes.items[0];
        bool is_general = bytes_equal(first->what, job->spec->id);
        snprintf(result->reason, sizeof(result->reason), "%.*s%s%.*s",
                 is_general ? 0 : (int)first->what.len, (const char *)first->what.data,
                 is_general ? "" : ": ", BYTES_ARG(first->reason));
    }
    if (result->status == STORE_STATUS_SKIPPED && job->keeps_stored)
        return 0;
    describe(job, &trajectory);
    trajectory.status = result->status;
    trajectory.n_checkpoints = (uint32_t)job->n_checkpoints;
    trajectory.notes = job->notes.items;
    trajectory.n_notes = job->notes.n_items;
    const struct store_checkpoint none = {0};
    return store_put_trajectory(writer, &trajectory, job->checkpoints ? job->checkpoints : &none,
                                job->n_checkpoints, err);
}
