/*
 * Bounding the mapped pages of the process.
 *
 * Pages of a store are read in no order, so a store larger than the bound causes a page fault at
 * most accesses; the bound is therefore as high as a process of one GiB allows.  On systems without
 * /proc, which says how much is resident, nothing is done.
 */
#include "store/pages/resident.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static const size_t RESIDENT_MOST_BYTES = (size_t)768 << 20;

/* Bytes of mapped files that are in memory; 0 when unknown. */
static size_t
resident_file_bytes(size_t page_bytes)
{
    char text[128];
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    ssize_t n = read(fd, text, sizeof(text) - 1);
    close(fd);
    unsigned long long pages;
    text[n > 0 ? n : 0] = 0;
    return sscanf(text, "%*u %*u %llu", &pages) == 1 ? (size_t)pages * page_bytes : 0;
}

bool
resident_fits(size_t map_bytes)
{
    return map_bytes <= RESIDENT_MOST_BYTES;
}

void
resident_trim(const void *map, size_t map_bytes)
{
    size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    if (map_bytes <= RESIDENT_MOST_BYTES / 2) /* two stores may be open */
        return;
    if (resident_file_bytes(page_bytes) <= RESIDENT_MOST_BYTES)
        return;
    uintptr_t from = (uintptr_t)map & ~(uintptr_t)(page_bytes - 1);
    madvise((void *)from, (uintptr_t)map + map_bytes - from, MADV_DONTNEED);
}
