/*
 * Run: what the folder of one agent run says about itself.
 *
 *     <run>/config.yaml, checkpoint_results.jsonl
 *           <problem>/problem.yaml, run_info.yaml
 *                     <checkpoint>/...
 *
 * Every file may be missing.  A file that cannot be used gets a note and counts as missing.
 */
#ifndef STRATA_RUNNER_READ_RUN_H
#define STRATA_RUNNER_READ_RUN_H

#include "base/arena.h"
#include "base/bytes.h"
#include "base/err.h"
#include "intake/notes.h"
#include "runner/read/source.h"

struct run_checkpoint {
    struct bytes name; /* "checkpoint_1" */
    int64_t idx;       /* its configured order, or the number its name ends in; -1: neither */
    bool is_configured;
    bool is_first, is_last; /* of the configured ones */
    bool has_folder;
    bool has_after_step; /* it has a folder after_skill, of the extra step */
    struct bytes state;  /* "ran", "error", "skipped", "unknown" */
    struct bytes record; /* its line of checkpoint_results.jsonl, or {NULL, 0} */
};

struct run_problem {
    struct bytes folder; /* name of its folder, by which the run knows it */
    struct bytes name;   /* as its records have it; the folder's name when they do not say */
    bool has_folder;
    int64_t version;      /* -1: not known */
    struct bytes state;   /* at the end of the run; may be empty */
    struct bytes started; /* time as text; may be empty */
    uint32_t n_configured;
    struct run_checkpoint *checkpoints; /* by idx, those without one last */
    uint32_t n_checkpoints;
    uint32_t capacity;
    struct notes notes;
};

struct run {
    struct bytes place;  /* its folder below the source's place; "" is the place itself */
    struct bytes folder; /* the last part of its path */
    struct bytes model, provider, prompt, thinking, agent_type, agent_version; /* may be empty */
    struct bytes output;      /* configured output folder: paths in records begin with it */
    struct bytes variant;     /* of the folder's name, without agent, thinking and time */
    struct bytes started;     /* the time in the folder's name, "20260604T2240"; may be empty */
    struct bytes *configured; /* names of the configured problems; NULL: not known */
    size_t n_configured;
    bool has_post_step;           /* configured with an extra prompt after every checkpoint */
    struct run_problem *problems; /* in bytewise order of folders */
    uint32_t n_problems;
    uint32_t capacity;
    uint32_t n_records;    /* lines of records used */
    uint32_t n_duplicates; /* of these: replaced by a later line of the same checkpoint */
    uint32_t n_broken;     /* lines that are not records */
    struct notes notes;
};

/*
 * Read the run in the folder PLACE of SOURCE, whose last part is FOLDER.  Everything is in ARENA.
 * -1: the folder cannot be listed, ERR_NOMEM, ERR_STOPPED.
 */
int run_read(struct source *source, struct bytes place, struct bytes folder, struct arena *arena,
             struct run *out, struct err *err);

/* The path of NAME in FOLDER, in ARENA; one of them may be empty.  data is NULL when memory is out.
 */
struct bytes run_path(struct arena *arena, struct bytes folder, struct bytes name);

#endif
