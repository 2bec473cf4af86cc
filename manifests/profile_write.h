/*
 * Profile writing: a profile as JSON, as a hash, as a list and as documentation, all from the table
 * of its fields.
 */
#ifndef STRATA_MANIFESTS_PROFILE_WRITE_H
#define STRATA_MANIFESTS_PROFILE_WRITE_H

#include "base/json_write.h"
#include "manifests/manifests.h"

/* Write PROFILE as an object that reads as the same profile.  Every field is there. */
void profile_json_write(struct json_writer *json, const struct profile *profile);

/* A field of a profile, for listing. */
struct profile_entry {
    const char *name;    /* "cc.base"; static */
    struct bytes value;  /* as JSON; data is NULL for "extends", which a profile does not keep */
    const char *unit;    /* NULL: none; static */
    const char *meaning; /* a sentence; static */
};

/* The fields of PROFILE in the order of profile_json_write.  *OUT has *N_OUT entries in ARENA.  0,
 * or -1 when memory is out. */
int profile_list(const struct profile *profile, struct arena *arena, struct profile_entry **out,
                 size_t *n_out);

enum { PROFILE_HASH_HEX_SIZE = 33 };

/*
 * Write 32 hexadecimal digits and a NUL to OUT that name the definition: XXH3 with 128 bits over
 * the fields that change a score, as JSON.  Profiles that differ in name and description only have
 * one hash.  0, or -1 when memory is out.
 */
int profile_hash(const struct profile *profile, char out[PROFILE_HASH_HEX_SIZE]);

/* Append the Markdown table of all fields to OUT.  0, or -1 with ERR_NOMEM. */
int profile_document(struct buf *out, struct err *err);

#endif
