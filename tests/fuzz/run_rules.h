/* A rule set over a source to the end, and what must hold of whatever comes out. */
#ifndef STRATA_TESTS_FUZZ_RUN_RULES_H
#define STRATA_TESTS_FUZZ_RUN_RULES_H

#include <stdlib.h>

#include "analyzer/analyzer.h"
#include "fuzz.h"

static inline void
require(bool holds)
{
    if (!holds)
        abort();
}

static inline void
check_hits(const struct hit_list *hits, uint32_t n_rules, struct bytes source)
{
    for (uint32_t i = 0; i < hits->n_hits; i++) {
        const struct hit *hit = &hits->hits[i], *before = i ? hit - 1 : NULL;
        require(hit->rule < n_rules && hit->start_line > 0 && hit->start_line <= hit->end_line);
        require(hit->start_byte <= hit->end_byte && hit->end_byte <= source.len);
        require(!before || before->rule < hit->rule ||
                (before->rule == hit->rule && before->start_byte <= hit->start_byte));
    }
    for (uint32_t i = 0; i < hits->n_gave_up; i++)
        require(hits->gave_up[i] < n_rules && (i == 0 || hits->gave_up[i - 1] < hits->gave_up[i]));
}

/* The hits survive their encoding: as many, on the same lines. */
static inline void
check_encoding(const struct hit_list *hits, uint32_t n_rules)
{
    struct hit_list again;
    struct arena arena;
    struct buf encoded = {0};
    struct err err;
    arena_init(&arena, 0);
    hits_encode(hits, &encoded);
    require(hits_decode(buf_bytes(&encoded), n_rules, &arena, &again, &err) == 0);
    require(again.n_hits == hits->n_hits && again.n_gave_up == hits->n_gave_up);
    buf_clear(&encoded);
    arena_clear(&arena);
}

static inline void
run_rules(const struct ruleset *set, struct bytes source)
{
    struct analyzer_limits limits = analyzer_limits_default();
    struct scanner *scanner;
    struct hit_list hits;
    enum skip_reason skipped;
    struct buf why = {0};
    struct err err;
    uint32_t n_rules = ruleset_count(set);
    require(scanner_create(set, &limits, &scanner, &err) == 0);
    require(scanner_run(scanner, source, &hits, &skipped, &err) == 0);
    check_hits(&hits, n_rules, source);
    check_encoding(&hits, n_rules);
    uint32_t n_hits = hits.n_hits;
    require(scanner_run(scanner, source, &hits, &skipped, &err) == 0 && hits.n_hits == n_hits);
    if (n_rules > 0) {
        uint32_t rule = n_hits ? hits.hits[0].rule : 0;
        uint32_t line = n_hits ? hits.hits[0].start_line : 1;
        require(scanner_explain(scanner, source, rule, line, &why, &err) == 0);
    }
    buf_clear(&why);
    scanner_destroy(scanner);
}

#endif
