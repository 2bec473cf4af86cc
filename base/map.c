/* Entries are in one array in order of insertion; slots hold their indices.  Growing rehashes the
 * slots only, from the hash kept in each entry. */
#include "base/map.h"

#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/array.h"

void
map_init(struct map *map)
{
    *map = (struct map){0};
    arena_init(&map->keys, 0);
}

void
map_clear(struct map *map)
{
    free(map->entries);
    free(map->slots);
    arena_clear(&map->keys);
    map_init(map);
}

void
map_reset(struct map *map)
{
    map->n_entries = 0;
    if (map->n_slots)
        memset(map->slots, 0, map->n_slots * sizeof(*map->slots));
    arena_reset(&map->keys);
}

uint64_t
map_hash(struct bytes key)
{
    return XXH3_64bits(key.data ? key.data : (const uint8_t *)"", key.len);
}

/* The slot of KEY: where it is, or the free one where it would go.  The table has free slots. */
static size_t
find_slot(const struct map *map, struct bytes key, uint64_t hash)
{
    size_t mask = map->n_slots - 1;
    size_t at = (size_t)hash & mask;
    while (map->slots[at]) {
        const struct map_entry *entry = &map->entries[map->slots[at] - 1];
        if (entry->hash == hash && bytes_equal(entry->key, key))
            break;
        at = (at + 1) & mask;
    }
    return at;
}

uint64_t *
map_get(const struct map *map, struct bytes key)
{
    if (map->n_entries == 0)
        return NULL;
    uint32_t index = map->slots[find_slot(map, key, map_hash(key))];
    return index ? &map->entries[index - 1].value : NULL;
}

static int
grow_slots(struct map *map)
{
    size_t n_slots = map->n_slots ? map->n_slots * 2 : 64;
    uint32_t *slots = calloc(n_slots, sizeof(*slots));
    if (!slots)
        return -1;
    for (size_t i = 0; i < map->n_entries; i++) {
        size_t at = (size_t)map->entries[i].hash & (n_slots - 1);
        while (slots[at])
            at = (at + 1) & (n_slots - 1);
        slots[at] = (uint32_t)(i + 1);
    }
    free(map->slots);
    map->slots = slots;
    map->n_slots = n_slots;
    return 0;
}

uint64_t *
map_put(struct map *map, struct bytes key, bool *is_new)
{
    if (is_new)
        *is_new = false;
    if (map->n_entries >= map->n_slots / 4 * 3 && grow_slots(map) < 0)
        return NULL;
    uint64_t hash = map_hash(key);
    size_t at = find_slot(map, key, hash);
    if (map->slots[at])
        return &map->entries[map->slots[at] - 1].value;
    if (map->n_entries >= UINT32_MAX - 1)
        return NULL;
    if (!ARRAY_RESERVE(map->entries, map->n_entries, map->capacity, 1))
        return NULL;
    struct bytes copy = arena_copy(&map->keys, key);
    if (!copy.data)
        return NULL;
    map->entries[map->n_entries++] = (struct map_entry){.key = copy, .hash = hash};
    map->slots[at] = (uint32_t)map->n_entries;
    if (is_new)
        *is_new = true;
    return &map->entries[map->n_entries - 1].value;
}
