/*
 * The data dictionary, written from the tables of columns that also write the data.
 *
 * One section per kind of row: a sentence on what a row is, and a line per column with its name,
 * type, unit, when it is present, and what it means.  The columns of an array (one per counter)
 * share a line.  A test compares docs/data-dictionary.md with what this file writes.
 */
#include "aggregate/export/dictionary.h"

#include <string.h>

#include "aggregate/export/rows.h"
#include "aggregate/panel/score_lines.h"
#include "aggregate/records/record.h"

/* Which columns a section shows. */
enum scope { SCOPE_LINES, SCOPE_EXPORTS };

static void
write_presence(const struct row_column *column, struct buf *out)
{
    bool not_zero = column->flags & ROW_NOT_ZERO;
    if (!column->presence && !not_zero)
        buf_append_text(out, "always");
    else
        buf_printf(out, "when %s%s%s", column->presence ? column->presence->when : "",
                   column->presence && not_zero ? " and " : "", not_zero ? "it is above 0" : "");
}

/* "`all_if`, `all_elif`", for an array; a '*' at the end of a name is "_star", as in row_layout. */
static void
write_names(const struct row_column *column, struct buf *out)
{
    size_t n = column->element_name ? column->n_elements : 1;
    for (size_t i = 0; i < n; i++) {
        const char *element = column->element_name ? column->element_name(i) : "";
        size_t len = strlen(element);
        bool is_star = len > 0 && element[len - 1] == '*';
        buf_printf(out, "%s`%s%.*s%s`", i ? ", " : "", column->name, (int)(len - is_star), element,
                   is_star ? "_star" : "");
    }
}

static void
write_columns(const struct row_kind *kind, enum scope scope, struct buf *out)
{
    for (size_t i = 0; i < kind->n_columns; i++) {
        const struct row_column *column = &kind->columns[i];
        if (column->member == ROW_MEMBER_ROW) {
            write_columns(column->kind, scope, out);
            continue;
        }
        if (column->only_in_lines && scope == SCOPE_EXPORTS)
            continue;
        buf_append_text(out, "| ");
        write_names(column, out);
        buf_printf(out, " | %s | %s | ", row_type_name(row_column_type(column)), column->unit);
        write_presence(column, out);
        buf_printf(out, " | %s |\n", column->description);
    }
}

/* The section of KIND; KEY names its rows, or is NULL. */
static void
write_kind(const struct row_kind *kind, const char *key, enum scope scope, struct buf *out)
{
    buf_printf(out, "\n## %s\n\n%s", kind->name, kind->description);
    if (key)
        buf_printf(out, " Key: %s.", key);
    buf_append_text(out,
                    "\n\n| column | type | unit | present | meaning |\n|---|---|---|---|---|\n");
    write_columns(kind, scope, out);
}

/* What the counters of a callable count; profiles weight them by these names. */
static void
write_counters(struct buf *out)
{
    buf_append_text(out, "\n## counters\n\nThe constructs that are counted in each callable; a "
                         "profile gives them weights by name.\n\n| name | counts |\n|---|---|\n");
    for (int i = 0; i < COUNT_N; i++)
        buf_printf(out, "| `%s` | %s |\n", counter_name((enum counter)i),
                   counter_description((enum counter)i));
}

void
dictionary_write(struct buf *out)
{
    buf_append_text(
        out,
        "# Data dictionary\n"
        "\n"
        "This file is generated from the tables of columns in the sources, which also write the\n"
        "data. Do not edit it; build the target `data_dictionary` and run\n"
        "\n"
        "    build/dev/aggregate/export/data_dictionary > docs/data-dictionary.md\n"
        "\n"
        "Types: text is UTF-8; integers fit 64 bits, and yes and no are 1 and 0; reals are IEEE\n"
        "doubles. A value that is not present is left out of score lines (`time` is null), null "
        "in\n"
        "exported JSON lines and in SQLite, and an empty field in CSV. A source line is a line "
        "with\n"
        "a token, as the profile counts them; physical lines are all lines.\n");
    write_kind(&score_line_row_kind, NULL, SCOPE_LINES, out);
    for (int id = 0; id < EXPORT_N_TABLES; id++) {
        const struct export_table *table = export_table((enum export_table_id)id);
        write_kind(table->kind, table->key, SCOPE_EXPORTS, out);
    }
    write_counters(out);
    write_kind(&record_row_kind, NULL, SCOPE_LINES, out);
}
