/*
 * Run text: text files of a run.  A file that is missing or cannot be used is an outcome, not an
 * error.
 */
#ifndef STRATA_RUNNER_READ_RUN_TEXT_H
#define STRATA_RUNNER_READ_RUN_TEXT_H

#include "base/buf.h"
#include "base/json_read.h"
#include "base/yaml_read.h"
#include "intake/notes.h"
#include "runner/read/source.h"

enum { RUN_TEXT_MAX = 64 * 1024 * 1024 };

/* A folder that has been listed, and where notes on its files go. */
struct run_folder {
    struct source *source;
    struct bytes path;
    const struct source_entry *entries;
    size_t n_entries;
    struct arena *arena;
    struct notes *notes;
    struct bytes label; /* goes before a file's name in notes, with a '/'; may be empty */
};

/* List PATH into FOLDER, whose source, arena and notes are set.  The errors of source_list. */
int run_folder_open(struct run_folder *folder, struct bytes path, struct err *err);

/* Append the content of the file NAME to OUT.  1, 0 when it is missing or got a note, -1. */
int
run_read_text(const struct run_folder *folder, const char *name, struct buf *out, struct err *err);
/* Read the file NAME as a JSON object.  1 and *OUT is the caller's, to json_close; 0 or -1 as above
 * and *OUT is NULL. */
int run_read_json(const struct run_folder *folder, const char *name, struct json_doc **out,
                  struct err *err);
/* Read the file NAME as a YAML mapping, in the folder's arena.  *OUT is NULL unless 1 is returned.
 */
int run_read_yaml(const struct run_folder *folder, const char *name, const struct yaml_value **out,
                  struct err *err);
/* Add the note that the file NAME cannot be used because of WHY.  0, or -1 as notes_add_failure. */
int
run_note(const struct run_folder *folder, const char *name, const struct err *why, struct err *err);

/* The scalar under KEY of MAPPING (NULL is an empty mapping); {NULL, 0} when there is not one or it
 * is null. */
struct bytes run_yaml_text(const struct yaml_value *mapping, const char *key);
/* The mapping under KEY of MAPPING, or NULL. */
const struct yaml_value *run_yaml_mapping(const struct yaml_value *mapping, const char *key);

#endif
