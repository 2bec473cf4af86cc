/*
 * Document: a report as data, sections of tables, plots and footnotes.
 *
 * The sections build it and the renderers print it.  Values have full precision; a column says how
 * many decimals readers see.  A value that is not finite counts as missing.  That memory ran out is
 * remembered in report->failed, so that sections need not check.
 */
#ifndef STRATA_AGGREGATE_REPORT_DOCUMENT_H
#define STRATA_AGGREGATE_REPORT_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aggregate/report.h"
#include "aggregate/stats/stats.h"
#include "base/arena.h"

enum column_kind {
    COLUMN_TEXT,
    COLUMN_COUNT,
    COLUMN_NUMBER,
    COLUMN_PERCENT, /* the value is a share; readers see it times 100 */
    COLUMN_SPREAD,  /* mean and deviation; two fields in CSV and JSON */
    COLUMN_INTERVAL /* low and high; two fields in CSV and JSON */
};

/* Decimals: as many as the value was published with. */
enum { DECIMALS_GIVEN = -1 };

struct column {
    const char *name;    /* in CSV and JSON */
    const char *heading; /* for readers */
    enum column_kind kind;
    int decimals; /* shown, or DECIMALS_GIVEN */
};

struct cell {
    struct bytes text;
    double value, second; /* mean and deviation, low and high */
};

struct table {
    const char *name, *title;
    const struct column *columns; /* static */
    size_t n_columns;
    struct cell *cells; /* by row, then column */
    size_t n_rows, capacity;
    size_t at;         /* the column that the next cell goes to */
    struct cell spare; /* takes cells after memory ran out */
    struct report *report;
};

#define PLOT_NONE SIZE_MAX

/* A plot of one column of a table.  Columns are indices, PLOT_NONE if there is none. */
struct plot {
    const char *title;
    const struct table *table;
    size_t place, series; /* text columns: the place on the x axis, and the series */
    size_t value;         /* with its deviation when it has one */
    size_t interval;      /* of the value */
    size_t paper;         /* the paper's value */
};

enum { SECTION_TABLES_MAX = 12, SECTION_NOTES_MAX = 32, SECTION_PLOTS_MAX = 4 };

struct section {
    const char *name, *title;
    struct table tables[SECTION_TABLES_MAX];
    size_t n_tables;
    const char *notes[SECTION_NOTES_MAX];
    size_t n_notes;
    struct plot plots[SECTION_PLOTS_MAX];
    size_t n_plots;
    struct report *report;
};

struct report {
    struct section sections[REPORT_N_SECTIONS + 1]; /* and the one on the input */
    size_t n_sections;
    struct bytes definition; /* a JSON object: what made the report, for readers of JSON */
    bool failed;
    struct arena arena;
};

/* An empty report, the caller's, to report_destroy.  NULL when memory is out. */
struct report *report_create(void);
/* Append a section, and a table to a section.  NAME, TITLE and COLUMNS are static.  The result is
 * valid as long as the report. */
struct section *report_add_section(struct report *report, const char *name, const char *title);
struct table *section_add_table(struct section *section, const char *name, const char *title,
                                const struct column *columns, size_t n_columns);
#define SECTION_TABLE(section, name, title, columns) \
    section_add_table((section), (name), (title), (columns), sizeof(columns) / sizeof(*(columns)))
/* Add a plot of TABLE, for formats with pictures.  Columns are names, NULL for none. */
void section_add_plot(struct section *section, const char *title, const struct table *table,
                      const char *place, const char *series, const char *value,
                      const char *interval, const char *paper);
/* Add a footnote: a choice that was made, or what is missing. */
void section_note(struct section *section, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Set the next cell of TABLE; after the last column the next row begins. */
void table_text(struct table *table, struct bytes text); /* copied */
void
table_format(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
void table_number(struct table *table, double value); /* numbers, counts, percents */
void table_pair(struct table *table, double value, double second);
void table_stats(struct table *table, const struct stats *stats); /* mean and deviation */
void table_empty(struct table *table);

#endif
