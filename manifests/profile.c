/*
 * Reading profiles.
 *
 * A profile is read by the table of its fields (profile_fields.h): a member of the document is
 * looked up by name, and its kind says how its value is checked and stored.  A built-in profile
 * must have every field, so that a new field that was forgotten there is an error instead of 0. One
 * from a file starts as the built-in profile that its "extends" names ("paper" when it names none),
 * so a variant is a few lines long.
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/embedded.h"
#include "base/fs.h"
#include "manifests/fields.h"
#include "manifests/profile_fields.h"

enum { PROFILE_MAX_BYTES = 1 << 20, NAME_SIZE = 64 };

/* "profiles/NAME.json" for every built-in NAME; made by strata_embed. */
extern const struct embedded_file manifests_profiles[];

static const struct place root_place = {0};

static size_t
count_words(const char *const *words)
{
    size_t n = 0;
    while (words[n])
        n++;
    return n;
}

/* ---- Values -------------------------------------------------------------------------------- */

static int
read_number(const struct fields_reader *reader, const struct place *place,
            const struct json_value *value, const struct profile_field *field, double *out)
{
    assert(field->min == 0 && isinf(field->max)); /* what the message says */
    if (field_number(reader, place, value, out) < 0)
        return -1;
    return *out < 0 ? fields_refuse(reader, place, "must not be negative") : 0;
}

static int
read_whole(const struct fields_reader *reader, const struct place *place,
           const struct json_value *value, const struct profile_field *field, uint32_t *out)
{
    int64_t number;
    assert(field->min >= 0 && field->max <= UINT32_MAX);
    if (field_whole(reader, place, value, (int64_t)field->min, (int64_t)field->max, &number) < 0)
        return -1;
    *out = (uint32_t)number;
    return 0;
}

/* Each item of the list VALUE must be one of WORDS; FLAGS[i], if there are FLAGS, becomes true for
 * the word i. */
static int
read_words(const struct fields_reader *reader, const struct place *place,
           const struct json_value *value, const char *const *words, bool *flags)
{
    size_t i = 0;
    for (const struct json_value *item = json_first(value); item; item = json_next(item), i++) {
        struct place at = {place, NULL, i};
        unsigned word;
        if (field_word(reader, &at, item, words, count_words(words), &word) < 0)
            return -1;
        if (flags)
            flags[word] = true;
    }
    return 0;
}

static int
read_texts(const struct fields_reader *reader, const struct place *place,
           const struct json_value *value, const struct profile_field *field, struct text_list *out)
{
    if (field_texts(reader, place, value, out) < 0)
        return -1;
    return field->words ? read_words(reader, place, value, field->words, NULL) : 0;
}

static int
read_parts(const struct fields_reader *reader, const struct place *place,
           const struct json_value *value, const struct profile_field *field, bool *out)
{
    struct text_list list;
    if (field_texts(reader, place, value, &list) < 0)
        return -1;
    memset(out, 0, field->size);
    return read_words(reader, place, value, field->words, out);
}

static int
read_weights(const struct fields_reader *reader, const struct place *place,
             const struct json_value *value, const struct profile_field *field,
             struct profile_weights *out)
{
    if (fields_expect(reader, place, value, JSON_OBJECT) < 0)
        return -1;
    struct profile_weight *items =
        ARENA_ARRAY(reader->arena, json_count(value), struct profile_weight);
    if (!items)
        return err_nomem(reader->err, reader->origin);
    size_t n = 0;
    for (const struct json_value *m = json_first(value); m; m = json_next(m), n++) {
        items[n].counter = arena_copy(reader->arena, json_name(m));
        if (!items[n].counter.data)
            return err_nomem(reader->err, reader->origin);
        struct place at = {place, (const char *)items[n].counter.data, 0};
        if (read_number(reader, &at, m, field, &items[n].weight) < 0)
            return -1;
        for (size_t i = 0; i < n; i++)
            if (bytes_equal(items[i].counter, items[n].counter))
                return fields_refuse(reader, &at, "is given twice");
    }
    *out = (struct profile_weights){items, n};
    return 0;
}

/* Read VALUE into the member of PROFILE that FIELD describes. */
static int
read_value(const struct fields_reader *reader, const struct place *place,
           const struct json_value *value, const struct profile_field *field,
           struct profile *profile)
{
    void *out = (char *)profile + field->offset;
    switch (field->kind) {
    case PROFILE_TEXT:
        return field_text(reader, place, value, out);
    case PROFILE_EXTENDS:
        return 0; /* read_base has read it */
    case PROFILE_SOURCE:
        return field_source(reader, place, value, out);
    case PROFILE_WORD:
        return field_word(reader, place, value, field->words, count_words(field->words), out);
    case PROFILE_NUMBER:
        return read_number(reader, place, value, field, out);
    case PROFILE_WHOLE:
        return read_whole(reader, place, value, field, out);
    case PROFILE_FLAG:
        return field_bool(reader, place, value, out);
    case PROFILE_TEXTS:
        return read_texts(reader, place, value, field, out);
    case PROFILE_WEIGHTS:
        return read_weights(reader, place, value, field, out);
    case PROFILE_PARTS:
        return read_parts(reader, place, value, field, out);
    }
    assert(!"a kind without a reader");
    return -1;
}

/* ---- Objects ------------------------------------------------------------------------------- */

static int
refuse_unknown(const struct fields_reader *reader, const struct place *place, struct bytes name,
               struct profile_group group)
{
    struct buf known = {0};
    for (size_t i = group.first; i < group.end; i = profile_next_member(group, i)) {
        struct bytes member = profile_member_name(group, i);
        buf_printf(&known, "%s%.*s", i > group.first ? ", " : "", BYTES_ARG(member));
    }
    fields_refuse_unknown(reader, place, name, &known);
    buf_clear(&known);
    return -1;
}

static bool
is_given_before(const struct json_value *object, const struct json_value *member)
{
    for (const struct json_value *m = json_first(object); m != member; m = json_next(m))
        if (bytes_equal(json_name(m), json_name(member)))
            return true;
    return false;
}

/* Read the object VALUE, whose members are those of GROUP; what is left out stays as it is. */
static int
read_object(const struct fields_reader *reader, const struct place *place,
            const struct json_value *value, struct profile_group group, struct profile *out)
{
    size_t n_fields;
    const struct profile_field *fields = profile_fields(&n_fields);
    if (fields_expect(reader, place, value, JSON_OBJECT) < 0)
        return -1;
    for (const struct json_value *m = json_first(value); m; m = json_next(m)) {
        struct profile_group inner;
        char name[NAME_SIZE];
        size_t i = group.first;
        while (i < group.end && !bytes_equal(json_name(m), profile_member_name(group, i)))
            i = profile_next_member(group, i);
        if (i == group.end)
            return refuse_unknown(reader, place, json_name(m), group);
        snprintf(name, sizeof(name), "%.*s", BYTES_ARG(json_name(m)));
        struct place at = {place, name, 0};
        if (is_given_before(value, m))
            return fields_refuse(reader, &at, "is given twice");
        int rc = profile_is_nested(group, i, &inner) ? read_object(reader, &at, m, inner, out)
                                                     : read_value(reader, &at, m, &fields[i], out);
        if (rc < 0)
            return -1;
    }
    return 0;
}

/* Has the document at ROOT the field I of the table? */
static bool
has_field(const struct json_value *root, size_t i)
{
    struct profile_group group = profile_root();
    const struct json_value *at = root;
    for (bool is_nested = true; at && is_nested;) {
        char name[NAME_SIZE];
        snprintf(name, sizeof(name), "%.*s", BYTES_ARG(profile_member_name(group, i)));
        at = json_member(at, name);
        is_nested = profile_is_nested(group, i, &group);
    }
    return at != NULL;
}

/* Read the document at ROOT over *OUT.  A built-in profile IS_COMPLETE. */
static int
read_document(const struct fields_reader *reader, const struct json_value *root, bool is_complete,
              struct profile *out)
{
    size_t n_fields;
    const struct profile_field *fields = profile_fields(&n_fields);
    if (read_object(reader, &root_place, root, profile_root(), out) < 0)
        return -1;
    for (size_t i = 0; i < n_fields; i++) {
        bool is_required = is_complete ? fields[i].kind != PROFILE_EXTENDS
                                       : fields[i].presence == PROFILE_REQUIRED;
        if (is_required && !has_field(root, i))
            return fields_refuse(reader, &root_place, "\"%s\" is missing", fields[i].name);
    }
    return 0;
}

/* ---- Profiles ------------------------------------------------------------------------------ */

/* The JSON text of a built-in profile, or {NULL, 0}. */
static struct bytes
builtin_text(const char *name)
{
    for (const struct embedded_file *file = manifests_profiles; file->name; file++) {
        const char *base = file->name + strlen("profiles/");
        size_t len = strlen(base) - strlen(".json");
        if (strlen(name) == len && memcmp(base, name, len) == 0)
            return (struct bytes){file->data, file->len};
    }
    return (struct bytes){NULL, 0};
}

int
profile_parse_builtin(struct bytes text, const char *origin, struct arena *arena,
                      struct profile *out, struct err *err)
{
    struct json_doc *doc;
    if (json_open(text, origin, false, &doc, err) < 0)
        return -1;
    const struct fields_reader reader = {origin, arena, err};
    *out = (struct profile){.source = *source_filter_default()};
    int rc = read_document(&reader, json_root(doc), true, out);
    json_close(doc);
    return rc;
}

/* Make *OUT the built-in profile that the document at ROOT extends. */
static int
read_base(const struct fields_reader *reader, const struct json_value *root, struct profile *out)
{
    const struct place at = {&root_place, "extends", 0};
    unsigned index = 0; /* "paper" */
    if (fields_expect(reader, &root_place, root, JSON_OBJECT) < 0)
        return -1;
    const struct json_value *extends = json_member(root, "extends");
    if (extends && field_word(reader, &at, extends, profile_builtin_names,
                              count_words(profile_builtin_names), &index) < 0)
        return -1;
    const char *name = profile_builtin_names[index];
    if (profile_parse_builtin(builtin_text(name), name, reader->arena, out, reader->err) < 0)
        return -1;
    out->description = (struct bytes){NULL, 0};
    return 0;
}

int
profile_parse(struct bytes text, const char *origin, struct arena *arena, struct profile *out,
              struct err *err)
{
    struct json_doc *doc;
    if (json_open(text, origin, false, &doc, err) < 0)
        return -1;
    const struct fields_reader reader = {origin, arena, err};
    int rc = read_base(&reader, json_root(doc), out);
    if (rc == 0)
        rc = read_document(&reader, json_root(doc), false, out);
    json_close(doc);
    return rc;
}

/* Say that NAME is not a built-in profile, with the names of those. */
static void
explain_name(const char *name, struct err *err)
{
    struct buf known = {0};
    for (const char *const *builtin = profile_builtin_names; *builtin; builtin++)
        buf_printf(&known, "%s%s", builtin == profile_builtin_names ? "" : ", ", *builtin);
    buf_append_byte(&known, 0);
    if (!buf_failed(&known))
        err_wrap(err, "\"%s\" is not a built-in profile (%s) and not a file", name,
                 (const char *)known.data);
    buf_clear(&known);
}

int
profile_read(const char *name, struct arena *arena, struct profile *out, struct err *err)
{
    struct bytes builtin = builtin_text(name);
    if (builtin.data)
        return profile_parse_builtin(builtin, name, arena, out, err);
    struct buf text = {0};
    int rc = fs_read(name, PROFILE_MAX_BYTES, &text, err);
    if (rc == 0)
        rc = profile_parse(buf_bytes(&text), name, arena, out, err);
    else if (!strchr(name, '/') && !strchr(name, '.'))
        explain_name(name, err);
    buf_clear(&text);
    return rc;
}
