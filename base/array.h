/*
 * Array: items that grow at the end, in memory from malloc or from an arena.
 *
 * An array is three variables of its owner: a pointer to the items, their number and the capacity,
 * both of type size_t or both uint32_t; all zero is the empty array.  These macros make room and
 * change the pointer and the capacity; the owner writes the items and counts them.  Capacities
 * double, so N items cost about 2 N copies at most.
 */
#ifndef STRATA_BASE_ARRAY_H
#define STRATA_BASE_ARRAY_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/*
 * bool ARRAY_RESERVE(ITEMS, N, CAPACITY, N_MORE): make room for N_MORE items after the first N.
 * ITEMS and CAPACITY must be variables or members; ITEMS comes from malloc and is the caller's to
 * free; N is at most CAPACITY.  False when memory is out or the capacity cannot count that many;
 * nothing has changed then. The new items are not initialised.
 */
#define ARRAY_RESERVE(items, n, capacity, n_more) ARRAY_RESERVE_IN(NULL, items, n, capacity, n_more)

/* The same in ARENA (not NULL), which keeps the memory of smaller arrays until it is reset. */
/* clang-format off */
#define ARRAY_RESERVE_IN(arena, items, n, capacity, n_more)                                      \
    (array_has_room((n), (capacity), (n_more)) ||                                                \
     _Generic((capacity), uint32_t: array_grow_u32, size_t: array_grow)(                         \
         (arena), &(items), (n), &(capacity), (n_more), sizeof(*(items)), __alignof__(*(items))))
/* clang-format on */

/* Is there room for N_MORE items after N of CAPACITY? */
static inline bool
array_has_room(size_t n, size_t capacity, size_t n_more)
{
    assert(n <= capacity);
    return capacity - n >= n_more;
}

/*
 * What the macros call, with the capacity as size_t or as uint32_t: ITEMS points to the pointer to
 * N items of SIZE bytes each, aligned to ALIGN; *CAPACITY, at least N, is how many the memory
 * holds.
 */
bool array_grow(struct arena *arena, void *items, size_t n, size_t *capacity, size_t n_more,
                size_t size, size_t align);
bool array_grow_u32(struct arena *arena, void *items, size_t n, uint32_t *capacity, size_t n_more,
                    size_t size, size_t align);

#endif
