/*
 * Calendar: seconds since 1970 in UTC to text and back.
 */
#ifndef STRATA_BASE_CALENDAR_H
#define STRATA_BASE_CALENDAR_H

#include <stdint.h>

#include "base/bytes.h"

enum { CALENDAR_SIZE = 64 };

/* "2024-01-31T23:59:59Z" with a NUL; returns OUT. */
char *calendar_format(int64_t time_s, char out[CALENDAR_SIZE]);
/* "2024-01-31". */
char *calendar_format_day(int64_t time_s, char out[CALENDAR_SIZE]);

/* "2024-01-31" as the first second of that day in UTC.  0, or -1 when TEXT is not a day of the
 * calendar. */
int calendar_parse_day(struct bytes text, int64_t *out);

#endif
