#include "aggregate/clone_index.h"

#include <stdlib.h>

void
clone_index_init(struct clone_index *index)
{
    *index = (struct clone_index){0};
    map_init(&index->groups);
}

void
clone_index_clear(struct clone_index *index)
{
    map_clear(&index->groups);
    free(index->members);
    clone_index_init(index);
}

void
clone_index_reset(struct clone_index *index)
{
    map_reset(&index->groups);
}

static int
make_room(struct clone_index *index, size_t n, struct err *err)
{
    if (n <= index->capacity)
        return 0;
    size_t capacity = index->capacity ? index->capacity * 2 : 256;
    uint32_t *members = reallocarray(index->members, capacity, sizeof(*members));
    if (!members)
        return err_nomem(err, "clone groups");
    index->members = members;
    index->capacity = capacity;
    return 0;
}

int
clone_index_group(struct clone_index *index, const struct clone_candidate *candidate,
                  uint32_t *group, struct err *err)
{
    if (make_room(index, index->groups.n_entries + 1, err) < 0)
        return -1;
    struct bytes key = {(const uint8_t *)candidate->hash, sizeof(candidate->hash)};
    bool is_new;
    uint64_t *value = map_put(&index->groups, key, &is_new);
    if (!value)
        return err_nomem(err, "clone groups");
    if (is_new) {
        *value = index->groups.n_entries - 1;
        index->members[*value] = 0;
    }
    *group = (uint32_t)*value;
    return 0;
}
