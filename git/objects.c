/* See objects.h.  git/odb reads; here kinds and sizes are compared with what was asked for, and its
 * outcomes become sentences.  The reader checks sizes before it takes memory for them. */
#include "git/objects.h"

#include <git2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    REASON_SIZE = 384,
    OBJECT_BYTES_MIN = 64 * 1024 * 1024, /* the largest tree that is read */
    MEMORY_MIN = 8 * 1024 * 1024,
    MEMORY_DEFAULT = 40 * 1024 * 1024,
    BASES_MAX = 4 * 1024 * 1024, /* more is slower: they leave the processor's caches */
    TREE_BUDGET = 512 * 1024 * 1024
};

struct objects {
    struct odb *odb;
    struct objects_budget *budget; /* may be NULL */
    char reason[REASON_SIZE];
};

static const char *const kind_names[] = {"commit", "tree", "blob", "tag"};

/* ---- libgit2 ------------------------------------------------------------------------------- */

static int
library_error(struct err *err, const char *what)
{
    const git_error *last = git_error_last();
    return err_set(err, ERR_INTERNAL, "set up libgit2 (%s): %s", what,
                   last && last->message ? last->message : "no reason given");
}

int
git_library_begin(struct err *err)
{
    static const int levels[] = {GIT_CONFIG_LEVEL_PROGRAMDATA, GIT_CONFIG_LEVEL_SYSTEM,
                                 GIT_CONFIG_LEVEL_XDG, GIT_CONFIG_LEVEL_GLOBAL};
    if (git_libgit2_init() < 0)
        return library_error(err, "start");
    for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++)
        if (git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, levels[i], "") < 0)
            goto fail;
    if (git_libgit2_opts(GIT_OPT_ENABLE_CACHING, 0) < 0 ||
        git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0) < 0 ||
        git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0) < 0)
        goto fail;
    return 0;

fail:
    library_error(err, "options");
    git_libgit2_shutdown();
    return -1;
}

void
git_library_end(void)
{
    git_libgit2_shutdown();
}

/* ---- Opening ------------------------------------------------------------------------------- */

void
objects_budget_init(struct objects_budget *budget)
{
    odb_budget_init(&budget->deltas, ODB_BUDGET_DEFAULT);
    odb_budget_init(&budget->trees, TREE_BUDGET);
}

int
objects_open(const char *objects_dir, const struct objects_options *options, struct objects **out,
             struct err *err)
{
    static const struct objects_options defaults = {0};
    const struct objects_options *given = options ? options : &defaults;
    size_t memory = given->memory_bytes ? given->memory_bytes : MEMORY_DEFAULT;
    memory = memory < MEMORY_MIN ? MEMORY_MIN : memory;
    struct odb_options how = {.object_bytes_max =
                                  memory < OBJECT_BYTES_MIN ? OBJECT_BYTES_MIN : memory,
                              .cache_bytes = memory / 4 < BASES_MAX ? memory / 4 : BASES_MAX,
                              .window_bytes = memory / 4 * 3,
                              .verify = given->verify,
                              .budget = given->budget ? &given->budget->deltas : NULL};
    struct objects *objects = calloc(1, sizeof(*objects));
    if (!objects)
        return err_nomem(err, "object database");
    if (odb_open(objects_dir, &how, &objects->odb, err) < 0) {
        free(objects);
        return -1;
    }
    objects->budget = given->budget;
    *out = objects;
    return 0;
}

void
objects_close(struct objects *objects)
{
    if (!objects)
        return;
    odb_close(objects->odb);
    free(objects);
}

const char *
objects_reason(const struct objects *objects)
{
    return objects->reason;
}

const char *
objects_problem(struct objects *objects)
{
    return odb_problem(objects->odb);
}

bool
objects_charge_trees(struct objects *objects, uint64_t n_bytes, bool is_free)
{
    if (!objects->budget)
        return true;
    return is_free ? !odb_budget_is_spent(&objects->budget->trees)
                   : odb_budget_take(&objects->budget->trees, n_bytes);
}

/* ---- Reading ------------------------------------------------------------------------------- */

static enum object_outcome
explain(struct objects *objects, const struct oid *id, const char *what,
        enum object_outcome outcome, const char *why)
{
    char hex[OID_HEX_SIZE];
    snprintf(objects->reason, sizeof(objects->reason), "%s %s %s", what, oid_to_hex(id, hex), why);
    return outcome;
}

/* What OUTCOME of the reader, which is not ODB_OK, means for ID, a WHAT. */
static enum object_outcome
explain_failure(struct objects *objects, const struct oid *id, const char *what,
                enum odb_outcome outcome)
{
    const char *reason = odb_reason(objects->odb), *missing;
    char why[ODB_REASON_SIZE + 32];
    switch (outcome) {
    case ODB_NO_MEMORY:
        return explain(objects, id, what, OBJECT_NO_MEMORY, "does not fit in memory");
    case ODB_MISSING:
        missing = strstr(reason, "is missing");
        return explain(objects, id, what, OBJECT_MISSING, missing ? missing : "is missing");
    case ODB_TOO_LARGE:
        snprintf(why, sizeof(why), "is too large: %s", reason);
        return explain(objects, id, what, OBJECT_TOO_LARGE, why);
    case ODB_SPENT:
        snprintf(why, sizeof(why), "is not read: %s", reason);
        return explain(objects, id, what, OBJECT_DAMAGED, why);
    case ODB_OK:
    case ODB_DAMAGED:
    case ODB_AMBIGUOUS:
        break;
    }
    snprintf(why, sizeof(why), "is damaged: %s", reason);
    return explain(objects, id, what, OBJECT_DAMAGED, why);
}

static enum odb_kind
to_odb_kind(enum object_kind kind)
{
    static const enum odb_kind kinds[] = {ODB_COMMIT, ODB_TREE, ODB_BLOB, ODB_TAG};
    return kinds[kind];
}

static enum object_kind
from_odb_kind(enum odb_kind kind)
{
    return kind == ODB_COMMIT ? OBJECT_COMMIT
           : kind == ODB_TREE ? OBJECT_TREE
           : kind == ODB_BLOB ? OBJECT_BLOB
                              : OBJECT_TAG;
}

static enum object_outcome
explain_kind(struct objects *objects, const struct oid *id, enum object_kind wanted,
             enum odb_kind found)
{
    char why[64];
    snprintf(why, sizeof(why), "is a %s, not a %s", kind_names[from_odb_kind(found)],
             kind_names[wanted]);
    return explain(objects, id, "object", OBJECT_WRONG_KIND, why);
}

enum object_outcome
objects_read(struct objects *objects, const struct oid *id, enum object_kind kind, size_t max_bytes,
             struct object *out)
{
    *out = (struct object){0};
    enum odb_outcome outcome = odb_read(objects->odb, id, max_bytes, &out->held);
    bool is_known = outcome == ODB_OK || outcome == ODB_TOO_LARGE;
    if (is_known && out->held.kind != to_odb_kind(kind)) {
        enum odb_kind found = out->held.kind;
        object_clear(out);
        return explain_kind(objects, id, kind, found);
    }
    out->data = out->held.data;
    return outcome == ODB_OK ? OBJECT_OK : explain_failure(objects, id, kind_names[kind], outcome);
}

void
object_clear(struct object *object)
{
    odb_object_clear(&object->held);
    *object = (struct object){0};
}

enum object_outcome
objects_size(struct objects *objects, const struct oid *id, uint64_t *out)
{
    enum odb_kind found;
    uint64_t size;
    *out = 0;
    enum odb_outcome outcome = odb_read_header(objects->odb, id, &found, &size);
    if (outcome != ODB_OK)
        return explain_failure(objects, id, kind_names[OBJECT_BLOB], outcome);
    if (found != ODB_BLOB)
        return explain_kind(objects, id, OBJECT_BLOB, found);
    *out = size;
    return OBJECT_OK;
}

enum object_outcome
objects_kind(struct objects *objects, const struct oid *id, enum object_kind *out)
{
    enum odb_kind found;
    uint64_t size;
    enum odb_outcome outcome = odb_read_header(objects->odb, id, &found, &size);
    if (outcome != ODB_OK)
        return explain_failure(objects, id, "object", outcome);
    *out = from_odb_kind(found);
    return OBJECT_OK;
}
