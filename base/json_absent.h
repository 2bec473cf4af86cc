/*
 * Absent: JSON members whose value may be absent, which is written as null.
 */
#ifndef STRATA_BASE_JSON_ABSENT_H
#define STRATA_BASE_JSON_ABSENT_H

#include <math.h>

#include "base/json_write.h"

/* Write TEXT as member NAME; {NULL, 0} is absent. */
static inline void
absent_member_bytes(struct json_writer *json, const char *name, struct bytes text)
{
    if (text.data)
        json_member_bytes(json, name, text);
    else
        json_member_null(json, name);
}

/* Write VALUE, without a fraction when it is a whole number below 2^53. */
static inline void
absent_number(struct json_writer *json, double value)
{
    if (fabs(value) < 9007199254740992.0 && value == trunc(value))
        json_i64(json, (int64_t)value);
    else
        json_double(json, value);
}

/* Write VALUE as member NAME; NaN is absent. */
static inline void
absent_member_double(struct json_writer *json, const char *name, double value)
{
    if (isnan(value))
        json_member_null(json, name);
    else
        json_member_double(json, name, value);
}

#endif
