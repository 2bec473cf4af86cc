/* The windows are a cache of sets of WAYS each; a hash of file and position chooses the set, and
 * the window of the set used longest ago is replaced.  Memory is allocated when windows are first
 * filled, in slabs of many windows and in huge pages where the system has them: page faults for
 * small pages were a tenth of the time of reading. */
#include "git/odb/windows.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    WAYS = 4,
    SETS_MIN = 2,
    FILES_OPEN_MAX = 24,
    WINDOW_BYTES = WINDOW_STEP + WINDOW_OVERLAP,
    SLAB_BYTES = 2 * 1024 * 1024
};

struct window {
    uint8_t *data; /* WINDOW_BYTES of a slab, NULL before its first use */
    uint32_t file; /* number; 0: empty */
    uint32_t len;
    uint64_t position; /* where it begins, in steps */
    uint64_t last_used;
};

struct windows {
    struct window *all; /* sets of WAYS */
    size_t n_sets;      /* a power of two */
    uint8_t **slabs;
    size_t slab_bytes;       /* of each; a multiple of WINDOW_BYTES */
    size_t n_slabs, n_given; /* slabs there are, windows given memory */
    uint64_t tick;
    uint32_t n_files; /* numbers given */
    struct file *open[FILES_OPEN_MAX];
    size_t n_open;
};

struct windows *
windows_create(size_t max_bytes)
{
    struct windows *windows = calloc(1, sizeof(*windows));
    if (!windows)
        return NULL;
    windows->n_sets = SETS_MIN;
    while (windows->n_sets < SIZE_MAX / 4 / WAYS / WINDOW_BYTES &&
           windows->n_sets * 2 * WAYS * WINDOW_BYTES <= max_bytes)
        windows->n_sets *= 2;
    size_t all_bytes = windows->n_sets * WAYS * WINDOW_BYTES;
    windows->slab_bytes = all_bytes < SLAB_BYTES ? all_bytes : SLAB_BYTES;
    windows->all = calloc(windows->n_sets * WAYS, sizeof(*windows->all));
    windows->slabs = calloc(all_bytes / windows->slab_bytes, sizeof(*windows->slabs));
    if (windows->all && windows->slabs)
        return windows;
    windows_destroy(windows);
    return NULL;
}

void
windows_destroy(struct windows *windows)
{
    if (!windows)
        return;
    for (size_t i = 0; i < windows->n_slabs; i++)
        free(windows->slabs[i]);
    free(windows->slabs);
    free(windows->all);
    free(windows);
}

/* ---- Descriptors --------------------------------------------------------------------------- */

static void
close_descriptor(struct windows *windows, size_t index)
{
    struct file *file = windows->open[index];
    close(file->as_opened.fd);
    file->as_opened.fd = -1;
    windows->open[index] = windows->open[--windows->n_open];
}

static void
remember_open(struct windows *windows, struct file *file)
{
    if (windows->n_open == FILES_OPEN_MAX) {
        size_t oldest = 0;
        for (size_t i = 1; i < windows->n_open; i++)
            if (windows->open[i]->last_read < windows->open[oldest]->last_read)
                oldest = i;
        close_descriptor(windows, oldest);
    }
    file->last_read = ++windows->tick;
    windows->open[windows->n_open++] = file;
}

enum odb_outcome
file_open(struct windows *windows, const char *path, struct file **out, struct failure *failure)
{
    struct file *file = calloc(1, sizeof(*file));
    char *copy = strdup(path);
    enum odb_outcome outcome =
        file && copy ? regular_open(path, &file->as_opened, failure) : failure_no_memory(failure);
    if (outcome != ODB_OK) {
        free(copy);
        free(file);
        return outcome;
    }
    file->path = copy;
    file->number = ++windows->n_files;
    remember_open(windows, file);
    *out = file;
    return ODB_OK;
}

void
file_close(struct windows *windows, struct file *file)
{
    if (!file)
        return;
    for (size_t i = 0; i < windows->n_open; i++)
        if (windows->open[i] == file) {
            close_descriptor(windows, i);
            break;
        }
    free(file->path);
    free(file);
}

static enum odb_outcome
open_again(struct windows *windows, struct file *file, struct failure *failure)
{
    struct regular found;
    enum odb_outcome outcome = regular_open(file->path, &found, failure);
    if (outcome != ODB_OK)
        return outcome;
    const struct regular *before = &file->as_opened;
    if (found.dev != before->dev || found.ino != before->ino || found.size != before->size) {
        close(found.fd);
        return failure_set(failure, ODB_MISSING, "another file is in its place");
    }
    file->as_opened.fd = found.fd;
    remember_open(windows, file);
    return ODB_OK;
}

enum odb_outcome
windows_copy(struct windows *windows, struct file *file, uint64_t offset, size_t len, uint8_t *out,
             struct failure *failure)
{
    if (offset > file_size(file) || len > file_size(file) - offset)
        return failure_set(failure, ODB_DAMAGED, "it ends before byte %llu",
                           (unsigned long long)offset + len);
    enum odb_outcome outcome = file->as_opened.fd < 0 ? open_again(windows, file, failure) : ODB_OK;
    file->last_read = ++windows->tick;
    return outcome == ODB_OK ? regular_read_at(file->as_opened.fd, offset, len, out, failure)
                             : outcome;
}

/* ---- Windows ------------------------------------------------------------------------------- */

static size_t
set_of(const struct windows *windows, uint32_t file, uint64_t position)
{
    uint64_t hash =
        (position * UINT64_C(0x9e3779b97f4a7c15)) ^ (file * UINT64_C(0xc2b2ae3d27d4eb4f));
    hash ^= hash >> 32;
    return (size_t)(hash & (windows->n_sets - 1)) * WAYS;
}

/* Memory for one more window; NULL when memory is out. */
static uint8_t *
take_memory(struct windows *windows)
{
    size_t at = windows->n_given * WINDOW_BYTES % windows->slab_bytes;
    if (at == 0) {
        uint8_t *slab = aligned_alloc(windows->slab_bytes == SLAB_BYTES ? SLAB_BYTES : WINDOW_BYTES,
                                      windows->slab_bytes);
        if (!slab)
            return NULL;
        if (windows->slab_bytes == SLAB_BYTES)
            (void)madvise(slab, SLAB_BYTES, MADV_HUGEPAGE);
        windows->slabs[windows->n_slabs++] = slab;
    }
    windows->n_given++;
    return windows->slabs[windows->n_slabs - 1] + at;
}

static enum odb_outcome
fill(struct windows *windows, struct window *window, struct file *file, uint64_t position,
     struct failure *failure)
{
    uint64_t from = position * WINDOW_STEP;
    uint64_t rest = file_size(file) - from;
    size_t len = rest < WINDOW_BYTES ? (size_t)rest : WINDOW_BYTES;
    window->file = 0;
    if (!window->data && !(window->data = take_memory(windows)))
        return failure_no_memory(failure);
    enum odb_outcome outcome = windows_copy(windows, file, from, len, window->data, failure);
    if (outcome != ODB_OK)
        return outcome;
    window->file = file->number;
    window->position = position;
    window->len = (uint32_t)len;
    return ODB_OK;
}

static struct window *
find(struct windows *windows, struct file *file, uint64_t position, struct failure *failure)
{
    struct window *set = &windows->all[set_of(windows, file->number, position)];
    struct window *oldest = set;
    for (size_t i = 0; i < WAYS; i++) {
        if (set[i].file == file->number && set[i].position == position)
            return &set[i];
        if (set[i].last_used < oldest->last_used)
            oldest = &set[i];
    }
    return fill(windows, oldest, file, position, failure) == ODB_OK ? oldest : NULL;
}

const uint8_t *
windows_look(struct windows *windows, struct file *file, uint64_t offset, size_t want,
             size_t *available, struct failure *failure)
{
    assert(want <= WINDOW_OVERLAP);
    if (offset > file_size(file) || want > file_size(file) - offset) {
        failure_set(failure, ODB_DAMAGED, "it ends before byte %llu",
                    (unsigned long long)offset + want);
        return NULL;
    }
    uint64_t position = offset / WINDOW_STEP;
    struct window *window = file->window;
    if (!window || window->file != file->number || window->position != position)
        window = find(windows, file, position, failure);
    if (!window)
        return NULL;
    window->last_used = ++windows->tick;
    file->window = window;
    size_t at = (size_t)(offset - position * WINDOW_STEP);
    *available = window->len - at;
    return window->data + at;
}
