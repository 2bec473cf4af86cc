/*
 * JSON lines: one object a line, read leniently.
 */
#ifndef STRATA_AGGREGATE_RECORDS_JSON_LINES_H
#define STRATA_AGGREGATE_RECORDS_JSON_LINES_H

#include "base/buf.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/json_read.h"

/* Called for each object; -1 with *err set ends the reading. */
typedef int json_line(void *context, const struct json_value *object, struct err *err);

/*
 * Call EACH for every line of TEXT, which ORIGIN names.  Blank lines are passed over; a line that
 * is no JSON object is left out and said in NOTES.  1 when there was one, else 0; -1 from EACH,
 * or ERR_NOMEM.
 */
int json_lines_read(struct bytes text, const char *origin, json_line *each, void *context,
                    struct buf *notes, struct err *err);

#endif
