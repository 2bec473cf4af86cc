/*
 * HTML: one page without external files.  In each section tables come first, then plots, then
 * footnotes.
 */
#include "aggregate/report/plot.h"
#include "aggregate/report/render.h"

void
render_entities(struct buf *out, struct bytes text)
{
    for (size_t i = 0; i < text.len; i++) {
        uint8_t byte = text.data[i];
        if (byte == '<')
            buf_append_text(out, "&lt;");
        else if (byte == '>')
            buf_append_text(out, "&gt;");
        else if (byte == '&')
            buf_append_text(out, "&amp;");
        else if (byte == '"')
            buf_append_text(out, "&quot;");
        else
            buf_append_byte(out, byte);
    }
}

static void
html_table(const struct table *table, struct buf *out)
{
    struct buf text = {0};
    buf_append_text(out, "<table>\n<caption>");
    render_entities(out, bytes_of_text(table->title));
    buf_append_text(out, "</caption>\n<tr>");
    for (size_t c = 0; c < table->n_columns; c++) {
        buf_append_text(out,
                        table->columns[c].kind == COLUMN_TEXT ? "<th class=\"text\">" : "<th>");
        render_entities(out, bytes_of_text(table->columns[c].heading));
        buf_append_text(out, "</th>");
    }
    buf_append_text(out, "</tr>\n");
    for (size_t row = 0; row < table->n_rows; row++) {
        buf_append_text(out, "<tr>");
        for (size_t c = 0; c < table->n_columns; c++) {
            buf_reset(&text);
            render_cell(&table->columns[c], &table->cells[row * table->n_columns + c], &text);
            buf_append_text(out,
                            table->columns[c].kind == COLUMN_TEXT ? "<td class=\"text\">" : "<td>");
            render_entities(out, buf_bytes(&text));
            buf_append_text(out, "</td>");
        }
        buf_append_text(out, "</tr>\n");
    }
    buf_append_text(out, "</table>\n");
    out->failed = out->failed || text.failed;
    buf_clear(&text);
}

void
render_html(const struct report *report, struct buf *out)
{
    buf_append_text(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                         "<title>strata report</title>\n<style>\n"
                         "body { font-family: sans-serif; margin: 2em; max-width: 80em }\n"
                         "table { border-collapse: collapse; margin: 1em 0 }\n"
                         "caption { text-align: left; font-weight: bold }\n"
                         "th, td { padding: .2em .8em; border-bottom: 1px solid #ccc; "
                         "text-align: right }\n"
                         ".text { text-align: left }\n"
                         "svg { font: 12px sans-serif; max-width: 100%; height: auto }\n"
                         "</style>\n</head>\n<body>\n");
    for (size_t s = 0; s < report->n_sections; s++) {
        const struct section *section = &report->sections[s];
        buf_printf(out, "<h2>%s</h2>\n", section->title);
        for (size_t t = 0; t < section->n_tables; t++)
            if (section->tables[t].n_rows)
                html_table(&section->tables[t], out);
        for (size_t p = 0; p < section->n_plots; p++)
            plot_write(&section->plots[p], out);
        buf_append_text(out, "<ul>\n");
        for (size_t n = 0; n < section->n_notes; n++) {
            buf_append_text(out, "<li>");
            render_entities(out, bytes_of_text(section->notes[n]));
            buf_append_text(out, "</li>\n");
        }
        buf_append_text(out, "</ul>\n");
    }
    buf_append_text(out, "</body>\n</html>\n");
}
