/*
 * Process: run a program (git) and keep its output.
 *
 * No shell is involved: the program gets its arguments as they are.
 */
#ifndef STRATA_MINER_MIRRORS_PROCESS_H
#define STRATA_MINER_MIRRORS_PROCESS_H

#include "base/buf.h"
#include "base/err.h"

enum { PROCESS_OUT_MAX = 1024 * 1024, PROCESS_SAID_MAX = 4096 };

struct process_result {
    int status;      /* exit status; 128 plus the signal that ended it */
    struct buf out;  /* standard output, cut at PROCESS_OUT_MAX */
    struct buf said; /* the last PROCESS_SAID_MAX bytes of standard error */
};

/*
 * Run ARGUMENTS (NULL at the end; the first is searched for in PATH) with an empty standard input
 * and wait for the end.  A requested stop ends it.  *RESULT is {0} or was used before; it is the
 * caller's, to process_result_clear, also after a failure.  0, or -1: ERR_INPUT (it cannot be
 * started), ERR_STOPPED, ERR_NOMEM, ERR_IO.
 */
int process_run(const char *const *arguments, struct process_result *result, struct err *err);
/* Free the output kept in RESULT. */
void process_result_clear(struct process_result *result);

#endif
