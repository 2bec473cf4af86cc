/*
 * CSV and JSON: every value in full precision.
 *
 * A pair (mean and deviation, low and high) is two columns, whose names are the column's with a
 * suffix.
 */
#include <math.h>
#include <stdio.h>

#include "base/json_absent.h"
#include "aggregate/report/render.h"
#include "base/num.h"
#include "base/utf8.h"

/* The suffixes of the two columns of a pair. */
static const char *
first_half(enum column_kind kind)
{
    return kind == COLUMN_SPREAD ? "_mean" : "_low";
}

static const char *
second_half(enum column_kind kind)
{
    return kind == COLUMN_SPREAD ? "_stddev" : "_high";
}

static bool
is_pair(enum column_kind kind)
{
    return kind == COLUMN_SPREAD || kind == COLUMN_INTERVAL;
}

/* ---- CSV ----------------------------------------------------------------------------------- */

static void
append_quoted(struct buf *out, struct bytes text)
{
    bool plain = true;
    for (size_t i = 0; i < text.len && plain; i++)
        plain = !memchr(",\"\r\n", text.data[i], 4);
    if (plain) {
        utf8_append_clean(out, text);
        return;
    }
    buf_append_byte(out, '"');
    size_t from = 0;
    for (size_t i = 0; i < text.len; i++)
        if (text.data[i] == '"') {
            utf8_append_clean(out, bytes_slice(text, from, i));
            buf_append_text(out, "\"\"");
            from = i + 1;
        }
    utf8_append_clean(out, bytes_slice(text, from, text.len));
    buf_append_byte(out, '"');
}

static void
append_value(struct buf *out, enum column_kind kind, double value)
{
    char text[NUM_DOUBLE_SIZE];
    if (isnan(value))
        return;
    if (kind == COLUMN_COUNT && fabs(value) < RENDER_PLAIN_END) {
        buf_printf(out, "%.0f", value);
    } else {
        num_format_double(value, text);
        buf_append_text(out, text);
    }
}

void
render_csv_table(const struct table *table, struct buf *out)
{
    for (size_t c = 0; c < table->n_columns; c++) {
        const struct column *column = &table->columns[c];
        buf_append_text(out, c ? "," : "");
        if (is_pair(column->kind))
            buf_printf(out, "%s%s,%s%s", column->name, first_half(column->kind), column->name,
                       second_half(column->kind));
        else
            buf_append_text(out, column->name);
    }
    buf_append_byte(out, '\n');
    for (size_t i = 0; i < table->n_rows * table->n_columns; i++) {
        const struct column *column = &table->columns[i % table->n_columns];
        const struct cell *cell = &table->cells[i];
        if (column->kind == COLUMN_TEXT)
            append_quoted(out, cell->text);
        else
            append_value(out, column->kind, cell->value);
        if (is_pair(column->kind)) {
            buf_append_byte(out, ',');
            append_value(out, column->kind, cell->second);
        }
        buf_append_byte(out, (i + 1) % table->n_columns ? ',' : '\n');
    }
}

void
render_csv_notes(const struct report *report, struct buf *out)
{
    buf_append_text(out, "section,note\n");
    for (size_t s = 0; s < report->n_sections; s++)
        for (size_t n = 0; n < report->sections[s].n_notes; n++) {
            buf_printf(out, "%s,", report->sections[s].name);
            append_quoted(out, bytes_of_text(report->sections[s].notes[n]));
            buf_append_byte(out, '\n');
        }
}

void
render_csv(const struct report *report, struct buf *out)
{
    for (size_t s = 0; s < report->n_sections; s++)
        for (size_t t = 0; t < report->sections[s].n_tables; t++) {
            buf_printf(out, "# %s/%s\n", report->sections[s].name,
                       report->sections[s].tables[t].name);
            render_csv_table(&report->sections[s].tables[t], out);
        }
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void
write_half(struct json_writer *json, const char *name, const char *half, double value)
{
    char whole[96];
    snprintf(whole, sizeof(whole), "%s%s", name, half);
    absent_member_double(json, whole, value);
}

static void
write_cell(struct json_writer *json, const struct column *column, const struct cell *cell)
{
    if (column->kind == COLUMN_TEXT) {
        absent_member_bytes(json, column->name, cell->text);
    } else if (is_pair(column->kind)) {
        write_half(json, column->name, first_half(column->kind), cell->value);
        write_half(json, column->name, second_half(column->kind), cell->second);
    } else if (column->kind == COLUMN_COUNT && fabs(cell->value) < RENDER_PLAIN_END) {
        json_member_i64(json, column->name, (int64_t)cell->value);
    } else {
        absent_member_double(json, column->name, cell->value);
    }
}

static void
write_table(struct json_writer *json, const struct table *table)
{
    json_begin_object(json);
    json_member_text(json, "name", table->name);
    json_member_text(json, "title", table->title);
    json_key(json, "rows");
    json_begin_array(json);
    for (size_t row = 0; row < table->n_rows; row++) {
        json_begin_object(json);
        for (size_t c = 0; c < table->n_columns; c++)
            write_cell(json, &table->columns[c], &table->cells[row * table->n_columns + c]);
        json_end_object(json);
    }
    json_end_array(json);
    json_end_object(json);
}

static void
write_section(struct json_writer *json, const struct section *section)
{
    json_begin_object(json);
    json_member_text(json, "name", section->name);
    json_member_text(json, "title", section->title);
    json_key(json, "tables");
    json_begin_array(json);
    for (size_t t = 0; t < section->n_tables; t++)
        write_table(json, &section->tables[t]);
    json_end_array(json);
    json_key(json, "notes");
    json_begin_array(json);
    for (size_t n = 0; n < section->n_notes; n++)
        json_text(json, section->notes[n]);
    json_end_array(json);
    json_end_object(json);
}

void
render_json(const struct report *report, struct buf *out)
{
    struct json_writer json = json_writer_init(out, 0);
    json_begin_object(&json);
    json_key(&json, "definition");
    json_raw(&json, report->definition);
    json_key(&json, "sections");
    json_begin_array(&json);
    for (size_t s = 0; s < report->n_sections; s++)
        write_section(&json, &report->sections[s]);
    json_end_array(&json);
    json_end_object(&json);
    buf_append_byte(out, '\n');
}
