/*
 * Arena: many small allocations, one reset.
 *
 * An arena hands out memory that lives until arena_reset or arena_clear; nothing is freed singly.
 * Reset keeps up to keep_bytes of the memory for the next item and gives the rest back to the
 * system.  Freed memory is poisoned under AddressSanitizer.
 */
#ifndef STRATA_BASE_ARENA_H
#define STRATA_BASE_ARENA_H

#include <stddef.h>

#include "base/bytes.h"

struct arena_chunk;

struct arena {
    struct arena_chunk *first;   /* kept across resets */
    struct arena_chunk *current; /* the chunk that is being filled */
    size_t used_bytes;           /* handed out since the last reset, padding included */
    size_t keep_bytes;           /* what a reset keeps at most */
};

/* Make ARENA empty.  KEEP_BYTES 0 means the default of 16 MiB. */
void arena_init(struct arena *arena, size_t keep_bytes);
/* Give all memory back; ARENA is as after arena_init. */
void arena_clear(struct arena *arena);
/* Forget every allocation, keep memory up to keep_bytes. */
void arena_reset(struct arena *arena);

/*
 * COUNT times SIZE zeroed bytes at an address that is a multiple of ALIGN (a power of two, at most
 * 64).  NULL when the product overflows or memory is out.  COUNT or SIZE 0 gives a valid pointer.
 */
void *arena_alloc(struct arena *arena, size_t count, size_t size, size_t align);
/* SIZE bytes aligned as in arena_alloc, not zeroed: for memory that is written at once. */
void *arena_alloc_raw(struct arena *arena, size_t size, size_t align);
/* A copy of B, followed by a NUL that is not counted; data is NULL when memory is out. */
struct bytes arena_copy(struct arena *arena, struct bytes b);
/* A formatted string with a NUL; NULL when memory is out. */
char *
arena_format(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* One zeroed TYPE, or COUNT of them, in ARENA; NULL when memory is out. */
#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), 1, sizeof(type), _Alignof(type)))
#define ARENA_ARRAY(arena, count, type) \
    ((type *)arena_alloc((arena), (count), sizeof(type), _Alignof(type)))

#endif
