/*
 * Resident: a bound on the pages of mapped files that are in the memory of the process.
 *
 * Pages of a mapped file count as memory of the process until the system reclaims them, so reading
 * a large store seems to need as much memory as it has bytes.  Releasing pages early costs a page
 * fault when one is read again; the system still has it in its cache.
 */
#ifndef STRATA_STORE_PAGES_RESIDENT_H
#define STRATA_STORE_PAGES_RESIDENT_H

#include <stdbool.h>
#include <stddef.h>

/* Can all pages of a map of MAP_BYTES stay in memory? */
bool resident_fits(size_t map_bytes);
/* How many values or pages may be read between two calls of resident_trim. */
enum { RESIDENT_STEP = 512 };

/*
 * Release all pages of the MAP_BYTES at MAP, a read-only map, if more than 768 MiB of mapped files
 * are in memory.  Pointers into the map stay valid.
 */
void resident_trim(const void *map, size_t map_bytes);

#endif
