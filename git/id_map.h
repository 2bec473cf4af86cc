/*
 * Id map: object ids to numbers, in a spill, so that a long history does not take memory.
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

void id_map_init(struct id_map *map);
void id_map_clear(struct id_map *map);
/* 1: ID is in and *OUT is its number; 0: it is not; -1: *err says why that cannot be told. */
int id_map_get(const struct id_map *map, const struct oid *id, uint32_t *out, struct err *err);
/* Make NUMBER the number of ID.  ERR_NOMEM, ERR_FULL, ERR_IO. */
int id_map_set(struct id_map *map, const struct oid *id, uint32_t number, struct err *err);

#endif
