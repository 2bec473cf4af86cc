/*
 * The records of agent runs that a command names, as a file or as the folder of a run.  A folder is
 * taken for a run: its records are the file checkpoint_results.jsonl in it, and its setup is read
 * as well.
 */
#include "cli/run_input.h"

#include <sys/stat.h>

int
run_input_open(const char *path, struct arena *arena, struct run_input *out, struct buf *notes,
               struct err *err)
{
    struct stat info;
    *out = (struct run_input){.path = path, .records = path};
    out->is_run = stat(path, &info) == 0 && S_ISDIR(info.st_mode);
    if (!out->is_run)
        return 0;
    out->records = arena_format(arena, "%s/checkpoint_results.jsonl", path);
    if (!out->records)
        return err_nomem(err, "path");
    if (lstat(out->records, &info) == 0 && !S_ISREG(info.st_mode))
        return err_set(err, ERR_INPUT, "%s is not a regular file; links in a run are not followed",
                       out->records);
    if (runner_read_setup(path, arena, &out->setup, notes, err) < 0)
        return err_wrap(err, "run %s", path);
    return 0;
}

struct run_setup
run_input_setup(const struct run_input *input)
{
    const struct runner_setup *setup = &input->setup;
    return (struct run_setup){.model = setup->model,
                              .variant = setup->variant,
                              .run = setup->run,
                              .prompt = setup->prompt,
                              .thinking = setup->thinking,
                              .agent_type = setup->agent_type,
                              .agent_version = setup->agent_version};
}
