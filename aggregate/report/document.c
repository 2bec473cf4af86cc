/*
 * Building a report: sections, tables, cells, footnotes.
 *
 * Cells are filled from left to right and row by row; a table grows by doubling in the report's
 * arena.  The numbers of sections, tables, footnotes and plots are fixed limits, which are
 * asserted.
 */
#include "aggregate/report/document.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct report *
report_create(void)
{
    struct report *report = calloc(1, sizeof(*report));
    if (report)
        arena_init(&report->arena, 0);
    return report;
}

void
report_destroy(struct report *report)
{
    if (!report)
        return;
    arena_clear(&report->arena);
    free(report);
}

struct section *
report_add_section(struct report *report, const char *name, const char *title)
{
    assert(report->n_sections < sizeof(report->sections) / sizeof(*report->sections));
    struct section *section = &report->sections[report->n_sections++];
    section->name = name;
    section->title = title;
    section->report = report;
    return section;
}

struct table *
section_add_table(struct section *section, const char *name, const char *title,
                  const struct column *columns, size_t n_columns)
{
    assert(section->n_tables < SECTION_TABLES_MAX);
    struct table *table = &section->tables[section->n_tables++];
    *table = (struct table){.name = name,
                            .title = title,
                            .columns = columns,
                            .n_columns = n_columns,
                            .report = section->report};
    return table;
}

/* The index of the column called NAME, which must exist; PLOT_NONE for NULL. */
static size_t
column_of(const struct table *table, const char *name)
{
    for (size_t i = 0; name && i < table->n_columns; i++)
        if (strcmp(table->columns[i].name, name) == 0)
            return i;
    assert(!name);
    return PLOT_NONE;
}

void
section_add_plot(struct section *section, const char *title, const struct table *table,
                 const char *place, const char *series, const char *value, const char *interval,
                 const char *paper)
{
    assert(section->n_plots < SECTION_PLOTS_MAX);
    section->plots[section->n_plots++] = (struct plot){.title = title,
                                                       .table = table,
                                                       .place = column_of(table, place),
                                                       .series = column_of(table, series),
                                                       .value = column_of(table, value),
                                                       .interval = column_of(table, interval),
                                                       .paper = column_of(table, paper)};
}

static char *
format_text(struct report *report, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int len = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = len < 0 ? NULL : arena_alloc(&report->arena, (size_t)len + 1, 1, 1);
    if (!text) {
        report->failed = true;
        return NULL;
    }
    vsnprintf(text, (size_t)len + 1, format, arguments);
    return text;
}

void
section_note(struct section *section, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = format_text(section->report, format, arguments);
    va_end(arguments);
    assert(section->n_notes < SECTION_NOTES_MAX);
    if (text)
        section->notes[section->n_notes++] = text;
}

/* ---- Cells --------------------------------------------------------------------------------- */

static bool
add_row(struct table *table)
{
    if (table->n_rows == table->capacity) {
        size_t capacity = table->capacity ? table->capacity * 2 : 16;
        struct cell *cells =
            ARENA_ARRAY(&table->report->arena, capacity * table->n_columns, struct cell);
        if (!cells)
            return false;
        if (table->n_rows)
            memcpy(cells, table->cells, table->n_rows * table->n_columns * sizeof(*cells));
        table->cells = cells;
        table->capacity = capacity;
    }
    table->n_rows++;
    return true;
}

/* The next cell, without a value. */
static struct cell *
next_cell(struct table *table)
{
    if (table->at == 0 && !add_row(table)) {
        table->report->failed = true;
        return &table->spare;
    }
    struct cell *cell = &table->cells[(table->n_rows - 1) * table->n_columns + table->at];
    *cell = (struct cell){{NULL, 0}, NAN, NAN};
    table->at = (table->at + 1) % table->n_columns;
    return cell;
}

void
table_text(struct table *table, struct bytes text)
{
    struct bytes copy = arena_copy(&table->report->arena, text);
    if (!copy.data)
        table->report->failed = true;
    next_cell(table)->text = copy;
}

void
table_format(struct table *table, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = format_text(table->report, format, arguments);
    va_end(arguments);
    next_cell(table)->text = text ? bytes_of_text(text) : (struct bytes){NULL, 0};
}

static double
finite_or_none(double value)
{
    return isfinite(value) ? value : NAN;
}

void
table_number(struct table *table, double value)
{
    next_cell(table)->value = finite_or_none(value);
}

void
table_pair(struct table *table, double value, double second)
{
    struct cell *cell = next_cell(table);
    cell->value = finite_or_none(value);
    cell->second = finite_or_none(second);
}

void
table_stats(struct table *table, const struct stats *stats)
{
    table_pair(table, stats->mean, stats->stddev);
}

void
table_empty(struct table *table)
{
    next_cell(table);
}
