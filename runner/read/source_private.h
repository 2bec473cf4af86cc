/*
 * The two kinds of source, which source.c calls through one set of functions.
 */
#ifndef STRATA_RUNNER_READ_SOURCE_PRIVATE_H
#define STRATA_RUNNER_READ_SOURCE_PRIVATE_H

#include "runner/read/source.h"

/* The functions of source.h with these names, for one kind.  SELF is what open made. */
struct source_kind {
    int (*open)(const struct source_place *place, void **self, struct err *err);
    void (*close)(void *self);
    int (*list)(void *self, struct bytes folder, struct arena *arena, struct source_entry **out,
                size_t *n_out, const char **defect, struct err *err);
    int (*read)(void *self, struct bytes folder, const struct source_entry *entry, size_t max_bytes,
                struct buf *out, uint64_t *size, struct err *err);
    int (*hash_large)(void *self, struct bytes folder, const struct source_entry *entry,
                      struct oid *out, struct err *err);
};

extern const struct source_kind source_folder;
extern const struct source_kind source_git;

#endif
