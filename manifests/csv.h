/*
 * CSV in, a row at a time: RFC 4180, with LF or CRLF.
 */
#ifndef STRATA_MANIFESTS_CSV_H
#define STRATA_MANIFESTS_CSV_H

#include "base/arena.h"
#include "base/bytes.h"
#include "base/err.h"

enum { CSV_CELLS_MAX = 64 };

struct csv {
    struct bytes text;
    const char *origin;  /* for messages */
    struct arena *arena; /* cells live here */
    size_t at;           /* the next byte */
    size_t next_line;    /* from 1 */
    size_t line;         /* where the last row began */
    struct bytes cells[CSV_CELLS_MAX];
    size_t n_cells;
};

/* Take the next row into CSV's cells: 1, 0 at the end, or -1 with ERR naming file and line.  Empty
 * lines are passed over. */
int csv_next(struct csv *csv, struct err *err);

#endif
