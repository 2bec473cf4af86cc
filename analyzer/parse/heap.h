/*
 * Parse heap: tree-sitter's memory while one source is parsed, dropped whole afterwards.
 *
 * tree-sitter takes its memory through four hooks, which are set for the whole process and have no
 * context argument; the heap they use is therefore a variable of the thread.  Outside of
 * parse_heap_run they are malloc and free, and memory from there may be freed and resized inside,
 * too.
 *
 * Threads: a heap is used by one thread at a time.
 */
#ifndef STRATA_ANALYZER_PARSE_HEAP_H
#define STRATA_ANALYZER_PARSE_HEAP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct parse_heap;

/*
 * What tree-sitter may hold at one time for one source, and what it may ask for in all, freed or
 * not.  The second bounds time: error recovery copies long lists of nodes repeatedly, which the
 * number of steps does not count.
 */
enum { PARSE_HEAP_BYTES = 224 << 20, PARSE_HEAP_ASKED_BYTES = 384 << 20 };

/* Install the hooks, once in the life of the process, before any thread calls tree-sitter. */
void parse_heap_install(void);

/* *out is the caller's, to parse_heap_destroy.  It reserves address space; memory is used as
 * needed. ERR_NOMEM. */
int parse_heap_create(struct parse_heap **out, struct err *err);
/* NULL is fine. */
void parse_heap_destroy(struct parse_heap *heap);

/*
 * Call WORK with CONTEXT; whatever tree-sitter allocates on this thread meanwhile comes from HEAP
 * and is gone on return, freed or not.  Calls do not nest.  False: a bound was exceeded and
 * WORK was left by longjmp, so it must not own anything that is outside of HEAP.
 */
bool parse_heap_run(struct parse_heap *heap, void (*work)(void *context), void *context);

/* The most that was ever in use in one run. */
size_t parse_heap_peak(const struct parse_heap *heap);

#endif
