/* An item is in memory or in the file and never moves: the file begins with the first item for
 * which there is no room in memory. */
#include "git/spill.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void
spill_init(struct spill *spill, size_t item_bytes)
{
    *spill = (struct spill){.item_bytes = item_bytes, .fd = -1};
}

void
spill_clear(struct spill *spill)
{
    free(spill->front);
    if (spill->fd >= 0)
        close(spill->fd);
    spill_init(spill, spill->item_bytes);
}

static size_t
front_max(const struct spill *spill)
{
    return SPILL_MEMORY_BYTES / spill->item_bytes;
}

static off_t
offset_of(const struct spill *spill, size_t i)
{
    return (off_t)((i - front_max(spill)) * spill->item_bytes);
}

int
spill_get(const struct spill *spill, size_t i, void *out, struct err *err)
{
    size_t size = spill->item_bytes;
    assert(i < spill->n_items);
    if (i < front_max(spill)) {
        memcpy(out, spill->front + i * size, size);
        return 0;
    }
    ssize_t n = pread(spill->fd, out, size, offset_of(spill, i));
    if (n >= 0 && (size_t)n < size)
        errno = EIO;
    return n == (ssize_t)size ? 0 : err_set_errno(err, "read the temporary file of a history");
}

/* Room in front for N_ITEMS, zeroed. */
static int
reserve_front(struct spill *spill, size_t n_items, struct err *err)
{
    size_t wanted = n_items * spill->item_bytes;
    if (wanted <= spill->front_bytes)
        return 0;
    size_t larger = spill->front_bytes ? spill->front_bytes * 2 : 4096;
    while (larger < wanted)
        larger *= 2;
    uint8_t *front = realloc(spill->front, larger);
    if (!front)
        return err_nomem(err, "history");
    memset(front + spill->front_bytes, 0, larger - spill->front_bytes);
    spill->front = front;
    spill->front_bytes = larger;
    return 0;
}

static int
open_file(struct spill *spill, struct err *err)
{
    const char *folder = getenv("TMPDIR");
    if (spill->fd >= 0)
        return 0;
    if (!folder || folder[0] != '/')
        folder = "/tmp";
    spill->fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (spill->fd >= 0)
        return 0;
    char name[4096];
    int n = snprintf(name, sizeof(name), "%s/strata.XXXXXX", folder);
    spill->fd = n < (int)sizeof(name) ? mkostemp(name, O_CLOEXEC) : -1;
    if (spill->fd < 0)
        return err_set_errno(err, "make a temporary file in %s (TMPDIR names another folder)",
                             folder);
    unlink(name);
    return 0;
}

int
spill_put(struct spill *spill, size_t i, const void *item, struct err *err)
{
    size_t size = spill->item_bytes;
    assert(i <= spill->n_items);
    if (i < front_max(spill)) {
        if (reserve_front(spill, i + 1, err) < 0)
            return -1;
        memcpy(spill->front + i * size, item, size);
    } else {
        if (open_file(spill, err) < 0)
            return -1;
        ssize_t n = pwrite(spill->fd, item, size, offset_of(spill, i));
        if (n >= 0 && (size_t)n < size)
            errno = ENOSPC;
        if (n != (ssize_t)size)
            return err_set_errno(err, "write the temporary file of a history");
    }
    spill->n_items += i == spill->n_items;
    return 0;
}

int
spill_extend(struct spill *spill, size_t n_items, struct err *err)
{
    size_t in_front = n_items < front_max(spill) ? n_items : front_max(spill);
    assert(n_items >= spill->n_items);
    if (reserve_front(spill, in_front, err) < 0)
        return -1;
    if (n_items > in_front) {
        if (open_file(spill, err) < 0)
            return -1;
        if (ftruncate(spill->fd, offset_of(spill, n_items)) < 0)
            return err_set_errno(err, "extend the temporary file of a history");
    }
    spill->n_items = n_items;
    return 0;
}
