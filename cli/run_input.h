/*
 * Run input: a file of checkpoint records, or the folder of a run with what it says of itself.
 */
#ifndef STRATA_CLI_RUN_INPUT_H
#define STRATA_CLI_RUN_INPUT_H

#include "aggregate/score.h"
#include "aggregate/panel.h"
#include "aggregate/records.h"
#include "aggregate/report.h"
#include "aggregate/export.h"
#include "runner/runner.h"

struct run_input {
    const char *path;    /* as given */
    const char *records; /* the file of records */
    bool is_run;         /* the path is a folder, and SETUP what it says */
    struct runner_setup setup;
};

/* See what PATH is.  Texts are in ARENA; what is odd is said in WARNINGS, a line each. */
int run_input_open(const char *path, struct arena *arena, struct run_input *out,
                   struct buf *warnings, struct err *err);
/* What INPUT says of its run, for records that do not. */
struct summary_setup run_input_setup(const struct run_input *input);

#endif
