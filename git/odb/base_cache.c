/* A hash table of chains and a list in order of use.  A read looks here once for each step of a
 * chain of deltas.
 *
 * Memory that a base gives back is kept for the next base of about its size: four classes for each
 * power of two.  malloc would give it back to the system and take it again, and with the kernel's
 * faults for fresh pages that was a third of all reading. */
#include "git/odb/base_cache.h"

#include <stdlib.h>

enum {
    N_BUCKETS = 1 << 13,
    CLASS_SHIFT_MIN = 8,
    CLASS_SHIFT_MAX = 24,
    N_CLASSES = 4 * (CLASS_SHIFT_MAX - CLASS_SHIFT_MIN),
    NO_CLASS = N_CLASSES
};

struct base_cache {
    struct base *newest, *oldest;
    size_t bytes, max_bytes;
    size_t free_bytes;
    struct base *free[N_CLASSES];
    struct base *buckets[N_BUCKETS];
};

/* The class of N bytes; *SIZE is how many its members have. */
static uint32_t
class_of(size_t n, size_t *size)
{
    if (n <= (size_t)1 << CLASS_SHIFT_MIN)
        n = ((size_t)1 << CLASS_SHIFT_MIN) + 1;
    unsigned shift = 63 - (unsigned)__builtin_clzll(n - 1); /* 2^shift < n <= 2^(shift + 1) */
    size_t step = (size_t)1 << (shift - 2);
    size_t quarter = (n - 1 - ((size_t)1 << shift)) / step; /* from 0 to 3 */
    *size = ((size_t)1 << shift) + (quarter + 1) * step;
    if (shift >= CLASS_SHIFT_MAX)
        return NO_CLASS;
    return (uint32_t)((shift - CLASS_SHIFT_MIN) * 4 + quarter);
}

struct base *
base_create(struct base_cache *cache, size_t n)
{
    size_t size = n;
    if (n > SIZE_MAX / 4)
        return NULL;
    uint32_t class = class_of(n, &size);
    struct base *base = class == NO_CLASS ? NULL : cache->free[class];
    if (base) {
        cache->free[class] = base->next;
        cache->free_bytes -= size;
    } else if (!(base = malloc(sizeof(*base) + (class == NO_CLASS ? n : size)))) {
        return NULL;
    }
    *base = (struct base){
        .cache = cache, .n_holders = 1, .class = class, .len = n, .data = base->storage};
    return base;
}

static size_t
size_of_class(uint32_t class)
{
    size_t low = (size_t)1 << (class / 4 + CLASS_SHIFT_MIN);
    return low + (class % 4 + 1) * (low / 4);
}

static void
give_back(struct base *base)
{
    struct base_cache *cache = base->cache;
    size_t size = base->class == NO_CLASS ? 0 : size_of_class(base->class);
    if (base->class == NO_CLASS || cache->free_bytes + size > cache->max_bytes / 4) {
        free(base);
        return;
    }
    base->next = cache->free[base->class];
    cache->free[base->class] = base;
    cache->free_bytes += size;
}

void
base_hold(struct base *base)
{
    base->n_holders++;
}

void
base_let_go(struct base *base)
{
    if (base && --base->n_holders == 0)
        give_back(base);
}

struct base_cache *
base_cache_create(size_t max_bytes)
{
    struct base_cache *cache = calloc(1, sizeof(*cache));
    if (cache)
        cache->max_bytes = max_bytes;
    return cache;
}

static struct base **
bucket_of(struct base_cache *cache, uint32_t pack, uint64_t offset)
{
    uint64_t hash = (offset ^ (uint64_t)pack << 40) * UINT64_C(0x9e3779b97f4a7c15);
    return &cache->buckets[hash >> 51]; /* the upper 13 bits */
}

static void
unlink_use(struct base_cache *cache, struct base *base)
{
    *(base->newer ? &base->newer->older : &cache->newest) = base->older;
    *(base->older ? &base->older->newer : &cache->oldest) = base->newer;
}

static void
link_newest(struct base_cache *cache, struct base *base)
{
    base->newer = NULL;
    base->older = cache->newest;
    *(cache->newest ? &cache->newest->newer : &cache->oldest) = base;
    cache->newest = base;
}

static void
drop_oldest(struct base_cache *cache)
{
    struct base *base = cache->oldest;
    struct base **at = bucket_of(cache, base->pack, base->offset);
    while (*at != base)
        at = &(*at)->next;
    *at = base->next;
    unlink_use(cache, base);
    cache->bytes -= base->len + sizeof(*base);
    base_let_go(base);
}

void
base_cache_destroy(struct base_cache *cache)
{
    if (!cache)
        return;
    while (cache->oldest)
        drop_oldest(cache);
    for (size_t i = 0; i < N_CLASSES; i++)
        while (cache->free[i]) {
            struct base *base = cache->free[i];
            cache->free[i] = base->next;
            free(base);
        }
    free(cache);
}

struct base *
base_cache_get(struct base_cache *cache, uint32_t pack, uint64_t offset)
{
    struct base *base = *bucket_of(cache, pack, offset);
    while (base && (base->offset != offset || base->pack != pack))
        base = base->next;
    if (base && base->newer) {
        unlink_use(cache, base);
        link_newest(cache, base);
    }
    return base;
}

void
base_cache_put(struct base_cache *cache, struct base *base)
{
    size_t bytes = base->len + sizeof(*base);
    if (bytes > cache->max_bytes)
        return;
    while (cache->bytes + bytes > cache->max_bytes)
        drop_oldest(cache);
    struct base **bucket = bucket_of(cache, base->pack, base->offset);
    base->next = *bucket;
    *bucket = base;
    link_newest(cache, base);
    cache->bytes += bytes;
    base_hold(base);
}
