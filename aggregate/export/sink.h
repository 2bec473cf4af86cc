/*
 * Sinks: where the rows of an export go.
 *
 * A sink writes under other names first and renames at the end, so that a file with its final name
 * is a whole one.
 */
#ifndef STRATA_AGGREGATE_EXPORT_SINK_H
#define STRATA_AGGREGATE_EXPORT_SINK_H

#include "aggregate/export/rows.h"

struct export_sink {
    /* Write ROW, the struct of table ID.  -1: ERR_FULL, ERR_IO, ERR_NOMEM. */
    int (*put)(struct export_sink *sink, enum export_table_id id, const void *row, struct err *err);
    /* Rename what was written to its final names.  -1 as for put. */
    int (*finish)(struct export_sink *sink, struct err *err);
    /* Close the sink and free it.  Without finish nothing is left on disk. */
    void (*destroy)(struct export_sink *sink);
};

/*
 * Open a sink for a file per table in FOLDER, which is made if it is missing; CSV if AS_CSV, else
 * JSON lines.  LAYOUTS, by table, is borrowed for the life of the sink.  *out is the caller's, to
 * its destroy.  -1: ERR_FULL, ERR_IO, ERR_NOMEM.
 */
int export_text_open(const char *folder, bool as_csv, const struct row_layout *layouts,
                     struct export_sink **out, struct err *err);
/* The same for one SQLite database at PATH.  ERR_INPUT as well: PATH exists and is something else.
 */
int export_sqlite_open(const char *path, const struct row_layout *layouts, struct export_sink **out,
                       struct err *err);

#endif
