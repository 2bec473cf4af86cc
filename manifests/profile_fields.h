/*
 * Profile fields: the one table of what a profile has.
 *
 * Reading, writing, hashing and documenting a profile (profile.c, profile_write.c) walk this table
 * and know no field by name.  To add a field, add its member to struct profile and its line to the
 * table, and give it a value in every built-in profile.
 */
#ifndef STRATA_MANIFESTS_PROFILE_FIELDS_H
#define STRATA_MANIFESTS_PROFILE_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include "manifests/manifests.h"

/* What a field holds, which says how it is read and written. */
enum profile_kind {
    PROFILE_TEXT,    /* struct bytes */
    PROFILE_EXTENDS, /* no member: the built-in profile to start from, one of WORDS */
    PROFILE_SOURCE,  /* struct source_filter */
    PROFILE_WORD,    /* an enum: the index of one of WORDS */
    PROFILE_NUMBER,  /* double, from MIN to MAX */
    PROFILE_WHOLE,   /* uint32_t, from MIN to MAX */
    PROFILE_FLAG,    /* bool */
    PROFILE_TEXTS,   /* struct text_list; each one of WORDS, if there are WORDS */
    PROFILE_WEIGHTS, /* struct profile_weights, from MIN to MAX */
    PROFILE_PARTS    /* bool for each of WORDS, one after another: is it in the list? */
};

/* The value of a field that a file leaves out. */
enum profile_presence {
    PROFILE_REQUIRED,  /* it may not be left out */
    PROFILE_INHERITED, /* as in the built-in profile that "extends" names */
    PROFILE_OPTIONAL   /* empty */
};

enum profile_hashing { PROFILE_NOT_HASHED, PROFILE_HASHED };

struct profile_field {
    const char *name; /* "cc.base" is the member "base" of the object "cc" */
    enum profile_kind kind;
    enum profile_presence presence;
    size_t offset; /* of the member in struct profile; PROFILE_EXTENDS has none */
    size_t size;   /* bytes of it */
    enum profile_hashing hashing;
    double min, max;          /* inclusive; INFINITY: no bound */
    const char *const *words; /* NULL at the end */
    const char *unit;         /* of a number; else NULL */
    const char *meaning;      /* a sentence for the documentation */
};

/* The table, in the order in which a profile is written.  The fields of one object are neighbours.
 * *N_OUT is how many there are. */
const struct profile_field *profile_fields(size_t *n_out);

/* The fields of one object: [first, end) of the table.  PREFIX_LEN bytes of their names are the
 * path to it ("cc."). */
struct profile_group {
    size_t first, end;
    size_t prefix_len;
};

/* The whole table. */
struct profile_group profile_root(void);
/* The name of the member of GROUP that holds field I of the table: the rest of the field's name
 * or, if the field is in an object below GROUP, the name of that object. */
struct bytes profile_member_name(struct profile_group group, size_t i);
/* Is field I in an object below GROUP?  Then *out is that object's group. */
bool profile_is_nested(struct profile_group group, size_t i, struct profile_group *out);
/* The index of the first field after the member of GROUP that holds field I. */
size_t profile_next_member(struct profile_group group, size_t i);

#endif
