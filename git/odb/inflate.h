/*
 * Inflate: zlib streams whose size is known beforehand, whole, by libdeflate.
 *
 * Objects and deltas announce their size, so the memory is taken once and libdeflate, twice as fast
 * as zlib, can fill it.  zlib does what libdeflate cannot: inflate only the beginning of a
 * stream (the header of a loose object, the sizes in a delta) and report what is wrong with a bad
 * one.
 */
#ifndef STRATA_GIT_ODB_INFLATE_H
#define STRATA_GIT_ODB_INFLATE_H

#include "git/odb/failure.h"

struct inflater;

/* NULL when memory is out. */
struct inflater *inflater_create(void);
/* NULL is fine. */
void inflater_destroy(struct inflater *inflater);

/* At most how many bytes a reasonable encoder deflates SIZE bytes to. */
size_t inflate_bound(size_t size);

/*
 * Inflate the stream at the beginning of IN, which must give LEN bytes, into OUT.  *USED (may be
 * NULL) is how many bytes of IN it took.  False: it does not give LEN bytes, or IN does not hold
 * all of it.
 */
bool
inflate_whole(struct inflater *inflater, struct bytes in, uint8_t *out, size_t len, size_t *used);

/*
 * The first LEN bytes that the stream IN gives, fewer when it ends or IN does: *N_OUT is how many.
 * ODB_DAMAGED: IN is not a zlib stream, or those bytes are damaged.
 */
enum odb_outcome inflate_head(struct inflater *inflater, struct bytes in, uint8_t *out, size_t len,
                              size_t *n_out, struct failure *failure);

/*
 * Say why inflate_whole of IN failed: "100 bytes follow, 1 announced".  The first HEADER of the LEN
 * bytes are not counted.  Bytes past those announced are counted up to a bound.  Returns
 * ODB_DAMAGED, or ODB_NO_MEMORY when memory is out.
 */
enum odb_outcome inflate_explain(struct inflater *inflater, struct bytes in, size_t header,
                                 size_t len, struct failure *failure);

#endif
