/*
 * strata report: every table of the calibration study.
 *
 * report_args.c reads the choices, report_input.c the files; report_build() makes the tables, which
 * are printed in one format or written as a CSV file each.
 */
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

#include "cli/commands.h"
#include "cli/report_input.h"

static int
write_tables(const struct report *report, const char *folder, struct err *err)
{
    struct buf name = {0}, text = {0};
    int rc = 0;
    if (mkdir(folder, 0777) < 0 && errno != EEXIST)
        rc = err_set_errno(err, "create the folder %s", folder);
    for (size_t i = 0; i < report_count_tables(report) && rc == 0; i++) {
        buf_reset(&name);
        buf_reset(&text);
        buf_printf(&name, "%s/", folder);
        rc = report_render_table(report, i, &name, &text, err);
        buf_append_text(&name, ".csv");
        buf_append_byte(&name, 0);
        if (rc == 0)
            rc = fs_write((const char *)name.data, buf_bytes(&text), err);
    }
    buf_clear(&name);
    buf_clear(&text);
    return rc;
}

static int
print_report(struct report_args *args, struct report_files *files, struct buf *notes)
{
    struct report *report = NULL;
    struct buf out = {0};
    struct err err;
    if (report_files_read(args, files, notes, &err) < 0)
        return cli_fail(&cli_report, &err);
    args->options.panel.progress =
        progress_start("scoring", "trajectories", args->panel.common.quiet);
    int rc = report_build(&files->input, &args->options, &report, notes, &err);
    progress_finish(args->options.panel.progress);
    if (notes->len)
        printable_write(stderr, buf_bytes(notes));
    if (rc == 0)
        rc = args->output ? write_tables(report, args->output, &err)
                          : report_render(report, args->format, &out, &err);
    report_destroy(report);
    int status = rc == 0 ? cli_print(&cli_report, &out) : cli_fail(&cli_report, &err);
    buf_clear(&out);
    return status == CLI_DONE && notes->len ? CLI_FINDINGS : status;
}

static int
run(void *self, const struct cli_list *arguments)
{
    (void)arguments;
    struct report_args *args = self;
    struct report_files files = {0};
    struct buf notes = {0};
    int status = report_args_resolve(args, &cli_report);
    if (status == CLI_DONE)
        status = print_report(args, &files, &notes);
    report_files_clear(&files);
    buf_clear(&notes);
    report_args_clear(args);
    return status;
}

const struct cli_command cli_report = {
    .name = "report",
    .summary = "tables of a study: tiers, slopes, drift, growth, agents against people",
    .usage = "(--store DIR | --records PATH | --results FILE)... [OPTION...]",
    .about = "Makes the tables of the calibration study from a store, records of agent runs and "
             "results, with the paper's values beside them. What the paper leaves open is an "
             "option, and a footnote says which choice was made.",
    .options = report_args_options,
    .notes = PANEL_ARGS_NOTES,
    .statuses = "0; 1 when input was odd or left out, or the profile names a rule that was not run "
                "(each is reported); 2 usage; 3 when input cannot be used.",
    .request_size = sizeof(struct report_args),
    .set_defaults = report_args_set_defaults,
    .run = run,
};
