/*
 * Record: what one agent checkpoint's record says, by field instead of by name.
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

/* "mass.cc" and so on. */
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

static inline double
record_value(const struct record *record, enum field field)
{
    return record->values[field];
}

static inline bool
record_has(const struct record *record, enum field field)
{
    return !isnan(record->values[field]);
}

/* Read OBJECT; texts are copied into ARENA.  ERR_NOMEM. */
int record_read(const struct json_value *object, struct arena *arena, struct record *out,
                struct err *err);
/* passed / total of a kind of tests; NaN when there are none. */
double record_rate(const struct record *record, enum field passed, enum field total);
/* Is the pass rate RATE of this record there and one, but for rounding? */
bool record_is_solved(const struct record *record, enum field rate);
/* Does the quality of this record count?  Not without quality keys or with an empty tree. */
bool record_is_kept(const struct record *record);

struct records {
    struct record *items; /* in order of the text */
    size_t n_items;
    size_t capacity;
    struct arena arena; /* their texts */
};

void records_init(struct records *records);
void records_clear(struct records *records);
/* A new record at the end, all empty; NULL when memory is out. */
struct record *records_add(struct records *records);
/*
 * Append the records in the JSON lines of TEXT, which ORIGIN names.  A line that is no JSON object
 * is left out and said in NOTES, one line each.  1 when there was one, else 0; -1, ERR_NOMEM.
 */
int records_read(struct records *records, struct bytes text, const char *origin, struct buf *notes,
                 struct err *err);
/* The same of a run: what it says of itself goes into the records that do not.  0, or -1. */
int records_read_run(struct records *records, const struct report_records *run, struct buf *notes,
                     struct err *err);

#endif
