/*
 * Stop: has the user asked to stop?
 *
 * The one piece of process-wide state in the program, because a signal has no other place to go.
 * The first SIGINT or SIGTERM raises the flag, long work looks at it between items and ends
 * cleanly; the second ends the process the hard way.
 */
#ifndef STRATA_BASE_STOP_H
#define STRATA_BASE_STOP_H

#include <stdbool.h>

/* Catch SIGINT and SIGTERM from now on.  Call once, from main. */
void stop_install(void);
/* Any thread. */
bool stop_requested(void);
/* Raise the flag without a signal: a stage that failed stops its neighbours, tests stop a run. */
void stop_request(void);
/* Lower it again: for tests that go on after a stop. */
void stop_clear(void);

#endif
