/*
 * Record: the record of one agent checkpoint, with its keys as fields.
 *
 * A record is one JSON object with the keys of SlopCodeBench's checkpoint_results.jsonl.  A missing
 * key, a null, a NaN or a value of another type is "no value"; keys that are not in fields.h are
 * ignored.
 */
#ifndef STRATA_AGGREGATE_RECORDS_RECORD_H
#define STRATA_AGGREGATE_RECORDS_RECORD_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "aggregate/records.h"
#include "aggregate/records/fields.h"
#include "aggregate/rows/row.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/json_read.h"

enum field {
#define RECORD_ENUM(id, name, unit, description) FIELD_##id,
    RECORD_NUMBERS(RECORD_ENUM)
#undef RECORD_ENUM
        FIELD_N
};

/* The key of FIELD in a record: "mass.cc" and so on. */
const char *field_name(enum field field);

struct record {
    struct run_setup setup;
    /* {NULL, 0} where the record does not say. */
#define RECORD_MEMBER(member, description) struct bytes member;
    RECORD_TEXTS(RECORD_MEMBER)
#undef RECORD_MEMBER
    double values[FIELD_N]; /* by enum field; NaN where there is no value */
};

/* The columns of a record: its texts, then its numbers in the order of enum field. */
extern const struct row_kind record_row_kind;

/* The value of FIELD; NaN if the record does not have it. */
static inline double
record_value(const struct record *record, enum field field)
{
    return record->values[field];
}

/* Does RECORD have FIELD? */
static inline bool
record_has(const struct record *record, enum field field)
{
    return !isnan(record->values[field]);
}

/* Read OBJECT, a JSON object, into OUT; texts are copied into ARENA.  0, or -1 with ERR_NOMEM. */
int record_read(const struct json_value *object, struct arena *arena, struct record *out,
                struct err *err);
/* The share of tests that passed, PASSED / TOTAL; NaN without tests. */
double record_rate(const struct record *record, enum field passed, enum field total);
/* Is the pass rate RATE 1, within a relative difference of 1e-9?  Not if it is missing. */
bool record_is_solved(const struct record *record, enum field rate);
/* Does the quality of this record count?  It needs physical and source lines above 0. */
bool record_is_kept(const struct record *record);

struct records {
    struct record *items; /* in order of the text */
    size_t n_items;
    size_t capacity;
    struct arena arena; /* their texts */
};

/* Make RECORDS empty. */
void records_init(struct records *records);
/* Free the memory of RECORDS. */
void records_clear(struct records *records);
/* Append a record without any value and return it, valid until the next; NULL when memory is out.
 */
struct record *records_add(struct records *records);
/*
 * Append the records in the JSON lines of TEXT.  A line that is not a JSON object is left out, and
 * a line in NOTES says so; ORIGIN names TEXT.  1 if a line was left out, else 0; -1 with ERR_NOMEM.
 */
int records_read(struct records *records, struct bytes text, const char *origin, struct buf *notes,
                 struct err *err);
/* The same for the records of RUN, completed by what RUN says of itself.  0, or -1 with ERR_NOMEM.
 */
int records_read_run(struct records *records, const struct report_records *run, struct buf *notes,
                     struct err *err);

#endif
