/*
 * Run input: a file of checkpoint records, or the folder of a run with its records and its setup.
 */
#ifndef STRATA_CLI_RUN_INPUT_H
#define STRATA_CLI_RUN_INPUT_H

#include "aggregate/records.h"
#include "runner/runner.h"

struct run_input {
    const char *path;    /* as given */
    const char *records; /* the file of records */
    bool is_run;         /* the path is a folder, and SETUP what it says */
    struct runner_setup setup;
};

/*
 * Look at what PATH is and read the setup of a run.  Texts are in ARENA; what is odd is added to
 * NOTES, a line each.  ERR_INPUT, ERR_NOMEM.
 */
int run_input_open(const char *path, struct arena *arena, struct run_input *out, struct buf *notes,
                   struct err *err);
/* The setup of INPUT's run, for records that do not have it. */
struct run_setup run_input_setup(const struct run_input *input);

#endif
