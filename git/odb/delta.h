/*
 * Delta: instructions that make an object out of another.
 *
 * Format: the size of the base and of the result, seven bits a byte and lowest first, the high bit
 * meaning more; then instructions.  A byte with its high bit set copies: its bits 0-3 say which
 * bytes of a 32-bit offset follow, bits 4-6 which of a 24-bit length (0 means 65,536).  A byte from
 * 1 to 127 is followed by that many bytes to insert; 0 is reserved.
 */
#ifndef STRATA_GIT_ODB_DELTA_H
#define STRATA_GIT_ODB_DELTA_H

#include "git/odb/failure.h"

enum { DELTA_HEADER_MAX = 20 }; /* two numbers of 64 bits */

struct delta_sizes {
    uint64_t base, result;
    size_t header; /* bytes that the two sizes take */
};

/* Read the sizes at the beginning of DELTA, which may be only its first DELTA_HEADER_MAX bytes. */
enum odb_outcome delta_sizes(struct bytes delta, struct delta_sizes *out, struct failure *failure);

/*
 * Carry out the instructions of DELTA, whose sizes are SIZES, on BASE, which must be of
 * sizes->base bytes, into OUT of sizes->result bytes.  ODB_DAMAGED: one leads out of either, or
 * they do not fill OUT.
 */
enum odb_outcome delta_apply(struct bytes delta, const struct delta_sizes *sizes, struct bytes base,
                             uint8_t *out, struct failure *failure);

#endif
