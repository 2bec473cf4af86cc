/*
 * Map: byte keys to 64-bit values.
 *
 * Open addressing with linear probing over XXH3 hashes, kept under three quarters full; a lookup
 * touches one cache line of slots and one key in the common case.  Keys are copied into the map.
 * Order of iteration is order of insertion, so it never depends on the hash.
 */
#ifndef STRATA_BASE_MAP_H
#define STRATA_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/bytes.h"

struct map_entry {
    struct bytes key; /* the map's own copy */
    uint64_t hash;
    uint64_t value;
};

struct map {
    struct map_entry *entries; /* in order of insertion */
    size_t n_entries;
    size_t capacity; /* of entries */
    uint32_t *slots; /* index into entries plus one; 0 is free */
    size_t n_slots;  /* a power of two, or 0 */
    struct arena keys;
};

/* Make MAP empty.  {0} is not enough: the arena of keys needs its own init. */
void map_init(struct map *map);
/* Free the memory; MAP is as after map_init. */
void map_clear(struct map *map);
/* Make MAP empty and keep its memory. */
void map_reset(struct map *map);

/* The value of KEY, or NULL when MAP lacks it; valid until the next map_put. */
uint64_t *map_get(const struct map *map, struct bytes key);
/*
 * The value of KEY, which is added with value 0 when MAP lacks it; *IS_NEW says whether it was.
 * IS_NEW may be NULL.  NULL when memory is out (or past 2^32 - 2 keys); then nothing has changed.
 */
uint64_t *map_put(struct map *map, struct bytes key, bool *is_new);

/* The 64-bit hash the map uses, for callers that shard by it. */
uint64_t map_hash(struct bytes key);

#endif
