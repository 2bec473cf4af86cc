/*
 * Numbers: parsed whole and in range, converted with a check.
 */
#ifndef STRATA_BASE_NUM_H
#define STRATA_BASE_NUM_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"

/* TEXT as a decimal number from MIN to MAX, nothing before or after it.  0, or -1. */
int num_parse_u64(struct bytes text, uint64_t min, uint64_t max, uint64_t *out);
int num_parse_i64(struct bytes text, int64_t min, int64_t max, int64_t *out);
/* A finite decimal fraction, "1e-3" included.  0, or -1. */
int num_parse_double(struct bytes text, double *out);
/* A count of bytes: digits with an optional K, M, G (powers of 1024).  0, or -1. */
int num_parse_size(struct bytes text, uint64_t *out);

enum { NUM_DOUBLE_SIZE = 32 };
/*
 * VALUE as the shortest decimal that reads back to the same double, spelled as Python's repr does
 * ("0.1", "3.0", "1e-05", "1e+16", "inf", "-inf", "nan"), with a NUL.  Returns the length.
 */
size_t num_format_double(double value, char out[NUM_DOUBLE_SIZE]);

/* The whole part of VALUE, clamped to 0 to MAX; 0 for NaN. */
static inline uint64_t
num_clamp(double value, uint64_t max)
{
    if (!(value >= 1))
        return 0;
    return value < (double)max ? (uint64_t)value : max;
}

/* How many bits of WORD are set?  Written out because the builtin becomes a function call on
 * processors that may lack the instruction. */
static inline uint32_t
num_count_bits(uint64_t word)
{
    word -= word >> 1 & UINT64_C(0x5555555555555555);
    word = (word & UINT64_C(0x3333333333333333)) + (word >> 2 & UINT64_C(0x3333333333333333));
    word = (word + (word >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (uint32_t)(word * UINT64_C(0x0101010101010101) >> 56);
}

/* SIZE as 32 bits; the caller has made sure that it fits. */
static inline uint32_t
num_u32(size_t size)
{
    assert(size <= UINT32_MAX);
    return (uint32_t)size;
}

#endif
