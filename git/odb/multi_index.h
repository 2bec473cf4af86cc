/*
 * Multi-index: one index over several packs, the file multi-pack-index.
 *
 * Format, numbers big-endian: "MIDX", a byte each for the version (1), the kind of ids (1 or 2),
 * the number of chunks and of base files (0), 32 bits for the number of packs; then for each chunk,
 * and for the end of the last, four letters and an offset of 64 bits.  Chunks: PNAM the names of
 * the indexes, each with a NUL; OIDF the fan-out; OIDL the ids; OOFF for each the pack and an
 * offset of 32 bits, which with its high bit set is an index into LOFF, offsets of 64 bits. Without
 * LOFF that bit is part of the offset.
 */
#ifndef STRATA_GIT_ODB_MULTI_INDEX_H
#define STRATA_GIT_ODB_MULTI_INDEX_H

#include "git/odb/id_table.h"

struct multi_index {
    struct id_table table;
    uint64_t offsets;        /* where OOFF begins */
    uint64_t large, n_large; /* LOFF; n_large 0 when there is none */
    char *names_text;        /* PNAM */
    const char **names;      /* of the indexes, sorted or not */
    uint32_t n_packs;
};

/* Open PATH.  ODB_OK: *OUT is the caller's, to multi_index_close. */
enum odb_outcome multi_index_open(struct windows *windows, const char *path, size_t id_len,
                                  struct multi_index **out, struct failure *failure);
/* Close MULTI.  NULL is fine. */
void multi_index_close(struct windows *windows, struct multi_index *multi);

/* Find the pack (below n_packs) of the object at POSITION, and its offset there. */
enum odb_outcome
multi_index_place(const struct multi_index *multi, struct windows *windows, uint32_t position,
                  uint32_t *pack, uint64_t *offset, struct failure *failure);

#endif
