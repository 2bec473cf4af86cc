/*
 * Resident: a bound on the pages of a mapped file that the process holds.
 *
 * Pages of a mapped file stay with the process until the system wants them back, so whoever reads
 * through a large store seems to need as much memory as it has bytes.  Giving them back early costs
 * a page fault where one is read again; the system still has it in its cache.
 */
#ifndef STRATA_STORE_PAGES_RESIDENT_H
#define STRATA_STORE_PAGES_RESIDENT_H

#include <stdbool.h>
#include <stddef.h>

/* Can all pages of a map of MAP_BYTES stay with the process? */
bool resident_fits(size_t map_bytes);
/* How many looks at a map may lie between two calls of resident_trim. */
enum { RESIDENT_STEP = 512 };

/*
 * Give back all pages of the MAP_BYTES that are mapped at MAP, which nobody can write to through
 * the map, if the process holds more than 768 MiB of files.  Pointers into them stay good.
 */
void resident_trim(const void *map, size_t map_bytes);

#endif
