/*
 * Stop: has the user asked to stop?
 *
 * A flag of the whole process, because a signal handler has no argument.  The first SIGINT or
 * SIGTERM sets it; long work checks it between items and ends cleanly.  The second signal ends the
 * process at once.
 */
#ifndef STRATA_BASE_STOP_H
#define STRATA_BASE_STOP_H

#include <stdbool.h>

/* Catch SIGINT and SIGTERM from now on.  Call once, from main. */
void stop_install(void);
/* Has a stop been requested?  Any thread. */
bool stop_requested(void);
/* Set the flag without a signal: a stage that failed stops the others, tests stop a run. */
void stop_request(void);
/* Clear the flag: for tests that continue after a stop. */
void stop_clear(void);

#endif
