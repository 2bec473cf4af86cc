/*
 * See extract.h.  The tables of lines and tokens come first, because callables and clones need
 * them.
 */
#include "analyzer/facts/extract.h"

#include "analyzer/facts/callables.h"
#include "analyzer/facts/text_lines.h"

/* Rows that hold a comment and no token. */
static uint32_t
count_comment_rows(const struct lines *comments, const struct lines *sloc)
{
    uint32_t n = 0;
    for (size_t word = 0; word < (size_t)comments->n_rows / 64 + 1; word++)
        n += (uint32_t)__builtin_popcountll(comments->bits[word] & ~sloc->bits[word]);
    return n;
}

bool
facts_find(const struct syntax_table *table, const struct flat *flat, struct arena *arena,
           struct fact_tables *tables, struct facts *out)
{
    struct lines comments;
    struct text_lines text;
    if (!lines_find(table, flat, arena, tables->sloc, &comments) ||
        !text_lines_find(table, flat, arena, &text) || !tokens_find(flat, arena, &tables->tokens))
        return false;
    for (int i = 0; i < FSTRING_N; i++)
        if (!lines_to_set(&tables->sloc[i], arena, &out->sloc[i]))
            return false;
    out->comment_lines = count_comment_rows(&comments, &tables->sloc[FSTRING_PARTS]);
    out->statement_lines = text.n_statement;
    return callables_find(table, flat, tables->sloc, &text.text, &tables->tokens, arena, out);
}
