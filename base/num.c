/*
 * See num.h.  Parsing refuses overflow instead of wrapping.  A double is printed with the fewest
 * significant digits that read back as the same value: most are found with whole numbers of 128
 * bits, the rest by trying and reading back.
 */
#include "base/num.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
num_parse_u64(struct bytes text, uint64_t min, uint64_t max, uint64_t *out)
{
    if (text.len == 0)
        return -1;
    uint64_t value = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] < '0' || text.data[i] > '9')
            return -1;
        if (__builtin_mul_overflow(value, 10u, &value) ||
            __builtin_add_overflow(value, (uint64_t)(text.data[i] - '0'), &value))
            return -1;
    }
    if (value < min || value > max)
        return -1;
    *out = value;
    return 0;
}

int
num_parse_i64(struct bytes text, int64_t min, int64_t max, int64_t *out)
{
    bool negative = text.len > 0 && text.data[0] == '-';
    uint64_t magnitude;
    uint64_t limit = negative ? (uint64_t)INT64_MAX + 1 : (uint64_t)INT64_MAX;
    if (negative || (text.len > 0 && text.data[0] == '+'))
        text = bytes_slice(text, 1, text.len);
    if (num_parse_u64(text, 0, limit, &magnitude) < 0)
        return -1;
    int64_t value = negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
    if (value < min || value > max)
        return -1;
    *out = value;
    return 0;
}

int
num_parse_double(struct bytes text, double *out)
{
    char copy[64];
    if (text.len == 0 || text.len >= sizeof(copy))
        return -1;
    for (size_t i = 0; i < text.len; i++)
        if (!strchr("0123456789+-.eE", text.data[i]) || text.data[i] == '\0')
            return -1;
    memcpy(copy, text.data, text.len);
    copy[text.len] = '\0';
    char *end;
    double value = strtod(copy, &end);
    if (end != copy + text.len || !isfinite(value))
        return -1;
    *out = value;
    return 0;
}

int
num_parse_size(struct bytes text, uint64_t *out)
{
    unsigned shift = 0;
    if (text.len > 0) {
        switch (text.data[text.len - 1]) {
        case 'K':
        case 'k':
            shift = 10;
            break;
        case 'M':
        case 'm':
            shift = 20;
            break;
        case 'G':
        case 'g':
            shift = 30;
            break;
        default:
            break;
        }
    }
    if (shift)
        text.len--;
    uint64_t value;
    if (num_parse_u64(text, 0, UINT64_MAX >> shift, &value) < 0)
        return -1;
    *out = value << shift;
    return 0;
}

/* Cut trailing zeros off a digit string. */
static size_t
trim_zeros(const char *digits, size_t n)
{
    while (n > 1 && digits[n - 1] == '0')
        n--;
    return n;
}

/* The significant digits of a positive number, without zeros at the end, and the decimal exponent
 * of the first. */
struct decimal {
    char digits[20];
    size_t n_digits;
    int exponent;
};

__extension__ typedef unsigned __int128 u128;

static uint64_t
power_of_ten(int n)
{
    uint64_t power = 1;
    while (n-- > 0)
        power *= 10;
    return power;
}

/* The digits of a whole number. */
static void
put_whole(uint64_t value, struct decimal *out)
{
    size_t n = 0;
    char digits[20];
    do
        digits[n++] = (char)('0' + value % 10);
    while ((value /= 10) > 0);
    for (size_t i = 0; i < n; i++)
        out->digits[i] = digits[n - 1 - i];
    out->exponent = (int)n - 1;
    out->n_digits = trim_zeros(out->digits, n);
}

/*
 * The shortest digits that read back as VALUE, in whole numbers of 128 bits, which hold all there
 * is to compare: VALUE is m * 2^-q, N digits of it are c * 10^-k.  False where that is not so, or
 * where the gaps to the neighbours of VALUE differ.
 */
static bool
find_digits_quickly(double value, struct decimal *out)
{
    if (value < 1e15 && value == floor(value)) {
        put_whole((uint64_t)value, out);
        return true;
    }
    if (!(value >= 1e-5 && value < 1e15))
        return false;
    int binary;
    uint64_t m = (uint64_t)ldexp(frexp(value, &binary), DBL_MANT_DIG);
    int q = DBL_MANT_DIG - binary;
    out->exponent = (int)floor(log10(value));
    if (m == UINT64_C(1) << (DBL_MANT_DIG - 1))
        return false;
    for (int n = 15; n <= 17; n++) {
        int k = n - 1 - out->exponent;
        u128 ten = (u128)power_of_ten(k / 2) * power_of_ten(k - k / 2);
        u128 scaled = m * ten, rest = scaled & (((u128)1 << q) - 1), half = (u128)1 << (q - 1);
        uint64_t c = (uint64_t)(scaled >> q);
        c += rest > half || (rest == half && (c & 1));
        if (c < power_of_ten(n - 1) || c >= power_of_ten(n))
            return false; /* the exponent is another, by log10 or by rounding up */
        u128 back = (u128)c << q, off = 2 * (back > scaled ? back - scaled : scaled - back);
        if (n < 17 && !(off < ten || (off == ten && m % 2 == 0)))
            continue;
        for (int i = n; i-- > 0; c /= 10)
            out->digits[i] = (char)('0' + c % 10);
        out->n_digits = trim_zeros(out->digits, (size_t)n);
        return true;
    }
    return false;
}

/* The same for any number that is finite and not negative. */
static void
find_digits(double value, struct decimal *out)
{
    /* Of a normal number fifteen digits survive the way there and back, so fewer are found by
     * trimming; a subnormal one has fewer good digits, so all lengths are tried. */
    char text[40];
    for (int precision = value < DBL_MIN ? 1 : 15; precision <= 17; precision++) {
        snprintf(text, sizeof(text), "%.*e", precision - 1, value);
        if (strtod(text, NULL) == value)
            break;
    }
    const char *at = text;
    out->n_digits = 0;
    for (; *at != 'e'; at++)
        if (*at != '.')
            out->digits[out->n_digits++] = *at;
    out->exponent = (int)strtol(at + 1, NULL, 10);
    out->n_digits = trim_zeros(out->digits, out->n_digits);
}

size_t
num_format_double(double value, char out[NUM_DOUBLE_SIZE])
{
    if (isnan(value))
        return (size_t)snprintf(out, NUM_DOUBLE_SIZE, "nan");
    if (isinf(value))
        return (size_t)snprintf(out, NUM_DOUBLE_SIZE, value < 0 ? "-inf" : "inf");

    struct decimal decimal;
    bool negative = signbit(value);
    if (!find_digits_quickly(fabs(value), &decimal))
        find_digits(fabs(value), &decimal);
    const char *digits = decimal.digits;
    size_t n_digits = decimal.n_digits;
    int exponent = decimal.exponent;

    char *to = out;
    if (negative)
        *to++ = '-';
    if (exponent < -4 || exponent >= 16) {
        *to++ = digits[0];
        if (n_digits > 1) {
            *to++ = '.';
            memcpy(to, digits + 1, n_digits - 1);
            to += n_digits - 1;
        }
        to += snprintf(to, 8, "e%c%02d", exponent < 0 ? '-' : '+', abs(exponent));
    } else if (exponent < 0) {
        *to++ = '0';
        *to++ = '.';
        for (int i = -1; i > exponent; i--)
            *to++ = '0';
        memcpy(to, digits, n_digits);
        to += n_digits;
    } else {
        size_t whole = (size_t)exponent + 1;
        for (size_t i = 0; i < whole; i++)
            *to++ = i < n_digits ? digits[i] : '0';
        *to++ = '.';
        if (n_digits > whole) {
            memcpy(to, digits + whole, n_digits - whole);
            to += n_digits - whole;
        } else {
            *to++ = '0';
        }
    }
    *to = '\0';
    return (size_t)(to - out);
}
