/*
 * Ingest put: what was read of a run, into the store.
 */
#ifndef STRATA_RUNNER_INGEST_PUT_H
#define STRATA_RUNNER_INGEST_PUT_H

#include "base/map.h"
#include "runner/ingest_unit.h"

/* Put facts and listings of UNITS and make them durable.  Each unit has its listing then. */
int ingest_put_trees(struct store_writer *writer, struct ingest_context *context,
                     struct ingest_unit *units, size_t n_units, struct runner_run *result,
                     struct err *err);

/* Where a run comes from. */
struct ingest_origin {
    struct bytes place;
    const char *revision; /* NULL for files on disk */
    struct oid commit;    /* len 0 for files on disk */
    struct bytes name;    /* "model/folder" */
};

/*
 * Put the trajectory whose checkpoints are UNITS, of one problem and step, unless READER has it
 * just so.  IDS holds those put by this run of ours: a second one of an id is left out with a
 * note.
 */
int ingest_put_trajectory(struct store_writer *writer, struct store_reader *reader,
                          const struct ingest_origin *origin, struct map *ids,
                          struct ingest_unit *units, size_t n_units, struct runner_run *result,
                          struct err *err);

#endif
