/*
 * Export rows: the rows of the tables that an export writes, and the tables.
 *
 * A struct holds one row; what it points to belongs to the function that fills it and is valid
 * until the row is written.  The columns are in tables.c; a member without a column there is not
 * exported.
 */
#ifndef STRATA_AGGREGATE_EXPORT_ROWS_H
#define STRATA_AGGREGATE_EXPORT_ROWS_H

#include "aggregate/export.h"
#include "aggregate/rows/row.h"
#include "aggregate/score.h"
#include "analyzer/facts.h"

struct trajectory_row {
    struct bytes trajectory, kind, origin;
    bool has_stars;
    int64_t stars;
    const char *tier;
    struct bytes as_of, license, ref;
    const char *head, *status;
    uint64_t n_commits;
    uint32_t n_checkpoints, n_notes;
    struct bytes params;
};

struct checkpoint_row {
    struct bytes trajectory;
    uint32_t ordinal;
    struct bytes checkpoint;
    bool has_time, has_author_time;
    const char *time, *author_time;
    int64_t time_s, author_time_s;
    struct bytes date_problem;
    const char *author;
    struct bytes markers;
    uint32_t n_parents, n_missing;
    uint64_t n_files;
    struct bytes record;
};

struct score_row {
    struct bytes trajectory;
    uint32_t ordinal;
    struct bytes profile;
    struct score score;
};

struct file_row {
    struct bytes trajectory;
    uint32_t ordinal;
    struct bytes path;
    uint32_t mode;
    const char *blob;
    bool is_scored;
};

struct blob_row {
    const char *blob;
    const char *skipped;
    bool has_bytes;
    uint64_t n_bytes;
    bool is_analysed; /* the rest holds */
    const char *encoding, *refusal;
    bool has_error;
    uint32_t n_errors, physical_loc;
    uint32_t source_loc, source_loc_parts;
    uint32_t comment_lines, n_classes, n_statements, n_callables, n_clones;
};

struct callable_row {
    const char *blob;
    uint32_t number;
    struct callable facts;
    bool is_async, is_decorated, is_method, is_nested, is_reachable, is_trivial_wrapper, has_error;
    bool is_counted;
    double cc, mass;
};

struct export_table {
    const struct row_kind *kind;
    const char *key; /* the columns that name a row, for SQL */
};

/* The table ID; static. */
const struct export_table *export_table(enum export_table_id id);
/* Lay out every table in ARENA.  0, or -1 with ERR_NOMEM. */
int
export_layouts_make(struct arena *arena, struct row_layout out[EXPORT_N_TABLES], struct err *err);

#endif
