/*
 * Day: a calendar day as text, "2026-06-25", which orders as its bytes do.
 */
#ifndef STRATA_MANIFESTS_DAY_H
#define STRATA_MANIFESTS_DAY_H

#include <stdbool.h>

#include "base/bytes.h"

/* Is TEXT a day of the Gregorian calendar in this spelling? */
bool day_valid(struct bytes text);

#endif
