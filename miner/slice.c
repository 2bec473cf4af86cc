#include "miner/slice.h"

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
    for (int i = 0; i < WORKER_KINDS; i++)
        analyzer_destroy(worker->analyzers[i]);
    store_reader_close(worker->reader);
    arena_clear(&worker->scratch);
    *worker = (struct slice_worker){0};
}

/* The analyzer that makes what is wanted and no more. */
static struct analyzer *
analyzer_for(struct slice_worker *worker, const struct job_context *context, unsigned wants,
             struct err *err)
{
    struct analyzer_options options = context->options->analyzer;
    struct analyzer **analyzer = &worker->analyzers[wants];
    options.rules = wants & WANT_HITS         ? context->rules.set
                    : wants & WANT_FRESH_HITS ? context->rules.fresh
                                              : NULL;
    options.skip_facts = !(wants & WANT_FACTS);
    if (!*analyzer && analyzer_create(&options, analyzer, err) < 0)
        return NULL;
    return *analyzer;
}

/* Append the hits of BLOB as taken over and as found FRESH.  What was stored and cannot be read is
 * a reason to run all rules: 1. */
static int
merge_hits(struct slice_result *result, struct slice_worker *worker, const struct plan_blob *blob,
           const struct hit_list *fresh, struct err *err)
{
    const struct mine_rules *rules = &result->job->context->rules;
    struct bytes encoded;
    arena_reset(&worker->scratch);
    switch (store_get_hits(worker->reader, &blob->id, &rules->base, &worker->scratch, &encoded,
                           err)) {
    case STORE_FOUND:
        break;
    case STORE_MISSING:
        return 1;
    case STORE_FAILED:
        return err->code == ERR_DAMAGED ? 1 : -1;
    }
    int merged = mine_rules_merge(rules, encoded, fresh, &worker->scratch, &result->bytes, err);
    return merged < 0 && err->code == ERR_DAMAGED ? 1 : merged;
}

/* Append what ANALYSIS has of what is wanted.  1: all rules must be run instead. */
static int
add_item(struct slice_result *result, struct slice_worker *worker, uint32_t index,
         const struct analysis *analysis, struct err *err)
{
    const struct plan_blob *blob = &result->job->plan.blobs[index];
    struct slice_item item = {.blob = index};
    struct buf *bytes = &result->bytes;
    size_t before = bytes->len;
    item.has_facts = (blob->wants & WANT_FACTS) != 0;
    if (item.has_facts)
        facts_encode(&analysis->facts, bytes);
    item.facts_len = bytes->len - before;
    item.has_hits = (blob->wants & (WANT_HITS | WANT_FRESH_HITS)) != 0;
    if (blob->wants & WANT_HITS)
        hits_encode(&analysis->hits, bytes);
    if (blob->wants & WANT_FRESH_HITS) {
        int merged = merge_hits(result, worker, blob, &analysis->hits, err);
        if (merged != 0) {
            bytes->len = before;
            return merged;
        }
    }
    if (buf_failed(bytes))
        return err_nomem(err, "facts");
    item.hits_len = bytes->len - before - item.facts_len;
    result->items[result->n_items++] = item;
    return 0;
}

static int
analyse_source(struct slice_result *result, struct slice_worker *worker, uint32_t index,
               struct bytes source, struct err *err)
{
    const struct job_context *context = result->job->context;
    struct plan_blob *blob = &result->job->plan.blobs[index];
    struct analysis analysis = {0};
    bool needs_source = blob->wants != WANT_FRESH_HITS || context->rules.fresh;
    struct analyzer *analyzer = analyzer_for(worker, context, blob->wants, err);
    if (!analyzer || (needs_source && analyzer_run(analyzer, source, &analysis, err) < 0))
        return -1;
    int added = add_item(result, worker, index, &analysis, err);
    if (added <= 0)
        return added;
    blob->wants = WANT_HITS;
    analyzer = analyzer_for(worker, context, blob->wants, err);
    if (!analyzer || analyzer_run(analyzer, source, &analysis, err) < 0)
        return -1;
    return add_item(result, worker, index, &analysis, err);
}

static int
analyse_blob(struct slice_result *result, struct slice_worker *worker, uint32_t index,
             struct objects *objects, struct err *err)
{
    struct job *job = result->job;
    struct plan_blob *blob = &job->plan.blobs[index];
    struct analysis too_large = {.facts.skipped = SKIP_TOO_LARGE,
                                 .facts.n_bytes = blob->size_bytes};
    struct object object;
    uint32_t max_bytes = job->context->options->analyzer.limits.max_file_bytes;
    result->n_source_bytes += blob->size_bytes;
    switch (objects_read(objects, &blob->id, OBJECT_BLOB, max_bytes, &object)) {
    case OBJECT_OK:
        break;
    case OBJECT_TOO_LARGE:
        return add_item(result, worker, index, &too_large, err);
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
slice_analyse(struct slice_result *result, size_t index, size_t member,
              struct slice_worker *worker, struct err *err)
{
    struct job *job = result->job;
    const struct plan_slice *slice = &job->plan.slices[index];
    struct objects *objects = job_objects(job, member, err);
    if (!objects)
        return -1;
    if (job->context->rules.has_base &&
        store_reader_open(job->context->store, &worker->reader, err) < 0)
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
        struct bytes hits =
            bytes_slice(rest, item->facts_len, item->facts_len + item->hits_len);
        rest = bytes_slice(rest, item->facts_len + item->hits_len, rest.len);
        if (item->has_facts &&
            store_put_facts(writer, blob, &context->fingerprint, facts, facts_hash_bytes(facts),
                            err) < 0)
            return -1;
        if (item->has_hits && store_put_hits(writer, blob, &context->rules.group, hits, err) < 0)
            return -1;
    }
    job->result->n_analysed += result->n_items;
    job->result->n_bytes += result->n_source_bytes;
    return 0;
}
