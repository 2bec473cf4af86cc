/*
 * Id table: the sorted ids of an index, with its fan-out.
 *
 * Pack indexes of both versions and multi-pack indexes hold one: 256 counts of the ids whose first
 * byte is at most that, then the ids, STRIDE bytes apart.  The counts are checked when it is
 * opened. The order of the ids is not checked: an id out of order is not found, which is the only
 * effect.
 */
#ifndef STRATA_GIT_ODB_ID_TABLE_H
#define STRATA_GIT_ODB_ID_TABLE_H

#include "git/odb/windows.h"

enum { FAN_BYTES = 256 * 4 };

struct id_table {
    struct file *file;
    uint64_t first; /* where the first id is */
    size_t stride;
    size_t id_len;
    uint32_t fan[256]; /* ascending */
};

/* The number of ids. */
static inline uint32_t
id_table_count(const struct id_table *table)
{
    return table->fan[255];
}

/* Read the FAN_BYTES at FAN_OFFSET into TABLE, whose other fields are set.  The caller checks that
 * the ids are within the file. */
enum odb_outcome id_table_read_fan(struct id_table *table, struct windows *windows,
                                   uint64_t fan_offset, struct failure *failure);
/* The position of the first id that is not below ID (id_len bytes). */
enum odb_outcome id_table_seek(const struct id_table *table, struct windows *windows,
                               const uint8_t *id, uint32_t *position, struct failure *failure);
/* The id at POSITION, id_len bytes, borrowed until the next call with WINDOWS; NULL: FAILURE says
 * why. */
const uint8_t *id_table_at(const struct id_table *table, struct windows *windows, uint32_t position,
                           struct failure *failure);
/* The position of ID.  ODB_MISSING when TABLE lacks it. */
enum odb_outcome id_table_find(const struct id_table *table, struct windows *windows,
                               const uint8_t *id, uint32_t *position, struct failure *failure);

/* The big-endian number at AT. */
static inline uint32_t
be32_at(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static inline uint64_t
be64_at(const uint8_t *at)
{
    return (uint64_t)be32_at(at) << 32 | be32_at(at + 4);
}

#endif
