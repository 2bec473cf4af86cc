/*
 * See language.h.  The runtime reads the rows of "large" states directly and searches those of
 * others, so the copy says that all states are large and points to the dense table.
 */
#include "analyzer/parse/language.h"

#include <stdlib.h>
#include <tree_sitter/parser.h>

int
parse_language_create(TSLanguage **out, struct err *err)
{
    const TSLanguage *grammar = tree_sitter_python();
    if (grammar->state_count != parse_dense_states || grammar->symbol_count != parse_dense_symbols)
        return err_set(err, ERR_INTERNAL, "the dense parse table is another grammar's: build anew");
    TSLanguage *language = malloc(sizeof(*language));
    if (!language)
        return err_nomem(err, "parser");
    *language = *grammar;
    language->parse_table = parse_dense_table;
    language->large_state_count = language->state_count;
    *out = language;
    return 0;
}
