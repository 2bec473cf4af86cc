/*
 * Calendar: seconds since 1970 in UTC to text and back.
 */
#ifndef STRATA_AGGREGATE_CALENDAR_H
#define STRATA_AGGREGATE_CALENDAR_H

#include <stdint.h>

#include "base/bytes.h"

enum { CALENDAR_SIZE = 64 };

/* "2024-01-31T23:59:59Z" with a NUL; returns OUT. */
char *calendar_format(int64_t time_s, char out[CALENDAR_SIZE]);
/* "2024-01-31". */
char *calendar_format_day(int64_t time_s, char out[CALENDAR_SIZE]);

#endif
