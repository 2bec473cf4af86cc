/*
 * checkpoint_results.jsonl: a record per line, given to the checkpoint that it names.
 *
 * The line is kept as it is.  A problem or checkpoint without a folder is added, and of two records
 * of one checkpoint the later is kept.
 */
#include <stdio.h>

#include "runner/read/run_private.h"

static struct bytes
trimmed(struct bytes line)
{
    while (line.len && memchr(" \t\r", line.data[0], 3))
        line = bytes_slice(line, 1, line.len);
    while (line.len && memchr(" \t\r", line.data[line.len - 1], 3))
        line.len--;
    return line;
}

static struct run_problem *
need_problem(struct run *run, struct bytes name, struct arena *arena)
{
    for (uint32_t i = 0; i < run->n_problems; i++)
        if (bytes_equal(run->problems[i].name, name) || bytes_equal(run->problems[i].folder, name))
            return &run->problems[i];
    struct bytes copy = arena_copy(arena, name);
    return copy.data ? run_add_problem(run, copy, arena) : NULL;
}

/* Give LINE, which reads as OBJECT, to its checkpoint. */
static int
take_record(const struct run_folder *folder, struct run *run, const struct json_value *object,
            struct bytes line, const char *place, struct err *err)
{
    struct bytes name = json_string(json_member(object, "problem"));
    struct bytes checkpoint_name = json_string(json_member(object, "checkpoint"));
    if (!name.len || !checkpoint_name.len) {
        run->n_broken++;
        return notes_addf(folder->notes, bytes_of_text(place), err,
                          "it names no problem and checkpoint; it is left out");
    }
    struct run_problem *problem = need_problem(run, name, folder->arena);
    struct bytes copy = arena_copy(folder->arena, checkpoint_name);
    struct run_checkpoint *checkpoint =
        problem && copy.data ? run_need_checkpoint(problem, copy, folder->arena) : NULL;
    if (!checkpoint)
        return err_nomem(err, "records");
    if (checkpoint->record.data) {
        run->n_duplicates++;
        if (notes_addf(folder->notes, bytes_of_text(place), err,
                       "a second record of %.*s %.*s; the later one is kept", BYTES_ARG(name),
                       BYTES_ARG(checkpoint_name)) < 0)
            return -1;
    }
    run->n_records++;
    checkpoint->record = arena_copy(folder->arena, line);
    return checkpoint->record.data ? 0 : err_nomem(err, "records");
}

static int
read_line(const struct run_folder *folder, struct run *run, struct bytes line, size_t number,
          struct err *err)
{
    char place[64];
    struct json_doc *doc;
    struct err why;
    snprintf(place, sizeof(place), "checkpoint_results.jsonl line %zu", number);
    if (json_open(line, "record", true, &doc, &why) < 0) {
        run->n_broken++;
        return notes_add_failure(folder->notes, bytes_of_text(place), &why, err);
    }
    int rc = take_record(folder, run, json_root(doc), line, place, err);
    json_close(doc);
    return rc;
}

int
run_read_records(const struct run_folder *folder, struct run *run, struct err *err)
{
    struct buf text = {0};
    int rc = run_read_text(folder, "checkpoint_results.jsonl", &text, err);
    struct bytes rest = buf_bytes(&text), line;
    for (size_t number = 1; rc >= 0 && bytes_take_line(&rest, &line); number++)
        if (!bytes_is_blank(line))
            rc = read_line(folder, run, trimmed(line), number, err);
    buf_clear(&text);
    return rc < 0 ? -1 : 0;
}
