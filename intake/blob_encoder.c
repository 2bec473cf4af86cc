/* There is an analyzer for each combination of facts or no facts with no rules, all rules, or the
 * fresh ones.  Each is made when first needed: most runs need one or two of them. */
#include <stdlib.h>

#include "intake/hit_reuse.h"

enum rules_run { RUN_NONE, RUN_FRESH, RUN_ALL, RUN_N };

struct blob_encoder {
    struct blob_encoder_options options;
    struct analyzer *analyzers[2][RUN_N]; /* without facts and with them */
    struct arena scratch;
};

int
blob_encoder_create(const struct blob_encoder_options *options, struct blob_encoder **out,
                    struct err *err)
{
    struct blob_encoder *encoder = calloc(1, sizeof(*encoder));
    if (!encoder)
        return err_nomem(err, "analyzer");
    encoder->options = *options;
    arena_init(&encoder->scratch, 0);
    *out = encoder;
    return 0;
}

void
blob_encoder_destroy(struct blob_encoder *encoder)
{
    if (!encoder)
        return;
    for (int i = 0; i < 2 * RUN_N; i++)
        analyzer_destroy(encoder->analyzers[i / RUN_N][i % RUN_N]);
    arena_clear(&encoder->scratch);
    free(encoder);
}

static struct analyzer *
analyzer_for(struct blob_encoder *encoder, bool wants_facts, enum rules_run run, struct err *err)
{
    struct analyzer **analyzer = &encoder->analyzers[wants_facts][run];
    struct analyzer_options options = {.limits = encoder->options.limits,
                                       .skip_facts = !wants_facts};
    if (run == RUN_ALL)
        options.rules = encoder->options.rules;
    else if (run == RUN_FRESH)
        options.rules = hit_reuse_fresh(encoder->options.reuse);
    if (!*analyzer && analyzer_create(&options, analyzer, err) < 0)
        return NULL;
    return *analyzer;
}

/* Run what is to be run; what is larger than the limit is not even looked at. */
static int
analyse(struct blob_encoder *encoder, struct bytes source, bool wants_facts, enum rules_run run,
        struct analysis *out, struct err *err)
{
    *out = (struct analysis){0};
    if (!wants_facts && run == RUN_NONE)
        return 0;
    if (source.len > encoder->options.limits.max_file_bytes) {
        out->facts = (struct facts){.skipped = SKIP_TOO_LARGE, .n_bytes = source.len};
        return 0;
    }
    struct analyzer *analyzer = analyzer_for(encoder, wants_facts, run, err);
    return analyzer ? analyzer_run(analyzer, source, out, err) : -1;
}

/* Facts that are too much for a store are none, and the reason is the file's size. */
static void
put_facts(const struct facts *facts, struct buf *out)
{
    const struct facts none = {.skipped = SKIP_TOO_LARGE, .n_bytes = facts->n_bytes};
    size_t before = out->len;
    facts_encode(facts, out);
    if (buf_failed(out) || out->len - before <= STORE_BLOB_BYTES_MAX)
        return;
    out->len = before;
    facts_encode(&none, out);
}

static int
put(struct blob_encoder *encoder, const struct encode_request *request, enum rules_run run,
    const struct analysis *analysis, struct buf *out, struct encode_result *result, struct err *err)
{
    size_t before = out->len;
    if (request->facts)
        put_facts(&analysis->facts, out);
    size_t hits_at = out->len;
    arena_reset(&encoder->scratch);
    if (request->hits && run == RUN_ALL)
        hits_encode(&analysis->hits, out);
    else if (request->hits && hit_reuse_merge(encoder->options.reuse, request->base_hits,
                                              &analysis->hits, &encoder->scratch, out, err) < 0)
        return -1;
    *result = (struct encode_result){hits_at - before, out->len - hits_at, run == RUN_ALL};
    return buf_failed(out) ? err_nomem(err, "facts") : 0;
}

int
blob_encoder_run(struct blob_encoder *encoder, struct bytes source,
                 const struct encode_request *request, struct buf *out,
                 struct encode_result *result, struct err *err)
{
    struct analysis analysis;
    size_t before = out->len;
    bool reuses = request->hits && request->base_hits.data && encoder->options.reuse;
    enum rules_run run = !request->hits                                  ? RUN_NONE
                         : !reuses                                       ? RUN_ALL
                         : hit_reuse_n_fresh(encoder->options.reuse) > 0 ? RUN_FRESH
                                                                         : RUN_NONE;
    if (analyse(encoder, source, request->facts, run, &analysis, err) < 0)
        return -1;
    if (put(encoder, request, run, &analysis, out, result, err) == 0)
        return 0;
    if (!reuses || (err->code != ERR_DAMAGED && err->code != ERR_UNSUPPORTED))
        return -1;
    out->len = before;
    if (analyse(encoder, source, request->facts, RUN_ALL, &analysis, err) < 0)
        return -1;
    return put(encoder, request, RUN_ALL, &analysis, out, result, err);
}
