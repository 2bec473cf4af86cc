/*
 * Memory: did an allocation of this process fail?
 *
 * Code may continue after a failed allocation: a cache stays empty, a library answers "not JSON".
 * Its results may then be wrong, so nothing computed after the first failure may be printed or
 * stored.  Code that sees an allocation fail notes it here, and code that prints or commits asks
 * first.  The note stays until the process ends.
 */
#ifndef STRATA_BASE_MEMORY_H
#define STRATA_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* An allocation failed.  Any thread; needs no memory. */
void memory_note_failure(void);
/* Has memory_note_failure been called?  Any thread. */
bool memory_ran_out(void);
/* Forget the failure: for a caller that computed all results again with less memory, and for tests.
 */
void memory_clear(void);

/* As malloc, but notes a failure: for the allocation hooks of libraries. */
void *memory_alloc(size_t size);

#endif
