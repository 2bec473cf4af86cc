/* The tokens of Python are the leaves of the tree, except strings: a string is one token, on its
 * first row; since Python 3.12 each part of a formatted string is a token too. */
#include "analyzer/facts/lines.h"

bool
lines_init(struct lines *lines, uint32_t n_rows, struct arena *arena)
{
    size_t n_words = (size_t)n_rows / 64 + 1;
    lines->n_rows = n_rows;
    lines->bits = ARENA_ARRAY(arena, n_words, uint64_t);
    lines->before = ARENA_ARRAY(arena, n_words, uint32_t);
    return lines->bits && lines->before;
}

void
lines_count(struct lines *lines)
{
    uint32_t n = 0;
    for (size_t word = 0; word < (size_t)lines->n_rows / 64 + 1; word++) {
        lines->before[word] = n;
        n += (uint32_t)__builtin_popcountll(lines->bits[word]);
    }
}

/* Set bits in rows below ROW. */
static uint32_t
lines_below(const struct lines *lines, uint32_t row)
{
    uint64_t low = lines->bits[row / 64] & ((UINT64_C(1) << (row % 64)) - 1);
    return lines->before[row / 64] + (uint32_t)__builtin_popcountll(low);
}

uint32_t
lines_in_range(const struct lines *lines, uint32_t first, uint32_t last)
{
    if (last >= lines->n_rows)
        last = lines->n_rows - 1;
    return first > last ? 0 : lines_below(lines, last + 1) - lines_below(lines, first);
}

bool
lines_to_set(const struct lines *lines, struct arena *arena, struct line_set *out)
{
    *out = (struct line_set){0};
    for (int pass = 0; pass < 2; pass++) {
        uint32_t n_runs = 0;
        bool inside = false;
        for (uint32_t row = 0; row < lines->n_rows; row++) {
            if (!inside && row % 64 == 0 && lines->bits[row / 64] == 0) {
                row += 63;
                continue;
            }
            bool is_set = lines->bits[row / 64] >> (row % 64) & 1;
            if (is_set && !inside) {
                if (pass)
                    out->runs[n_runs] = (struct line_run){.first = row + 1};
                n_runs++;
            }
            if (is_set && pass) {
                out->runs[n_runs - 1].n++;
                out->n_lines++;
            }
            inside = is_set;
        }
        out->n_runs = n_runs;
        if (!pass && !(out->runs = ARENA_ARRAY(arena, n_runs, struct line_run)))
            return false;
    }
    return true;
}

bool
lines_is_blank(uint8_t c)
{
    return c == ' ' || c == '\t' || c == '\f' || c == '\v' || c == '\r';
}

bool
lines_own_rows(const struct flat *flat, uint32_t node)
{
    const uint8_t *text = flat->source.data;
    size_t row_start = flat->row_start[flat->start_row[node]];
    if (row_start == 0 && bytes_starts_with(flat->source, BYTES("\xef\xbb\xbf")))
        row_start = 3;
    /* From the node outwards: a row of many statements is not gone through for each of them. */
    for (size_t from = flat->start_byte[node]; from > row_start; from--)
        if (!lines_is_blank(text[from - 1]))
            return false;
    for (size_t to = flat->end_byte[node]; to < flat->source.len && text[to] != '\n'; to++)
        if (!lines_is_blank(text[to]))
            return false;
    return true;
}

/* The rows of the tokens within the formatted string NODE.  Text starts where the field or doubled
 * brace before it ends, on a row that those mark already, so text itself adds nothing. */
static void
add_formatted_parts(const struct syntax_table *table, const struct flat *flat, uint32_t node,
                    struct lines *parts)
{
    for (uint32_t i = node + 1; i < flat->subtree_end[node]; i++) {
        if ((flat->flags[i] & FLAT_EXTRA) || flat->start_byte[i] == flat->end_byte[i])
            continue;
        enum syntax syntax = syntax_at(table, flat, i);
        if (syntax == SYN_STRING && !syntax_string_has_prefix(flat, i, 'f')) {
            lines_add(parts, flat->start_row[i]);
            i = flat->subtree_end[i] - 1;
        } else if (flat_is_leaf(flat, i) && syntax != SYN_STRING_CONTENT &&
                   syntax != SYN_ESCAPE_SEQUENCE) {
            lines_add(parts, flat->start_row[i]);
        }
    }
}

bool
lines_find(const struct syntax_table *table, const struct flat *flat, struct arena *arena,
           struct lines sloc[FSTRING_N], struct lines *comments)
{
    struct lines *one = &sloc[FSTRING_ONE];
    struct lines *parts = &sloc[FSTRING_PARTS];
    if (!lines_init(one, flat->n_rows, arena) || !lines_init(parts, flat->n_rows, arena) ||
        !lines_init(comments, flat->n_rows, arena))
        return false;

    for (uint32_t i = 0; i < flat->n_nodes; i++) {
        enum syntax syntax = syntax_at(table, flat, i);
        if (syntax == SYN_EXPRESSION_STATEMENT && syntax_is_string_statement(table, flat, i) &&
            lines_own_rows(flat, i)) {
            i = flat->subtree_end[i] - 1;
            continue;
        }
        if (syntax == SYN_STRING) {
            lines_add(one, flat->start_row[i]);
            lines_add(parts, flat->start_row[i]);
            if (syntax_string_has_prefix(flat, i, 'f'))
                add_formatted_parts(table, flat, i, parts);
            i = flat->subtree_end[i] - 1;
            continue;
        }
        if (syntax == SYN_COMMENT)
            lines_add(comments, flat->start_row[i]);
        if (!flat_is_leaf(flat, i) || (flat->flags[i] & FLAT_EXTRA) ||
            flat->start_byte[i] == flat->end_byte[i])
            continue;
        lines_add(one, flat->start_row[i]);
        lines_add(parts, flat->start_row[i]);
    }
    lines_count(one);
    lines_count(parts);
    lines_count(comments);
    return true;
}
