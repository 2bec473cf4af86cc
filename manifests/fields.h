/*
 * Fields: members of JSON objects into structs, by table, with errors that name their place.
 *
 * A table lists the members that an object may have and the function that reads each.  It is an
 * error if a member is not in the table, comes twice, is required and missing, or is refused by its
 * reader. Messages name places as people write them: "repositories[3].stars".
 */
#ifndef STRATA_MANIFESTS_FIELDS_H
#define STRATA_MANIFESTS_FIELDS_H

#include "base/arena.h"
#include "base/err.h"
#include "base/json_read.h"
#include "manifests/manifests.h"

/* Where a value is: the member NAME of PARENT, or its item INDEX when NAME is NULL. */
struct place {
    const struct place *parent; /* NULL: this is the document's root */
    const char *name;
    size_t index;
};

struct fields_reader {
    const char *origin;  /* the file, for messages */
    struct arena *arena; /* what is read lives here */
    struct err *err;
};

/* Read VALUE, which is at PLACE, into *OUT.  0, or -1 with the reader's err set. */
typedef int field_read(const struct fields_reader *reader, const struct place *place,
                       const struct json_value *value, void *out);

struct field {
    const char *name;
    field_read *read;
    size_t offset; /* of the member in the struct */
    bool required;
};

/* Read the object VALUE into the struct at OUT.  Members that VALUE lacks are left as they are in
 * OUT. 0, or -1 with the reader's err set. */
int
fields_read(const struct fields_reader *reader, const struct place *place,
            const struct json_value *value, const struct field *fields, size_t n_fields, void *out);

/* Set ERR_INPUT with "<origin>: <place>: <formatted text>".  Returns -1. */
int fields_refuse(const struct fields_reader *reader, const struct place *place, const char *format,
                  ...) __attribute__((format(printf, 3, 4)));
/* Refuse the unknown member NAME of the object at PLACE.  KNOWN holds the list of known ones; a NUL
 * is appended to it.  Returns -1. */
int fields_refuse_unknown(const struct fields_reader *reader, const struct place *place,
                          struct bytes name, struct buf *known);
/* 0 when VALUE is of TYPE; else refuse it ("must be a list, is text") and return -1. */
int fields_expect(const struct fields_reader *reader, const struct place *place,
                  const struct json_value *value, enum json_type type);

/* Readers for members of common types; the comment names the type of *OUT. */
field_read field_text;   /* struct bytes: UTF-8 text without control characters, not empty */
field_read field_bool;   /* bool */
field_read field_number; /* double: finite */
field_read field_day;    /* struct bytes: "2026-06-25", a day that exists */
field_read field_texts;  /* struct text_list: of such texts, none of them twice */
field_read field_source; /* struct source_filter */
/* Read a whole number from MIN to MAX, at most 2^53, into *OUT.  0, or -1 with the reader's err
 * set. */
int field_whole(const struct fields_reader *reader, const struct place *place,
                const struct json_value *value, int64_t min, int64_t max, int64_t *out);
/* Read one of the N_WORDS texts in WORDS; *OUT is its index.  Any other value is refused with
 * the list of all words.  0, or -1 with the reader's err set. */
int
field_word(const struct fields_reader *reader, const struct place *place,
           const struct json_value *value, const char *const *words, size_t n_words, unsigned *out);

#endif
