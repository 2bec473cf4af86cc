/* An index ends in the checksum of its pack and its own; a pack ends in its checksum. */
#include "git/pack.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/fs.h"
#include "base/oid.h"

/* Read OID_SHA1_BYTES that start FROM_END bytes before the end of PATH. */
static bool
read_checksum(const char *path, off_t from_end, uint8_t out[OID_SHA1_BYTES])
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    off_t size = lseek(fd, 0, SEEK_END);
    bool done =
        size >= from_end && pread(fd, out, OID_SHA1_BYTES, size - from_end) == OID_SHA1_BYTES;
    close(fd);
    return done;
}

static bool
is_sound(struct arena *arena, const char *folder, struct bytes index)
{
    uint8_t said[OID_SHA1_BYTES], found[OID_SHA1_BYTES];
    int stem = (int)(index.len - (sizeof("idx") - 1));
    char *index_path = arena_format(arena, "%s/%.*s", folder, (int)index.len, index.data);
    char *pack_path = arena_format(arena, "%s/%.*spack", folder, stem, index.data);
    return index_path && pack_path && read_checksum(index_path, 2 * OID_SHA1_BYTES, said) &&
           read_checksum(pack_path, OID_SHA1_BYTES, found) &&
           memcmp(said, found, OID_SHA1_BYTES) == 0;
}

/* errno of reading FOLDER's INDEX or its pack; 0 when both can be read. */
static int
reading_fails(struct arena *arena, const char *folder, struct bytes index)
{
    int stem = (int)(index.len - (sizeof("idx") - 1));
    char *index_path = arena_format(arena, "%s/%.*s", folder, (int)index.len, index.data);
    char *pack_path = arena_format(arena, "%s/%.*spack", folder, stem, index.data);
    if (!index_path || !pack_path)
        return ENOMEM;
    return access(index_path, R_OK) < 0 || access(pack_path, R_OK) < 0 ? errno : 0;
}

/* The sentence about INDEX and its pack; NULL when both are sound. */
static char *
explain(struct arena *arena, const char *folder, struct bytes index)
{
    char *out = NULL;
    int stem = (int)(index.len - (sizeof(".idx") - 1));
    int code = reading_fails(arena, folder, index);
    if (code == 0 && is_sound(arena, folder, index))
        return NULL;
    int n =
        code ? asprintf(&out, "the pack %.*s cannot be read: %s", stem, index.data, strerror(code))
             : asprintf(&out, "the pack %.*s is cut short or is not the one its index is of", stem,
                        index.data);
    return n < 0 ? NULL : out;
}

char *
pack_explain_damaged(const char *objects_dir)
{
    struct arena arena;
    struct fs_entry *entries;
    size_t n_entries;
    char *found = NULL;
    arena_init(&arena, 0);
    char *folder = arena_format(&arena, "%s/pack", objects_dir);
    if (folder && fs_list(folder, NULL, NULL, &arena, &entries, &n_entries, NULL) == 0)
        for (size_t i = 0; !found && i < n_entries; i++)
            if (bytes_ends_with(entries[i].path, BYTES(".idx")))
                found = explain(&arena, folder, entries[i].path);
    arena_clear(&arena);
    return found;
}
