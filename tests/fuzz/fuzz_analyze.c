/* Any bytes as a source file: the fast ways of a parse and tree-sitter's public API alone give the
 * same flat tree, facts come out, and decode to what was encoded. */
#include <stdlib.h>

#include "../analyzer/parse/pair.h"
#include "analyzer/analyzer.h"
#include "fuzz.h"

static void
must(bool holds)
{
    if (!holds)
        abort();
}

/* The one outcome in which the two may differ is that the heap's bounds were passed. */
static void
parse_both_ways(struct bytes source)
{
    static struct parse_pair pair;
    struct flat flat;
    struct err err;
    if (!pair.plain)
        must(parse_pair_init(&pair, &err) == 0);
    if (parse_pair_same(&pair, source, &flat) || pair.fast_skip == SKIP_PARSE_BUDGET)
        return;
    fprintf(stderr, "the two ways of a parse differ: %s\n", pair.difference);
    abort();
}

static void
analyze(struct bytes source)
{
    static struct analyzer *analyzer; /* one for all inputs: what came before must not matter */
    struct analysis analysis;
    struct facts decoded;
    struct arena arena;
    struct err err;
    struct buf first = {0};
    struct buf second = {0};

    if (!analyzer) {
        struct analyzer_options options = {.limits = analyzer_limits_default()};
        must(analyzer_create(&options, &analyzer, &err) == 0);
    }
    must(analyzer_run(analyzer, source, &analysis, &err) == 0);
    facts_encode(&analysis.facts, &first);
    arena_init(&arena, 0);
    must(facts_decode(buf_bytes(&first), &arena, &decoded, &err) == 0);
    facts_encode(&decoded, &second);
    must(bytes_equal(buf_bytes(&first), buf_bytes(&second)));
    arena_clear(&arena);
    buf_clear(&first);
    buf_clear(&second);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    parse_both_ways((struct bytes){data, size});
    analyze((struct bytes){data, size});
    return 0;
}
