/*
 * Report box: a report built in a test, and its cells by name.
 */
#ifndef STRATA_TESTS_AGGREGATE_REPORT_BOX_H
#define STRATA_TESTS_AGGREGATE_REPORT_BOX_H

#include <math.h>
#include <string.h>

#include "aggregate/score.h"
#include "aggregate/panel.h"
#include "aggregate/records.h"
#include "aggregate/report.h"
#include "aggregate/export.h"
#include "aggregate/report/document.h"
#include "cmocka_all.h"

/* Every section, all agent runs, the first seed. */
static inline struct report_options
all_sections(const struct profile *profile)
{
    struct report_options options = {.panel = {.profile = profile, .n_jobs = 2},
                                     .study = {.all_runs = true},
                                     .slope_points = 2,
                                     .seed = 1};
    for (size_t i = 0; report_section_names()[i]; i++)
        options.sections[i] = true;
    return options;
}

static inline struct report *
build(struct store *store, struct bytes records, const struct report_options *options)
{
    const struct report_records given = {.file = {records, "records"}};
    struct report_input input = {
        .store = store, .records = &given, .n_records = records.data ? 1 : 0};
    struct report *report;
    struct buf notes = {0};
    struct err err = {0};
    if (report_build(&input, options, &report, &notes, &err) < 0)
        fail_msg("%s", err.text);
    buf_clear(&notes);
    return report;
}

static inline const struct table *
report_box_table(const struct report *report, const char *section, const char *table)
{
    for (size_t s = 0; s < report->n_sections; s++)
        for (size_t t = 0; t < report->sections[s].n_tables; t++)
            if (strcmp(report->sections[s].name, section) == 0 &&
                strcmp(report->sections[s].tables[t].name, table) == 0)
                return &report->sections[s].tables[t];
    fail_msg("no table %s/%s", section, table);
    return NULL;
}

static inline size_t
report_box_column(const struct table *table, const char *name)
{
    for (size_t c = 0; c < table->n_columns; c++)
        if (strcmp(table->columns[c].name, name) == 0)
            return c;
    fail_msg("no column %s", name);
    return 0;
}

/* The cell of the first row whose leading texts are those of KEY, parted by '/'. */
static inline const struct cell *
report_box_cell(const struct table *table, const char *key, const char *column)
{
    for (size_t row = 0; row < table->n_rows; row++) {
        const struct cell *cells = &table->cells[row * table->n_columns];
        const char *at = key;
        for (size_t c = 0; c < table->n_columns && *at; c++) {
            size_t len = strcspn(at, "/");
            if (!bytes_equal(cells[c].text, (struct bytes){(const uint8_t *)at, len}))
                break;
            at += len + (at[len] == '/');
        }
        if (*at == '\0')
            return &cells[report_box_column(table, column)];
    }
    fail_msg("no row %s", key);
    return NULL;
}

static inline bool
report_box_has_note(const struct report *report, const char *part)
{
    for (size_t s = 0; s < report->n_sections; s++)
        for (size_t n = 0; n < report->sections[s].n_notes; n++)
            if (strstr(report->sections[s].notes[n], part))
                return true;
    return false;
}

#endif
