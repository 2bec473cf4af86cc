/*
 * Source: where the outputs of runs are read from, a folder on disk or a revision of a repository.
 *
 * Links are listed and never followed.  A source belongs to one thread; source_begin comes before
 * the first, source_end after the last.  libgit2 shows in source_git.c only.
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

/* What is in a folder.  Modes are as git spells them: 040000 is a folder. */
struct source_entry {
    struct bytes
        name; /* of source_list: the last part; of source_walk: the path below the folder */
    uint32_t mode;
    struct oid blob; /* len 0 when it would have to be read to be known */
};

static inline bool
source_is_folder(const struct source_entry *entry)
{
    return (entry->mode & 0170000) == 0040000;
}

static inline bool
source_is_file(const struct source_entry *entry)
{
    return (entry->mode & 0170000) == 0100000;
}

struct source;

/* A folder on disk, or the folder PREFIX of a commit or tree of a repository. */
struct source_place {
    const char *folder; /* NULL: the repository */
    const char *repository;
    struct oid tree; /* of source_resolve */
};

/* Prepare libgit2; settings of the whole process.  Each success wants one source_end. */
int source_begin(struct err *err);
void source_end(void);

/* The tree PREFIX (empty: the root) of REVISION (empty: HEAD) of the repository in the folder PATH,
 * and the commit it belongs to (len 0 when REVISION is a tree).  ERR_INPUT, ERR_DAMAGED. */
int source_resolve(const char *path, struct bytes revision, struct bytes prefix, struct oid *tree,
                   struct oid *commit, struct err *err);

/* *out is the caller's, to source_close; PLACE is borrowed until then.  ERR_INPUT. */
int source_open(const struct source_place *place, struct source **out, struct err *err);
void source_close(struct source *source);

/* What is in FOLDER, a path below the place ("" is the place itself), by name, into ARENA. */
int source_list(struct source *source, struct bytes folder, struct arena *arena,
                struct source_entry **out, size_t *n_out, struct err *err);
/* Called for each folder before it is entered; NAME is its last part. */
typedef bool source_enter(void *context, struct bytes name);
/* All files and links below FOLDER in bytewise order of paths; ENTER (may be NULL) can leave
 * folders out. */
int source_walk(struct source *source, struct bytes folder, source_enter *enter, void *context,
                struct arena *arena, struct source_entry **out, size_t *n_out, struct err *err);
/* The entry NAME among N sorted ENTRIES, or NULL. */
const struct source_entry *
source_find(const struct source_entry *entries, size_t n, const char *name);

/* Append the content of the file ENTRY of FOLDER to OUT.  ERR_UNSUPPORTED: over MAX_BYTES, *SIZE
 * (may be NULL) says how large; ERR_INPUT, ERR_DAMAGED, ERR_IO: it cannot be had. */
int source_read(struct source *source, struct bytes folder, const struct source_entry *entry,
                size_t max_bytes, struct buf *out, uint64_t *size, struct err *err);
/* The blob id of a file that source_read found too large. */
int source_hash_large(struct source *source, struct bytes folder, const struct source_entry *entry,
                      struct oid *out, struct err *err);
/* The id git gives a blob with this CONTENT. */
int source_hash(struct bytes content, struct oid *out, struct err *err);

#endif
