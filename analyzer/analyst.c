/* An analyzer each for facts or none and for no rules, all, or the fresh ones, made when one of its
 * kind is wanted: most runs want one or two of the kinds. */
#include <stdlib.h>

#include "analyzer/hit_reuse.h"

enum rules_run { RUN_NONE, RUN_FRESH, RUN_ALL, RUN_N };

struct analyst {
    struct analyst_options options;
    struct analyzer *analyzers[2][RUN_N]; /* without facts and with them */
    struct arena scratch;
};

int
analyst_create(const struct analyst_options *options, struct analyst **out, struct err *err)
{
    struct analyst *analyst = calloc(1, sizeof(*analyst));
    if (!analyst)
        return err_nomem(err, "analyzer");
    analyst->options = *options;
    arena_init(&analyst->scratch, 0);
    *out = analyst;
    return 0;
}

void
analyst_destroy(struct analyst *analyst)
{
    if (!analyst)
        return;
    for (int i = 0; i < 2 * RUN_N; i++)
        analyzer_destroy(analyst->analyzers[i / RUN_N][i % RUN_N]);
    arena_clear(&analyst->scratch);
    free(analyst);
}

static struct analyzer *
analyzer_for(struct analyst *analyst, bool wants_facts, enum rules_run run, struct err *err)
{
    struct analyzer **analyzer = &analyst->analyzers[wants_facts][run];
    struct analyzer_options options = {.limits = analyst->options.limits,
                                       .skip_facts = !wants_facts};
    if (run == RUN_ALL)
        options.rules = analyst->options.rules;
    else if (run == RUN_FRESH)
        options.rules = hit_reuse_fresh(analyst->options.reuse);
    if (!*analyzer && analyzer_create(&options, analyzer, err) < 0)
        return NULL;
    return *analyzer;
}

/* Run what is to be run; what is larger than the limit is not even looked at. */
static int
analyse(struct analyst *analyst, struct bytes source, bool wants_facts, enum rules_run run,
        struct analysis *out, struct err *err)
{
    *out = (struct analysis){0};
    if (!wants_facts && run == RUN_NONE)
        return 0;
    if (source.len > analyst->options.limits.max_file_bytes) {
        out->facts = (struct facts){.skipped = SKIP_TOO_LARGE, .n_bytes = source.len};
        return 0;
    }
    struct analyzer *analyzer = analyzer_for(analyst, wants_facts, run, err);
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
put(struct analyst *analyst, const struct analyst_wish *wish, enum rules_run run,
    const struct analysis *analysis, struct buf *out, struct analyst_result *result,
    struct err *err)
{
    size_t before = out->len;
    if (wish->facts)
        put_facts(&analysis->facts, out);
    size_t hits_at = out->len;
    arena_reset(&analyst->scratch);
    if (wish->hits && run == RUN_ALL)
        hits_encode(&analysis->hits, out);
    else if (wish->hits && hit_reuse_merge(analyst->options.reuse, wish->base_hits, &analysis->hits,
                                           &analyst->scratch, out, err) < 0)
        return -1;
    *result = (struct analyst_result){hits_at - before, out->len - hits_at, run == RUN_ALL};
    return buf_failed(out) ? err_nomem(err, "facts") : 0;
}

int
analyst_run(struct analyst *analyst, struct bytes source, const struct analyst_wish *wish,
            struct buf *out, struct analyst_result *result, struct err *err)
{
    struct analysis analysis;
    size_t before = out->len;
    bool reuses = wish->hits && wish->base_hits.data && analyst->options.reuse;
    enum rules_run run = !wish->hits                                   ? RUN_NONE
                         : !reuses                                     ? RUN_ALL
                         : hit_reuse_n_fresh(analyst->options.reuse) > 0 ? RUN_FRESH
                                                                       : RUN_NONE;
    if (analyse(analyst, source, wish->facts, run, &analysis, err) < 0)
        return -1;
    if (put(analyst, wish, run, &analysis, out, result, err) == 0)
        return 0;
    if (!reuses || err->code != ERR_DAMAGED)
        return -1;
    out->len = before;
    if (analyse(analyst, source, wish->facts, RUN_ALL, &analysis, err) < 0)
        return -1;
    return put(analyst, wish, RUN_ALL, &analysis, out, result, err);
}
