/*
 * Objects: raw reads from one object database, by one thread.
 *
 * What is read is checked for its kind and its size, and every failure is one line.  Reads go to
 * the reader in git/odb, not through libgit2, which would copy each object.  Replacement refs and
 * grafts are not followed.
 */
#ifndef STRATA_GIT_OBJECTS_H
#define STRATA_GIT_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/bytes.h"
#include "base/err.h"
#include "base/oid.h"
#include "git/odb/odb.h"

/*
 * Prepare libgit2: no object cache, no check of hashes (objects_options says whether we do), no
 * configuration of the machine or the user, no check of who owns a repository (nothing in it is
 * ever run).  These are settings of the whole process.  Each success needs one git_library_end.
 */
int git_library_begin(struct err *err);
void git_library_end(void); /* undoes one git_library_begin */

enum object_kind { OBJECT_COMMIT, OBJECT_TREE, OBJECT_BLOB, OBJECT_TAG };

enum object_outcome {
    OBJECT_OK,
    OBJECT_MISSING,
    OBJECT_DAMAGED, /* cannot be expanded, or its hash is not its name */
    OBJECT_WRONG_KIND,
    OBJECT_TOO_LARGE, /* more than was allowed; not read */
    OBJECT_NO_MEMORY
};

/* How much work beyond that of sound repositories one repository may cause, in all; shared by its
 * handles. */
struct objects_budget {
    struct odb_budget deltas;
    struct odb_budget trees; /* bytes of trees */
};

/* Set BUDGET to the full amounts. */
void objects_budget_init(struct objects_budget *budget);

struct objects_options {
    bool verify;                   /* compare hashes with names */
    size_t memory_bytes;           /* to keep packs and bases in; 0: 40 MiB */
    struct objects_budget *budget; /* NULL: no bound */
};

struct objects;

/* Open the database in the folder OBJECTS_DIR.  OPTIONS may be NULL.  *out is the caller's, to
 * objects_close. */
int objects_open(const char *objects_dir, const struct objects_options *options,
                 struct objects **out, struct err *err);
void objects_close(struct objects *objects); /* NULL is fine */

struct object {
    struct bytes data;
    struct odb_object held; /* owns data */
};

/*
 * Read ID, which must be a KIND of at most MAX_BYTES.  On OBJECT_OK *OUT is the caller's, to
 * object_clear before objects_close; else *OUT is empty (data.len is the size in case of
 * OBJECT_TOO_LARGE) and objects_reason says why.
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

/* The first part of the database that was passed over, and why; NULL when none was.  All packs are
 * opened to find it.  Borrowed until the next call. */
const char *objects_problem(struct objects *objects);

/* Take N_BYTES of trees from the budget, or nothing when IS_FREE.  False when the budget is used
 * up, also with IS_FREE. */
bool objects_charge_trees(struct objects *objects, uint64_t n_bytes, bool is_free);

#endif
