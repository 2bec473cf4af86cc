/* Run a fuzz target over every file below the folders named on the command line. */
#include <stdio.h>

#include "base/base.h"
#include "fuzz.h"

static int
replay_file(const char *path)
{
    struct buf input = {0};
    struct err err;
    int result = fs_read(path, SIZE_MAX / 2, &input, &err);
    if (result < 0) {
        fprintf(stderr, "%s\n", err.text);
    } else {
        /* A copy of the very size, so that AddressSanitizer sees a read past its end. */
        struct arena arena;
        arena_init(&arena, 0);
        struct bytes copy = arena_copy(&arena, buf_bytes(&input));
        LLVMFuzzerTestOneInput(copy.data, copy.len);
        arena_clear(&arena);
    }
    buf_clear(&input);
    return result;
}

int
main(int argc, char **argv)
{
    struct arena arena;
    arena_init(&arena, 0);
    size_t n_replayed = 0;
    for (int i = 1; i < argc; i++) {
        struct fs_entry *entries;
        size_t n_entries;
        struct err err;
        if (fs_list(argv[i], NULL, NULL, &arena, &entries, &n_entries, &err) < 0) {
            fprintf(stderr, "%s\n", err.text);
            return 1;
        }
        for (size_t k = 0; k < n_entries; k++) {
            char *path = arena_format(&arena, "%s/%.*s", argv[i], BYTES_ARG(entries[k].path));
            if (!path || replay_file(path) < 0)
                return 1;
            n_replayed++;
        }
    }
    arena_clear(&arena);
    printf("%zu inputs replayed\n", n_replayed);
    return n_replayed == 0;
}
