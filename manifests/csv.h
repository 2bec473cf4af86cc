/*
 * CSV reading, a row at a time: RFC 4180, with LF or CRLF.
 */
#ifndef STRATA_MANIFESTS_CSV_H
#define STRATA_MANIFESTS_CSV_H

#include "base/arena.h"
#include "base/bytes.h"
#include "base/err.h"

enum { CSV_CELLS_MAX = 64 };

/* A reader.  Set text, origin, arena and next_line = 1, the rest 0. */
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

/* Read the next row into CSV's cells.  1; 0 at the end; -1 with ERR_INPUT naming file and line, or
 * ERR_NOMEM.  Empty lines are skipped. */
int csv_next(struct csv *csv, struct err *err);

#endif
