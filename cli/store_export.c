/*
 * strata store export: the tables of a store for other programs.  The options become a struct
 * export_options, export_store() writes the tables, and the number of rows of each is printed.
 */
#include <stdio.h>

#include "aggregate/export.h"
#include "cli/commands.h"
#include "cli/panel_args.h"

struct request {
    struct panel_args panel;
    enum export_format format; /* CLI_NOT_GIVEN at first */
    unsigned tables;           /* set of enum export_table_id; 0: all */
    const char *out;
    struct export_options options;
};

static int
write_tables(struct request *request)
{
    uint64_t n_rows[EXPORT_N_TABLES];
    struct buf out = {0}, notes = {0};
    struct err err;
    request->options.panel = request->panel.options;
    request->options.panel.progress =
        progress_start("scoring", "trajectories", request->panel.common.quiet);
    int rc = export_store(request->panel.store, &request->options, n_rows, &notes, &err);
    progress_finish(request->options.panel.progress);
    if (notes.len)
        printable_write(stderr, buf_bytes(&notes));
    int status;
    if (rc == 0) {
        for (int i = 0; i < EXPORT_N_TABLES; i++)
            buf_printf(&out, "%s%llu %s", i ? ", " : "", (unsigned long long)n_rows[i],
                       export_table_name((enum export_table_id)i));
        buf_append_byte(&out, '\n');
        status = cli_print(&cli_store_export, &out);
    } else {
        status = cli_fail(&cli_store_export, &err);
    }
    if (status == CLI_DONE && notes.len)
        status = CLI_FINDINGS;
    buf_clear(&notes);
    return status;
}

static int
run(void *self, const struct cli_list *arguments)
{
    (void)arguments;
    struct request *request = self;
    int status = CLI_USAGE;
    if (!request->out)
        cli_usage(&cli_store_export, "name a folder or, for sqlite, a file with --out");
    else if ((unsigned)request->format == CLI_NOT_GIVEN)
        cli_usage(&cli_store_export, "name a format with --format: jsonl, csv or sqlite");
    else
        status = panel_args_resolve(&request->panel, &cli_store_export);
    request->options.path = request->out;
    request->options.format = request->format;
    request->options.tables = request->tables;
    if (status == CLI_DONE)
        status = write_tables(request);
    panel_args_clear(&request->panel);
    return status;
}

static void
set_defaults(void *self)
{
    struct request *request = self;
    panel_args_set_defaults(&request->panel);
    request->format = (enum export_format)CLI_NOT_GIVEN;
}

static const char *
table_at(size_t i)
{
    return i < EXPORT_N_TABLES ? export_table_name((enum export_table_id)i) : NULL;
}

static const char *const format_names[] = {
    [EXPORT_JSON_LINES] = "jsonl", [EXPORT_CSV] = "csv", [EXPORT_SQLITE] = "sqlite", NULL};

static const struct cli_option options[] = {
    {.name = "--format",
     .value = "NAME",
     .help = "for jsonl and csv there is a file for each table, for sqlite one database",
     .choices = format_names,
     CLI_CHOICE(struct request, format)},
    {.name = "--out",
     .value = "PATH",
     .help = "the folder of the files, or the file of the database; existing files are replaced",
     CLI_TEXT(struct request, out)},
    {.name = "--table",
     .value = "NAME",
     .help = "only this table",
     .choice_at = table_at,
     CLI_SET(struct request, tables)},
    PANEL_ARGS_OPTIONS(struct request, panel),
    CLI_END,
};

const struct cli_command cli_store_export = {
    .name = "store export",
    .summary = "write the tables of a store for pandas, R, DuckDB, SQL",
    .usage = "--store DIR --format NAME --out PATH [OPTION...]",
    .about =
        "Writes the tables of a store as files for other programs; docs/data-dictionary.md "
        "describes their columns. The same store gives the same rows in the same order. Prints "
        "how many rows each table has.",
    .options = options,
    .notes = PANEL_ARGS_NOTES,
    .statuses =
        "0; 1 when a trajectory has no scores, a blob has no facts, or rules were not run on "
        "all files (each is reported); 2 usage; 3 when the store or the profile cannot be "
        "used, or the disk is full.",
    .request_size = sizeof(struct request),
    .set_defaults = set_defaults,
    .run = run,
};
