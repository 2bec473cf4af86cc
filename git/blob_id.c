/* Blob ids are SHA-1 over a header with the length and the content; libgit2 computes them. */
#include "git/blob_id.h"

#include <git2.h>

static int
hash_failed(struct err *err, enum err_code code)
{
    const git_error *last = git_error_last();
    return err_set(err, code, "%s", last && last->message ? last->message : "libgit2 failed");
}

int
blob_id(struct bytes content, struct oid *out, struct err *err)
{
    git_oid id;
    const void *data = content.len ? (const void *)content.data : "";
    if (git_odb_hash(&id, data, content.len, GIT_OBJECT_BLOB) < 0)
        return hash_failed(err, ERR_INTERNAL);
    *out = oid_from_raw(id.id, OID_SHA1_BYTES);
    return 0;
}

int
blob_id_of_file(const char *path, struct oid *out, struct err *err)
{
    git_oid id;
    if (git_odb_hashfile(&id, path, GIT_OBJECT_BLOB) < 0)
        return hash_failed(err, ERR_IO);
    *out = oid_from_raw(id.id, OID_SHA1_BYTES);
    return 0;
}
