/*
 * Memory: did an allocation of this process fail?
 *
 * Code may go on after a failed allocation in good faith: a cache stays empty, a library answers
 * "not JSON".  What it then finds could differ from what it would have found, so no result made
 * after the first failure may be printed or stored.  Whoever sees an allocation fail notes it here;
 * whoever prints or commits asks.  The note stays for the life of the process.
 */
#ifndef STRATA_BASE_MEMORY_H
#define STRATA_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* An allocation failed.  Any thread; needs no memory. */
void memory_note_failure(void);
/* Has memory_note_failure been called?  Any thread. */
bool memory_ran_out(void);
/* Forget it: for a caller that made all of its results again with less, and for tests. */
void memory_clear(void);

/* malloc that notes its failure, for hooks of libraries. */
void *memory_alloc(size_t size);

#endif
