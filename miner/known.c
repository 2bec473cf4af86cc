/*
 * What the store has: a reader of its newest snapshot and look-ups in it.  A value whose checksum
 * is wrong counts as missing, so that it is mined again.
 */
#include "miner/known.h"

#include "base/map.h"

int
known_init(struct known *known, const struct job_context *context, struct err *err)
{
    known->context = context;
    return store_reader_open(context->store, &known->reader, err);
}

void
known_clear(struct known *known)
{
    store_reader_close(known->reader);
}

int
known_wants(void *context, const struct oid *blob, struct err *err)
{
    struct known *known = context;
    return store_wants(known->reader, blob, &known->context->fingerprint,
                       &known->context->rules.groups, err);
}

/* 0 when WHY is a damaged value, which is mined again; else -1. */
static int
absent_or_failed(const struct err *err)
{
    return err->code == ERR_DAMAGED || err->code == ERR_UNSUPPORTED ? 0 : -1;
}

int
known_trajectory(struct known *known, struct bytes id, struct arena *arena,
                 struct store_trajectory *out, struct err *err)
{
    switch (store_get_trajectory(known->reader, id, arena, out, err)) {
    case STORE_FOUND:
        return bytes_equal(out->params, known->context->params);
    case STORE_MISSING:
        return 0;
    case STORE_FAILED:
        break;
    }
    return absent_or_failed(err);
}

int
known_checkpoints(struct known *known, struct bytes id, struct arena *arena,
                  struct store_checkpoint **out, size_t *n_out, struct err *err)
{
    if (store_get_checkpoints(known->reader, id, arena, out, n_out, err) == 0)
        return 0;
    *n_out = 0;
    return absent_or_failed(err);
}

/* Does the store have everything that is wanted of FILES?  SEEN has the blobs that were checked
 * before. */
static int
has_files(struct known *known, const struct store_file *files, size_t n_files, struct map *seen,
          struct err *err)
{
    for (size_t i = 0; i < n_files; i++) {
        bool is_new;
        if (!map_put(seen, oid_bytes(&files[i].blob), &is_new))
            return err_nomem(err, "blobs of a trajectory");
        int wants = is_new ? known_wants(known, &files[i].blob, err) : 0;
        if (wants != 0)
            return wants < 0 ? -1 : 0;
    }
    return 1;
}

int
known_is_whole(struct known *known, const struct store_checkpoint *checkpoints,
               size_t n_checkpoints, uint64_t *n_files, uint64_t *n_blobs, struct err *err)
{
    struct map seen;
    struct arena arena;
    map_init(&seen);
    arena_init(&arena, 0);
    *n_files = 0;
    int whole = 1;
    for (size_t i = 0; i < n_checkpoints && whole > 0; i++) {
        struct store_file *files;
        size_t n;
        if (checkpoints[i].author_date == STORE_AUTHOR_UNRECORDED) {
            whole = 0;
            break;
        }
        enum store_outcome outcome =
            store_get_listing(known->reader, &checkpoints[i].listing, &arena, &files, &n, err);
        if (outcome == STORE_FOUND)
            whole = has_files(known, files, n, &seen, err);
        else
            whole = outcome == STORE_MISSING ? 0 : absent_or_failed(err);
        if (whole > 0)
            *n_files += n;
        arena_reset(&arena);
    }
    *n_blobs = seen.n_entries;
    arena_clear(&arena);
    map_clear(&seen);
    return whole;
}
