/* Days are counted from 1970-01-01 in years that begin in March, so that a leap day is the last day
 * of its year, and in eras of 400 years, which all have the same number of days. */
#include "base/calendar.h"

#include <stdio.h>

#include "base/num.h"

enum { DAYS_PER_ERA = 146097, DAYS_TO_1970 = 719468, SECONDS_PER_DAY = 86400 };

static int64_t
days_of_date(int64_t year, int64_t month, int64_t day)
{
    int64_t shifted = month <= 2 ? year - 1 : year;
    int64_t era = (shifted >= 0 ? shifted : shifted - 399) / 400;
    int64_t year_of_era = shifted - era * 400;
    int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * DAYS_PER_ERA + day_of_era - DAYS_TO_1970;
}

static void
date_of_days(int64_t days, int64_t *year, int64_t *month, int64_t *day)
{
    int64_t shifted = days + DAYS_TO_1970;
    int64_t era = (shifted >= 0 ? shifted : shifted - (DAYS_PER_ERA - 1)) / DAYS_PER_ERA;
    int64_t day_of_era = shifted - era * DAYS_PER_ERA;
    int64_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t shifted_month = (5 * day_of_year + 2) / 153;
    *day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    *month = shifted_month < 10 ? shifted_month + 3 : shifted_month - 9;
    *year = year_of_era + era * 400 + (*month <= 2);
}

int
calendar_parse_day(struct bytes text, int64_t *out)
{
    uint64_t year, month, day;
    if (text.len != 10 || text.data[4] != '-' || text.data[7] != '-' ||
        num_parse_u64(bytes_slice(text, 0, 4), 0, 9999, &year) < 0 ||
        num_parse_u64(bytes_slice(text, 5, 7), 1, 12, &month) < 0 ||
        num_parse_u64(bytes_slice(text, 8, 10), 1, 31, &day) < 0)
        return -1;
    int64_t days = days_of_date((int64_t)year, (int64_t)month, (int64_t)day);
    int64_t back_year, back_month, back_day;
    date_of_days(days, &back_year, &back_month, &back_day);
    if (back_month != (int64_t)month || back_day != (int64_t)day)
        return -1; /* the month has fewer days */
    *out = days * SECONDS_PER_DAY;
    return 0;
}

static int64_t
days_of_time(int64_t time_s)
{
    return time_s / SECONDS_PER_DAY - (time_s % SECONDS_PER_DAY < 0);
}

char *
calendar_format_day(int64_t time_s, char out[CALENDAR_SIZE])
{
    int64_t year, month, day;
    date_of_days(days_of_time(time_s), &year, &month, &day);
    snprintf(out, CALENDAR_SIZE, "%04d-%02d-%02d", (int)year, (int)month, (int)day);
    return out;
}

char *
calendar_format(int64_t time_s, char out[CALENDAR_SIZE])
{
    char day[CALENDAR_SIZE];
    int seconds =
        (int)(time_s % SECONDS_PER_DAY + (time_s % SECONDS_PER_DAY < 0) * SECONDS_PER_DAY);
    snprintf(out, CALENDAR_SIZE, "%.20sT%02d:%02d:%02dZ", calendar_format_day(time_s, day),
             seconds / 3600, seconds / 60 % 60, seconds % 60);
    return out;
}
