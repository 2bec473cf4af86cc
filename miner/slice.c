#include "miner/slice.h"

#include <stdlib.h>

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

static int
add_item(struct slice_result *result, uint32_t blob, const struct analysis *analysis,
         struct err *err)
{
    struct slice_item *item = &result->items[result->n_items];
    size_t before = result->bytes.len;
    facts_encode(&analysis->facts, &result->bytes);
    if (buf_failed(&result->bytes))
        return err_nomem(err, "facts");
    *item = (struct slice_item){.blob = blob, .facts_len = result->bytes.len - before};
    result->n_items++;
    result->n_source_bytes += analysis->facts.n_bytes;
    return 0;
}

static int
analyse_blob(struct slice_result *result, uint32_t index, struct objects *objects,
             struct analyzer *analyzer, struct err *err)
{
    struct job *job = result->job;
    struct plan_blob *blob = &job->plan.blobs[index];
    struct analysis analysis = {.facts.skipped = SKIP_TOO_LARGE, .facts.n_bytes = blob->size_bytes};
    struct object object;
    uint32_t max_bytes = job->context->options->analyzer.limits.max_file_bytes;
    switch (objects_read(objects, &blob->id, OBJECT_BLOB, max_bytes, &object)) {
    case OBJECT_OK:
        break;
    case OBJECT_TOO_LARGE:
        return add_item(result, index, &analysis, err);
    case OBJECT_NO_MEMORY:
        return err_nomem(err, "blob");
    default:
        blob->problem = strdup(objects_reason(objects));
        return blob->problem ? 0 : err_nomem(err, "message");
    }
    int done = analyzer_run(analyzer, object.data, &analysis, err);
    if (done == 0)
        done = add_item(result, index, &analysis, err);
    object_clear(&object);
    return done;
}

int
slice_analyse(struct slice_result *result, size_t index, size_t member, struct analyzer *analyzer,
              struct err *err)
{
    struct job *job = result->job;
    const struct plan_slice *slice = &job->plan.slices[index];
    struct objects *objects = job_objects(job, member, err);
    if (!objects)
        return -1;
    for (uint32_t i = 0; i < slice->n_blobs; i++)
        if (analyse_blob(result, job->plan.order[slice->first + i], objects, analyzer, err) < 0)
            return err_wrap(err, "%.*s", BYTES_ARG(job->spec->id));
    progress_add_done(job->context->options->progress, slice->n_blobs);
    progress_add_bytes(job->context->options->progress, result->n_source_bytes);
    return 0;
}

int
slice_write(const struct slice_result *result, struct store_writer *writer, struct err *err)
{
    struct job *job = result->job;
    struct bytes rest = buf_bytes(&result->bytes);
    for (size_t i = 0; i < result->n_items; i++) {
        const struct slice_item *item = &result->items[i];
        const struct oid *blob = &job->plan.blobs[item->blob].id;
        struct bytes facts = bytes_slice(rest, 0, item->facts_len);
        rest = bytes_slice(rest, item->facts_len + item->hits_len, rest.len);
        if (store_put_facts(writer, blob, &job->context->fingerprint, facts, err) < 0)
            return -1;
    }
    job->result->n_analysed += result->n_items;
    job->result->n_bytes += result->n_source_bytes;
    return 0;
}
