/* Any bytes as a rule file, and behind a NUL any bytes as the source it runs on: refused with a
 * message, or run to the end, and the hits survive their encoding. */
#include <stdlib.h>

#include "analyzer/analyzer.h"
#include "fuzz.h"

static const struct bytes plain_source = {
    (const uint8_t *)"def f(a, b=1):\n    if a:\n        return [f(x) for x in b]\n    # note\n", 70};

static void
scan(const struct ruleset *set, struct bytes source)
{
    struct analyzer_limits limits = analyzer_limits_default();
    struct scanner *scanner;
    struct hit_list hits, again;
    enum skip_reason skipped;
    struct arena arena;
    struct buf encoded = {0};
    struct err err;
    if (scanner_create(set, &limits, &scanner, &err) < 0)
        abort();
    if (scanner_run(scanner, source, &hits, &skipped, &err) < 0)
        abort();
    arena_init(&arena, 0);
    hits_encode(&hits, &encoded);
    if (hits_decode(buf_bytes(&encoded), ruleset_count(set), &arena, &again, &err) < 0 ||
        again.n_hits != hits.n_hits)
        abort();
    buf_clear(&encoded);
    arena_clear(&arena);
    scanner_destroy(scanner);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *nul = size ? memchr(data, 0, size) : NULL;
    size_t n = nul ? (size_t)(nul - data) : size;
    struct rule_source rules = {"fuzz.yaml", {data, n}};
    struct ruleset *set;
    struct err err;
    if (ruleset_load(&rules, 1, &set, &err) < 0)
        return 0;
    scan(set, nul ? (struct bytes){nul + 1, size - n - 1} : plain_source);
    ruleset_destroy(set);
    return 0;
}
