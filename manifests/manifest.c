/*
 * Reading manifests: a table of members for each object, with a function that reads and checks each
 * member; then what must hold between repositories (their names are distinct, ignoring ASCII case).
 */
#include "base/buf.h"
#include "base/fs.h"
#include "base/map.h"
#include "base/num.h"
#include "manifests/fields.h"
#include "manifests/name.h"

enum { MANIFEST_MAX_BYTES = 64 << 20, N_COMMITS_MAX = 1000000 };

static int
read_n_commits(const struct fields_reader *reader, const struct place *place,
               const struct json_value *value, void *out)
{
    int64_t n;
    if (field_whole(reader, place, value, 1, N_COMMITS_MAX, &n) < 0)
        return -1;
    *(uint32_t *)out = (uint32_t)n;
    return 0;
}

static int
read_strategy(const struct fields_reader *reader, const struct place *place,
              const struct json_value *value, void *out)
{
    if (fields_expect(reader, place, value, JSON_TEXT) < 0)
        return -1;
    if (sampling_strategy_parse(json_string(value), out) < 0)
        return fields_refuse(reader, place, "must be \"random\", \"even\" or \"all\"");
    return 0;
}

static int
read_history(const struct fields_reader *reader, const struct place *place,
             const struct json_value *value, void *out)
{
    if (fields_expect(reader, place, value, JSON_TEXT) < 0)
        return -1;
    if (sampling_history_parse(json_string(value), out) < 0)
        return fields_refuse(reader, place, "must be \"first-parent\" or \"all\"");
    return 0;
}

/* A JSON number holds whole numbers up to 2^53; a larger seed is written as text. */
static int
read_seed(const struct fields_reader *reader, const struct place *place,
          const struct json_value *value, void *out)
{
    if (json_type(value) == JSON_TEXT) {
        if (num_parse_u64(json_string(value), 0, UINT64_MAX, out) < 0)
            return fields_refuse(reader, place, "must be a whole number below 2^64");
        return 0;
    }
    int64_t seed;
    if (field_whole(reader, place, value, 0, (int64_t)1 << 53, &seed) < 0)
        return -1;
    *(uint64_t *)out = (uint64_t)seed;
    return 0;
}

static int
read_sampling(const struct fields_reader *reader, const struct place *place,
              const struct json_value *value, void *out)
{
    static const struct field fields[] = {
        {"commits", read_n_commits, offsetof(struct sampling, n_commits), false},
        {"strategy", read_strategy, offsetof(struct sampling, strategy), false},
        {"history", read_history, offsetof(struct sampling, history), false},
        {"seed", read_seed, offsetof(struct sampling, seed), false},
        {"merges", field_bool, offsetof(struct sampling, merges), false},
    };
    return fields_read(reader, place, value, fields, sizeof(fields) / sizeof(*fields), out);
}

static int
read_name(const struct fields_reader *reader, const struct place *place,
          const struct json_value *value, void *out)
{
    if (field_text(reader, place, value, out) < 0)
        return -1;
    const char *fault = name_fault(*(const struct bytes *)out);
    return fault ? fields_refuse(reader, place, "%s", fault) : 0;
}

static int
read_url(const struct fields_reader *reader, const struct place *place,
         const struct json_value *value, void *out)
{
    if (field_text(reader, place, value, out) < 0)
        return -1;
    return url_is_address(*(const struct bytes *)out)
               ? 0
               : fields_refuse(reader, place, "is not an address of a repository");
}

static int
read_ref(const struct fields_reader *reader, const struct place *place,
         const struct json_value *value, void *out)
{
    if (field_text(reader, place, value, out) < 0)
        return -1;
    struct bytes ref = *(const struct bytes *)out;
    bool bad = ref.data[0] == '-' || ref.data[0] == '/' || ref.data[ref.len - 1] == '/' ||
               memmem(ref.data, ref.len, "..", 2);
    for (size_t i = 0; i < ref.len; i++)
        bad |= memchr(" ~^:?*[\\", ref.data[i], 8) != NULL;
    return bad ? fields_refuse(reader, place, "is not the name of a branch or tag") : 0;
}

static int
read_head(const struct fields_reader *reader, const struct place *place,
          const struct json_value *value, void *out)
{
    if (fields_expect(reader, place, value, JSON_TEXT) < 0)
        return -1;
    if (oid_from_hex(json_string(value), out) < 0)
        return fields_refuse(reader, place,
                             "must be a whole commit id of 40 or 64 hexadecimal "
                             "digits");
    return 0;
}

static int
read_stars(const struct fields_reader *reader, const struct place *place,
           const struct json_value *value, void *out)
{
    return field_whole(reader, place, value, 0, (int64_t)1 << 53, out);
}

static int
read_repository(const struct fields_reader *reader, const struct place *place,
                const struct json_value *value, struct manifest_repository *out)
{
    static const struct field fields[] = {
        {"name", read_name, offsetof(struct manifest_repository, name), true},
        {"url", read_url, offsetof(struct manifest_repository, url), false},
        {"stars", read_stars, offsetof(struct manifest_repository, stars), false},
        {"as_of", field_day, offsetof(struct manifest_repository, as_of), false},
        {"license", field_text, offsetof(struct manifest_repository, license), false},
        {"ref", read_ref, offsetof(struct manifest_repository, ref), false},
        {"head", read_head, offsetof(struct manifest_repository, head), false},
    };
    out->stars = -1;
    return fields_read(reader, place, value, fields, sizeof(fields) / sizeof(*fields), out);
}

static int
check_names_distinct(const struct fields_reader *reader, const struct place *place,
                     const struct manifest_repository *repositories, size_t n)
{
    struct map seen;
    map_init(&seen);
    int rc = 0;
    for (size_t i = 0; i < n && rc == 0; i++) {
        struct bytes name = repositories[i].name;
        uint8_t folded[NAME_MAX_BYTES];
        bool is_new;
        uint64_t *index = map_put(&seen, name_fold(name, folded), &is_new);
        struct place item = {place, NULL, i};
        struct place at = {&item, "name", 0};
        if (!index)
            rc = err_nomem(reader->err, reader->origin);
        else if (is_new)
            *index = i;
        else
            rc = fields_refuse(reader, &at, "\"%.*s\" is repositories[%llu] already",
                               BYTES_ARG(name), (unsigned long long)*index);
    }
    map_clear(&seen);
    return rc;
}

static int
read_repositories(const struct fields_reader *reader, const struct place *place,
                  const struct json_value *value, void *out)
{
    if (fields_expect(reader, place, value, JSON_ARRAY) < 0)
        return -1;
    size_t n = json_count(value);
    if (n == 0)
        return fields_refuse(reader, place, "must name at least one repository");
    struct manifest_repository *repositories =
        ARENA_ARRAY(reader->arena, n, struct manifest_repository);
    if (!repositories)
        return err_nomem(reader->err, reader->origin);
    size_t i = 0;
    for (const struct json_value *item = json_first(value); item; item = json_next(item), i++) {
        struct place at = {place, NULL, i};
        if (read_repository(reader, &at, item, &repositories[i]) < 0)
            return -1;
    }
    struct manifest *manifest = out;
    manifest->repositories = repositories;
    manifest->n_repositories = n;
    return check_names_distinct(reader, place, repositories, n);
}

static int
read_manifest(const struct fields_reader *reader, const struct json_value *root,
              struct manifest *out)
{
    static const struct field fields[] = {
        {"name", field_text, offsetof(struct manifest, name), true},
        {"description", field_text, offsetof(struct manifest, description), false},
        {"as_of", field_day, offsetof(struct manifest, as_of), false},
        {"sampling", read_sampling, offsetof(struct manifest, sampling), false},
        {"source", field_source, offsetof(struct manifest, source), false},
        {"repositories", read_repositories, 0, true},
    };
    static const struct place root_place = {0};
    *out = (struct manifest){.sampling = sampling_default(), .source = *source_filter_default()};
    return fields_read(reader, &root_place, root, fields, sizeof(fields) / sizeof(*fields), out);
}

int
manifest_parse(struct bytes text, const char *origin, struct arena *arena, struct manifest *out,
               struct err *err)
{
    struct json_doc *doc;
    if (json_open(text, origin, false, &doc, err) < 0)
        return -1;
    const struct fields_reader reader = {origin, arena, err};
    int rc = read_manifest(&reader, json_root(doc), out);
    json_close(doc);
    return rc;
}

int
manifest_read(const char *path, struct arena *arena, struct manifest *out, struct err *err)
{
    struct buf text = {0};
    int rc = fs_read(path, MANIFEST_MAX_BYTES, &text, err);
    if (rc == 0)
        rc = manifest_parse(buf_bytes(&text), path, arena, out, err);
    buf_clear(&text);
    return rc;
}
