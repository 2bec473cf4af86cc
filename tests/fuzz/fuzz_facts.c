/* Any bytes as encoded facts: refused, or decoded into memory bounded by their size and encoded
 * again to something that decodes to the same. */
#include <stdlib.h>

#include "analyzer/analyzer.h"
#include "fuzz.h"

/* A callable takes at least 12 encoded bytes and some 300 decoded; nothing grows more. */
enum { GROWTH_MAX = 64 };

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct facts facts;
    struct arena arena;
    struct err err;
    struct buf first = {0};
    struct buf second = {0};
    arena_init(&arena, 0);
    if (facts_decode((struct bytes){data, size}, &arena, &facts, &err) == 0) {
        facts_encode(&facts, &first);
        struct facts again;
        if (facts_decode(buf_bytes(&first), &arena, &again, &err) < 0)
            abort();
        facts_encode(&again, &second);
        if (!bytes_equal(buf_bytes(&first), buf_bytes(&second)))
            abort();
    }
    if (arena.used_bytes > 4096 + size * GROWTH_MAX * 2)
        abort();
    arena_clear(&arena);
    buf_clear(&first);
    buf_clear(&second);
    return 0;
}
