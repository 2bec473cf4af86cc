/*
 * Text files of a run, read leniently: missing or unusable is an outcome, not a failure.
 */
#ifndef STRATA_RUNNER_READ_RUN_TEXT_H
#define STRATA_RUNNER_READ_RUN_TEXT_H

#include "base/buf.h"
#include "base/json_read.h"
#include "base/yaml_read.h"
#include "intake/notes.h"
#include "runner/read/source.h"

enum { RUN_TEXT_MAX = 64 * 1024 * 1024 };

/* A folder that has been listed, and where to complain about its files. */
struct run_folder {
    struct source *source;
    struct bytes path;
    const struct source_entry *entries;
    size_t n_entries;
    struct arena *arena;
    struct notes *notes;
    struct bytes label; /* goes before a file's name in notes, with a '/'; may be empty */
};

/* List PATH of SOURCE into FOLDER, whose source, arena and notes are set. */
int run_folder_open(struct run_folder *folder, struct bytes path, struct err *err);

/* 1 with the content of the file NAME in OUT, 0 when there is none or it got a note, -1. */
int
run_read_text(const struct run_folder *folder, const char *name, struct buf *out, struct err *err);
/* The same as a JSON object; *OUT is the caller's, to json_close. */
int run_read_json(const struct run_folder *folder, const char *name, struct json_doc **out,
                  struct err *err);
/* The same as a YAML mapping in the folder's arena; *OUT is NULL unless 1 is returned. */
int run_read_yaml(const struct run_folder *folder, const char *name, const struct yaml_value **out,
                  struct err *err);
/* Add the note that NAME cannot be used because of WHY. */
int
run_note(const struct run_folder *folder, const char *name, const struct err *why, struct err *err);

/* A scalar that is not null under KEY of MAPPING (NULL is an empty mapping); else {NULL, 0}. */
struct bytes run_yaml_text(const struct yaml_value *mapping, const char *key);
/* The mapping under KEY, or NULL. */
const struct yaml_value *run_yaml_mapping(const struct yaml_value *mapping, const char *key);

#endif
