/* See backend.h.  libgit2 needs each object in memory that it allocated, so objects are copied
 * here; code that reads many of them calls odb_read instead.  Its ids are SHA-1. */
#include "git/odb/backend.h"

#include <git2.h>
#include <git2/sys/odb_backend.h>
#include <stdlib.h>
#include <string.h>

struct backend {
    git_odb_backend parent; /* first: libgit2 hands this to us */
    struct odb *odb;
};

static struct odb *
odb_of(git_odb_backend *parent)
{
    return ((struct backend *)(void *)parent)->odb;
}

static struct oid
from_git(const git_oid *id)
{
    return oid_from_raw(id->id, GIT_OID_RAWSZ);
}

static void
to_git(const struct oid *id, git_oid *out)
{
    memcpy(out->id, id->id, GIT_OID_RAWSZ);
}

/* libgit2's code for OUTCOME; its reason is set as libgit2's last error. */
static int
code_of(const struct odb *odb, enum odb_outcome outcome)
{
    switch (outcome) {
    case ODB_OK:
        return 0;
    case ODB_NO_MEMORY:
        git_error_set_oom();
        return -1;
    case ODB_MISSING:
        git_error_set_str(GIT_ERROR_ODB, odb_reason(odb));
        return GIT_ENOTFOUND;
    case ODB_AMBIGUOUS:
        git_error_set_str(GIT_ERROR_ODB, odb_reason(odb));
        return GIT_EAMBIGUOUS;
    case ODB_DAMAGED:
    case ODB_TOO_LARGE:
    case ODB_SPENT:
        break;
    }
    git_error_set_str(GIT_ERROR_ODB, odb_reason(odb));
    return -1;
}

static int
backend_read(void **data, size_t *len, git_object_t *kind, git_odb_backend *parent,
             const git_oid *git_id)
{
    struct odb *odb = odb_of(parent);
    struct oid id = from_git(git_id);
    struct odb_object object;
    enum odb_outcome outcome = odb_read(odb, &id, SIZE_MAX, &object);
    if (outcome != ODB_OK)
        return code_of(odb, outcome);
    /* A byte more: an object of none has a place too, and some of libgit2 counts on a NUL. */
    uint8_t *copy = git_odb_backend_data_alloc(parent, object.data.len + 1);
    if (copy) {
        memcpy(copy, object.data.data, object.data.len);
        copy[object.data.len] = 0;
        *data = copy;
        *len = object.data.len;
        *kind = (git_object_t)object.kind;
    }
    odb_object_clear(&object);
    return copy ? 0 : -1;
}

static int
backend_read_header(size_t *len, git_object_t *kind, git_odb_backend *parent, const git_oid *git_id)
{
    struct odb *odb = odb_of(parent);
    struct oid id = from_git(git_id);
    enum odb_kind found;
    uint64_t size;
    enum odb_outcome outcome = odb_read_header(odb, &id, &found, &size);
    if (outcome != ODB_OK)
        return code_of(odb, outcome);
    *len = (size_t)size;
    *kind = (git_object_t)found;
    return 0;
}

static int
backend_exists_prefix(git_oid *out, git_odb_backend *parent, const git_oid *prefix, size_t n_digits)
{
    struct odb *odb = odb_of(parent);
    struct oid from = from_git(prefix), found;
    enum odb_outcome outcome = odb_find_prefix(odb, &from, n_digits, &found);
    if (outcome == ODB_OK)
        to_git(&found, out);
    return code_of(odb, outcome);
}

static int
backend_read_prefix(git_oid *out, void **data, size_t *len, git_object_t *kind,
                    git_odb_backend *parent, const git_oid *prefix, size_t n_digits)
{
    int code = backend_exists_prefix(out, parent, prefix, n_digits);
    return code < 0 ? code : backend_read(data, len, kind, parent, out);
}

static int
backend_exists(git_odb_backend *parent, const git_oid *git_id)
{
    struct oid id = from_git(git_id);
    return odb_exists(odb_of(parent), &id) == ODB_OK;
}

static int
backend_refresh(git_odb_backend *parent)
{
    struct odb *odb = odb_of(parent);
    return code_of(odb, odb_refresh(odb));
}

struct each {
    git_odb_foreach_cb visit;
    void *payload;
};

static int
visit_one(void *context, const struct oid *id)
{
    const struct each *each = context;
    git_oid git_id;
    to_git(id, &git_id);
    return each->visit(&git_id, each->payload);
}

static int
backend_foreach(git_odb_backend *parent, git_odb_foreach_cb visit, void *payload)
{
    struct odb *odb = odb_of(parent);
    struct each each = {visit, payload};
    int result;
    enum odb_outcome outcome = odb_each(odb, visit_one, &each, &result);
    return outcome == ODB_OK ? result : code_of(odb, outcome);
}

static void
backend_free(git_odb_backend *parent)
{
    odb_close(odb_of(parent));
    free(parent);
}

static int
library_failed(const char *what, struct err *err)
{
    const git_error *last = git_error_last();
    return err_set(err, ERR_NOMEM, "%s: %s", what,
                   last && last->message ? last->message : "libgit2 gives no reason");
}

int
odb_backend_create(struct odb *odb, git_odb **out, struct err *err)
{
    git_odb *database = NULL;
    struct backend *backend = calloc(1, sizeof(*backend));
    if (!backend || git_odb_new(&database) < 0) {
        odb_close(odb);
        free(backend);
        return err_nomem(err, "object database");
    }
    git_odb_init_backend(&backend->parent, GIT_ODB_BACKEND_VERSION);
    backend->odb = odb;
    backend->parent.read = backend_read;
    backend->parent.read_header = backend_read_header;
    backend->parent.read_prefix = backend_read_prefix;
    backend->parent.exists = backend_exists;
    backend->parent.exists_prefix = backend_exists_prefix;
    backend->parent.refresh = backend_refresh;
    backend->parent.foreach = backend_foreach;
    backend->parent.free = backend_free;
    if (git_odb_add_backend(database, &backend->parent, 1) < 0) {
        library_failed("object database", err);
        backend_free(&backend->parent);
        git_odb_free(database);
        return -1;
    }
    *out = database;
    return 0;
}
