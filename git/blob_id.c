/* A blob id is the SHA-1 of a header, which has the length, and the content.  libgit2 computes it
 * for content in memory; a file is read a piece at a time through git/odb/sha1.h. */
#include "git/blob_id.h"

#include <git2.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/stop.h"
#include "git/odb/failure.h"
#include "git/odb/regular.h"
#include "git/odb/sha1.h"

enum { READ_STEP = 1 << 20 };

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

/* Add the content of REGULAR in steps, looking for a stop before each. */
static int
add_content(struct sha1 *state, const struct regular *regular, const char *path, struct err *err)
{
    struct failure failure;
    uint8_t *room = malloc(READ_STEP);
    int rc = room ? 0 : err_nomem(err, path);
    for (uint64_t at = 0; rc == 0 && at < regular->size; at += READ_STEP) {
        uint64_t rest = regular->size - at;
        size_t n = rest < READ_STEP ? (size_t)rest : READ_STEP;
        if (stop_requested())
            rc = err_set(err, ERR_STOPPED, "stopped on request while reading %s", path);
        else if (regular_read_at(regular->fd, at, n, room, &failure) != ODB_OK)
            rc = err_set(err, ERR_IO, "%s: %s", path, failure.text);
        else
            sha1_add(state, (struct bytes){room, n});
    }
    free(room);
    return rc;
}

int
blob_id_of_file(const char *path, struct oid *out, struct err *err)
{
    struct failure failure;
    struct regular regular;
    struct sha1 state;
    uint8_t digest[OID_SHA1_BYTES];
    char head[32];
    if (regular_open(path, &regular, &failure) != ODB_OK)
        return err_set(err, ERR_IO, "%s: %s", path, failure.text);
    int n = snprintf(head, sizeof(head), "blob %llu", (unsigned long long)regular.size);
    sha1_begin(&state);
    sha1_add(&state, (struct bytes){(const uint8_t *)head, (size_t)n + 1}); /* with its NUL */
    int rc = add_content(&state, &regular, path, err);
    close(regular.fd);
    sha1_end(&state, digest);
    if (rc == 0)
        *out = oid_from_raw(digest, OID_SHA1_BYTES);
    return rc;
}
