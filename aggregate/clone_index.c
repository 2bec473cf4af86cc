/* Candidates' hashes are evenly spread already, so their low bits choose the slot: base's map,
 * which hashes and copies its keys, took a sixth of the time of a score. */
#include "aggregate/clone_index.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS_MIN = 1024 };

void
clone_index_clear(struct clone_index *index)
{
    free(index->slots);
    free(index->members);
    *index = (struct clone_index){0};
}

void
clone_index_reset(struct clone_index *index)
{
    if (index->n_groups)
        memset(index->slots, 0, index->n_slots * sizeof(*index->slots));
    index->n_groups = 0;
}

/* Where HASH is, or would go. */
static struct clone_slot *
find_slot(struct clone_slot *slots, size_t n_slots, const uint64_t hash[2])
{
    size_t at = (size_t)hash[0] & (n_slots - 1);
    while (slots[at].group && (slots[at].hash[0] != hash[0] || slots[at].hash[1] != hash[1]))
        at = (at + 1) & (n_slots - 1);
    return &slots[at];
}

static int
grow(struct clone_index *index, struct err *err)
{
    size_t n_slots = index->n_slots ? index->n_slots * 2 : SLOTS_MIN;
    uint32_t *members = reallocarray(index->members, n_slots / 2, sizeof(*members));
    if (!members)
        return err_nomem(err, "clone groups");
    index->members = members;
    struct clone_slot *slots = calloc(n_slots, sizeof(*slots));
    if (!slots)
        return err_nomem(err, "clone groups");
    for (size_t i = 0; i < index->n_slots; i++)
        if (index->slots[i].group)
            *find_slot(slots, n_slots, index->slots[i].hash) = index->slots[i];
    free(index->slots);
    index->slots = slots;
    index->n_slots = n_slots;
    return 0;
}

int
clone_index_group(struct clone_index *index, const struct clone_candidate *candidate,
                  uint32_t *group, struct err *err)
{
    if (index->n_groups * 2 >= index->n_slots && grow(index, err) < 0)
        return -1;
    struct clone_slot *slot = find_slot(index->slots, index->n_slots, candidate->hash);
    if (!slot->group) {
        index->members[index->n_groups] = 0;
        *slot = (struct clone_slot){{candidate->hash[0], candidate->hash[1]},
                                    (uint32_t)++index->n_groups};
    }
    *group = slot->group - 1;
    return 0;
}
