/*
 * Source: where the outputs of runs are read from, a folder on disk or a revision of a repository.
 *
 * Links are listed and never followed.  A source belongs to one thread.  Repositories are read, and
 * files hashed, between git_library_begin and git_library_end only.
 */
#ifndef STRATA_RUNNER_READ_SOURCE_H
#define STRATA_RUNNER_READ_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/oid.h"

/* A file, folder or link. */
struct source_entry {
    struct bytes
        name;      /* from source_list the last part, from source_walk the path below the folder */
    uint32_t mode; /* as git writes it: 040000 is a folder */
    struct oid blob; /* len 0 on disk: the file must be hashed */
};

/* Is ENTRY a folder? */
static inline bool
source_is_folder(const struct source_entry *entry)
{
    return (entry->mode & 0170000) == 0040000;
}

/* Is ENTRY a regular file?  Links are neither. */
static inline bool
source_is_file(const struct source_entry *entry)
{
    return (entry->mode & 0170000) == 0100000;
}

struct source;

/* A folder on disk, or a tree of a repository. */
struct source_place {
    const char *folder;      /* NULL: the tree */
    const char *objects_dir; /* of the repository; in the arena of source_resolve */
    struct oid tree;
};

/*
 * Set OUT to the folder PREFIX (empty: the root) of REVISION (empty: HEAD) of the repository in the
 * folder PATH, and *COMMIT to the commit of it (len 0 when REVISION is a tree).  Texts are in
 * ARENA. ERR_INPUT: no such repository, revision or folder; ERR_DAMAGED; ERR_NOMEM.
 */
int
source_resolve(const char *path, struct bytes revision, struct bytes prefix, struct arena *arena,
               struct source_place *out, struct oid *commit, struct err *err);

/* Open PLACE, which is borrowed until the source is closed.  *out is the caller's, to source_close.
 * ERR_INPUT, ERR_NOMEM. */
int source_open(const struct source_place *place, struct source **out, struct err *err);
/* Close SOURCE.  NULL is fine. */
void source_close(struct source *source);

/* The first thing wrong with the trees that were listed since the last call, as a sentence; NULL
 * when nothing was.  What could be used of them was listed. */
const char *source_take_defect(struct source *source);

/* List FOLDER, a path below the place ("" is the place itself), sorted by name, into ARENA. */
int source_list(struct source *source, struct bytes folder, struct arena *arena,
                struct source_entry **out, size_t *n_out, struct err *err);
/* Enter the folder NAME, the last part of its path? */
typedef bool source_enter(void *context, struct bytes name);
/* List all files and links below FOLDER in bytewise order of paths, except in folders that ENTER
 * (may be NULL) refuses.  ERR_UNSUPPORTED: more files or longer paths than are read. */
int source_walk(struct source *source, struct bytes folder, source_enter *enter, void *context,
                struct arena *arena, struct source_entry **out, size_t *n_out, struct err *err);
/* The entry NAME among N sorted ENTRIES, or NULL. */
const struct source_entry *
source_find(const struct source_entry *entries, size_t n, const char *name);

/*
 * Append the content of the file ENTRY of FOLDER to OUT.  ERR_UNSUPPORTED: it has more than
 * MAX_BYTES, and *SIZE (may be NULL) is how many; ERR_INPUT, ERR_DAMAGED, ERR_IO: it cannot be
 * read.
 */
int source_read(struct source *source, struct bytes folder, const struct source_entry *entry,
                size_t max_bytes, struct buf *out, uint64_t *size, struct err *err);
/* The blob id of a file that source_read found too large.  ERR_IO, ERR_NOMEM. */
int source_hash_large(struct source *source, struct bytes folder, const struct source_entry *entry,
                      struct oid *out, struct err *err);

#endif
