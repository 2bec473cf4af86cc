/*
 * Markdown and aligned text, and the cells of all formats for readers.
 *
 * Names come from stores and records and may hold anything: they are made printable, and what
 * Markdown reserves is escaped.
 */
#include "aggregate/report/render.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_absent.h"
#include "base/printable.h"

/* ---- Cells --------------------------------------------------------------------------------- */

static void
append_number(struct buf *out, double value, int decimals)
{
    char text[64];
    if (isnan(value)) {
        buf_append_text(out, "–");
        return;
    }
    if (decimals == DECIMALS_GIVEN || fabs(value) >= RENDER_PLAIN_END)
        snprintf(text, sizeof(text), "%.10g", value);
    else
        snprintf(text, sizeof(text), "%.*f", decimals, value);
    /* Not "-0.00". */
    bool is_zero = text[0] == '-' && strspn(text + 1, "0.") == strlen(text + 1);
    buf_append_text(out, text + is_zero);
}

void
render_cell(const struct column *column, const struct cell *cell, struct buf *out)
{
    if (column->kind == COLUMN_TEXT) {
        printable_append(out, cell->text);
        return;
    }
    if (isnan(cell->value))
        return;
    switch (column->kind) {
    case COLUMN_COUNT:
        append_number(out, cell->value, 0);
        break;
    case COLUMN_PERCENT:
        append_number(out, cell->value * 100, column->decimals);
        buf_append_text(out, " %");
        break;
    case COLUMN_SPREAD:
        append_number(out, cell->value, column->decimals);
        if (!isnan(cell->second)) {
            buf_append_text(out, " ± ");
            append_number(out, cell->second, column->decimals);
        }
        break;
    case COLUMN_INTERVAL:
        append_number(out, cell->value, column->decimals);
        buf_append_text(out, " to ");
        append_number(out, cell->second, column->decimals);
        break;
    case COLUMN_NUMBER:
    case COLUMN_TEXT:
        append_number(out, cell->value, column->decimals);
        break;
    }
}

static const struct cell *
cell_at(const struct table *table, size_t row, size_t column)
{
    return &table->cells[row * table->n_columns + column];
}

/* ---- Markdown ------------------------------------------------------------------------------ */

/* TEXT with the characters that Markdown reserves escaped. */
static void
append_escaped(struct buf *out, struct bytes text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (memchr("|\\`*_<>[]", text.data[i], 9))
            buf_append_byte(out, '\\');
        buf_append_byte(out, text.data[i] < ' ' ? ' ' : text.data[i]);
    }
}

static void
markdown_table(const struct table *table, struct buf *out)
{
    struct buf text = {0};
    buf_printf(out, "\n**%s**\n\n|", table->title);
    for (size_t c = 0; c < table->n_columns; c++)
        buf_printf(out, " %s |", table->columns[c].heading);
    buf_append_text(out, "\n|");
    for (size_t c = 0; c < table->n_columns; c++)
        buf_append_text(out, table->columns[c].kind == COLUMN_TEXT ? " --- |" : " ---: |");
    buf_append_byte(out, '\n');
    for (size_t row = 0; row < table->n_rows; row++) {
        buf_append_byte(out, '|');
        for (size_t c = 0; c < table->n_columns; c++) {
            buf_reset(&text);
            render_cell(&table->columns[c], cell_at(table, row, c), &text);
            buf_append_byte(out, ' ');
            append_escaped(out, buf_bytes(&text));
            buf_append_text(out, " |");
        }
        buf_append_byte(out, '\n');
    }
    out->failed = out->failed || text.failed;
    buf_clear(&text);
}

void
render_markdown(const struct report *report, struct buf *out)
{
    for (size_t s = 0; s < report->n_sections; s++) {
        const struct section *section = &report->sections[s];
        buf_printf(out, "%s## %s\n", s ? "\n" : "", section->title);
        for (size_t t = 0; t < section->n_tables; t++)
            if (section->tables[t].n_rows)
                markdown_table(&section->tables[t], out);
        for (size_t n = 0; n < section->n_notes; n++) {
            buf_append_text(out, n ? "- " : "\n- ");
            append_escaped(out, bytes_of_text(section->notes[n]));
            buf_append_byte(out, '\n');
        }
    }
}

/* ---- Text ---------------------------------------------------------------------------------- */

static void
append_padded(struct buf *out, struct bytes text, size_t width, bool to_right)
{
    size_t n = printable_width(text);
    for (size_t i = n; to_right && i < width; i++)
        buf_append_byte(out, ' ');
    buf_append_bytes(out, text);
    for (size_t i = n; !to_right && i < width; i++)
        buf_append_byte(out, ' ');
}

static size_t
column_width(const struct table *table, size_t column, struct buf *text)
{
    size_t width = printable_width(bytes_of_text(table->columns[column].heading));
    for (size_t row = 0; row < table->n_rows; row++) {
        buf_reset(text);
        render_cell(&table->columns[column], cell_at(table, row, column), text);
        size_t n = printable_width(buf_bytes(text));
        width = n > width ? n : width;
    }
    return width;
}

static void
text_table(const struct table *table, struct buf *out)
{
    size_t *widths = calloc(table->n_columns, sizeof(*widths));
    struct buf text = {0};
    if (!widths) {
        out->failed = true;
        return;
    }
    buf_printf(out, "\n%s\n", table->title);
    for (size_t c = 0; c < table->n_columns; c++) {
        widths[c] = column_width(table, c, &text);
        buf_append_text(out, "  ");
        append_padded(out, bytes_of_text(table->columns[c].heading), widths[c],
                      table->columns[c].kind != COLUMN_TEXT);
    }
    buf_append_byte(out, '\n');
    for (size_t row = 0; row < table->n_rows; row++) {
        for (size_t c = 0; c < table->n_columns; c++) {
            buf_reset(&text);
            render_cell(&table->columns[c], cell_at(table, row, c), &text);
            buf_append_text(out, "  ");
            append_padded(out, buf_bytes(&text), widths[c], table->columns[c].kind != COLUMN_TEXT);
        }
        buf_append_byte(out, '\n');
    }
    out->failed = out->failed || text.failed;
    buf_clear(&text);
    free(widths);
}

/* NOTE as a list item, wrapped at spaces to lines of at most TEXT_WIDTH. */
static void
text_note(const char *note, struct buf *out)
{
    enum { TEXT_WIDTH = 96 };
    struct bytes rest = bytes_of_text(note);
    const char *indent = "  * ";
    while (rest.len > 0) {
        size_t cut = rest.len;
        if (printable_width(rest) > TEXT_WIDTH) {
            cut = TEXT_WIDTH;
            while (cut > 0 && rest.data[cut] != ' ')
                cut--;
            if (cut == 0)
                cut = rest.len; /* one long word */
        }
        buf_append_text(out, indent);
        printable_append(out, bytes_slice(rest, 0, cut));
        buf_append_byte(out, '\n');
        while (cut < rest.len && rest.data[cut] == ' ')
            cut++;
        rest = bytes_slice(rest, cut, rest.len);
        indent = "    ";
    }
}

void
render_text(const struct report *report, struct buf *out)
{
    for (size_t s = 0; s < report->n_sections; s++) {
        const struct section *section = &report->sections[s];
        buf_printf(out, "%s== %s ==\n", s ? "\n" : "", section->title);
        for (size_t t = 0; t < section->n_tables; t++)
            if (section->tables[t].n_rows)
                text_table(&section->tables[t], out);
        buf_append_text(out, section->n_notes ? "\n" : "");
        for (size_t n = 0; n < section->n_notes; n++)
            text_note(section->notes[n], out);
    }
}
