/*
 * Ingest put: what was read of a run, into the store, by one thread.
 */
#ifndef STRATA_RUNNER_INGEST_PUT_H
#define STRATA_RUNNER_INGEST_PUT_H

#include "base/map.h"
#include "runner/ingest_unit.h"

/*
 * Put facts, hits and listings of UNITS, which then have their listings, and commit them.  COUNTS
 * are added to.  ERR_NOMEM, or an error of the store.
 */
int ingest_put_trees(struct store_writer *writer, struct ingest_context *context,
                     struct ingest_unit *units, size_t n_units, struct runner_run *counts,
                     struct err *err);

/* Where a run comes from. */
struct ingest_origin {
    struct bytes place;
    const char *revision; /* NULL for files on disk */
    struct oid commit;    /* len 0 for files on disk */
    struct bytes name;    /* "model/folder" */
};

/*
 * Put the trajectory whose checkpoints are UNITS, of one problem and step, unless READER has the
 * same one.  IDS holds the ids that were put since the program began: a second trajectory with an
 * id is left out with a note.  ERR_NOMEM, or an error of the store.
 */
int ingest_put_trajectory(struct store_writer *writer, struct store_reader *reader,
                          const struct ingest_origin *origin, struct map *ids,
                          struct ingest_unit *units, size_t n_units, struct runner_run *counts,
                          struct err *err);

#endif
