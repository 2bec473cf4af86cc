/*
 * Spill: a list of items of one size, of which the first are in memory and the rest in a file.
 *
 * Lists that grow with the length of a history are spills: at most SPILL_MEMORY_BYTES are in
 * memory, the rest is in a temporary file (in TMPDIR, else /tmp) without a name, which the system
 * removes when the process ends.
 */
#ifndef STRATA_GIT_SPILL_H
#define STRATA_GIT_SPILL_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum { SPILL_MEMORY_BYTES = 256 * 1024 };

struct spill {
    size_t item_bytes;
    size_t n_items;
    uint8_t *front;     /* the first items */
    size_t front_bytes; /* allocated */
    int fd;             /* the others; -1 while there are none */
};

/* No items yet, each of ITEM_BYTES. */
void spill_init(struct spill *spill, size_t item_bytes);
/* Give memory and file back; SPILL is as after spill_init. */
void spill_clear(struct spill *spill);

/* Copy item I, which is below n_items, to OUT.  ERR_IO. */
int spill_get(const struct spill *spill, size_t i, void *out, struct err *err);
/* Set item I to ITEM; I equal to n_items adds it.  ERR_NOMEM, ERR_FULL, ERR_IO. */
int spill_put(struct spill *spill, size_t i, const void *item, struct err *err);
/* Add zeroed items until there are N_ITEMS.  Fails as spill_put does. */
int spill_extend(struct spill *spill, size_t n_items, struct err *err);

/* Add ITEM at the end.  Fails as spill_put does. */
static inline int
spill_add(struct spill *spill, const void *item, struct err *err)
{
    return spill_put(spill, spill->n_items, item, err);
}

#endif
