/*
 * Profiles.  A built-in one names every field; one from a file starts as the built-in profile that
 * its "extends" names ("paper" when it names none), so a variant is a few lines long.
 */
#include "base/buf.h"
#include "base/embedded.h"
#include "base/fs.h"
#include "manifests/fields.h"

enum { PROFILE_MAX_BYTES = 1 << 20, LIMIT_MAX = 1000000 };

/* "profiles/NAME.json" for every built-in NAME; made by strata_embed. */
extern const struct embedded_file manifests_profiles[];

static const char *const builtin_names[] = {"paper", "scb-check-0.2", "released-code",
                                            "linear-mass", NULL};

const char *const *
profile_builtin_names(void)
{
    return builtin_names;
}

struct bytes
profile_builtin_text(const char *name)
{
    for (const struct embedded_file *file = manifests_profiles; file->name; file++) {
        const char *base = file->name + strlen("profiles/");
        size_t len = strlen(base) - strlen(".json");
        if (strlen(name) == len && memcmp(base, name, len) == 0)
            return (struct bytes){file->data, file->len};
    }
    return (struct bytes){NULL, 0};
}

/* A field_read for an enum whose values are the indices of WORDS. */
#define WORD_FIELD(function, type, ...)                                                          \
    static int function(const struct fields_reader *reader, const struct place *place,           \
                        const struct json_value *value, void *out)                               \
    {                                                                                            \
        static const char *const words[] = {__VA_ARGS__};                                        \
        unsigned index;                                                                          \
        if (field_word(reader, place, value, words, sizeof(words) / sizeof(*words), &index) < 0) \
            return -1;                                                                           \
        *(type *)out = (type)index;                                                              \
        return 0;                                                                                \
    }

WORD_FIELD(read_on_syntax_error, enum profile_syntax_error, "skip", "keep")
WORD_FIELD(read_fstring, enum profile_fstring, "parts", "one")
WORD_FIELD(read_sloc, enum profile_sloc, "tokens", "text")
WORD_FIELD(read_callables, enum profile_callables, "all", "reachable")
WORD_FIELD(read_size_term, enum profile_size_term, "none", "sqrt", "linear")
WORD_FIELD(read_clones, enum profile_clones, "none", "subtree", "function_body")
WORD_FIELD(read_verbosity, enum profile_verbosity, "union", "sum")

static int
read_unsigned(const struct fields_reader *reader, const struct place *place,
              const struct json_value *value, void *out)
{
    if (field_number(reader, place, value, out) < 0)
        return -1;
    return *(double *)out < 0 ? fields_refuse(reader, place, "must not be negative") : 0;
}

static int
read_limit(const struct fields_reader *reader, const struct place *place,
           const struct json_value *value, int64_t min, void *out)
{
    int64_t limit;
    if (field_whole(reader, place, value, min, LIMIT_MAX, &limit) < 0)
        return -1;
    *(uint32_t *)out = (uint32_t)limit;
    return 0;
}

static int
read_min_sloc(const struct fields_reader *reader, const struct place *place,
              const struct json_value *value, void *out)
{
    return read_limit(reader, place, value, 3, out);
}

static int
read_two_or_more(const struct fields_reader *reader, const struct place *place,
                 const struct json_value *value, void *out)
{
    return read_limit(reader, place, value, 2, out);
}

static int
read_weights(const struct fields_reader *reader, const struct place *place,
             const struct json_value *value, void *out)
{
    if (fields_expect(reader, place, value, JSON_OBJECT) < 0)
        return -1;
    struct profile_weight *weights =
        ARENA_ARRAY(reader->arena, json_count(value), struct profile_weight);
    if (!weights)
        return err_nomem(reader->err, reader->origin);
    size_t n = 0;
    for (const struct json_value *m = json_first(value); m; m = json_next(m), n++) {
        weights[n].counter = arena_copy(reader->arena, json_name(m));
        if (!weights[n].counter.data)
            return err_nomem(reader->err, reader->origin);
        struct place at = {place, (const char *)weights[n].counter.data, 0};
        if (read_unsigned(reader, &at, m, &weights[n].weight) < 0)
            return -1;
        for (size_t i = 0; i < n; i++)
            if (bytes_equal(weights[i].counter, weights[n].counter))
                return fields_refuse(reader, &at, "is given twice");
    }
    struct profile *profile = out;
    profile->cc_weights = weights;
    profile->n_cc_weights = n;
    return 0;
}

#define FIELD(name, read, member)                           \
    {                                                       \
        name, read, offsetof(struct profile, member), false \
    }
#define READ_TABLE(reader, place, value, table, out) \
    fields_read(reader, place, value, table, sizeof(table) / sizeof(*(table)), out)

static int
read_cc_group(const struct fields_reader *reader, const struct place *place,
              const struct json_value *value, void *out)
{
    static const struct field fields[] = {
        FIELD("base", read_unsigned, cc_base),
        {"weights", read_weights, 0, false},
        FIELD("nested", field_bool, cc_nested),
    };
    return READ_TABLE(reader, place, value, fields, out);
}

static int
read_clones_group(const struct fields_reader *reader, const struct place *place,
                  const struct json_value *value, void *out)
{
    static const struct field fields[] = {
        FIELD("definition", read_clones, clones),
        FIELD("min_sloc", read_min_sloc, clone_min_sloc),
        FIELD("min_statements", read_two_or_more, clone_min_statements),
        FIELD("min_members", read_two_or_more, clone_min_members),
    };
    return READ_TABLE(reader, place, value, fields, out);
}

static int
read_severities(const struct fields_reader *reader, const struct place *place,
                const struct json_value *value, void *out)
{
    static const char *const words[] = {"error", "warning", "info", "hint"};
    if (field_texts(reader, place, value, out) < 0)
        return -1;
    size_t i = 0;
    unsigned word;
    for (const struct json_value *item = json_first(value); item; item = json_next(item), i++) {
        struct place at = {place, NULL, i};
        if (field_word(reader, &at, item, words, sizeof(words) / sizeof(*words), &word) < 0)
            return -1;
    }
    return 0;
}

static int
read_rules_group(const struct fields_reader *reader, const struct place *place,
                 const struct json_value *value, void *out)
{
    static const struct field fields[] = {
        FIELD("severities", read_severities, severities),
        FIELD("only", field_texts, rules_in),
        FIELD("except", field_texts, rules_out),
        FIELD("advice", field_bool, advice),
        FIELD("min_file_count", field_bool, min_file_count),
        FIELD("trivial_wrapper", field_bool, trivial_wrapper),
    };
    return READ_TABLE(reader, place, value, fields, out);
}

static int
read_parts(const struct fields_reader *reader, const struct place *place,
           const struct json_value *value, void *out)
{
    static const char *const words[] = {"rules", "clones", "structural"};
    struct profile *profile = out;
    bool *const parts[] = {&profile->part_rules, &profile->part_clones, &profile->part_structural};
    struct text_list list;
    if (field_texts(reader, place, value, &list) < 0)
        return -1;
    for (size_t i = 0; i < 3; i++)
        *parts[i] = false;
    size_t i = 0;
    for (const struct json_value *item = json_first(value); item; item = json_next(item), i++) {
        struct place at = {place, NULL, i};
        unsigned word;
        if (field_word(reader, &at, item, words, 3, &word) < 0)
            return -1;
        *parts[word] = true;
    }
    return 0;
}

static int
read_verbosity_group(const struct fields_reader *reader, const struct place *place,
                     const struct json_value *value, void *out)
{
    static const struct field fields[] = {
        FIELD("definition", read_verbosity, verbosity),
        {"parts", read_parts, 0, false},
    };
    return READ_TABLE(reader, place, value, fields, out);
}

/* Read already, to know where to start. */
static int
skip_extends(const struct fields_reader *reader, const struct place *place,
             const struct json_value *value, void *out)
{
    (void)reader;
    (void)place;
    (void)value;
    (void)out;
    return 0;
}

static int
read_over(const struct fields_reader *reader, const struct json_value *root, struct profile *out)
{
    static const struct field fields[] = {
        {"name", field_text, offsetof(struct profile, name), true},
        FIELD("description", field_text, description),
        {"extends", skip_extends, 0, false},
        FIELD("source", field_source, source),
        FIELD("on_syntax_error", read_on_syntax_error, on_syntax_error),
        FIELD("fstring_tokens", read_fstring, fstring_tokens),
        FIELD("sloc", read_sloc, sloc),
        FIELD("callables", read_callables, callables),
        {"cc", read_cc_group, 0, false},
        FIELD("high_cc", read_unsigned, high_cc),
        FIELD("high_cognitive", read_unsigned, high_cognitive),
        FIELD("size_term", read_size_term, size_term),
        {"clones", read_clones_group, 0, false},
        {"rules", read_rules_group, 0, false},
        {"verbosity", read_verbosity_group, 0, false},
    };
    static const struct place root_place = {0};
    return READ_TABLE(reader, &root_place, root, fields, out);
}

static int
read_builtin(const char *name, struct arena *arena, struct profile *out, struct err *err)
{
    struct json_doc *doc;
    if (json_open(profile_builtin_text(name), name, false, &doc, err) < 0)
        return -1;
    const struct fields_reader reader = {name, arena, err};
    *out = (struct profile){.source = *source_filter_default()};
    int result = read_over(&reader, json_root(doc), out);
    json_close(doc);
    return result;
}

/* Make *OUT the built-in profile that the document at ROOT builds on. */
static int
read_base(const struct fields_reader *reader, const struct json_value *root, struct profile *out)
{
    static const struct place root_place = {0};
    const struct place at = {&root_place, "extends", 0};
    unsigned index = 0; /* "paper" */
    if (fields_expect(reader, &root_place, root, JSON_OBJECT) < 0)
        return -1;
    const struct json_value *extends = json_member(root, "extends");
    size_t n = sizeof(builtin_names) / sizeof(*builtin_names) - 1;
    if (extends && field_word(reader, &at, extends, builtin_names, n, &index) < 0)
        return -1;
    if (read_builtin(builtin_names[index], reader->arena, out, reader->err) < 0)
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
    int result = read_base(&reader, json_root(doc), out);
    if (result == 0)
        result = read_over(&reader, json_root(doc), out);
    json_close(doc);
    return result;
}

int
profile_read(const char *name, struct arena *arena, struct profile *out, struct err *err)
{
    if (profile_builtin_text(name).data)
        return read_builtin(name, arena, out, err);
    struct buf text = {0};
    int result = fs_read(name, PROFILE_MAX_BYTES, &text, err);
    if (result == 0)
        result = profile_parse(buf_bytes(&text), name, arena, out, err);
    else if (!strchr(name, '/') && !strchr(name, '.'))
        err_wrap(err,
                 "\"%s\" is no built-in profile (paper, scb-check-0.2, released-code, "
                 "linear-mass) and no file",
                 name);
    buf_clear(&text);
    return result;
}
