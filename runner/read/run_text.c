/*
 * Files of a run, looked up in a listing of their folder and read whole.  One that cannot be used
 * gets a note, with its name and the label of the folder, and counts as missing.
 */
#include "runner/read/run_text.h"

#include <stdio.h>

int
run_folder_open(struct run_folder *folder, struct bytes path, struct err *err)
{
    struct source_entry *entries;
    folder->path = path;
    if (source_list(folder->source, path, folder->arena, &entries, &folder->n_entries, err) < 0)
        return -1;
    folder->entries = entries;
    return 0;
}

int
run_note(const struct run_folder *folder, const char *name, const struct err *why, struct err *err)
{
    char what[512];
    snprintf(what, sizeof(what), "%.*s%s%s", BYTES_ARG(folder->label), folder->label.len ? "/" : "",
             name);
    return notes_add_failure(folder->notes, bytes_of_text(what), why, err);
}

int
run_read_text(const struct run_folder *folder, const char *name, struct buf *out, struct err *err)
{
    const struct source_entry *entry = source_find(folder->entries, folder->n_entries, name);
    struct err why;
    if (!entry || !source_is_file(entry))
        return 0;
    if (source_read(folder->source, folder->path, entry, RUN_TEXT_MAX, out, NULL, &why) < 0)
        return run_note(folder, name, &why, err);
    return 1;
}

int
run_read_json(const struct run_folder *folder, const char *name, struct json_doc **out,
              struct err *err)
{
    struct buf text = {0};
    struct err why;
    *out = NULL;
    int found = run_read_text(folder, name, &text, err);
    if (found > 0 && json_open(buf_bytes(&text), name, true, out, &why) < 0)
        found = run_note(folder, name, &why, err);
    if (found > 0 && json_type(json_root(*out)) != JSON_OBJECT) {
        json_close(*out);
        *out = NULL;
        err_set(&why, ERR_INPUT, "it is not a JSON object");
        found = run_note(folder, name, &why, err);
    }
    buf_clear(&text);
    return found;
}

int
run_read_yaml(const struct run_folder *folder, const char *name, const struct yaml_value **out,
              struct err *err)
{
    struct buf text = {0};
    struct yaml_document *documents;
    uint32_t n_documents = 0;
    struct err why;
    *out = NULL;
    int found = run_read_text(folder, name, &text, err);
    if (found > 0 &&
        yaml_read(buf_bytes(&text), name, folder->arena, &documents, &n_documents, &why) < 0)
        found = run_note(folder, name, &why, err);
    if (found > 0 && (n_documents == 0 || documents[0].root->type != YAML_MAPPING)) {
        err_set(&why, ERR_INPUT, "it is not a YAML mapping");
        found = run_note(folder, name, &why, err);
    }
    if (found > 0)
        *out = documents[0].root;
    buf_clear(&text);
    return found;
}

struct bytes
run_yaml_text(const struct yaml_value *mapping, const char *key)
{
    const struct yaml_value *value = mapping ? yaml_member(mapping, key) : NULL;
    bool is_scalar = value && (value->type == YAML_BOOL || value->type == YAML_NUMBER ||
                               value->type == YAML_TEXT);
    return is_scalar ? value->text : (struct bytes){NULL, 0};
}

const struct yaml_value *
run_yaml_mapping(const struct yaml_value *mapping, const char *key)
{
    const struct yaml_value *value = mapping ? yaml_member(mapping, key) : NULL;
    return value && value->type == YAML_MAPPING ? value : NULL;
}
