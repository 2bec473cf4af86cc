/*
 * What a run was set up to do, for callers that have its records already: its model, agent, prompt
 * and problems, from the same files that ingesting reads.
 */
#include <string.h>

#include "runner/read/run.h"
#include "runner/runner.h"

static uint64_t
checkpoints_of(const struct run *run, struct bytes name)
{
    for (uint32_t i = 0; i < run->n_problems; i++)
        if (bytes_equal(run->problems[i].folder, name) || bytes_equal(run->problems[i].name, name))
            return run->problems[i].n_configured;
    return 0;
}

/* Take the problems that RUN was configured with; if they are not known, those that it has
 * folders of. */
static int
take_problems(const struct run *run, struct arena *arena, struct runner_setup *out, struct err *err)
{
    size_t n = run->configured ? run->n_configured : run->n_problems;
    struct runner_problem *problems = ARENA_ARRAY(arena, n, struct runner_problem);
    if (!problems)
        return err_nomem(err, "problems of a run");
    for (size_t i = 0; i < n; i++) {
        struct bytes name = run->configured ? run->configured[i] : run->problems[i].name;
        problems[i] = (struct runner_problem){name, checkpoints_of(run, name)};
    }
    out->problems = problems;
    out->n_problems = n;
    return 0;
}

static struct bytes
last_part(const char *path)
{
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/')
        end--;
    size_t start = end;
    while (start > 0 && path[start - 1] != '/')
        start--;
    return (struct bytes){(const uint8_t *)path + start, end - start};
}

static void
write_notes(const struct notes *notes, struct buf *out_notes)
{
    for (uint32_t i = 0; i < notes->n_items; i++)
        buf_printf(out_notes, "%.*s: %.*s\n", BYTES_ARG(notes->items[i].what),
                   BYTES_ARG(notes->items[i].reason));
}

int
runner_read_setup(const char *path, struct arena *arena, struct runner_setup *out,
                  struct buf *out_notes, struct err *err)
{
    struct source_place place = {.folder = path};
    struct source *source;
    struct run run;
    *out = (struct runner_setup){0};
    int rc = source_open(&place, &source, err);
    if (rc == 0) {
        rc = run_read(source, BYTES(""), last_part(path), arena, &run, err);
        source_close(source);
    }
    if (rc == 0)
        rc = take_problems(&run, arena, out, err);
    if (rc < 0)
        return -1;
    out->model = run.model;
    out->variant = run.variant;
    out->run = run.started.len ? run.started : run.folder;
    out->prompt = run.prompt;
    out->thinking = run.thinking;
    out->agent_type = run.agent_type;
    out->agent_version = run.agent_version;
    write_notes(&run.notes, out_notes);
    return 0;
}
