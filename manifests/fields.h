/*
 * Fields: members of JSON objects into structs, by table, with errors that name their place.
 *
 * A table says which members an object may have and which function reads each.  A member that is
 * not in the table, comes twice or is missing though required is an error; so is whatever a reader
 * refuses.  Places print as people write them: "repositories[3].stars".
 */
#ifndef STRATA_MANIFESTS_FIELDS_H
#define STRATA_MANIFESTS_FIELDS_H

#include "base/arena.h"
#include "base/err.h"
#include "base/json_read.h"
#include "manifests/manifests.h"

/* Where a value stands: a member NAME of PARENT, or with NAME NULL its item INDEX. */
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

/* Read VALUE, which stands at PLACE, into *OUT.  0, or -1 through fields_refuse. */
typedef int field_read(const struct fields_reader *reader, const struct place *place,
                       const struct json_value *value, void *out);

struct field {
    const char *name;
    field_read *read;
    size_t offset; /* of the member in the struct */
    bool required;
};

/* Read the object VALUE into the struct at OUT; members that are left out leave it as it is. */
int
fields_read(const struct fields_reader *reader, const struct place *place,
            const struct json_value *value, const struct field *fields, size_t n_fields, void *out);

/* ERR_INPUT: "<origin>: <place>: <words>".  Returns -1. */
int fields_refuse(const struct fields_reader *reader, const struct place *place, const char *format,
                  ...) __attribute__((format(printf, 3, 4)));
/* Is VALUE of TYPE?  If not, refuse: "must be a list, is text". */
int fields_expect(const struct fields_reader *reader, const struct place *place,
                  const struct json_value *value, enum json_type type);

/* Readers for common members. */
field_read field_text;   /* struct bytes: UTF-8 text without control characters, not empty */
field_read field_bool;   /* bool */
field_read field_number; /* double: finite */
field_read field_day;    /* struct bytes: "2026-06-25", a day that exists */
field_read field_texts;  /* struct text_list: of such texts, none of them twice */
field_read field_source; /* struct source_filter */
/* A whole number from MIN to MAX. */
int field_whole(const struct fields_reader *reader, const struct place *place,
                const struct json_value *value, int64_t min, int64_t max, int64_t *out);
/* One of the N_WORDS words; *OUT is its index. */
int
field_word(const struct fields_reader *reader, const struct place *place,
           const struct json_value *value, const char *const *words, size_t n_words, unsigned *out);

#endif
