/*
 * Blob index: an index in memory of where the facts and hits of every blob are in the map.
 *
 * It is made by one pass over the keys of both tables.  A look-up then takes three or four accesses
 * to memory instead of a dozen in LMDB's trees, and the place of a value is known before it is
 * needed.
 */
#ifndef STRATA_STORE_BLOB_INDEX_H
#define STRATA_STORE_BLOB_INDEX_H

#include "store/reader.h"

/* Are values read from the file because the map is too large to stay in memory (resident.h)? */
bool blob_index_reads_file(const struct store_index *index);
/* Make *OUT the stored bytes under KEY of TABLE (facts or hits), borrowed from the map or read into
 * ARENA. False when INDEX lacks them; the store may still have them. */
bool blob_index_find(const struct store_index *index, enum store_table table, struct bytes key,
                     struct arena *arena, struct bytes *out);
/* Prefetch what INDEX has of the N BLOBS into the processor's caches. */
void blob_index_prefetch(const struct store_index *index, const struct oid *const *blobs, size_t n);

#endif
