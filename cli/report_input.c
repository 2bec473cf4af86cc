/*
 * Files of records, results and lists of functions, read whole.  A folder of a run gives its
 * records and what its setup says of them.
 */
#include "cli/report_input.h"

#include "cli/cli.h"
#include "cli/run_input.h"

/* Read the file at PATH; its text lives as long as FILES. */
static int
read_text(struct report_files *files, const char *path, struct report_text *out, struct err *err)
{
    struct buf *text = &files->texts[files->n_texts++];
    if (fs_read(path, (size_t)4 << 30, text, err) < 0)
        return -1;
    *out = (struct report_text){buf_bytes(text), path};
    return 0;
}

static int
read_texts(struct report_files *files, const struct cli_list *paths, const struct report_text **out,
           struct err *err)
{
    struct report_text *list = ARENA_ARRAY(&files->arena, paths->n_items, struct report_text);
    if (!list)
        return err_nomem(err, "files");
    for (size_t i = 0; i < paths->n_items; i++)
        if (read_text(files, paths->items[i], &list[i], err) < 0)
            return -1;
    *out = list;
    return 0;
}

/* ---- Records ------------------------------------------------------------------------------- */

static int
take_problems(struct report_files *files, const struct runner_setup *setup,
              struct report_records *out, struct err *err)
{
    struct report_problem *problems =
        ARENA_ARRAY(&files->arena, setup->n_problems, struct report_problem);
    if (!problems)
        return err_nomem(err, "problems");
    for (size_t i = 0; i < setup->n_problems; i++)
        problems[i] =
            (struct report_problem){setup->problems[i].name, setup->problems[i].n_checkpoints};
    out->problems = problems;
    out->n_problems = setup->n_problems;
    return 0;
}

static int
read_records(struct report_files *files, const struct cli_list *paths, struct buf *notes,
             struct err *err)
{
    struct report_records *list = ARENA_ARRAY(&files->arena, paths->n_items, struct report_records);
    if (!list)
        return err_nomem(err, "records");
    for (size_t i = 0; i < paths->n_items; i++) {
        struct run_input input;
        list[i] = (struct report_records){0};
        if (run_input_open(paths->items[i], &files->arena, &input, notes, err) < 0 ||
            read_text(files, input.records, &list[i].file, err) < 0 ||
            take_problems(files, &input.setup, &list[i], err) < 0)
            return -1;
        list[i].setup = run_input_setup(&input);
        /* Records of several files that do not name their run are not of the same one. */
        if (list[i].setup.run.len == 0 && paths->n_items > 1)
            list[i].setup.run = bytes_of_text(paths->items[i]);
    }
    files->input.records = list;
    files->input.n_records = paths->n_items;
    return 0;
}

int
report_files_read(const struct report_args *args, struct report_files *files, struct buf *notes,
                  struct err *err)
{
    size_t n = args->records.n_items + args->functions.n_items + args->results.n_items;
    *files = (struct report_files){.input.store = args->panel.store};
    arena_init(&files->arena, 0);
    files->texts = ARENA_ARRAY(&files->arena, n, struct buf);
    if (!files->texts)
        return err_nomem(err, "files");
    for (size_t i = 0; i < n; i++)
        files->texts[i] = (struct buf){0};
    if (read_records(files, &args->records, notes, err) < 0 ||
        read_texts(files, &args->functions, &files->input.functions, err) < 0 ||
        read_texts(files, &args->results, &files->input.results, err) < 0)
        return -1;
    files->input.n_functions = args->functions.n_items;
    files->input.n_results = args->results.n_items;
    return 0;
}

void
report_files_clear(struct report_files *files)
{
    for (size_t i = 0; i < files->n_texts; i++)
        buf_clear(&files->texts[i]);
    arena_clear(&files->arena);
}
