/*
 * Times as Python's isoformat writes them.
 */
#ifndef STRATA_RUNNER_READ_ISO_TIME_H
#define STRATA_RUNNER_READ_ISO_TIME_H

#include <stdint.h>

#include "base/bytes.h"

/*
 * TEXT, "2026-06-01T04:21:43.735535" with the fraction and a zone ("Z", "+02:00") optional, as
 * microseconds since 1970; without a zone it is taken as UTC.  0, or -1 when it is no such time.
 */
int iso_time_parse(struct bytes text, int64_t *out_us);

#endif
