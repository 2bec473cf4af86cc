/*
 * Find runs: the folders that hold the outputs of a run, anywhere below a folder.
 */
#ifndef STRATA_RUNNER_READ_FIND_RUNS_H
#define STRATA_RUNNER_READ_FIND_RUNS_H

#include "base/arena.h"
#include "intake/notes.h"
#include "runner/read/source.h"

/*
 * The places of the runs below the source's place ("" when it is a run itself), in bytewise order,
 * into ARENA.  A run's own folders are not looked into.  A folder that cannot be listed, and one
 * that is a part of a run only, get a note.  ERR_NOMEM, ERR_STOPPED.
 */
int find_runs(struct source *source, struct arena *arena, struct notes *notes, struct bytes **out,
              size_t *n_out, struct err *err);

#endif
