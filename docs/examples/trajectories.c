/*
 * What a store holds: prints each trajectory with its checkpoints and the number of their files.
 * usage: trajectories STORE
 *
 * A reader is a snapshot and belongs to one thread; what it reads is in the arena of the caller.
 */
#include <stdio.h>

#include "base/base.h"
#include "store/store.h"

static int
print_trajectory(struct store_reader *reader, struct bytes id, struct arena *arena, struct err *err)
{
    struct store_checkpoint *checkpoints;
    size_t n;
    if (store_get_checkpoints(reader, id, arena, &checkpoints, &n, err) < 0)
        return -1;
    printf("%.*s\n", BYTES_ARG(id));
    for (size_t i = 0; i < n; i++) {
        struct store_file *files;
        size_t n_files;
        switch (store_get_listing(reader, &checkpoints[i].listing, arena, &files, &n_files, err)) {
        case STORE_FOUND:
            printf("  %.*s: %zu files\n", BYTES_ARG(checkpoints[i].name), n_files);
            break;
        case STORE_MISSING:
            printf("  %.*s: its listing is missing\n", BYTES_ARG(checkpoints[i].name));
            break;
        case STORE_FAILED:
            return -1;
        }
    }
    return 0;
}

static int
print_store(struct store *store, struct err *err)
{
    struct store_reader *reader;
    struct arena ids_arena, arena;
    struct bytes *ids;
    size_t n;
    if (store_reader_open(store, &reader, err) < 0)
        return -1;
    arena_init(&ids_arena, 0);
    arena_init(&arena, 0);
    int rc = store_list_trajectories(reader, &ids_arena, &ids, &n, err);
    for (size_t i = 0; rc == 0 && i < n; i++) {
        arena_reset(&arena);
        rc = print_trajectory(reader, ids[i], &arena, err);
    }
    arena_clear(&arena);
    arena_clear(&ids_arena);
    store_reader_close(reader);
    return rc;
}

int
main(int argc, char **argv)
{
    struct store *store;
    struct err err;
    if (argc != 2) {
        fputs("usage: trajectories STORE\n", stderr);
        return 2;
    }
    struct store_options options = {.path = argv[1], .mode = STORE_READ};
    int rc = store_open(&options, &store, &err);
    if (rc == 0) {
        rc = print_store(store, &err);
        store_close(store);
    }
    if (rc < 0)
        fprintf(stderr, "trajectories: %s\n", err.text);
    return rc < 0;
}
