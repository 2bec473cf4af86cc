/* Limits, and the fingerprint of what facts depend on: a hash of the versions of schema, grammar
 * and runtime, the limits, and the bounds that are compiled in. */
#include "analyzer/limits.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "analyzer/counters.h"
#include "analyzer/parse/methods.h"
#include "base/buf.h"

/* Raise it with every change of the fixed bounds in parse/parse.c, parse/heap.h and facts/clones.h.
 */
enum { PARSE_BOUNDS = 2 };

#define TEXT_OF(number) #number
#define TEXT_OF_VALUE(macro) TEXT_OF(macro)

#define GRAMMAR_VERSION "tree-sitter-python 0.25.0"
#define RUNTIME_VERSION "tree-sitter 0.25"

struct analyzer_limits
analyzer_limits_default(void)
{
    return (struct analyzer_limits){.max_file_bytes = 4 * 1024 * 1024,
                                    .max_depth = 2000,
                                    .max_nodes = 4000000,
                                    .parse_steps_per_byte = 8};
}

const char *
analyzer_versions(void)
{
    return GRAMMAR_VERSION ", " RUNTIME_VERSION ", facts schema " TEXT_OF_VALUE(FACTS_SCHEMA);
}

struct fingerprint
analyzer_fingerprint(const struct analyzer_limits *limits)
{
    struct buf text = {0};
    buf_printf(&text, "facts %d; %s; %s; bytes %u depth %u nodes %u steps %u; bounds %d heap %d",
               FACTS_SCHEMA, GRAMMAR_VERSION, RUNTIME_VERSION, limits->max_file_bytes,
               limits->max_depth, limits->max_nodes, limits->parse_steps_per_byte, PARSE_BOUNDS,
               (PARSE_METHODS_BUILT & PARSE_HEAP) != 0);
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(text.data, text.len));
    struct fingerprint print;
    memcpy(print.bytes, canonical.digest, sizeof(print.bytes));
    buf_clear(&text);
    return print;
}
