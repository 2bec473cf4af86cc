/*
 * ISO time: times as Python's isoformat() writes them.
 */
#ifndef STRATA_RUNNER_READ_ISO_TIME_H
#define STRATA_RUNNER_READ_ISO_TIME_H

#include <stdint.h>

#include "base/bytes.h"

/*
 * Read TEXT, such as "2026-06-01T04:21:43.735535", as microseconds since 1970.  The fraction and
 * the zone ("Z", "+02:00") are optional; without a zone it is UTC.  0, or -1 when TEXT is not such
 * a time.
 */
int iso_time_parse(struct bytes text, int64_t *out_us);

#endif
