/*
 * export: the tables of a store as files that other programs read.
 *
 * May include panel.h, store, manifests and base.
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

/* "trajectories" and so on. */
const char *export_table_name(enum export_table_id id);

enum export_format {
    EXPORT_JSON_LINES, /* a file a table in a folder */
    EXPORT_CSV,        /* the same */
    EXPORT_SQLITE      /* one database */
};

struct export_options {
    enum export_format format;
    const char *path;           /* the folder, made when it is missing, or the database's file */
    unsigned tables;            /* bits 1 << enum export_table_id; 0: all */
    struct panel_options panel; /* what is exported, and the profile of the scores */
};

/*
 * Write the tables of STORE for other programs to read: docs/data-dictionary.md says what is in
 * them. The same store gives the same rows in the same order.  N_ROWS counts them by table; what is
 * missing is said in NOTES, a line each.  ERR_FULL, ERR_IO, ERR_STOPPED, ERR_NOMEM, and what
 * reading the store gives; then no file has its final name unless it is whole.
 */
int export_store(struct store *store, const struct export_options *options,
                 uint64_t n_rows[EXPORT_N_TABLES], struct buf *notes, struct err *err);

#endif
