/*
 * Find runs: the folders that hold the outputs of a run, anywhere below a folder.
 */
#ifndef STRATA_RUNNER_READ_FIND_RUNS_H
#define STRATA_RUNNER_READ_FIND_RUNS_H

#include "base/arena.h"
#include "intake/notes.h"
#include "runner/read/source.h"

/*
 * Find the runs below the place of SOURCE: their paths ("" when it is a run itself) in bytewise
 * order in ARENA.  The folders of a run are not searched.  A folder that cannot be listed, or that
 * is only a part of a run, gets a note.  ERR_NOMEM, ERR_STOPPED.
 */
int find_runs(struct source *source, struct arena *arena, struct notes *notes, struct bytes **out,
              size_t *n_out, struct err *err);

#endif
