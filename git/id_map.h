/*
 * Id map: object ids to numbers, in a spill (spill.h), so that its memory stays bounded.
 */
#ifndef STRATA_GIT_ID_MAP_H
#define STRATA_GIT_ID_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/oid.h"
#include "git/spill.h"

struct id_map {
    struct spill slots; /* a power of two of them, or none */
    size_t n_ids;
};

/* Make MAP empty, without memory; free what it holds. */
void id_map_init(struct id_map *map);
void id_map_clear(struct id_map *map);
/* 1: *OUT is the number of ID; 0: MAP lacks ID; -1: the spill cannot be read, see ERR. */
int id_map_get(const struct id_map *map, const struct oid *id, uint32_t *out, struct err *err);
/* Make NUMBER the number of ID.  ERR_NOMEM, ERR_FULL, ERR_IO. */
int id_map_set(struct id_map *map, const struct oid *id, uint32_t number, struct err *err);

#endif
