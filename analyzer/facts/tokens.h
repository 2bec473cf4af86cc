/*
 * Tokens: where the last token of a node is.  In tree-sitter's tree a node may include the
 * comments after it; in Python it ends with its last token.
 */
#ifndef STRATA_ANALYZER_FACTS_TOKENS_H
#define STRATA_ANALYZER_FACTS_TOKENS_H

#include "analyzer/parse/flat.h"

struct tokens {
    uint32_t *last; /* of each node the last token at or before it, 0 when there is none */
};

/* Fill OUT from FLAT.  False when memory is out. */
bool tokens_find(const struct flat *flat, struct arena *arena, struct tokens *out);

/* The row where the last token of NODE ends, or NODE itself when it has no token. */
static inline uint32_t
tokens_last_row(const struct tokens *tokens, const struct flat *flat, uint32_t node)
{
    uint32_t last = tokens->last[flat->subtree_end[node] - 1];
    return flat->end_row[last < node ? node : last];
}

#endif
