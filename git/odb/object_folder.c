/* Packs are only added: an open one that was replaced stays readable through its descriptor, and
 * a pack that cannot be read any more is marked as gone.  The folder is listed again when it
 * changed after the last listing, or so shortly before it that the clock could not tell. */
#include "git/odb/object_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TICK_NS = 50 * 1000 * 1000, PACKS_MAX = 100 * 1000 };

/* ---- Packs --------------------------------------------------------------------------------- */

static void
note_problem(struct object_folder *folder, const char *name, const struct failure *failure)
{
    if (folder->problem.text[0])
        return;
    folder->problem = *failure;
    failure_wrap(&folder->problem, "%s", name);
}

static struct pack *
find_pack(const struct object_folder *folder, const char *name, size_t len)
{
    const uint64_t *index = map_get(&folder->by_name, (struct bytes){(const uint8_t *)name, len});
    return index && *index > 0 && !folder->packs[*index - 1]->is_gone ? folder->packs[*index - 1]
                                                                      : NULL;
}

/* A pack called the first LEN bytes of NAME; NULL when memory is out. */
static struct pack *
add_pack(struct object_folder *folder, const char *name, size_t len, struct numbering *numbering)
{
    if (folder->n_packs == folder->capacity) {
        size_t capacity = folder->capacity ? folder->capacity * 2 : 16;
        struct pack **packs = reallocarray(folder->packs, capacity, sizeof(*packs));
        if (!packs)
            return NULL;
        folder->packs = packs;
        folder->capacity = capacity;
    }
    struct pack *pack = calloc(1, sizeof(*pack));
    char *copy = strndup(name, len);
    uint64_t *index = map_put(&folder->by_name, (struct bytes){(const uint8_t *)name, len}, NULL);
    if (index)
        *index = folder->n_packs + 1;
    if (!pack || !copy || !index) {
        if (index)
            *index = 0;
        free(copy);
        free(pack);
        return NULL;
    }
    pack->name = copy;
    pack->number = ++numbering->last;
    return folder->packs[folder->n_packs++] = pack;
}

/* Is the index of PACK still the file that was opened? */
static bool
is_same_index(const struct object_folder *folder, const struct pack *pack)
{
    char *path;
    struct stat st;
    if (!pack->index || asprintf(&path, "%s/%s.idx", folder->pack_path, pack->name) < 0)
        return true;
    const struct regular *before = &pack->index->table.file->as_opened;
    bool is_same = stat(path, &st) < 0 || (st.st_dev == before->dev && st.st_ino == before->ino &&
                                           (uint64_t)st.st_size == before->size);
    free(path);
    return is_same;
}

/* Take the index NAME of the folder up, unless that was done before. */
static enum odb_outcome
take_index(struct object_folder *folder, const char *name, struct expander *expander,
           struct numbering *numbering, struct failure *failure)
{
    size_t len = strlen(name) - (sizeof(".idx") - 1);
    struct pack *pack = find_pack(folder, name, len);
    if (pack && !is_same_index(folder, pack)) {
        pack->is_gone = true;
        pack = NULL;
    }
    if (pack && (pack->index || pack->refusal != ODB_OK))
        return ODB_OK;
    if (!pack && folder->n_packs >= PACKS_MAX) {
        failure_set(failure, ODB_DAMAGED, "more than %d packs are not read", PACKS_MAX);
        note_problem(folder, folder->pack_path, failure);
        return ODB_OK;
    }
    char *path;
    if ((!pack && !(pack = add_pack(folder, name, len, numbering))) ||
        asprintf(&path, "%s/%s", folder->pack_path, name) < 0)
        return failure_no_memory(failure);
    enum odb_outcome outcome =
        pack_index_open(expander->windows, path, expander->id_len, &pack->index, failure);
    free(path);
    if (outcome == ODB_OK || outcome == ODB_NO_MEMORY)
        return outcome;
    note_problem(folder, name, failure);
    if (!pack->multi) {
        pack->refusal = outcome;
        failure_wrap(failure, "%s", name);
        memcpy(pack->reason, failure->text, sizeof(pack->reason));
    }
    return ODB_OK;
}

/* Open the multi-pack index and tie the packs to it. */
static enum odb_outcome
take_multi(struct object_folder *folder, struct expander *expander, struct numbering *numbering,
           struct failure *failure)
{
    char *path;
    if (asprintf(&path, "%s/multi-pack-index", folder->pack_path) < 0)
        return failure_no_memory(failure);
    enum odb_outcome outcome =
        multi_index_open(expander->windows, path, expander->id_len, &folder->multi, failure);
    free(path);
    if (outcome == ODB_MISSING)
        return ODB_OK;
    if (outcome != ODB_OK) {
        note_problem(folder, "multi-pack-index", failure);
        return outcome == ODB_NO_MEMORY ? outcome : ODB_OK;
    }
    for (uint32_t i = 0; i < folder->multi->n_packs; i++) {
        const char *name = folder->multi->names[i];
        size_t len = strlen(name) - (sizeof(".idx") - 1);
        struct pack *pack = find_pack(folder, name, len);
        if (!pack && !(pack = add_pack(folder, name, len, numbering)))
            return failure_no_memory(failure);
        pack->multi = folder->multi;
        pack->number_in_multi = i;
    }
    return ODB_OK;
}

static enum odb_outcome
list_packs(struct object_folder *folder, struct expander *expander, struct numbering *numbering,
           struct failure *failure)
{
    enum odb_outcome outcome = ODB_OK;
    DIR *dir = opendir(folder->pack_path);
    if (!dir) {
        if (errno != ENOENT) {
            failure_set(failure, ODB_DAMAGED, "it cannot be read: %s", strerror(errno));
            note_problem(folder, folder->pack_path, failure);
        }
        return ODB_OK;
    }
    if (!folder->multi)
        outcome = take_multi(folder, expander, numbering, failure);
    const struct dirent *child;
    while (outcome == ODB_OK && (child = readdir(dir)) != NULL)
        if (bytes_ends_with(bytes_of_text(child->d_name), BYTES(".idx")))
            outcome = take_index(folder, child->d_name, expander, numbering, failure);
    closedir(dir);
    return outcome;
}

/* ---- The folder ---------------------------------------------------------------------------- */

static bool
is_before(struct timespec a, struct timespec b, long slack_ns)
{
    int64_t distance = ((int64_t)b.tv_sec - a.tv_sec) * 1000000000 + (b.tv_nsec - a.tv_nsec);
    return distance > slack_ns;
}

enum odb_outcome
object_folder_refresh(struct object_folder *folder, struct expander *expander,
                      struct numbering *numbering, bool *changed, struct failure *failure)
{
    struct stat st;
    struct timespec now;
    if (stat(folder->pack_path, &st) < 0)
        return ODB_OK;
    bool is_new = st.st_mtim.tv_sec != folder->packs_changed.tv_sec ||
                  st.st_mtim.tv_nsec != folder->packs_changed.tv_nsec;
    if (!is_new && is_before(folder->packs_changed, folder->packs_listed, TICK_NS))
        return ODB_OK;
    clock_gettime(CLOCK_REALTIME, &now);
    folder->packs_changed = st.st_mtim;
    folder->packs_listed = now;
    *changed = true;
    return list_packs(folder, expander, numbering, failure);
}

static enum odb_outcome
open_paths(struct object_folder *folder, const char *path, struct failure *failure)
{
    struct stat st;
    size_t len = strlen(path);
    while (len > 1 && path[len - 1] == '/')
        len--;
    folder->path = strndup(path, len);
    if (!folder->path || asprintf(&folder->pack_path, "%s/pack", folder->path) < 0) {
        folder->pack_path = NULL;
        return failure_no_memory(failure);
    }
    int fd = open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) < 0) {
        int number = errno;
        if (fd >= 0)
            close(fd);
        return failure_set(failure, number == ENOENT ? ODB_MISSING : ODB_DAMAGED, "%s",
                           strerror(number));
    }
    close(fd);
    folder->dev = st.st_dev;
    folder->ino = st.st_ino;
    return ODB_OK;
}

enum odb_outcome
object_folder_open(const char *path, struct expander *expander, struct numbering *numbering,
                   struct object_folder **out, struct failure *failure)
{
    struct object_folder *folder = calloc(1, sizeof(*folder));
    bool changed = false;
    if (!folder)
        return failure_no_memory(failure);
    map_init(&folder->by_name);
    enum odb_outcome outcome = open_paths(folder, path, failure);
    if (outcome == ODB_OK)
        outcome = object_folder_refresh(folder, expander, numbering, &changed, failure);
    if (outcome == ODB_OK)
        *out = folder;
    else
        object_folder_close(folder, expander);
    return outcome;
}

void
object_folder_close(struct object_folder *folder, struct expander *expander)
{
    if (!folder)
        return;
    for (size_t i = 0; i < folder->n_packs; i++) {
        pack_clear(folder->packs[i], expander->windows);
        free(folder->packs[i]);
    }
    multi_index_close(expander->windows, folder->multi);
    map_clear(&folder->by_name);
    free(folder->packs);
    free(folder->pack_path);
    free(folder->path);
    free(folder);
}

/* ---- Loose objects ------------------------------------------------------------------------- */

enum odb_outcome
object_folder_loose_path(const struct object_folder *folder, const struct oid *id, struct buf *out,
                         struct failure *failure)
{
    char hex[OID_HEX_SIZE];
    oid_to_hex(id, hex);
    buf_reset(out);
    buf_append_text(out, folder->path);
    buf_append_byte(out, '/');
    buf_append(out, hex, 2);
    buf_append_byte(out, '/');
    buf_append_text(out, hex + 2);
    buf_append_byte(out, 0);
    return buf_failed(out) ? failure_no_memory(failure) : ODB_OK;
}

/* The id whose file in the folder of FIRST is NAME.  False: it is not the name of an object. */
static bool
id_of_name(const char *name, uint8_t first, size_t id_len, struct oid *out)
{
    static const char digits[] = "0123456789abcdef";
    char hex[OID_HEX_SIZE];
    if (strlen(name) != 2 * (id_len - 1))
        return false;
    hex[0] = digits[first >> 4];
    hex[1] = digits[first & 15];
    memcpy(hex + 2, name, 2 * (id_len - 1));
    hex[2 * id_len] = 0;
    return oid_from_hex(bytes_of_text(hex), out) == 0;
}

enum odb_outcome
object_folder_each_loose(const struct object_folder *folder, size_t id_len, uint8_t first,
                         odb_visit *visit, void *context, int *result, struct failure *failure)
{
    char *path;
    if (asprintf(&path, "%s/%02x", folder->path, first) < 0)
        return failure_no_memory(failure);
    DIR *dir = opendir(path);
    free(path);
    if (!dir)
        return ODB_OK;
    const struct dirent *child;
    struct oid id;
    while (*result == 0 && (child = readdir(dir)) != NULL)
        if (id_of_name(child->d_name, first, id_len, &id))
            *result = visit(context, &id);
    closedir(dir);
    return ODB_OK;
}
