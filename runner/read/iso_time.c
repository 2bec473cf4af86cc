#include "runner/read/iso_time.h"

#include "base/num.h"

/* N digits at *AT, from MIN to MAX. */
static int
take(struct bytes text, size_t *at, size_t n, uint64_t min, uint64_t max, int64_t *out)
{
    uint64_t value;
    if (text.len - *at < n || num_parse_u64(bytes_slice(text, *at, *at + n), min, max, &value) < 0)
        return -1;
    *at += n;
    *out = (int64_t)value;
    return 0;
}

static int
take_byte(struct bytes text, size_t *at, const char *one_of)
{
    if (*at >= text.len || !text.data[*at] || !strchr(one_of, text.data[*at]))
        return -1;
    ++*at;
    return 0;
}

static int64_t
days_in_month(int64_t year, int64_t month)
{
    static const int64_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return days[month - 1] + (month == 2 && is_leap);
}

/* Days from 1970-01-01, the year counted from March so that the leap day is its last. */
static int64_t
days_since_1970(int64_t year, int64_t month, int64_t day)
{
    int64_t y = month <= 2 ? year - 1 : year, m = (month + 9) % 12;
    return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719468;
}

/* ".735535", up to 6 digits. */
static int
take_fraction(struct bytes text, size_t *at, int64_t *out_us)
{
    int64_t scale = 1000000;
    *out_us = 0;
    if (take_byte(text, at, ".") < 0)
        return 0;
    size_t from = *at;
    for (; *at < text.len && *at - from < 6 && text.data[*at] >= '0' && text.data[*at] <= '9';
         ++*at) {
        scale /= 10;
        *out_us += scale * (text.data[*at] - '0');
    }
    return *at > from ? 0 : -1;
}

static int
take_zone(struct bytes text, size_t *at, int64_t *out_s)
{
    int64_t hours, minutes;
    *out_s = 0;
    if (*at == text.len || take_byte(text, at, "Z") == 0)
        return 0;
    bool is_west = text.data[*at] == '-';
    if (take_byte(text, at, "+-") < 0 || take(text, at, 2, 0, 23, &hours) < 0 ||
        take_byte(text, at, ":") < 0 || take(text, at, 2, 0, 59, &minutes) < 0)
        return -1;
    *out_s = (hours * 60 + minutes) * 60 * (is_west ? -1 : 1);
    return 0;
}

int
iso_time_parse(struct bytes text, int64_t *out_us)
{
    int64_t year, month, day, hour, minute, second, fraction_us, zone_s;
    size_t at = 0;
    if (take(text, &at, 4, 1, 9999, &year) < 0 || take_byte(text, &at, "-") < 0 ||
        take(text, &at, 2, 1, 12, &month) < 0 || take_byte(text, &at, "-") < 0 ||
        take(text, &at, 2, 1, 31, &day) < 0 || day > days_in_month(year, month) ||
        take_byte(text, &at, "T ") < 0 || take(text, &at, 2, 0, 23, &hour) < 0 ||
        take_byte(text, &at, ":") < 0 || take(text, &at, 2, 0, 59, &minute) < 0 ||
        take_byte(text, &at, ":") < 0 || take(text, &at, 2, 0, 59, &second) < 0 ||
        take_fraction(text, &at, &fraction_us) < 0 || take_zone(text, &at, &zone_s) < 0 ||
        at != text.len)
        return -1;
    int64_t seconds = ((days_since_1970(year, month, day) * 24 + hour) * 60 + minute) * 60 + second;
    *out_us = (seconds - zone_s) * 1000000 + fraction_us;
    return 0;
}
