/*
 * export: the data of a store as tables for other programs, in JSON lines, CSV or SQLite.
 *
 * May include panel.h, store, manifests and base.
 *
 * Threads: export_store may be called from any thread; scoring starts its own threads.
 */
#ifndef STRATA_AGGREGATE_EXPORT_H
#define STRATA_AGGREGATE_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aggregate/panel.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/bytes.h"
#include "base/err.h"
#include "store/store.h"

/* ---- Export -------------------------------------------------------------------------------- */

enum export_table_id {
    EXPORT_TRAJECTORIES,
    EXPORT_CHECKPOINTS,
    EXPORT_SCORES,
    EXPORT_FILES,
    EXPORT_BLOBS,
    EXPORT_CALLABLES,
    EXPORT_N_TABLES
};

/* "trajectories" and so on; static. */
const char *export_table_name(enum export_table_id id);

enum export_format {
    EXPORT_JSON_LINES, /* a file per table in a folder */
    EXPORT_CSV,        /* the same */
    EXPORT_SQLITE      /* one database */
};

struct export_options {
    enum export_format format;
    const char *path; /* the folder, made if it is missing, or the file of the database */
    unsigned tables;  /* bits 1 << enum export_table_id; 0: all */
    struct panel_options
        panel; /* which trajectories and checkpoints, and the profile of the scores */
};

/*
 * Write the tables of STORE that OPTIONS names; docs/data-dictionary.md describes their columns.
 * The same store gives the same rows in the same order.  N_ROWS gets the number of rows by table,
 * NOTES a line for each thing that is missing.  Files get their final names only when all are
 * complete.  0, or -1: ERR_FULL, ERR_IO, ERR_STOPPED, ERR_NOMEM, ERR_INPUT, and the errors of
 * reading the store.
 */
int export_store(struct store *store, const struct export_options *options,
                 uint64_t n_rows[EXPORT_N_TABLES], struct buf *notes, struct err *err);

#endif
