/*
 * odb: git objects of one repository, read by one thread, whatever the files hold.
 *
 * Loose objects, packs with their indexes (versions 1 and 2), multi-pack indexes and alternates are
 * read by code of our own, because repositories come from strangers and the reader of libgit2 1.5.1
 * overflows, loops or expands without bound on damaged ones.  May include base.  Knows nothing of
 * commits, trees and references.
 *
 * What holds for any bytes on disk:
 * 1. Only regular files are read.  They are opened without blocking and their type is checked
 * before they are read.
 * 2. Every length, offset and count is checked before it is used.
 * 3. Chains of deltas are followed without recursion; a cycle is found.
 * 4. No object, base or delta larger than object_bytes_max is expanded, and no chain that costs
 *    more than ODB_WORK_FACTOR times that.  What a chain costs beyond ODB_FREE_FACTOR times the
 *    object is taken from the budget of the repository, so chains made to be expensive use it up.
 *    The cost is that of the whole chain, also when its bases are cached, so it does not depend on
 *    the order of reads.
 * 5. Every refusal has its reason: odb_reason for an object, odb_problem for a pack, an index or an
 *    alternate that was passed over.
 *
 * Damaged files cannot end the process by a signal, so one process mines all repositories.  A
 * process for each repository would cost a fork, a pipe and a copy of each blob.  The reasons:
 * files are read with pread, never mapped, so a file cut short meanwhile is a short read and not a
 * SIGBUS; nothing recurses and no array on the stack depends on the input, so the stack cannot
 * overflow; all memory comes from malloc, whose failure is an outcome; no assert depends on the
 * input.  The fuzzer (tests/fuzz/fuzz_odb.c) and the damaged repositories of tests/git look for
 * bugs in this under AddressSanitizer.
 *
 * Threads: one odb for each thread.  A struct odb_budget is shared by those of one repository.
 */
#ifndef STRATA_GIT_ODB_ODB_H
#define STRATA_GIT_ODB_ODB_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/err.h"
#include "base/oid.h"

/* Numbers as in packs. */
enum odb_kind { ODB_COMMIT = 1, ODB_TREE = 2, ODB_BLOB = 3, ODB_TAG = 4 };

enum odb_outcome {
    ODB_OK,
    ODB_MISSING,
    ODB_DAMAGED,   /* the bytes are not a valid object, pack or index */
    ODB_TOO_LARGE, /* not known to be damaged, but larger than allowed */
    ODB_SPENT,     /* the budget of the repository is used up */
    ODB_AMBIGUOUS, /* several objects begin with the given digits */
    ODB_NO_MEMORY
};

enum {
    ODB_REASON_SIZE = 256,
    ODB_WORK_FACTOR = 16,
    ODB_FREE_FACTOR = 256,      /* git's chains are at most 250 long, and 50 by default */
    ODB_FREE_BYTES = 64 * 1024, /* free of charge for each object in addition */
    ODB_STORES_MAX = 4096,      /* folders of objects, alternates included */
    ODB_ALTERNATES_DEPTH_MAX = 5,
    ODB_PREFIX_DIGITS_MIN = 4
};

/* What expensive chains of one repository may cost in all, in bytes. */
struct odb_budget {
    atomic_uint_fast64_t left;
};

#define ODB_BUDGET_DEFAULT ((uint64_t)4 << 30)

/* Set BUDGET to BYTES. */
void odb_budget_init(struct odb_budget *budget, uint64_t bytes);
/* Take N bytes from BUDGET.  False: fewer were left, and now none are. */
bool odb_budget_take(struct odb_budget *budget, uint64_t n);
/* Is nothing left? */
bool odb_budget_is_spent(const struct odb_budget *budget);

struct odb_options {
    size_t id_len;             /* OID_SHA1_BYTES or OID_SHA256_BYTES; 0: SHA-1 */
    size_t object_bytes_max;   /* of an object, a base, a delta; 0: 64 MiB */
    size_t cache_bytes;        /* of objects kept as bases; 0: 4 MiB, measured best */
    size_t window_bytes;       /* of packs and indexes kept in memory; 0: 32 MiB */
    bool verify;               /* SHA-1 of each object is compared with its name */
    struct odb_budget *budget; /* NULL: no bound over all objects */
};

struct odb;

/*
 * Open the folder OBJECTS_DIR and its alternates.  Packs and alternates that cannot be used are
 * passed over: see odb_problem.  On success *OUT is the caller's, to odb_close.  -1 with ERR_INPUT
 * when the folder itself cannot be read, with ERR_NOMEM when memory is out.
 */
int odb_open(const char *objects_dir, const struct odb_options *options, struct odb **out,
             struct err *err);
/* Close ODB, after every odb_object read from it was cleared.  NULL is fine. */
void odb_close(struct odb *odb);

/* {0} holds nothing. */
struct odb_object {
    enum odb_kind kind;
    struct bytes data;
    void *held; /* keeps data; NULL when nothing is held */
};

/*
 * Read ID of at most MAX_BYTES (SIZE_MAX: as much as object_bytes_max allows).  ODB_OK: *OUT is the
 * caller's, to odb_object_clear before odb_close.  ODB_TOO_LARGE: out->kind and out->data.len say
 * what it is, data is NULL.  Else *OUT is {0}.  When the copy in one place is damaged, all other
 * places are tried.
 */
enum odb_outcome
odb_read(struct odb *odb, const struct oid *id, size_t max_bytes, struct odb_object *out);
/* Release what OBJECT holds; it is then {0}. */
void odb_object_clear(struct odb_object *object);

/* Kind and size of ID.  A chain of deltas is followed to its end but not expanded. */
enum odb_outcome
odb_read_header(struct odb *odb, const struct oid *id, enum odb_kind *kind, uint64_t *size);

/* Is there an object ID?  It may still be damaged. */
enum odb_outcome odb_exists(struct odb *odb, const struct oid *id);

/*
 * The one object that begins with the first N_DIGITS hexadecimal digits of PREFIX (the rest of its
 * bytes are not looked at).  Fewer than ODB_PREFIX_DIGITS_MIN are ODB_AMBIGUOUS.
 */
enum odb_outcome
odb_find_prefix(struct odb *odb, const struct oid *prefix, size_t n_digits, struct oid *out);

/* List the packs again.  A read that finds nothing does so by itself. */
enum odb_outcome odb_refresh(struct odb *odb);

/* Called with each id; a result other than 0 ends the visit. */
typedef int odb_visit(void *context, const struct oid *id);
/* Visit all objects, those in several places several times.  *RESULT is what the last visit
 * returned. */
enum odb_outcome odb_each(struct odb *odb, odb_visit *visit, void *context, int *result);

/* Why the last call did not return ODB_OK, one line: "loose object 1234...: 100 bytes follow, 1
 * announced".  Borrowed until the next call. */
const char *odb_reason(const struct odb *odb);

/* The first pack, index or alternate that is passed over, and why: "pack-1.idx: ...".  All packs
 * are opened to find it.  NULL when there is none.  Borrowed until the next call. */
const char *odb_problem(struct odb *odb);

#endif
