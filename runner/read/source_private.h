/*
 * The two kinds of source behind one set of functions.
 */
#ifndef STRATA_RUNNER_READ_SOURCE_PRIVATE_H
#define STRATA_RUNNER_READ_SOURCE_PRIVATE_H

#include "runner/read/source.h"

/* As the functions of source.h with these names. */
struct source_kind {
    int (*open)(const struct source_place *place, void **self, struct err *err);
    void (*close)(void *self);
    int (*list)(void *self, struct bytes folder, struct arena *arena, struct source_entry **out,
                size_t *n_out, struct err *err);
    int (*read)(void *self, struct bytes folder, const struct source_entry *entry, size_t max_bytes,
                struct buf *out, uint64_t *size, struct err *err);
    int (*hash_large)(void *self, struct bytes folder, const struct source_entry *entry,
                      struct oid *out, struct err *err);
};

extern const struct source_kind source_folder;
extern const struct source_kind source_git;

/* The id of the blob in the file at PATH, however large. */
int source_hash_file(const char *path, struct oid *out, struct err *err);

#endif
