/*
 * Progress: how much of a long task is done, on stderr.
 *
 * On a terminal one line is redrawn with a bar, rate and time left; elsewhere a plain line comes
 * every few seconds; with quiet set nothing is printed.  Any thread may raise the counters; a
 * thread of its own draws.  Messages go through progress_note, which keeps the bar intact.
 */
#ifndef STRATA_BASE_PROGRESS_H
#define STRATA_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress;

/* Start showing work named VERB ("mining"), counted in UNIT ("blobs").  QUIET shows nothing.
 * Never fails: NULL is a progress that shows nothing, and every function takes it. */
struct progress *progress_start(const char *verb, const char *unit, bool quiet);
/* Erase the bar, stop the thread, free it. */
void progress_finish(struct progress *progress);

/* N more units are to be done; N more units are done; N more bytes were read. */
void progress_add_total(struct progress *progress, uint64_t n);
void progress_add_done(struct progress *progress, uint64_t n);
void progress_add_bytes(struct progress *progress, uint64_t n);
/* A second pair of counters, shown in front: "repositories 3/40".  UNIT must stay
 * valid until the end of the process. */
void progress_set_outer(struct progress *progress, const char *unit, uint64_t done, uint64_t total);
/* N more of a counter without a known total, shown after that pair: "5120 commits".  UNIT must stay
 * valid until the end of the process. */
void progress_add_aside(struct progress *progress, const char *unit, uint64_t n);
/* Print one line of message above the bar, also when PROGRESS is NULL or quiet, because it may be a
 * warning. */
void progress_note(struct progress *progress, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
