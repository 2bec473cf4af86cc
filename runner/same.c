/*
 * A trajectory is compared field by field with the stored one, so that ingesting it again writes
 * nothing.  A damaged one counts as different and is written again.
 */
#include "runner/same.h"

static bool
same_notes(const struct store_note *a, uint32_t n_a, const struct store_note *b, uint32_t n_b)
{
    if (n_a != n_b)
        return false;
    for (uint32_t i = 0; i < n_a; i++)
        if (!bytes_equal(a[i].what, b[i].what) || !bytes_equal(a[i].reason, b[i].reason))
            return false;
    return true;
}

static bool
same_about(const struct store_trajectory *a, const struct store_trajectory *b)
{
    return bytes_equal(a->kind, b->kind) && bytes_equal(a->origin, b->origin) &&
           a->stars == b->stars && bytes_equal(a->ref, b->ref) && oid_equal(&a->head, &b->head) &&
           bytes_equal(a->params, b->params) && a->status == b->status &&
           a->n_checkpoints == b->n_checkpoints &&
           same_notes(a->notes, a->n_notes, b->notes, b->n_notes);
}

static bool
same_checkpoint(const struct store_checkpoint *a, const struct store_checkpoint *b)
{
    return a->ordinal == b->ordinal && bytes_equal(a->name, b->name) &&
           a->has_time == b->has_time && a->time_s == b->time_s &&
           bytes_equal(a->date_problem, b->date_problem) &&
           memcmp(&a->listing, &b->listing, sizeof(a->listing)) == 0 &&
           bytes_equal(a->record, b->record) &&
           same_notes(a->notes, a->n_notes, b->notes, b->n_notes);
}

static int
compare(struct store_reader *reader, const struct store_trajectory *trajectory,
        const struct store_checkpoint *checkpoints, size_t n, struct arena *arena, struct err *err)
{
    struct store_trajectory about;
    struct store_checkpoint *stored;
    size_t n_stored;
    switch (store_get_trajectory(reader, trajectory->id, arena, &about, err)) {
    case STORE_FAILED:
        return -1;
    case STORE_MISSING:
        return 0;
    case STORE_FOUND:
        break;
    }
    if (!same_about(&about, trajectory))
        return 0;
    if (store_get_checkpoints(reader, trajectory->id, arena, &stored, &n_stored, err) < 0)
        return -1;
    bool same = n_stored == n;
    for (size_t i = 0; same && i < n; i++)
        same = same_checkpoint(&stored[i], &checkpoints[i]);
    return same;
}

int
same_trajectory(struct store_reader *reader, const struct store_trajectory *trajectory,
                const struct store_checkpoint *checkpoints, size_t n, struct err *err)
{
    struct arena arena;
    arena_init(&arena, 0);
    int same = compare(reader, trajectory, checkpoints, n, &arena, err);
    arena_clear(&arena);
    return same < 0 && err->code == ERR_DAMAGED ? 0 : same;
}
