/*
 * Writing manifests: fields that are empty or have their default value are left out, and each
 * repository is on one line, so that the difference between two versions of a panel reads well.
 */
#include <stdio.h>

#include "base/json_write.h"
#include "manifests/manifests.h"

static void
member_unless_empty(struct json_writer *json, const char *name, struct bytes text)
{
    if (text.len > 0)
        json_member_bytes(json, name, text);
}

static bool
lists_equal(const struct text_list *a, const struct text_list *b)
{
    bool equal = a->n_items == b->n_items;
    for (size_t i = 0; equal && i < a->n_items; i++)
        equal = bytes_equal(a->items[i], b->items[i]);
    return equal;
}

static void
write_source(struct json_writer *json, const struct source_filter *source)
{
    const struct source_filter *standard = source_filter_default();
    if (!lists_equal(&source->suffixes, &standard->suffixes) ||
        !lists_equal(&source->exclude_dirs, &standard->exclude_dirs) ||
        source->include.n_items > 0 || source->exclude.n_items > 0)
        source_filter_write(source, "source", json);
}

static void
write_sampling(struct json_writer *json, const struct sampling *sampling)
{
    char seed[24];
    snprintf(seed, sizeof(seed), "%llu", (unsigned long long)sampling->seed);
    json_key(json, "sampling");
    json_begin_object(json);
    json_member_u64(json, "commits", sampling->n_commits);
    json_member_text(json, "strategy", sampling_strategy_name(sampling->strategy));
    json_member_text(json, "history", sampling_history_name(sampling->history));
    if (sampling->seed >> 53) /* larger than a JSON number holds exactly */
        json_member_text(json, "seed", seed);
    else
        json_member_u64(json, "seed", sampling->seed);
    json_member_bool(json, "merges", sampling->merges);
    json_end_object(json);
}

/* A repository on a line of its own. */
static void
write_repository(struct json_writer *out, const struct manifest_repository *repository)
{
    char head[OID_HEX_SIZE];
    struct buf line = {0};
    struct json_writer json = json_writer_init(&line, 0);
    json.spaced = true;
    json_begin_object(&json);
    json_member_bytes(&json, "name", repository->name);
    member_unless_empty(&json, "url", repository->url);
    if (repository->stars >= 0)
        json_member_i64(&json, "stars", repository->stars);
    member_unless_empty(&json, "as_of", repository->as_of);
    member_unless_empty(&json, "license", repository->license);
    member_unless_empty(&json, "ref", repository->ref);
    if (repository->head.len > 0)
        json_member_text(&json, "head", oid_to_hex(&repository->head, head));
    json_end_object(&json);
    json_raw(out, buf_bytes(&line));
    out->out->failed |= buf_failed(&line);
    buf_clear(&line);
}

void
manifest_write(const struct manifest *manifest, struct buf *out)
{
    struct json_writer json = json_writer_init(out, 2);
    json_begin_object(&json);
    json_member_bytes(&json, "name", manifest->name);
    member_unless_empty(&json, "description", manifest->description);
    member_unless_empty(&json, "as_of", manifest->as_of);
    write_sampling(&json, &manifest->sampling);
    write_source(&json, &manifest->source);
    json_key(&json, "repositories");
    json_begin_array(&json);
    for (size_t i = 0; i < manifest->n_repositories; i++)
        write_repository(&json, &manifest->repositories[i]);
    json_end_array(&json);
    json_end_object(&json);
    buf_append_byte(out, '\n');
}
