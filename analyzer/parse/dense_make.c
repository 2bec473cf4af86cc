/*
 * Writes the dense parse table of the Python grammar as C, at build time.
 *
 * The grammar packs the rows of most parse states as lists that are searched from the front at
 * every step of a parse.  Here each state has a full row, zeros left out of the text.
 *
 * usage: parse_dense_make > parse_dense_table.c
 */
#include <stdio.h>

#include "analyzer/parse/grammar.h"

#include <tree_sitter/parser.h>

static void
write_entry(size_t symbol, unsigned value)
{
    if (value)
        printf("[%zu]=%u,", symbol, value);
}

static void
write_large_row(const TSLanguage *language, size_t state)
{
    const uint16_t *row = language->parse_table + state * language->symbol_count;
    for (size_t symbol = 0; symbol < language->symbol_count; symbol++)
        write_entry(symbol, row[symbol]);
}

/* Groups of symbols that share a value: the number of groups, then for each the value, the number
 * of symbols and the symbols. */
static void
write_small_row(const TSLanguage *language, size_t state)
{
    const uint16_t *at = language->small_parse_table +
                         language->small_parse_table_map[state - language->large_state_count];
    for (unsigned n_groups = *at++; n_groups > 0; n_groups--) {
        unsigned value = *at++;
        for (unsigned n_symbols = *at++; n_symbols > 0; n_symbols--)
            write_entry(*at++, value);
    }
}

int
main(void)
{
    const TSLanguage *language = tree_sitter_python();
    size_t n_states = language->state_count;
    printf("#include \"analyzer/parse/language.h\"\n\n"
           "const uint32_t parse_dense_states = %zu;\n"
           "const uint32_t parse_dense_symbols = %u;\n\n"
           "static const uint16_t table[%zu][%u] = {\n",
           n_states, language->symbol_count, n_states, language->symbol_count);
    for (size_t state = 0; state < n_states; state++) {
        printf("{");
        if (state < language->large_state_count)
            write_large_row(language, state);
        else
            write_small_row(language, state);
        printf("},\n");
    }
    printf("};\n\nconst uint16_t *const parse_dense_table = &table[0][0];\n");
    return ferror(stdout) || fflush(stdout) != 0;
}
