/*
 * Growing an array: one function for all types of items.
 *
 * The caller's pointer is read and written as bytes, because a pointer to a struct may not be
 * accessed through one to void.  Sizes are checked before memory is taken, and the caller's
 * variables change last, so a failure leaves them as they were.
 */
#include "base/array.h"

#include <stdlib.h>
#include <string.h>

enum { CAPACITY_FIRST = 8 };

/* The capacity, at most MAX, for N + N_MORE items; 0 when there is none. */
static size_t
larger_capacity(size_t n, size_t capacity, size_t n_more, size_t max)
{
    if (n_more > max - n)
        return 0;
    size_t needed = n + n_more;
    size_t larger = capacity > max / 2 ? max : capacity * 2;
    if (larger < CAPACITY_FIRST)
        larger = CAPACITY_FIRST;
    return larger < needed ? needed : larger;
}

bool
array_grow(struct arena *arena, void *items, size_t n, size_t *capacity, size_t n_more, size_t size,
           size_t align)
{
    void *old, *grown;
    size_t larger = larger_capacity(n, *capacity, n_more, PTRDIFF_MAX / size);
    assert(n <= *capacity && size > 0);
    if (larger == 0)
        return false;
    memcpy(&old, items, sizeof(old));
    assert(old || n == 0);
    if (arena) {
        grown = arena_alloc_raw(arena, larger * size, align);
        if (grown && n)
            memcpy(grown, old, n * size);
    } else {
        grown = realloc(old, larger * size);
    }
    if (!grown)
        return false;
    memcpy(items, &grown, sizeof(grown));
    *capacity = larger;
    return true;
}

bool
array_grow_u32(struct arena *arena, void *items, size_t n, uint32_t *capacity, size_t n_more,
               size_t size, size_t align)
{
    size_t larger = *capacity;
    if (n_more > UINT32_MAX - n)
        return false;
    if (!array_grow(arena, items, n, &larger, n_more, size, align))
        return false;
    *capacity = larger > UINT32_MAX ? UINT32_MAX : (uint32_t)larger;
    return true;
}
