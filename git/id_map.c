/* Open addressing with linear probing, at most half full. */
#include "git/id_map.h"

#include "base/map.h"

enum { SLOTS_MIN = 64 };

struct slot {
    struct oid id; /* len 0: free */
    uint32_t number;
};

void
id_map_init(struct id_map *map)
{
    *map = (struct id_map){.n_ids = 0};
    spill_init(&map->slots, sizeof(struct slot));
}

void
id_map_clear(struct id_map *map)
{
    spill_clear(&map->slots);
    map->n_ids = 0;
}

/* The slot of ID, or the free one where it belongs.  There is always a free one. */
static int
find(const struct spill *slots, const struct oid *id, size_t *at, struct slot *slot,
     struct err *err)
{
    size_t mask = slots->n_items - 1;
    for (*at = (size_t)map_hash(oid_bytes(id)) & mask;; *at = (*at + 1) & mask) {
        if (spill_get(slots, *at, slot, err) < 0)
            return -1;
        if (slot->id.len == 0 || oid_equal(&slot->id, id))
            return 0;
    }
}

static int
grow(struct id_map *map, struct err *err)
{
    struct spill larger;
    struct slot slot, there;
    size_t at;
    size_t n = map->slots.n_items;
    spill_init(&larger, sizeof(slot));
    if (spill_extend(&larger, n ? 2 * n : SLOTS_MIN, err) < 0)
        goto fail;
    for (size_t i = 0; i < n; i++) {
        if (spill_get(&map->slots, i, &slot, err) < 0)
            goto fail;
        if (slot.id.len && (find(&larger, &slot.id, &at, &there, err) < 0 ||
                            spill_put(&larger, at, &slot, err) < 0))
            goto fail;
    }
    spill_clear(&map->slots);
    map->slots = larger;
    return 0;

fail:
    spill_clear(&larger);
    return -1;
}

int
id_map_get(const struct id_map *map, const struct oid *id, uint32_t *out, struct err *err)
{
    struct slot slot;
    size_t at;
    if (map->n_ids == 0)
        return 0;
    if (find(&map->slots, id, &at, &slot, err) < 0)
        return -1;
    *out = slot.number;
    return slot.id.len != 0;
}

int
id_map_set(struct id_map *map, const struct oid *id, uint32_t number, struct err *err)
{
    struct slot slot = {0};
    size_t at;
    if (2 * (map->n_ids + 1) > map->slots.n_items && grow(map, err) < 0)
        return -1;
    if (find(&map->slots, id, &at, &slot, err) < 0)
        return -1;
    map->n_ids += slot.id.len == 0;
    slot = (struct slot){*id, number};
    return spill_put(&map->slots, at, &slot, err);
}
