/*
 * A slice: reading and encoding some blobs on one thread, and writing the results on member 0.
 *
 * The encodings of a slice are in one buffer, the facts and then the hits of each item, in the
 * order of items; blobs that could not be read have no item.
 */
#include "miner/slice.h"

#include <assert.h>
#include <stdlib.h>

/* ---- Results ------------------------------------------------------------------------------- */

struct slice_result *
slice_result_create(struct job *job, size_t n_items)
{
    struct slice_result *result = calloc(1, sizeof(*result));
    if (!result)
        return NULL;
    result->job = job;
    result->items = calloc(n_items ? n_items : 1, sizeof(*result->items));
    if (result->items)
        return result;
    free(result);
    return NULL;
}

void
slice_result_destroy(struct slice_result *result)
{
    if (!result)
        return;
    buf_clear(&result->bytes);
    free(result->items);
    free(result);
}

size_t
slice_result_size(const struct slice_result *result)
{
    return sizeof(*result) + result->n_items * sizeof(*result->items) + result->bytes.capacity;
}

/* ---- Analysing ----------------------------------------------------------------------------- */

void
slice_worker_clear(struct slice_worker *worker)
{
    blob_encoder_destroy(worker->encoder);
    store_reader_close(worker->reader);
    arena_clear(&worker->scratch);
    *worker = (struct slice_worker){0};
}

static int
prepare(struct slice_worker *worker, const struct job_context *context, struct err *err)
{
    struct blob_encoder_options options = {.limits = context->options->analyzer.limits,
                                           .rules = context->options->analyzer.rules,
                                           .reuse = context->rules.reuse};
    if (!worker->encoder && blob_encoder_create(&options, &worker->encoder, err) < 0)
        return -1;
    return context->rules.reuse ? store_reader_open(context->store, &worker->reader, err) : 0;
}

/* Analyse SOURCE, which may be {NULL, its size} when it is too large, and append what is wanted. */
static int
analyse_source(struct slice_result *result, struct slice_worker *worker, uint32_t index,
               struct bytes source, struct err *err)
{
    const struct job_context *context = result->job->context;
    const struct plan_blob *blob = &result->job->plan.blobs[index];
    const struct blob_encoding with = {worker->encoder, worker->reader, &context->rules,
                                       &worker->scratch};
    struct slice_item *item = &result->items[result->n_items];
    item->blob = index;
    if (encoded_blob_make(&item->encoded, &with, &blob->id, blob->wants, source, &result->bytes,
                          err) < 0)
        return -1;
    result->n_items++;
    return 0;
}

static int
analyse_blob(struct slice_result *result, struct slice_worker *worker, uint32_t index,
             struct objects *objects, struct err *err)
{
    struct job *job = result->job;
    struct plan_blob *blob = &job->plan.blobs[index];
    struct object object;
    uint32_t max_bytes = job->context->options->analyzer.limits.max_file_bytes;
    result->n_source_bytes += blob->size_bytes;
    switch (objects_read(objects, &blob->id, OBJECT_BLOB, max_bytes, &object)) {
    case OBJECT_OK:
        break;
    case OBJECT_TOO_LARGE:
        return analyse_source(result, worker, index, (struct bytes){NULL, blob->size_bytes}, err);
    case OBJECT_NO_MEMORY:
        return err_nomem(err, "blob");
    default:
        blob->problem = strdup(objects_reason(objects));
        return blob->problem ? 0 : err_nomem(err, "message");
    }
    int rc = analyse_source(result, worker, index, object.data, err);
    object_clear(&object);
    return rc;
}

int
slice_analyse(struct slice_result *result, size_t index, size_t member, struct slice_worker *worker,
              struct err *err)
{
    struct job *job = result->job;
    const struct plan_slice *slice = &job->plan.slices[index];
    struct objects *objects = job_objects(job, member, err);
    if (!objects)
        return -1;
    if (prepare(worker, job->context, err) < 0)
        return -1;
    int rc = 0;
    for (uint32_t i = 0; rc == 0 && i < slice->n_blobs; i++)
        rc = analyse_blob(result, worker, job->plan.order[slice->first + i], objects, err);
    store_reader_close(worker->reader);
    worker->reader = NULL;
    if (rc < 0)
        return err_wrap(err, "%.*s", BYTES_ARG(job->spec->id));
    progress_add_done(job->context->options->progress, slice->n_blobs);
    progress_add_bytes(job->context->options->progress, result->n_source_bytes);
    return 0;
}

/* ---- Writing ------------------------------------------------------------------------------- */

int
slice_write(const struct slice_result *result, struct store_writer *writer, struct err *err)
{
    const struct job *job = result->job;
    const struct job_context *context = job->context;
    struct bytes rest = buf_bytes(&result->bytes);
    for (size_t i = 0; i < result->n_items; i++) {
        const struct slice_item *item = &result->items[i];
        const struct oid *blob = &job->plan.blobs[item->blob].id;
        size_t len = item->encoded.facts_len + item->encoded.hits_len;
        assert(len <= rest.len);
        if (encoded_blob_put(&item->encoded, bytes_slice(rest, 0, len), blob, &context->fingerprint,
                             &context->rules, writer, err) < 0)
            return -1;
        rest = bytes_slice(rest, len, rest.len);
        job->result->n_taken_over += item->encoded.is_taken_over;
    }
    job->result->n_analysed += result->n_items;
    job->result->n_fresh_rules = context->rules.reuse ? hit_reuse_n_fresh(context->rules.reuse) : 0;
    job->result->n_bytes += result->n_source_bytes;
    return 0;
}
