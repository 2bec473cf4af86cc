/*
 * Progress: how far long work has come, on stderr.
 *
 * On a terminal one line is redrawn with a bar, rate and time left; elsewhere a plain line comes
 * every few seconds; with quiet set nothing is printed.  Counters may be raised by any thread; one
 * thread of the progress itself draws.  Messages go through progress_note so that they do not tear
 * the bar.
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

/* N more units are to be done; N more are done; B more bytes went through. */
void progress_add_total(struct progress *progress, uint64_t n);
void progress_add_done(struct progress *progress, uint64_t n);
void progress_add_bytes(struct progress *progress, uint64_t n);
/* A second pair of counters, shown in front: "repositories 3/40".  UNIT is borrowed for ever. */
void progress_set_outer(struct progress *progress, const char *unit, uint64_t done, uint64_t total);
/* N more of what has no known end, shown behind that pair: "5120 commits".  UNIT is borrowed for
 * ever. */
void progress_add_aside(struct progress *progress, const char *unit, uint64_t n);
/* Print one line of message above the bar, also when PROGRESS is NULL or quiet: warnings count. */
void progress_note(struct progress *progress, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
