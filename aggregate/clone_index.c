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
    if (index->round == UINT32_MAX) {
        if (index->n_slots)
            memset(index->slots, 0, index->n_slots * sizeof(*index->slots));
        index->round = 0;
    }
    index->round++;
    index->n_groups = 0;
}

static bool
is_taken(const struct clone_index *index, const struct clone_slot *slot)
{
    return slot->round == index->round;
}

/* Where HASH is, or would go. */
static struct clone_slot *
find_slot(const struct clone_index *index, const uint64_t hash[2])
{
    size_t at = (size_t)hash[0] & (index->n_slots - 1);
    while (is_taken(index, &index->slots[at]) &&
           (index->slots[at].hash[0] != hash[0] || index->slots[at].hash[1] != hash[1]))
        at = (at + 1) & (index->n_slots - 1);
    return &index->slots[at];
}

static int
grow(struct clone_index *index, struct err *err)
{
    struct clone_index larger = *index;
    larger.round = index->round ? index->round : 1; /* new slots are of round 0 */
    larger.n_slots = index->n_slots ? index->n_slots * 2 : SLOTS_MIN;
    larger.members = reallocarray(index->members, larger.n_slots / 2, sizeof(*larger.members));
    if (!larger.members)
        return err_nomem(err, "clone groups");
    index->members = larger.members;
    larger.slots = calloc(larger.n_slots, sizeof(*larger.slots));
    if (!larger.slots)
        return err_nomem(err, "clone groups");
    for (size_t i = 0; i < index->n_slots; i++)
        if (is_taken(index, &index->slots[i]))
            *find_slot(&larger, index->slots[i].hash) = index->slots[i];
    free(index->slots);
    *index = larger;
    return 0;
}

int
clone_index_group(struct clone_index *index, const struct clone_candidate *candidate,
                  uint32_t *group, struct err *err)
{
    if (index->n_groups * 2 >= index->n_slots && grow(index, err) < 0)
        return -1;
    struct clone_slot *slot = find_slot(index, candidate->hash);
    if (!is_taken(index, slot)) {
        *slot = (struct clone_slot){
            {candidate->hash[0], candidate->hash[1]}, (uint32_t)index->n_groups, index->round};
        index->members[index->n_groups++] = 0;
    }
    *group = slot->group;
    return 0;
}
