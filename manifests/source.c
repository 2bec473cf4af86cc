/*
 * The source filter: which paths count as source, and how the filter is read and written.
 *
 * The cheap tests come first: most paths of a tree fail at the suffix.
 */
#include "base/json_write.h"
#include "manifests/fields.h"

enum { MODE_FILE = 0100644, MODE_FILE_GROUP_WRITABLE = 0100664, MODE_FILE_EXECUTABLE = 0100755 };

static const struct bytes default_suffixes[] = {{(const uint8_t *)".py", 3}};

#define FOLDER(name)                              \
    {                                             \
        (const uint8_t *)(name), sizeof(name) - 1 \
    }
static const struct bytes default_exclude_dirs[] = {
    FOLDER(".git"),         FOLDER(".venv"),         FOLDER("venv"),        FOLDER("env"),
    FOLDER(".env"),         FOLDER("__pycache__"),   FOLDER("build"),       FOLDER("dist"),
    FOLDER("node_modules"), FOLDER("site-packages"), FOLDER(".mypy_cache"), FOLDER(".pytest_cache"),
    FOLDER(".ruff_cache"),  FOLDER(".tox")};
#undef FOLDER

const struct source_filter *
source_filter_default(void)
{
    static const struct source_filter filter = {
        .suffixes = {default_suffixes, sizeof(default_suffixes) / sizeof(*default_suffixes)},
        .exclude_dirs = {default_exclude_dirs,
                         sizeof(default_exclude_dirs) / sizeof(*default_exclude_dirs)},
    };
    return &filter;
}

static bool
has_suffix(const struct text_list *suffixes, struct bytes path)
{
    for (size_t i = 0; i < suffixes->n_items; i++)
        if (bytes_ends_with(path, suffixes->items[i]))
            return true;
    return false;
}

static bool
any_glob_matches(const struct text_list *globs, struct bytes path)
{
    for (size_t i = 0; i < globs->n_items; i++)
        if (glob_matches(globs->items[i], path))
            return true;
    return false;
}

bool
source_filter_excludes_dir(const struct source_filter *filter, struct bytes name)
{
    for (size_t i = 0; i < filter->exclude_dirs.n_items; i++)
        if (bytes_equal(filter->exclude_dirs.items[i], name))
            return true;
    return false;
}

static bool
has_excluded_component(const struct source_filter *filter, struct bytes path)
{
    size_t from = 0;
    for (size_t i = 0; i <= path.len; i++) {
        if (i < path.len && path.data[i] != '/')
            continue;
        if (source_filter_excludes_dir(filter, bytes_slice(path, from, i)))
            return true;
        from = i + 1;
    }
    return false;
}

bool
source_filter_takes(const struct source_filter *filter, struct bytes path, uint32_t mode)
{
    if (mode != MODE_FILE && mode != MODE_FILE_EXECUTABLE && mode != MODE_FILE_GROUP_WRITABLE)
        return false;
    if (!has_suffix(&filter->suffixes, path) || has_excluded_component(filter, path))
        return false;
    if (filter->include.n_items > 0 && !any_glob_matches(&filter->include, path))
        return false;
    return !any_glob_matches(&filter->exclude, path);
}

static int
read_globs(const struct fields_reader *reader, const struct place *place,
           const struct json_value *value, void *out)
{
    if (field_texts(reader, place, value, out) < 0)
        return -1;
    const struct text_list *globs = out;
    for (size_t i = 0; i < globs->n_items; i++) {
        struct place at = {place, NULL, i};
        const char *fault = glob_fault(globs->items[i]);
        if (fault)
            return fields_refuse(reader, &at, "the glob %s", fault);
    }
    return 0;
}

static int
read_folder_names(const struct fields_reader *reader, const struct place *place,
                  const struct json_value *value, void *out)
{
    if (field_texts(reader, place, value, out) < 0)
        return -1;
    const struct text_list *names = out;
    for (size_t i = 0; i < names->n_items; i++) {
        struct place at = {place, NULL, i};
        if (memchr(names->items[i].data, '/', names->items[i].len))
            return fields_refuse(reader, &at,
                                 "must be one path component; use \"exclude\" for "
                                 "paths");
    }
    return 0;
}

static int
read_suffixes(const struct fields_reader *reader, const struct place *place,
              const struct json_value *value, void *out)
{
    if (field_texts(reader, place, value, out) < 0)
        return -1;
    if (((const struct text_list *)out)->n_items == 0)
        return fields_refuse(reader, place, "must name at least one");
    return 0;
}

int
field_source(const struct fields_reader *reader, const struct place *place,
             const struct json_value *value, void *out)
{
    static const struct field fields[] = {
        {"suffixes", read_suffixes, offsetof(struct source_filter, suffixes), false},
        {"exclude_dirs", read_folder_names, offsetof(struct source_filter, exclude_dirs), false},
        {"include", read_globs, offsetof(struct source_filter, include), false},
        {"exclude", read_globs, offsetof(struct source_filter, exclude), false},
    };
    return fields_read(reader, place, value, fields, sizeof(fields) / sizeof(*fields), out);
}

/* ---- Writing ------------------------------------------------------------------------------- */

void
text_list_write(const struct text_list *list, const char *name, struct json_writer *json)
{
    if (name)
        json_key(json, name);
    json_begin_array(json);
    for (size_t i = 0; i < list->n_items; i++)
        json_bytes(json, list->items[i]);
    json_end_array(json);
}

void
source_filter_write(const struct source_filter *filter, const char *name, struct json_writer *json)
{
    if (name)
        json_key(json, name);
    json_begin_object(json);
    text_list_write(&filter->suffixes, "suffixes", json);
    text_list_write(&filter->exclude_dirs, "exclude_dirs", json);
    text_list_write(&filter->include, "include", json);
    text_list_write(&filter->exclude, "exclude", json);
    json_end_object(json);
}
