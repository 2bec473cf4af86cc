/*
 * Export: the tables of a store as rows, and the sinks that write them.
 *
 * aggregate/EXPORT.md says what each column means.
 */
#ifndef STRATA_AGGREGATE_EXPORT_WRITER_H
#define STRATA_AGGREGATE_EXPORT_WRITER_H

#include "aggregate/export.h"

enum cell_type { CELL_NONE, CELL_TEXT, CELL_INTEGER, CELL_REAL };

struct cell {
    enum cell_type type; /* CELL_NONE: no value */
    struct bytes text;
    int64_t integer;
    double real;
};

struct export_column {
    const char *name;
    enum cell_type type;
};

struct export_table {
    const char *name;
    const struct export_column *columns;
    size_t n_columns;
    const char *key; /* the columns that name a row, for SQL */
};

enum { EXPORT_COLUMNS_MAX = 96 };

/* In the order of the files they go to. */
const struct export_table *export_table(enum export_table_id id);

/* A row in the making: cells are added in order of the table's columns. */
struct row {
    struct cell cells[EXPORT_COLUMNS_MAX];
    size_t n_cells;
};

void row_reset(struct row *row);
void row_add_none(struct row *row);
void row_add_text(struct row *row, const char *text);   /* NULL: none */
void row_add_bytes(struct row *row, struct bytes text); /* {NULL, 0}: none */
void row_add_integer(struct row *row, uint64_t value);
void row_add_signed(struct row *row, int64_t value);
void row_add_real(struct row *row, double value);

/* Where rows go. */
struct export_sink {
    /* Write ROW of TABLE. */
    int (*put)(struct export_sink *sink, enum export_table_id table, const struct row *row,
               struct err *err);
    /* Make everything put so far appear under its final name. */
    int (*finish)(struct export_sink *sink, struct err *err);
    /* Without finish nothing is left. */
    void (*destroy)(struct export_sink *sink);
};

int export_text_open(const char *folder, bool as_csv, struct export_sink **out, struct err *err);
int export_sqlite_open(const char *path, struct export_sink **out, struct err *err);

#endif
