/*
 * Objects: raw reads from one object database, by one thread.
 *
 * The only place that touches libgit2's object database.  Nothing is cached and, unless asked for,
 * no hash is checked: what is wanted once is read once.  Alternates are followed by libgit2;
 * replacement refs and grafts are not, since nothing here asks for them.
 */
#ifndef STRATA_GIT_OBJECTS_H
#define STRATA_GIT_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/bytes.h"
#include "base/err.h"
#include "base/oid.h"

/*
 * Prepare libgit2 for reading: no object cache, hashes checked only when VERIFY_OBJECTS, no
 * configuration of the machine or the user, no check of who owns a repository (nothing in it is
 * ever run), at most MAPPED_BYTES of packs mapped at a time.  These are settings of the whole
 * process.  Each success wants one git_library_end.
 */
int git_library_begin(bool verify_objects, size_t mapped_bytes, struct err *err);
void git_library_end(void);

enum object_kind { OBJECT_COMMIT, OBJECT_TREE, OBJECT_BLOB, OBJECT_TAG };

enum object_outcome {
    OBJECT_OK,
    OBJECT_MISSING,
    OBJECT_DAMAGED, /* cannot be inflated, or its hash is not its name */
    OBJECT_WRONG_KIND,
    OBJECT_TOO_LARGE, /* more than was allowed; not read */
    OBJECT_NO_MEMORY
};

struct objects;

/* Open the database in the folder OBJECTS_DIR.  *out is the caller's, to objects_close. */
int objects_open(const char *objects_dir, struct objects **out, struct err *err);
void objects_close(struct objects *objects);

struct object {
    struct bytes data;
    void *handle; /* libgit2's, which owns data; NULL when nothing is held */
};

/*
 * Read ID, which must be a KIND of at most MAX_BYTES.  On OBJECT_OK *OUT is the caller's, to
 * object_clear; else *OUT is empty (data.len is the size when that is OBJECT_TOO_LARGE) and
 * objects_reason says why.
 */
enum object_outcome objects_read(struct objects *objects, const struct oid *id,
                                 enum object_kind kind, size_t max_bytes, struct object *out);
/* Free what OUT holds; OUT is then empty. */
void object_clear(struct object *object);
/* Why the last read failed, one line: "tree 1234... is missing".  Borrowed until the next read. */
const char *objects_reason(const struct objects *objects);

/* How many bytes has the blob ID?  Its content is not read. */
enum object_outcome objects_size(struct objects *objects, const struct oid *id, uint64_t *out);
/* Which kind of object is ID? */
enum object_outcome
objects_kind(struct objects *objects, const struct oid *id, enum object_kind *out);

#endif
