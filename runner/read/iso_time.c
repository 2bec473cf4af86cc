/*
 * A day, a time of day, an optional fraction and an optional zone, taken one after another from the
 * text; anything after them is refused.
 */
#include "runner/read/iso_time.h"

#include "base/calendar.h"
#include "base/num.h"

enum { DAY_LEN = sizeof("2026-06-01") - 1 };

/* Take N digits at *AT, a number from MIN to MAX. */
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

/* Take one of the bytes ONE_OF. */
static int
take_byte(struct bytes text, size_t *at, const char *one_of)
{
    if (*at >= text.len || !text.data[*at] || !strchr(one_of, text.data[*at]))
        return -1;
    ++*at;
    return 0;
}

/* Take a fraction such as ".735535", up to 6 digits, in microseconds. */
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

/* Take "Z", "+02:00" or nothing, in seconds east of UTC. */
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
    int64_t day_s, hour, minute, second, fraction_us, zone_s;
    size_t at = DAY_LEN;
    if (text.len < DAY_LEN || bytes_starts_with(text, BYTES("0000")) ||
        calendar_parse_day(bytes_slice(text, 0, DAY_LEN), &day_s) < 0 ||
        take_byte(text, &at, "T ") < 0 || take(text, &at, 2, 0, 23, &hour) < 0 ||
        take_byte(text, &at, ":") < 0 || take(text, &at, 2, 0, 59, &minute) < 0 ||
        take_byte(text, &at, ":") < 0 || take(text, &at, 2, 0, 59, &second) < 0 ||
        take_fraction(text, &at, &fraction_us) < 0 || take_zone(text, &at, &zone_s) < 0 ||
        at != text.len)
        return -1;
    int64_t time_s = day_s + (hour * 60 + minute) * 60 + second - zone_s;
    *out_us = time_s * 1000000 + fraction_us;
    return 0;
}
