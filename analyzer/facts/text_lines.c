/* A row belongs to a logical line when a token starts on it, or when it lies within a string or
 * between a bracket and its partner: comments there are inside the statement. */
#include "analyzer/facts/text_lines.h"

static void
add_rows(struct lines *lines, uint32_t first, uint32_t last)
{
    for (uint32_t row = first; row <= last && row < lines->n_rows; row++)
        lines_add(lines, row);
}

/* The first byte of ROW that is not a blank; 0 when there is none. */
static uint8_t
first_byte(const struct flat *flat, uint32_t row)
{
    const uint8_t *text = flat->source.data;
    size_t end = row + 1 < flat->n_rows ? flat->row_start[row + 1] : flat->source.len;
    size_t at = flat->row_start[row];
    if (at == 0 && bytes_starts_with(flat->source, BYTES("\xef\xbb\xbf")))
        at = 3;
    for (; at < end && text[at] != '\n'; at++)
        if (!lines_is_blank(text[at]))
            return text[at];
    return 0;
}

/* The rows of logical lines, blank ones included. */
static void
find_statements(const struct syntax_table *table, const struct flat *flat, struct lines *rows)
{
    uint32_t depth = 0, opened_at = 0;
    for (uint32_t i = 0; i < flat->n_nodes; i++) {
        enum syntax syntax = syntax_at(table, flat, i);
        bool is_string_statement = syntax == SYN_EXPRESSION_STATEMENT &&
                                   syntax_is_string_statement(table, flat, i) &&
                                   lines_own_rows(flat, i);
        if (syntax == SYN_STRING)
            add_rows(rows, flat->start_row[i], flat->end_row[i]);
        if (syntax == SYN_STRING || is_string_statement) {
            i = flat->subtree_end[i] - 1;
            continue;
        }
        bool is_extra = flat->flags[i] & FLAT_EXTRA;
        if (!flat_is_leaf(flat, i) || (is_extra && syntax != SYN_LINE_CONTINUATION) ||
            flat->start_byte[i] == flat->end_byte[i])
            continue;
        lines_add(rows, flat->start_row[i]);
        if (syntax == SYN_OPEN && depth++ == 0)
            opened_at = flat->start_row[i];
        if (syntax == SYN_CLOSE && depth > 0 && --depth == 0)
            add_rows(rows, opened_at, flat->start_row[i]);
    }
}

bool
text_lines_find(const struct syntax_table *table, const struct flat *flat, struct arena *arena,
                struct text_lines *out)
{
    struct lines statements;
    *out = (struct text_lines){0};
    if (!lines_init(&out->text, flat->n_rows, arena) ||
        !lines_init(&statements, flat->n_rows, arena))
        return false;
    find_statements(table, flat, &statements);
    for (uint32_t row = 0; row < flat->n_rows; row++) {
        uint8_t first = first_byte(flat, row);
        if (first == 0)
            continue;
        if (first != '#')
            lines_add(&out->text, row);
        if (statements.bits[row / 64] >> (row % 64) & 1)
            out->n_statement++;
    }
    lines_count(&out->text);
    return true;
}
