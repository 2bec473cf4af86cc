/*
 * JSON lines: one JSON object per line; what is not an object is left out and noted.
 */
#ifndef STRATA_AGGREGATE_RECORDS_JSON_LINES_H
#define STRATA_AGGREGATE_RECORDS_JSON_LINES_H

#include "base/buf.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/json_read.h"

/* Called for each OBJECT, which is valid during the call.  -1 with *err set ends the reading. */
typedef int json_line(void *context, const struct json_value *object, struct err *err);

/*
 * Call EACH with CONTEXT for every object in the lines of TEXT.  Blank lines are skipped.  A line
 * that is not a JSON object is left out, and a line in NOTES says so, with ORIGIN and the line
 * number.  1 if a line was left out, else 0; -1 if EACH returned it, or with ERR_NOMEM.
 */
int json_lines_read(struct bytes text, const char *origin, json_line *each, void *context,
                    struct buf *notes, struct err *err);

#endif
