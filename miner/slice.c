/*
 * A slice: reading and encoding some blobs on one thread, and writing the results on member 0.
 *
 * The encodings of a slice are in one buffer, facts and hits of each item after one another in the
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
    struct encode_request request = {.facts = blob->wants & STORE_WANT_FACTS,
                                     .hits = blob->wants & ~STORE_WANT_FACTS};
    struct encode_result made;
    arena_reset(&worker->scratch);
    if (blob->wants & STORE_WANT_FRESH_HITS &&
        store_get_base_hits(worker->reader, &blob->id, &context->rules.groups, &worker->scratch,
                            &request.base_hits, err) == STORE_FAILED)
        return -1;
    if (blob_encoder_run(worker->encoder, source, &request, &result->bytes, &made, err) < 0)
        return -1;
    result->items[result->n_items++] =
        (struct slice_item){.blob = index,
                            .has_facts = request.facts,
                            .has_hits = request.hits,
                            .is_taken_over = request.hits && !made.ran_all,
                            .facts_len = made.facts_len,
                            .hits_len = made.hits_len};
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
    int done = analyse_source(result, worker, index, object.data, err);
    object_clear(&object);
    return done;
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
    int done = 0;
    for (uint32_t i = 0; done == 0 && i < slice->n_blobs; i++)
        done = analyse_blob(result, worker, job->plan.order[slice->first + i], objects, err);
    store_reader_close(worker->reader);
    worker->reader = NULL;
    if (done < 0)
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
        struct bytes facts = bytes_slice(rest, 0, item->facts_len);
        struct bytes hits = bytes_slice(rest, item->facts_len, item->facts_len + item->hits_len);
        assert(item->facts_len + item->hits_len <= rest.len);
        rest = bytes_slice(rest, item->facts_len + item->hits_len, rest.len);
        if (item->has_facts && store_put_facts(writer, blob, &context->fingerprint, facts,
                                               facts_hash_bytes(facts), err) < 0)
            return -1;
        job->result->n_taken_over += item->is_taken_over;
        if (item->has_hits &&
            store_put_hits(writer, blob, &context->rules.groups.group, hits, err) < 0)
            return -1;
    }
    job->result->n_analysed += result->n_items;
    job->result->n_fresh_rules = context->rules.reuse ? hit_reuse_n_fresh(context->rules.reuse) : 0;
    job->result->n_bytes += result->n_source_bytes;
    return 0;
}
