/*
 * Exact means and deviations by integer arithmetic.
 *
 * 1. Every finite double is m * 2^e with a 53-bit integer m.  With e0 the smallest e of all values,
 *    each value is an integer of at most 53 + 2045 bits times 2^e0.
 * 2. The sum S of these integers and the sum Q of their squares are computed exactly, in numbers of
 *    as many 64-bit words as the exponents need.
 *
 *      mean      = S / n                         * 2^e0
 *      deviation = sqrt((n Q - S^2) / (n (n-1))) * 2^e0
 *
 * 3. Division is by a 64-bit number, word by word.  The top bits of the quotient, and whether any
 * bit below them is set ("sticky"), decide the one rounding, half to even.
 */
#include "aggregate/stats/exact.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

__extension__ typedef unsigned __int128 u128;

enum {
    WORDS_MAX = 80, /* 2 * (53 + 2045 + 32) bits, a factor below 2^32, and the words below */
    GUARD_WORDS = 3 /* zero words put below a dividend, so that a quotient has 128 bits */
};

/* A number of N_WORDS words, lowest first; negative ones in two's complement. */
struct wide {
    uint64_t words[WORDS_MAX];
    size_t n_words;
};

static struct wide
wide_zero(size_t n_words)
{
    assert(n_words <= WORDS_MAX);
    struct wide wide;
    memset(wide.words, 0, n_words * sizeof(*wide.words));
    wide.n_words = n_words;
    return wide;
}

/* Add VALUE * 2^SHIFT, or subtract it if NEGATIVE. */
static void
wide_add(struct wide *wide, u128 value, unsigned shift, bool negative)
{
    size_t at = shift / 64;
    unsigned bits = shift % 64;
    uint64_t parts[3] = {(uint64_t)(value << bits), (uint64_t)((value << bits) >> 64),
                         bits ? (uint64_t)((value >> 64) >> (64 - bits)) : 0};
    uint64_t carry = 0;
    for (size_t i = 0; at < wide->n_words && (i < 3 || carry); i++, at++) {
        uint64_t part = i < 3 ? parts[i] : 0;
        u128 sum =
            negative ? (u128)wide->words[at] - part - carry : (u128)wide->words[at] + part + carry;
        wide->words[at] = (uint64_t)sum;
        carry = (sum >> 64) != 0;
    }
}

static bool
wide_is_negative(const struct wide *wide)
{
    return wide->words[wide->n_words - 1] >> 63;
}

static void
wide_negate(struct wide *wide)
{
    uint64_t carry = 1;
    for (size_t i = 0; i < wide->n_words; i++) {
        wide->words[i] = ~wide->words[i] + carry;
        carry = carry && wide->words[i] == 0;
    }
}

static void
wide_times(struct wide *wide, uint64_t factor)
{
    uint64_t carry = 0;
    for (size_t i = 0; i < wide->n_words; i++) {
        u128 product = (u128)wide->words[i] * factor + carry;
        wide->words[i] = (uint64_t)product;
        carry = (uint64_t)(product >> 64);
    }
}

/* WIDE -= NUMBER^2; the result must not be negative. */
static void
wide_subtract_square(struct wide *wide, const struct wide *number)
{
    for (size_t i = 0; i < number->n_words; i++)
        for (size_t k = 0; k < number->n_words; k++)
            wide_add(wide, (u128)number->words[i] * number->words[k], (unsigned)(i + k) * 64, true);
}

/* Replace WIDE by WIDE * 2^(64 GUARD_WORDS) / DIVISOR.  Returns whether there is a remainder. */
static bool
wide_divide(struct wide *wide, uint64_t divisor)
{
    assert(wide->n_words + GUARD_WORDS <= WORDS_MAX);
    memmove(wide->words + GUARD_WORDS, wide->words, wide->n_words * sizeof(*wide->words));
    memset(wide->words, 0, GUARD_WORDS * sizeof(*wide->words));
    wide->n_words += GUARD_WORDS;
    uint64_t rest = 0;
    for (size_t i = wide->n_words; i-- > 0;) {
        u128 part = (u128)rest << 64 | wide->words[i];
        wide->words[i] = (uint64_t)(part / divisor);
        rest = (uint64_t)(part % divisor);
    }
    return rest != 0;
}

/* The number of bits up to the highest that is set; 0 for zero. */
static unsigned
wide_bits(const struct wide *wide)
{
    for (size_t i = wide->n_words; i-- > 0;)
        if (wide->words[i])
            return (unsigned)(i + 1) * 64 - (unsigned)__builtin_clzll(wide->words[i]);
    return 0;
}

/* The bits from FROM upwards, at most 128.  *STICKY is set if a bit below FROM is. */
static u128
wide_from_bit(const struct wide *wide, unsigned from, bool *sticky)
{
    u128 top = 0;
    for (size_t i = wide->n_words; i-- > 0;) {
        unsigned low = (unsigned)i * 64;
        if (low >= from)
            top = top << 64 | wide->words[i];
        else if (low + 64 > from)
            top = top << (64 - (from - low)) | wide->words[i] >> (from - low);
        if (low < from) {
            unsigned n_below = from - low;
            uint64_t below =
                n_below >= 64 ? wide->words[i] : wide->words[i] & (((uint64_t)1 << n_below) - 1);
            *sticky = *sticky || below != 0;
        }
    }
    return top;
}

/* MANTISSA (top bit set) * 2^EXPONENT, a little more when STICKY, rounded half to even. */
static double
round_once(uint64_t mantissa, bool sticky, int exponent)
{
    assert(mantissa >> 63);
    int n_dropped = 11;
    int top_exponent = exponent + 63;
    if (top_exponent < -1022)
        n_dropped += -1022 - top_exponent; /* subnormal */
    if (n_dropped > 64)
        return 0;
    uint64_t kept = n_dropped == 64 ? 0 : mantissa >> n_dropped;
    uint64_t half = (uint64_t)1 << (n_dropped - 1);
    uint64_t dropped = mantissa & (half | (half - 1));
    if (dropped > half || (dropped == half && (sticky || (kept & 1))))
        kept++;
    return ldexp((double)kept, exponent + n_dropped);
}

static uint64_t
square_root(u128 square)
{
    uint64_t root = 0;
    for (uint64_t bit = (uint64_t)1 << 63; bit; bit >>= 1) {
        uint64_t more = root | bit;
        if ((u128)more * more <= square)
            root = more;
    }
    return root;
}

/* ---- Values on a common scale -------------------------------------------------------------- */

struct scale {
    int exponent;    /* of the lowest bit any value has */
    unsigned n_bits; /* from there to the highest, and room for adding n of them, and the sign */
    bool is_finite;
};

/* VALUE is *MANTISSA * 2^*EXPONENT; its sign is dropped. */
static void
take_apart(double value, uint64_t *mantissa, int *exponent)
{
    int e;
    double fraction = frexp(fabs(value), &e);
    *mantissa = (uint64_t)ldexp(fraction, 53);
    *exponent = e - 53;
    if (*exponent < -1074) { /* subnormal: the bits below are zero */
        *mantissa >>= -1074 - *exponent;
        *exponent = -1074;
    }
}

static struct scale
find_scale(const double *values, size_t n)
{
    int low = 1024, high = -1074;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(values[i]))
            return (struct scale){.is_finite = false};
        uint64_t mantissa;
        int exponent;
        take_apart(values[i], &mantissa, &exponent);
        if (mantissa == 0)
            continue;
        if (exponent < low)
            low = exponent;
        if (exponent > high)
            high = exponent;
    }
    if (low > high)
        low = high = 0;
    return (struct scale){low, (unsigned)(high - low) + 53 + 32 + 1, true};
}

static struct wide
add_up(const double *values, size_t n, const struct scale *scale)
{
    struct wide sum = wide_zero(scale->n_bits / 64 + 1);
    for (size_t i = 0; i < n; i++) {
        uint64_t mantissa;
        int exponent;
        take_apart(values[i], &mantissa, &exponent);
        if (mantissa)
            wide_add(&sum, mantissa, (unsigned)(exponent - scale->exponent), values[i] < 0);
    }
    return sum;
}

static struct wide
add_up_squares(const double *values, size_t n, const struct scale *scale)
{
    struct wide sum = wide_zero(2 * scale->n_bits / 64 + 2);
    for (size_t i = 0; i < n; i++) {
        uint64_t mantissa;
        int exponent;
        take_apart(values[i], &mantissa, &exponent);
        if (mantissa)
            wide_add(&sum, (u128)mantissa * mantissa, 2 * (unsigned)(exponent - scale->exponent),
                     false);
    }
    return sum;
}

double
exact_mean(const double *values, size_t n)
{
    assert(n > 0 && n < UINT32_MAX);
    struct scale scale = find_scale(values, n);
    if (!scale.is_finite) {
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += values[i];
        return sum / (double)n;
    }
    struct wide sum = add_up(values, n, &scale);
    bool negative = wide_is_negative(&sum);
    if (negative)
        wide_negate(&sum);
    bool sticky = wide_divide(&sum, n);
    unsigned n_bits = wide_bits(&sum);
    if (n_bits == 0)
        return 0;
    unsigned from = n_bits - 64;
    uint64_t top = (uint64_t)wide_from_bit(&sum, from, &sticky);
    double mean = round_once(top, sticky, scale.exponent - 64 * GUARD_WORDS + (int)from);
    return negative ? -mean : mean;
}

double
exact_stdev(const double *values, size_t n)
{
    assert(n > 1 && n < UINT32_MAX);
    struct scale scale = find_scale(values, n);
    if (!scale.is_finite)
        return NAN;
    struct wide sum = add_up(values, n, &scale);
    if (wide_is_negative(&sum))
        wide_negate(&sum);
    struct wide spread = add_up_squares(values, n, &scale);
    wide_times(&spread, n);
    wide_subtract_square(&spread, &sum);
    bool sticky = wide_divide(&spread, (uint64_t)n * (n - 1));
    unsigned n_bits = wide_bits(&spread);
    if (n_bits == 0)
        return 0;
    /* An even number of bits stays below, so that the root of the scale is a power of two. */
    unsigned from = n_bits - 128 + (n_bits & 1);
    u128 top = wide_from_bit(&spread, from, &sticky);
    uint64_t root = square_root(top);
    sticky = sticky || (u128)root * root != top;
    return round_once(root, sticky, scale.exponent - 32 * GUARD_WORDS + (int)from / 2);
}
