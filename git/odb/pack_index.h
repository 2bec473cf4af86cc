/*
 * Pack index: where in its pack each object is.
 *
 * Version 1: the fan-out, then an offset of 32 bits and an id for each object.  Version 2:
 * "\377tOc", the version, the fan-out, the ids, a CRC and 32 bits for each object; with their high
 * bit set these are an index into the 64-bit offsets that follow.  Both end in the checksum of the
 * pack and their own.
 */
#ifndef STRATA_GIT_ODB_PACK_INDEX_H
#define STRATA_GIT_ODB_PACK_INDEX_H

#include "git/odb/id_table.h"

struct pack_index {
    struct id_table table;
    unsigned version;
    uint64_t n_large;                     /* 64-bit offsets */
    uint8_t pack_checksum[OID_MAX_BYTES]; /* id_len bytes */
};

/* Open PATH.  ODB_OK: *OUT is the caller's, to pack_index_close. */
enum odb_outcome pack_index_open(struct windows *windows, const char *path, size_t id_len,
                                 struct pack_index **out, struct failure *failure);
/* Close INDEX.  NULL is fine. */
void pack_index_close(struct windows *windows, struct pack_index *index);

/* Where the object at POSITION begins, which the caller checks against its pack. */
enum odb_outcome pack_index_offset(const struct pack_index *index, struct windows *windows,
                                   uint32_t position, uint64_t *out, struct failure *failure);
/* Where ID begins.  ODB_MISSING when INDEX lacks it. */
enum odb_outcome pack_index_find(const struct pack_index *index, struct windows *windows,
                                 const uint8_t *id, uint64_t *out, struct failure *failure);

#endif
