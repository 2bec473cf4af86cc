/*
 * Base cache: objects that were expanded, kept as bases of their neighbours.
 *
 * Versions of one path are deltas of each other, so a caller that reads in the order of paths finds
 * the base of the next object here.  Nothing is copied: the reader of an object and the cache share
 * its memory, which is freed when both have released it.
 */
#ifndef STRATA_GIT_ODB_BASE_CACHE_H
#define STRATA_GIT_ODB_BASE_CACHE_H

#include "git/odb/failure.h"

struct base_cache;

/* An object's bytes.  data points into storage, after the header of a loose object. */
struct base {
    struct base_cache *cache;   /* whose memory it is */
    struct base *newer, *older; /* of the cache's list */
    struct base *next;          /* in its bucket, or in the free list of its class */
    uint64_t offset;            /* in its pack; offset and pack are the key */
    uint32_t pack;
    uint32_t n_holders; /* the cache counts as one */
    uint32_t class;     /* of its size */
    enum odb_kind kind;
    uint64_t cost; /* bytes inflated and copied to make it, its bases' included */
    size_t len;
    const uint8_t *data;
    uint8_t storage[];
};

/* N bytes of storage, data at its beginning, one holder.  NULL when memory is out. */
struct base *base_create(struct base_cache *cache, size_t n);
/* One holder more. */
void base_hold(struct base *base);
/* One holder less; the last gives the memory back to the cache.  NULL is fine. */
void base_let_go(struct base *base);

/* A cache that keeps at most MAX_BYTES of bases, and a quarter of that in free memory.  NULL when
 * memory is out. */
struct base_cache *base_cache_create(size_t max_bytes);
/* All bases must have been let go.  NULL is fine. */
void base_cache_destroy(struct base_cache *cache);
/* The object that begins at OFFSET of PACK, or NULL.  Borrowed until the next call; base_hold keeps
 * it. */
struct base *base_cache_get(struct base_cache *cache, uint32_t pack, uint64_t offset);
/* Keep BASE, whose key and len are set and whose key is not in the cache, until its room is needed.
 * One larger than the cache is not kept. */
void base_cache_put(struct base_cache *cache, struct base *base);

#endif
