/* Any bytes as a source file: facts come out, and decode to what was encoded. */
#include <stdlib.h>

#include "analyzer/analyzer.h"
#include "fuzz.h"

static void
must(bool holds)
{
    if (!holds)
        abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
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
    must(analyzer_run(analyzer, (struct bytes){data, size}, &analysis, &err) == 0);
    facts_encode(&analysis.facts, &first);
    arena_init(&arena, 0);
    must(facts_decode(buf_bytes(&first), &arena, &decoded, &err) == 0);
    facts_encode(&decoded, &second);
    must(bytes_equal(buf_bytes(&first), buf_bytes(&second)));
    arena_clear(&arena);
    buf_clear(&first);
    buf_clear(&second);
    return 0;
}
