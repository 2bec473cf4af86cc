/*
 * strata ingest: agent runs into a store.
 *
 * The runs are looked for first and without a store, so that a path without any does not create
 * one; then runner_ingest() takes them, and a table of runs and the notes are printed.
 */
#include <stdio.h>

#include "cli/commands.h"
#include "cli/mine_print.h"
#include "cli/rules.h"
#include "cli/store_args.h"
#include "cli/tree_args.h"
#include "runner/runner.h"

struct request {
    struct cli_common common;
    const char *store_path;
    struct tree_args tree;
    struct rules_args rules;
    bool after_step;
    bool wait;
    const struct cli_list *paths;
};

/* ---- Output -------------------------------------------------------------------------------- */

static void
write_run_json(struct buf *out, const struct runner_run *run, uint32_t n_fresh_rules)
{
    const struct {
        const char *name;
        uint64_t value;
    } counts[] = {{"problems", run->n_problems},
                  {"new_trajectories", run->n_new},
                  {"checkpoints", run->n_checkpoints},
                  {"trees", run->n_trees},
                  {"empty_trees", run->n_empty},
                  {"files", run->n_files},
                  {"blobs_analysed", run->n_analysed},
                  {"hits_taken_over", run->n_taken_over},
                  {"rules_run_on_these", run->n_taken_over ? n_fresh_rules : 0},
                  {"source_bytes", run->n_bytes},
                  {"records", run->n_records},
                  {"records_made", run->n_made_records},
                  {"records_duplicate", run->n_duplicates},
                  {"records_broken", run->n_broken},
                  {"after_step_trees", run->n_after_step},
                  {"remarks", run->n_notes}};
    struct json_writer json = json_writer_init(out, 0);
    json_begin_object(&json);
    json_member_bytes(&json, "run", run->name);
    json_member_bytes(&json, "place", run->place);
    for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
        json_member_u64(&json, counts[i].name, counts[i].value);
    json_end_object(&json);
    buf_append_byte(out, '\n');
}

static void
write_note_json(struct buf *out, const struct store_note *note)
{
    struct json_writer json = json_writer_init(out, 0);
    json_begin_object(&json);
    json_member_bytes(&json, "place", note->what);
    json_member_bytes(&json, "remark", note->reason);
    json_end_object(&json);
    buf_append_byte(out, '\n');
}

static void
add_run(struct runner_run *total, const struct runner_run *run)
{
    total->n_problems += run->n_problems;
    total->n_new += run->n_new;
    total->n_checkpoints += run->n_checkpoints;
    total->n_trees += run->n_trees;
    total->n_files += run->n_files;
    total->n_analysed += run->n_analysed;
    total->n_taken_over += run->n_taken_over;
    total->n_after_step += run->n_after_step;
    total->n_made_records += run->n_made_records;
}

static void
write_row(struct buf *out, const struct runner_run *run)
{
    buf_printf(out, "%9llu %6llu %12llu %7llu %8llu %9llu  ", (unsigned long long)run->n_problems,
               (unsigned long long)run->n_new, (unsigned long long)run->n_checkpoints,
               (unsigned long long)run->n_trees, (unsigned long long)run->n_files,
               (unsigned long long)run->n_analysed);
    printable_append(out, run->name);
    buf_append_byte(out, '\n');
}

static void
write_text(const struct request *request, const struct runner_report *report, struct buf *out)
{
    struct runner_run total = {.name = BYTES("all")};
    buf_printf(out, "%9s %6s %12s %7s %8s %9s  %s\n", "problems", "new", "checkpoints", "trees",
               "files", "analysed", "run");
    for (size_t i = 0; i < report->n_runs; i++) {
        write_row(out, &report->runs[i]);
        add_run(&total, &report->runs[i]);
    }
    write_row(out, &total);
    mine_print_taken_over(total.n_taken_over, report->n_fresh_rules, out);
    if (total.n_made_records)
        buf_printf(out, "%llu records were made from the files of their checkpoints.\n",
                   (unsigned long long)total.n_made_records);
    if (total.n_after_step && !request->after_step)
        buf_printf(
            out, "%llu trees after an extra step were left out; --after-step takes them as well.\n",
            (unsigned long long)total.n_after_step);
}

/* Does a note before note I give the same reason? */
static bool
is_repeated(const struct runner_report *report, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (bytes_equal(report->notes[k].reason, report->notes[i].reason))
            return true;
    return false;
}

/* Print each reason once, with the first place it is about and how many more there are. */
static void
print_notes(const struct runner_report *report)
{
    for (size_t i = 0; i < report->n_notes; i++) {
        if (is_repeated(report, i))
            continue;
        size_t n_more = 0;
        for (size_t k = i + 1; k < report->n_notes; k++)
            n_more += bytes_equal(report->notes[k].reason, report->notes[i].reason);
        printable_write(stderr, report->notes[i].what);
        fputs(": ", stderr);
        printable_write(stderr, report->notes[i].reason);
        if (n_more)
            fprintf(stderr, " (and %zu more like it, see --json)", n_more);
        fputc('\n', stderr);
    }
    if (report->n_notes_lost)
        fprintf(stderr, "%llu more notes were only counted\n",
                (unsigned long long)report->n_notes_lost);
}

static int
print_report(const struct request *request, const struct runner_report *report)
{
    struct buf out = {0};
    if (request->common.json) {
        for (size_t i = 0; i < report->n_runs; i++)
            write_run_json(&out, &report->runs[i], report->n_fresh_rules);
        for (size_t i = 0; i < report->n_notes; i++)
            write_note_json(&out, &report->notes[i]);
    } else {
        print_notes(report);
        if (report->n_runs)
            write_text(request, report, &out);
    }
    int status = cli_print(&cli_ingest, &out);
    if (status == CLI_DONE && report->n_runs == 0)
        return CLI_INPUT;
    return status == CLI_DONE && report->n_notes ? CLI_FINDINGS : status;
}

/* ---- The command --------------------------------------------------------------------------- */

/* Is there a run to take?  If not, print why, so that no store is created for nothing. */
static int
look_for_runs(const struct request *request, const struct runner_ingest_options *options)
{
    struct runner_report *report;
    struct err err;
    if (runner_ingest(options, NULL, &report, &err) < 0)
        return cli_fail(&cli_ingest, &err);
    int status = report->n_found ? CLI_DONE : print_report(request, report);
    runner_report_destroy(report);
    return status;
}

static int
ingest_into(const struct request *request, struct runner_ingest_options *options,
            struct store *store)
{
    struct runner_report *report;
    struct err err;
    options->progress = progress_start("ingesting", "checkpoints", request->common.quiet);
    int rc = runner_ingest(options, store, &report, &err);
    progress_finish(options->progress);
    if (rc < 0)
        return cli_fail(&cli_ingest, &err);
    int status = print_report(request, report);
    runner_report_destroy(report);
    return status;
}

static int
ingest(const struct request *request, const struct ruleset *rules)
{
    struct store *store;
    struct runner_ingest_options options = {
        .paths = request->paths->items,
        .n_paths = request->paths->n_items,
        .repository = request->tree.repository,
        .revision = tree_args_revision(&request->tree),
        .prefix = tree_args_prefix(&request->tree),
        .after_step = request->after_step,
        .analyzer = {.limits = analyzer_limits_default(), .rules = rules},
        .n_jobs = request->common.jobs};
    int status = look_for_runs(request, &options);
    if (status == CLI_DONE)
        status = store_args_open_to_write(&cli_ingest, request->store_path, request->wait, &store);
    if (status != CLI_DONE)
        return status;
    status = ingest_into(request, &options, store);
    store_close(store);
    return status;
}

static int
run(void *self, const struct cli_list *arguments)
{
    struct request *request = self;
    struct ruleset *rules;
    request->paths = arguments;
    if (!request->store_path)
        return cli_usage(&cli_ingest, "name a store with --store");
    int status = tree_args_check(&cli_ingest, &request->tree, arguments->n_items);
    if (status == CLI_DONE)
        status = rules_args_load(&cli_ingest, &request->rules, &rules);
    if (status != CLI_DONE)
        return status;
    status = ingest(request, rules);
    ruleset_destroy(rules);
    return status;
}

static const struct cli_option options[] = {
    STORE_OPTION_TO_WRITE(struct request, store_path),
    TREE_ARGS_OPTIONS(struct request, tree),
    {.name = "--after-step",
     .help = "also take the trees after a run's extra step (after_skill), each as a trajectory "
             "MODEL/RUN/PROBLEM/after_skill of its own",
     CLI_FLAG(struct request, after_step)},
    RULES_ARGS_OPTIONS(struct request, rules),
    WAIT_OPTION(struct request, wait),
    CLI_JSON(struct request, common, "a JSON line for each run, then one for each note"),
    CLI_JOBS(struct request, common),
    CLI_QUIET(struct request, common),
    CLI_END,
};

const struct cli_command cli_ingest = {
    .name = "ingest",
    .summary = "put agent runs in SlopCodeBench's output layout into a store",
    .usage = "--store DIR [OPTION...] RUN...\n"
             "--store DIR [OPTION...] --git REPO [--rev REV] [--prefix DIR]",
    .about =
        "Takes the runs in each RUN, the output folder of a run or any folder above some. Each "
        "problem becomes a trajectory named MODEL/RUN/PROBLEM, each checkpoint the Python "
        "files of its snapshot and the record of its tests, cost and tokens. A checkpoint "
        "without a line in checkpoint_results.jsonl gets a record made from its own files. "
        "Whatever is missing or damaged is reported and the rest is taken. Ingesting a run "
        "again adds only what has changed. A crash loses at most 64 checkpoints. When rules "
        "have changed, only the changed ones are run.",
    .options = options,
    .statuses = "0; 1 when something was odd or left out (each is reported); 2 usage; 3 when there "
                "is no run, or the store or the repository cannot be used; 130 stopped, and the "
                "same command continues.",
    .request_size = sizeof(struct request),
    .n_arguments_max = CLI_ANY_NUMBER,
    .run = run,
};
