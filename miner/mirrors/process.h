/*
 * Process: run another program and keep what it says.
 *
 * No shell is involved: the arguments are handed over as they are.  Meant for git.
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
 * Run ARGUMENTS (ended by NULL; the first is looked up on PATH) with standard input closed and git
 * kept from asking anybody anything, and wait for it.  A request to stop ends it.  *RESULT is {0}
 * or used before, and the caller's, to process_result_clear, whatever is returned.  ERR_INPUT: it
 * cannot be started; ERR_STOPPED, ERR_NOMEM, ERR_IO.
 */
int process_run(const char *const *arguments, struct process_result *result, struct err *err);
void process_result_clear(struct process_result *result);

#endif
