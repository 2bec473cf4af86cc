/*
 * Writing profiles: one walk over the table of fields (profile_fields.h), object by object, writes
 * the JSON of reports and files.  The same walk without the fields that do not change a score
 * writes what is hashed.
 */
#include "manifests/profile_write.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <xxhash.h>

#include "manifests/profile_fields.h"

/* ---- JSON ---------------------------------------------------------------------------------- */

static void
write_weights(struct json_writer *json, const struct profile_weights *weights)
{
    json_begin_object(json);
    for (size_t i = 0; i < weights->n_items; i++) {
        json_key_bytes(json, weights->items[i].counter);
        json_double(json, weights->items[i].weight);
    }
    json_end_object(json);
}

static void
write_parts(struct json_writer *json, const struct profile_field *field, const bool *flags)
{
    json_begin_array(json);
    for (size_t i = 0; field->words[i]; i++)
        if (flags[i])
            json_text(json, field->words[i]);
    json_end_array(json);
}

static void
write_value(struct json_writer *json, const struct profile_field *field,
            const struct profile *profile)
{
    const void *value = (const char *)profile + field->offset;
    switch (field->kind) {
    case PROFILE_TEXT:
        json_bytes(json, *(const struct bytes *)value);
        return;
    case PROFILE_EXTENDS:
        return;
    case PROFILE_SOURCE:
        source_filter_write(value, NULL, json);
        return;
    case PROFILE_WORD:
        json_text(json, field->words[*(const unsigned *)value]);
        return;
    case PROFILE_NUMBER:
        json_double(json, *(const double *)value);
        return;
    case PROFILE_WHOLE:
        json_u64(json, *(const uint32_t *)value);
        return;
    case PROFILE_FLAG:
        json_bool(json, *(const bool *)value);
        return;
    case PROFILE_TEXTS:
        text_list_write(value, NULL, json);
        return;
    case PROFILE_WEIGHTS:
        write_weights(json, value);
        return;
    case PROFILE_PARTS:
        write_parts(json, field, value);
        return;
    }
    assert(!"a kind without a writer");
}

/* Write the members of GROUP as an object; ONLY_HASHED leaves out what does not change a score. */
static void
write_object(struct json_writer *json, struct profile_group group, bool only_hashed,
             const struct profile *profile)
{
    size_t n_fields;
    const struct profile_field *fields = profile_fields(&n_fields);
    json_begin_object(json);
    for (size_t i = group.first; i < group.end; i = profile_next_member(group, i)) {
        struct profile_group inner;
        bool is_nested = profile_is_nested(group, i, &inner);
        bool is_left_out = only_hashed && fields[i].hashing == PROFILE_NOT_HASHED;
        if (!is_nested && (fields[i].kind == PROFILE_EXTENDS || is_left_out))
            continue;
        json_key_bytes(json, profile_member_name(group, i));
        if (is_nested)
            write_object(json, inner, only_hashed, profile);
        else
            write_value(json, &fields[i], profile);
    }
    json_end_object(json);
}

void
profile_json_write(struct json_writer *json, const struct profile *profile)
{
    write_object(json, profile_root(), false, profile);
}

int
profile_hash(const struct profile *profile, char out[PROFILE_HASH_HEX_SIZE])
{
    struct buf text = {0};
    struct json_writer json = json_writer_init(&text, 0);
    write_object(&json, profile_root(), true, profile);
    int rc = buf_failed(&text) ? -1 : 0;
    XXH128_hash_t hash = XXH3_128bits(text.data, text.len);
    snprintf(out, PROFILE_HASH_HEX_SIZE, "%016llx%016llx", (unsigned long long)hash.high64,
             (unsigned long long)hash.low64);
    buf_clear(&text);
    return rc;
}

int
profile_list(const struct profile *profile, struct arena *arena, struct profile_entry **out,
             size_t *n_out)
{
    size_t n_fields;
    const struct profile_field *fields = profile_fields(&n_fields);
    struct profile_entry *entries = ARENA_ARRAY(arena, n_fields, struct profile_entry);
    struct buf text = {0};
    int rc = entries ? 0 : -1;
    for (size_t i = 0; rc == 0 && i < n_fields; i++) {
        struct json_writer json = json_writer_init(&text, 0);
        entries[i] = (struct profile_entry){
            .name = fields[i].name, .unit = fields[i].unit, .meaning = fields[i].meaning};
        if (fields[i].kind == PROFILE_EXTENDS)
            continue;
        buf_reset(&text);
        write_value(&json, &fields[i], profile);
        entries[i].value = arena_copy(arena, buf_bytes(&text));
        rc = buf_failed(&text) || !entries[i].value.data ? -1 : 0;
    }
    buf_clear(&text);
    *out = entries;
    *n_out = n_fields;
    return rc;
}

/* ---- Documentation ------------------------------------------------------------------------- */

/* The words of FIELD, each in `marks`. */
static void
document_words(const struct profile_field *field, struct buf *out)
{
    for (size_t i = 0; field->words[i]; i++)
        buf_printf(out, "%s`%s`", i ? ", " : "", field->words[i]);
}

static void
document_values(const struct profile_field *field, struct buf *out)
{
    switch (field->kind) {
    case PROFILE_TEXT:
        buf_printf(out, "text");
        return;
    case PROFILE_SOURCE:
        buf_printf(out, "object");
        return;
    case PROFILE_FLAG:
        buf_printf(out, "`true`, `false`");
        return;
    case PROFILE_NUMBER:
    case PROFILE_WEIGHTS:
        buf_printf(out, field->kind == PROFILE_NUMBER ? "number" : "object of numbers");
        buf_printf(out, ", at least %g", field->min);
        return;
    case PROFILE_WHOLE:
        buf_printf(out, "whole number, %.0f to %.0f", field->min, field->max);
        return;
    case PROFILE_TEXTS:
    case PROFILE_PARTS:
        buf_printf(out, field->words ? "list of " : "list of texts");
        break;
    case PROFILE_WORD:
    case PROFILE_EXTENDS:
        break;
    }
    if (field->words)
        document_words(field, out);
}

static void
document_default(const struct profile_field *field, const struct profile_entry *of_paper,
                 struct buf *out)
{
    if (field->presence == PROFILE_REQUIRED)
        buf_printf(out, "required");
    else if (field->presence == PROFILE_INHERITED)
        buf_printf(out, "`%.*s`", BYTES_ARG(of_paper->value));
    else
        buf_printf(out, "none");
}

int
profile_document(struct buf *out, struct err *err)
{
    size_t n_fields;
    const struct profile_field *fields = profile_fields(&n_fields);
    struct profile paper;
    struct profile_entry *entries;
    struct arena arena;
    arena_init(&arena, 0);
    int rc = profile_read("paper", &arena, &paper, err);
    if (rc == 0 && profile_list(&paper, &arena, &entries, &n_fields) < 0)
        rc = err_nomem(err, "profile");
    buf_printf(out, "| field | values | unit | in `paper` | in the hash | meaning |\n"
                    "| --- | --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; rc == 0 && i < n_fields; i++) {
        buf_printf(out, "| `%s` | ", fields[i].name);
        document_values(&fields[i], out);
        buf_printf(out, " | %s | ", fields[i].unit ? fields[i].unit : "");
        document_default(&fields[i], &entries[i], out);
        buf_printf(out, " | %s | %s |\n", fields[i].hashing == PROFILE_HASHED ? "yes" : "no",
                   fields[i].meaning);
    }
    if (rc == 0 && buf_failed(out))
        rc = err_nomem(err, "profile");
    arena_clear(&arena);
    return rc;
}
