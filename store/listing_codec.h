/*
 * Listing codec: the files of a checkpoint as bytes, whole or as changes against another listing.
 *
 * Changes are written against a listing in whole form, so reading a listing takes at most two
 * values, unless damage was repaired in between.  The name of a listing is a hash of its whole
 * form, so it does not depend on how the listing is stored.
 */
#ifndef STRATA_STORE_LISTING_CODEC_H
#define STRATA_STORE_LISTING_CODEC_H

#include "base/arena.h"
#include "base/buf.h"
#include "store/record.h"
#include "store/store.h"

/* A decoded listing that others are written or read against. */
struct listing_base {
    struct store_key key;
    struct store_file *files;
    size_t n_files;
    size_t path_bytes; /* of all paths together */
    bool is_set;
    struct arena arena; /* holds FILES and their paths */
};

/* Make BASE empty, without memory; free what it holds. */
void listing_base_init(struct listing_base *base);
void listing_base_clear(struct listing_base *base);
/* Empty BASE, keeping its memory. */
void listing_base_reset(struct listing_base *base);
/* Set BASE to FILES, which, like their paths, are in the arena of BASE already. */
void listing_base_take(struct listing_base *base, const struct store_key *key,
                       struct store_file *files, size_t n_files);
/* Set BASE to a copy of FILES.  0, or -1 when memory is out (BASE is then empty). */
int listing_base_copy(struct listing_base *base, const struct store_key *key,
                      const struct store_file *files, size_t n_files);

/* Are FILES in strict bytewise order of paths, with ids of one length? */
bool listing_is_ordered(const struct store_file *files, size_t n_files);
/* Append the whole form, whose hash is the listing's name. */
void listing_put_whole(struct buf *out, const struct store_file *files, size_t n_files);
/* Append the changes from BASE to FILES. */
void listing_put_changes(struct buf *out, const struct listing_base *base,
                         const struct store_file *files, size_t n_files);

/* Is ENCODED in the form of changes?  Then *BASE is the name of its base. */
bool listing_is_changes(struct bytes encoded, struct store_key *base);
/*
 * Decode ENCODED into *N_OUT files at *OUT, in ARENA.  Paths are borrowed from ENCODED; those of
 * BASE are copied.  BASE is NULL for the whole form.
 */
enum record_outcome listing_get(struct bytes encoded, const struct listing_base *base,
                                struct arena *arena, struct store_file **out, size_t *n_out);

#endif
