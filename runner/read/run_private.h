/*
 * Run, private: the functions that run.c, run_problem.c and run_records.c share.
 */
#ifndef STRATA_RUNNER_READ_RUN_PRIVATE_H
#define STRATA_RUNNER_READ_RUN_PRIVATE_H

#include "runner/read/run.h"
#include "runner/read/run_text.h"

/* Add a problem with the name of its FOLDER (kept as it is).  NULL when memory is out. */
struct run_problem *run_add_problem(struct run *run, struct bytes folder, struct arena *arena);
/* The checkpoint NAME (kept as it is) of PROBLEM, added when it is missing.  NULL when memory is
 * out. */
struct run_checkpoint *
run_need_checkpoint(struct run_problem *problem, struct bytes name, struct arena *arena);

/* Add the problem in the folder NAME of RUN; nothing when that is not a problem's folder.
 * ERR_NOMEM, ERR_STOPPED. */
int run_read_problem(struct source *source, struct bytes name, struct arena *arena, struct run *run,
                     struct err *err);
/* Give each line of checkpoint_results.jsonl in FOLDER, the run's, to its checkpoint.  ERR_NOMEM,
 * ERR_STOPPED. */
int run_read_records(const struct run_folder *folder, struct run *run, struct err *err);

/* Is there a file NAME among N ENTRIES? */
bool run_has_file(const struct source_entry *entries, size_t n, const char *name);
/* Do N ENTRIES look like those of a checkpoint's folder? */
bool run_is_checkpoint(const struct source_entry *entries, size_t n);

#endif
