/*
 * Blob index: where the facts and hits of every blob lie in the map, in memory.
 *
 * Made by one pass over the keys of both tables.  A look-up then takes three or four looks at
 * memory, where one in LMDB's trees takes a dozen, and where a value lies is known before it is
 * needed.
 */
#ifndef STRATA_STORE_BLOB_INDEX_H
#define STRATA_STORE_BLOB_INDEX_H

#include "store/reader.h"

/* Are values read from the file, as the map is too large to stay in memory (resident.h)? */
bool blob_index_reads_file(const struct store_index *index);
/* The stored bytes under KEY of TABLE, facts or hits, borrowed from the map or read into ARENA.
 * False when INDEX does not have them, which does not say that the store has none. */
bool blob_index_find(const struct store_index *index, enum store_table table, struct bytes key,
                     struct arena *arena, struct bytes *out);
/* Begin to bring what there is of the N BLOBS into the processor's caches. */
void blob_index_prefetch(const struct store_index *index, const struct oid *const *blobs, size_t n);

#endif
