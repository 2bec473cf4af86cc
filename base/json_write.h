/*
 * JSON out: written straight into a buf, in the order of the calls.
 *
 * Doubles are printed as the shortest text that reads back the same (num_format_double), so the
 * same values give the same bytes everywhere.  What is not UTF-8 is replaced by U+FFFD, so the
 * output always is.  Nesting is bounded by JSON_WRITE_DEPTH; going past it is our own mistake.
 */
#ifndef STRATA_BASE_JSON_WRITE_H
#define STRATA_BASE_JSON_WRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/bytes.h"

enum { JSON_WRITE_DEPTH = 32 };

enum json_nonfinite {
    JSON_NONFINITE_NULL, /* strict JSON: null */
    JSON_NONFINITE_WORD  /* Infinity, -Infinity, NaN as bare words, as Python writes them */
};

struct json_writer {
    struct buf *out;
    unsigned indent; /* spaces a level; 0 puts everything on one line */
    enum json_nonfinite nonfinite;
    bool spaced; /* on one line: ", " and ": " as Python writes, not "," and ":" */
    unsigned depth;
    bool has_items[JSON_WRITE_DEPTH];
    bool after_key;
};

/* Start writing one value at the end of OUT. */
struct json_writer json_writer_init(struct buf *out, unsigned indent);

/* Begin and end an object or an array; they must nest. */
void json_begin_object(struct json_writer *json);
void json_end_object(struct json_writer *json);
void json_begin_array(struct json_writer *json);
void json_end_array(struct json_writer *json);
/* The next value's name; only within an object. */
void json_key(struct json_writer *json, const char *name);
void json_key_bytes(struct json_writer *json, struct bytes name);

/* Write one value: TEXT as a string, a number, true or false, null. */
void json_text(struct json_writer *json, const char *text); /* NULL writes null */
void json_bytes(struct json_writer *json, struct bytes text);
void json_u64(struct json_writer *json, uint64_t value);
void json_i64(struct json_writer *json, int64_t value);
void json_double(struct json_writer *json, double value);
void json_bool(struct json_writer *json, bool value);
void json_null(struct json_writer *json);
/* TEXT is already one JSON value; it is put in as it is. */
void json_raw(struct json_writer *json, struct bytes text);

/* Key and value in one call. */
void json_member_text(struct json_writer *json, const char *name, const char *text);
void json_member_bytes(struct json_writer *json, const char *name, struct bytes text);
void json_member_u64(struct json_writer *json, const char *name, uint64_t value);
void json_member_i64(struct json_writer *json, const char *name, int64_t value);
void json_member_double(struct json_writer *json, const char *name, double value);
void json_member_bool(struct json_writer *json, const char *name, bool value);
void json_member_null(struct json_writer *json, const char *name);

/* Append TEXT to OUT as a JSON string, quotes included. */
void json_quote(struct buf *out, struct bytes text);

#endif
