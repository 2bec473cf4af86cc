/* A repository of libgit2 is made of parts: a database whose backend is our reader (git/odb), a
 * database of refs whose backend is below, and an empty configuration.  Logs of refs are not read,
 * so "HEAD@{1}" is refused. */
#include "git/rev_name.h"

#include <git2.h>
#include <git2/sys/refdb_backend.h>
#include <git2/sys/refs.h>
#include <git2/sys/repository.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "git/odb/backend.h"

struct ref_backend {
    git_refdb_backend parent; /* first: libgit2 hands this to us */
    const struct refs *refs;
};

/* ---- Refs for libgit2 ---------------------------------------------------------------------- */

static enum ref_outcome
read_ref(git_refdb_backend *parent, const char *name, struct ref *out)
{
    struct err err;
    enum ref_outcome outcome =
        refs_read(((struct ref_backend *)(void *)parent)->refs, name, out, &err);
    if (outcome == REF_DAMAGED)
        git_error_set_str(GIT_ERROR_REFERENCE, err.text);
    return outcome;
}

static int
ref_exists(int *exists, git_refdb_backend *parent, const char *name)
{
    struct ref ref;
    enum ref_outcome outcome = read_ref(parent, name, &ref);
    *exists = outcome == REF_FOUND;
    return outcome == REF_DAMAGED ? -1 : 0;
}

static int
ref_lookup(git_reference **out, git_refdb_backend *parent, const char *name)
{
    struct ref ref;
    git_oid id = {{0}};
    enum ref_outcome outcome = read_ref(parent, name, &ref);
    if (outcome == REF_MISSING) {
        git_error_set_str(GIT_ERROR_REFERENCE, "there is no such ref");
        return GIT_ENOTFOUND;
    }
    if (outcome != REF_FOUND)
        return -1;
    if (!ref.is_link)
        memcpy(id.id, ref.id.id, GIT_OID_RAWSZ);
    *out = ref.is_link ? git_reference__alloc_symbolic(name, ref.target)
                       : git_reference__alloc(name, &id, NULL);
    return *out ? 0 : -1;
}

static int
ref_has_log(git_refdb_backend *parent, const char *name)
{
    (void)parent, (void)name;
    return 0;
}

static int
ref_read_log(git_reflog **out, git_refdb_backend *parent, const char *name)
{
    (void)out, (void)parent, (void)name;
    git_error_set_str(GIT_ERROR_REFERENCE, "logs of refs are not read; name the commit by its id");
    return GIT_ENOTFOUND;
}

/* libgit2 takes no backend that cannot write; nothing here asks it to, so each of these refuses. */
static int
refuse_write(void)
{
    git_error_set_str(GIT_ERROR_REFERENCE, "refs are only read");
    return GIT_ERROR;
}

static int
ref_iterator(git_reference_iterator **out, git_refdb_backend *parent, const char *glob)
{
    (void)out, (void)parent, (void)glob;
    return refuse_write();
}

static int
ref_write(git_refdb_backend *parent, const git_reference *ref, int force, const git_signature *who,
          const char *message, const git_oid *old, const char *old_target)
{
    (void)parent, (void)ref, (void)force, (void)who, (void)message, (void)old, (void)old_target;
    return refuse_write();
}

static int
ref_rename(git_reference **out, git_refdb_backend *parent, const char *old_name,
           const char *new_name, int force, const git_signature *who, const char *message)
{
    (void)out, (void)parent, (void)old_name, (void)new_name, (void)force, (void)who, (void)message;
    return refuse_write();
}

static int
ref_delete(git_refdb_backend *parent, const char *name, const git_oid *old, const char *old_target)
{
    (void)parent, (void)name, (void)old, (void)old_target;
    return refuse_write();
}

static int
ref_ensure_log(git_refdb_backend *parent, const char *name)
{
    (void)parent, (void)name;
    return refuse_write();
}

static int
ref_write_log(git_refdb_backend *parent, git_reflog *log)
{
    (void)parent, (void)log;
    return refuse_write();
}

static int
ref_rename_log(git_refdb_backend *parent, const char *old_name, const char *new_name)
{
    (void)parent, (void)old_name, (void)new_name;
    return refuse_write();
}

static int
ref_delete_log(git_refdb_backend *parent, const char *name)
{
    (void)parent, (void)name;
    return refuse_write();
}

static void
ref_free(git_refdb_backend *parent)
{
    free(parent);
}

/* ---- The repository ------------------------------------------------------------------------ */

static int
set_objects(git_repository *repository, const char *objects_dir, struct err *err)
{
    const struct odb_options options = {0};
    struct odb *odb;
    git_odb *database;
    if (odb_open(objects_dir, &options, &odb, err) < 0 ||
        odb_backend_create(odb, &database, err) < 0)
        return -1;
    int code = git_repository_set_odb(repository, database);
    git_odb_free(database);
    return code < 0 ? err_nomem(err, "repository") : 0;
}

static int
set_refs(git_repository *repository, const struct refs *refs, struct err *err)
{
    git_refdb *database = NULL;
    struct ref_backend *backend = calloc(1, sizeof(*backend));
    if (!backend || git_refdb_new(&database, repository) < 0 ||
        git_refdb_init_backend(&backend->parent, GIT_REFDB_BACKEND_VERSION) < 0) {
        free(backend);
        git_refdb_free(database);
        return err_nomem(err, "refs");
    }
    backend->refs = refs;
    backend->parent.exists = ref_exists;
    backend->parent.lookup = ref_lookup;
    backend->parent.has_log = ref_has_log;
    backend->parent.reflog_read = ref_read_log;
    backend->parent.iterator = ref_iterator;
    backend->parent.write = ref_write;
    backend->parent.rename = ref_rename;
    backend->parent.del = ref_delete;
    backend->parent.ensure_log = ref_ensure_log;
    backend->parent.reflog_write = ref_write_log;
    backend->parent.reflog_rename = ref_rename_log;
    backend->parent.reflog_delete = ref_delete_log;
    backend->parent.free = ref_free;
    int code = git_refdb_set_backend(database, &backend->parent);
    if (code < 0)
        free(backend);
    else
        code = git_repository_set_refdb(repository, database);
    git_refdb_free(database);
    return code < 0 ? err_nomem(err, "refs") : 0;
}

static int
set_config(git_repository *repository, struct err *err)
{
    git_config *config = NULL;
    int code = git_config_new(&config);
    if (code == 0)
        code = git_repository_set_config(repository, config);
    git_config_free(config);
    return code < 0 ? err_nomem(err, "configuration") : 0;
}

static int
resolve(git_repository *repository, const char *revision, struct oid *out, struct err *err)
{
    git_object *object = NULL;
    if (git_revparse_single(&object, repository, revision) < 0) {
        const git_error *last = git_error_last();
        return err_set(err, ERR_INPUT, "the revision %s cannot be found: %s", revision,
                       last && last->message ? last->message : "no reason given");
    }
    *out = oid_from_raw(git_object_id(object)->id, GIT_OID_RAWSZ);
    git_object_free(object);
    return 0;
}

int
rev_name_resolve(const char *objects_dir, const struct refs *refs, const char *revision,
                 struct oid *out, struct err *err)
{
    git_repository *repository = NULL;
    if (git_repository_new(&repository) < 0)
        return err_nomem(err, "repository");
    int result = set_objects(repository, objects_dir, err);
    if (result == 0)
        result = set_refs(repository, refs, err);
    if (result == 0)
        result = set_config(repository, err);
    if (result == 0)
        result = resolve(repository, revision, out, err);
    git_repository_free(repository);
    return result;
}
