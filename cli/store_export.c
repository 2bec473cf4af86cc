/* strata store export: the tables of a store for other programs. */
#include <stdio.h>
#include <string.h>

#include "cli/panel_args.h"

extern const struct cli_command cli_store_export;

struct exporting {
    struct panel_args panel;
    const char *format, *out;
    struct cli_list tables;
    struct export_options options;
};

static int
resolve_format(struct exporting *args)
{
    static const char *const NAMES[] = {
        [EXPORT_JSON_LINES] = "jsonl", [EXPORT_CSV] = "csv", [EXPORT_SQLITE] = "sqlite"};
    if (!args->out)
        return cli_usage(&cli_store_export, "where to? name a folder or, for sqlite, a file with "
                                            "--out");
    args->options.path = args->out;
    for (size_t i = 0; args->format && i < sizeof(NAMES) / sizeof(*NAMES); i++) {
        if (strcmp(args->format, NAMES[i]) == 0) {
            args->options.format = (enum export_format)i;
            return CLI_DONE;
        }
    }
    return cli_usage(&cli_store_export, "name a format with --format: jsonl, csv or sqlite");
}

static int
resolve_tables(struct exporting *args)
{
    for (size_t i = 0; i < args->tables.n_items; i++) {
        unsigned bit = 0;
        for (int id = 0; id < EXPORT_N_TABLES; id++)
            if (strcmp(args->tables.items[i], export_table_name((enum export_table_id)id)) == 0)
                bit = 1u << id;
        if (!bit)
            return cli_usage(&cli_store_export,
                             "--table %s: tables are trajectories, checkpoints, scores, files, "
                             "blobs and callables",
                             args->tables.items[i]);
        args->options.tables |= bit;
    }
    return CLI_DONE;
}

static int
write_tables(struct exporting *args)
{
    uint64_t n_rows[EXPORT_N_TABLES];
    struct buf out = {0}, warnings = {0};
    struct err err;
    args->options.panel = args->panel.options;
    args->options.panel.progress =
        progress_start("scoring", "trajectories", args->panel.common.quiet);
    int outcome = export_store(args->panel.store, &args->options, n_rows, &warnings, &err);
    progress_finish(args->options.panel.progress);
    if (warnings.len)
        printable_write(stderr, buf_bytes(&warnings));
    int status;
    if (outcome == 0) {
        for (int i = 0; i < EXPORT_N_TABLES; i++)
            buf_printf(&out, "%s%llu %s", i ? ", " : "", (unsigned long long)n_rows[i],
                       export_table_name((enum export_table_id)i));
        buf_append_byte(&out, '\n');
        status = cli_print(&cli_store_export, &out);
    } else {
        status = cli_fail(&cli_store_export, &err);
    }
    if (status == CLI_DONE && warnings.len)
        status = CLI_FINDINGS;
    buf_clear(&warnings);
    return status;
}

static int
run(int argc, char **argv)
{
    struct exporting args = {.panel = panel_args_default()};
    const struct cli_option options[] = {{.name = "--format", .text = &args.format},
                                         {.name = "--out", .text = &args.out},
                                         {.name = "--table", .list = &args.tables},
                                         PANEL_ARGS_OPTIONS(args.panel),
                                         {.name = NULL}};
    struct cli_list rest = {0};
    int status = CLI_USAGE;
    if (cli_parse(&cli_store_export, argc, argv, options, &rest) == 0)
        status = rest.n_items ? cli_usage(&cli_store_export, "'%s' is not asked for", rest.items[0])
                              : resolve_format(&args);
    if (status == CLI_DONE)
        status = resolve_tables(&args);
    if (status == CLI_DONE)
        status = panel_args_resolve(&args.panel, &cli_store_export);
    if (status == CLI_DONE)
        status = write_tables(&args);
    panel_args_clear(&args.panel);
    cli_list_clear(&args.tables);
    cli_list_clear(&rest);
    return status;
}

const struct cli_command cli_store_export = {
    .name = "store export",
    .summary = "write the tables of a store for pandas, R, DuckDB, SQL",
    .help =
        "usage: strata store export --store DIR --format NAME --out PATH [OPTION...]\n"
        "\n"
        "Writes the tables trajectories, checkpoints, scores, files, blobs and callables; the\n"
        "file docs/data-dictionary.md says what is in their columns.  The same store gives the same\n"
        "rows in the same order.  Prints how many there are.\n"
        "\n"
        "  --store DIR      the store\n"
        "  --format NAME    jsonl or csv: a file a table in the folder PATH; sqlite: one\n"
        "                   database in the file PATH\n"
        "  --out PATH       where to; files that are there are replaced\n"
        "  --table NAME     only this table; may be repeated\n" PANEL_ARGS_HELP "\n"
        "Exit status: 0; 1 when a trajectory has no scores or a blob no facts (they are named), "
        "or\n"
        "rules were not run on all files; 2 usage; 3 when the store or the profile cannot be "
        "used,\n"
        "or the disk is full.\n",
    .run = run,
};
