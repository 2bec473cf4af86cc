/*
 * Grouping records by a key.
 *
 * A map gives each new key the next number; then every group gets its part of one array of records.
 */
#include "aggregate/records/groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"

static void
append_part(struct buf *key, struct bytes part)
{
    buf_append_varint(key, part.len);
    buf_append_bytes(key, part);
}

void
group_by_problem(const struct record *record, struct buf *key)
{
    append_part(key, record->problem);
}

void
group_by_run(const struct record *record, struct buf *key)
{
    append_part(key, record->setup.model);
    append_part(key, record->setup.variant);
    append_part(key, record->setup.run);
}

/* Set NUMBERS[i] to the group of record i; MAP numbers groups in order of first appearance.  -1:
 * memory is out. */
static int
number_records(const struct record *const *records, size_t n, group_key *key, struct map *map,
               size_t *numbers)
{
    struct buf text = {0};
    for (size_t i = 0; i < n; i++) {
        buf_reset(&text);
        key(records[i], &text);
        bool is_new;
        uint64_t *number = buf_failed(&text) ? NULL : map_put(map, buf_bytes(&text), &is_new);
        if (!number) {
            buf_clear(&text);
            return -1;
        }
        if (is_new)
            *number = map->n_entries - 1;
        numbers[i] = (size_t)*number;
    }
    buf_clear(&text);
    return 0;
}

/* Give every group its records.  -1: memory is out. */
static int
fill(const struct record *const *records, size_t n, const size_t *numbers, struct groups *out)
{
    const struct record **next = ARENA_ARRAY(&out->arena, n, const struct record *);
    out->items = ARENA_ARRAY(&out->arena, out->n_items, struct group);
    if (!next || !out->items)
        return -1;
    for (size_t i = 0; i < n; i++)
        out->items[numbers[i]].n_records++;
    for (size_t group = 0; group < out->n_items; group++) {
        out->items[group].records = next;
        next += out->items[group].n_records;
        out->items[group].n_records = 0;
    }
    for (size_t i = 0; i < n; i++) {
        struct group *group = &out->items[numbers[i]];
        group->records[group->n_records++] = records[i];
    }
    return 0;
}

int
groups_of(const struct record *const *records, size_t n, group_key *key, struct groups *out,
          struct err *err)
{
    *out = (struct groups){0};
    arena_init(&out->arena, 0);
    struct map map;
    map_init(&map);
    size_t *numbers = calloc(n + 1, sizeof(*numbers));
    int rc = numbers ? number_records(records, n, key, &map, numbers) : -1;
    out->n_items = map.n_entries;
    if (rc == 0)
        rc = fill(records, n, numbers, out);
    free(numbers);
    map_clear(&map);
    if (rc == 0)
        return 0;
    groups_clear(out);
    return err_nomem(err, "groups of records");
}

void
groups_clear(struct groups *groups)
{
    arena_clear(&groups->arena);
    *groups = (struct groups){0};
}
