/* A read asks for the header first, so that an object that claims gigabytes is refused before its
 * memory is allocated; on packed objects that costs a walk down the delta chain's headers
 * (benchmarks/README.md has the figure). */
#include "git/objects.h"

#include <git2.h>
#include <stdio.h>
#include <stdlib.h>

enum { WINDOWS_MIN = 8, WINDOW_BYTES_MIN = 1 << 20, WINDOW_BYTES_MAX = 1 << 30 };

struct objects {
    git_odb *odb;
    char reason[256];
};

static const char *const kind_names[] = {"commit", "tree", "blob", "tag"};

static int
library_error(struct err *err, const char *what)
{
    const git_error *last = git_error_last();
    return err_set(err, ERR_INTERNAL, "set up libgit2 (%s): %s", what,
                   last && last->message ? last->message : "no reason given");
}

/* A pack is mapped a window at a time; by default one of a gigabyte, so the whole of nearly every
 * pack whatever the bound.  Eight fit into MAPPED_BYTES; a power of two, since libgit2 lays windows
 * at multiples of half a window and memory is mapped by pages. */
static size_t
window_size(size_t mapped_bytes)
{
    size_t size = WINDOW_BYTES_MIN;
    while (size < WINDOW_BYTES_MAX && size * 2 <= mapped_bytes / WINDOWS_MIN)
        size *= 2;
    return size;
}

int
git_library_begin(bool verify_objects, size_t mapped_bytes, struct err *err)
{
    static const int levels[] = {GIT_CONFIG_LEVEL_PROGRAMDATA, GIT_CONFIG_LEVEL_SYSTEM,
                                 GIT_CONFIG_LEVEL_XDG, GIT_CONFIG_LEVEL_GLOBAL};
    if (git_libgit2_init() < 0)
        return library_error(err, "start");
    for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++)
        if (git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, levels[i], "") < 0)
            goto fail;
    if (git_libgit2_opts(GIT_OPT_ENABLE_CACHING, 0) < 0 ||
        git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, verify_objects ? 1 : 0) < 0 ||
        git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0) < 0 ||
        git_libgit2_opts(GIT_OPT_SET_MWINDOW_SIZE, window_size(mapped_bytes)) < 0 ||
        git_libgit2_opts(GIT_OPT_SET_MWINDOW_MAPPED_LIMIT, mapped_bytes) < 0)
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

int
objects_open(const char *objects_dir, struct objects **out, struct err *err)
{
    struct objects *objects = calloc(1, sizeof(*objects));
    if (!objects)
        return err_nomem(err, "object database");
    if (git_odb_open(&objects->odb, objects_dir) < 0) {
        const git_error *last = git_error_last();
        free(objects);
        return err_set(err, ERR_INPUT, "open the object database %s: %s", objects_dir,
                       last && last->message ? last->message : "no reason given");
    }
    *out = objects;
    return 0;
}

void
objects_close(struct objects *objects)
{
    if (!objects)
        return;
    git_odb_free(objects->odb);
    free(objects);
}

const char *
objects_reason(const struct objects *objects)
{
    return objects->reason;
}

static git_oid
to_git_oid(const struct oid *id)
{
    git_oid out = {{0}};
    memcpy(out.id, id->id, id->len < GIT_OID_RAWSZ ? id->len : GIT_OID_RAWSZ);
    return out;
}

static enum object_outcome
explain(struct objects *objects, const struct oid *id, const char *what,
        enum object_outcome outcome, const char *why)
{
    char hex[OID_HEX_SIZE];
    snprintf(objects->reason, sizeof(objects->reason), "%s %s %s", what, oid_to_hex(id, hex), why);
    return outcome;
}

/* What a failed libgit2 call with result CODE means. */
static enum object_outcome
explain_failure(struct objects *objects, const struct oid *id, const char *what, int code)
{
    const git_error *last = git_error_last();
    if (code == GIT_ENOTFOUND)
        return explain(objects, id, what, OBJECT_MISSING, "is missing");
    if (last && last->klass == GIT_ERROR_NOMEMORY)
        return explain(objects, id, what, OBJECT_NO_MEMORY, "does not fit in memory");
    char why[192];
    snprintf(why, sizeof(why), "is damaged: %s",
             last && last->message ? last->message : "it cannot be read");
    return explain(objects, id, what, OBJECT_DAMAGED, why);
}

static git_object_t
to_git_kind(enum object_kind kind)
{
    switch (kind) {
    case OBJECT_COMMIT:
        return GIT_OBJECT_COMMIT;
    case OBJECT_TREE:
        return GIT_OBJECT_TREE;
    case OBJECT_BLOB:
        return GIT_OBJECT_BLOB;
    case OBJECT_TAG:
        break;
    }
    return GIT_OBJECT_TAG;
}

static enum object_outcome
explain_kind(struct objects *objects, const struct oid *id, enum object_kind wanted,
             git_object_t found)
{
    char why[64];
    snprintf(why, sizeof(why), "is a %s, not a %s", git_object_type2string(found),
             kind_names[wanted]);
    return explain(objects, id, "object", OBJECT_WRONG_KIND, why);
}

/* The size of ID, which must be a KIND. */
static enum object_outcome
read_header(struct objects *objects, const struct oid *id, enum object_kind kind, size_t *size)
{
    git_oid git_id = to_git_oid(id);
    git_object_t found;
    int code = git_odb_read_header(size, &found, objects->odb, &git_id);
    if (code < 0)
        return explain_failure(objects, id, kind_names[kind], code);
    return found == to_git_kind(kind) ? OBJECT_OK : explain_kind(objects, id, kind, found);
}

enum object_outcome
objects_read(struct objects *objects, const struct oid *id, enum object_kind kind, size_t max_bytes,
             struct object *out)
{
    *out = (struct object){0};
    size_t size;
    enum object_outcome outcome = read_header(objects, id, kind, &size);
    if (outcome != OBJECT_OK)
        return outcome;
    if (size > max_bytes) {
        char why[80];
        snprintf(why, sizeof(why), "is too large: %zu bytes, at most %zu are read", size,
                 max_bytes);
        out->data.len = size;
        return explain(objects, id, kind_names[kind], OBJECT_TOO_LARGE, why);
    }
    git_oid git_id = to_git_oid(id);
    git_odb_object *handle;
    int code = git_odb_read(&handle, objects->odb, &git_id);
    if (code < 0)
        return explain_failure(objects, id, kind_names[kind], code);
    *out = (struct object){{git_odb_object_data(handle), git_odb_object_size(handle)}, handle};
    return OBJECT_OK;
}

enum object_outcome
objects_size(struct objects *objects, const struct oid *id, uint64_t *out)
{
    size_t size;
    enum object_outcome outcome = read_header(objects, id, OBJECT_BLOB, &size);
    *out = outcome == OBJECT_OK ? size : 0;
    return outcome;
}

void
object_clear(struct object *object)
{
    git_odb_object_free(object->handle);
    *object = (struct object){0};
}

enum object_outcome
objects_kind(struct objects *objects, const struct oid *id, enum object_kind *out)
{
    git_oid git_id = to_git_oid(id);
    size_t size;
    git_object_t found;
    int code = git_odb_read_header(&size, &found, objects->odb, &git_id);
    if (code < 0)
        return explain_failure(objects, id, "object", code);
    for (int kind = OBJECT_COMMIT; kind <= OBJECT_TAG; kind++)
        if (to_git_kind((enum object_kind)kind) == found) {
            *out = (enum object_kind)kind;
            return OBJECT_OK;
        }
    return explain(objects, id, "object", OBJECT_DAMAGED, "is of no known kind");
}
