#include "manifests/day.h"

#include "base/num.h"

static bool
is_leap(uint64_t year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

bool
day_valid(struct bytes text)
{
    static const uint8_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    uint64_t year, month, day;
    if (text.len != 10 || text.data[4] != '-' || text.data[7] != '-')
        return false;
    if (num_parse_u64(bytes_slice(text, 0, 4), 0, 9999, &year) < 0 ||
        num_parse_u64(bytes_slice(text, 5, 7), 1, 12, &month) < 0)
        return false;
    uint64_t last = days[month - 1] + (uint64_t)(month == 2 && is_leap(year));
    return num_parse_u64(bytes_slice(text, 8, 10), 1, last, &day) == 0;
}
