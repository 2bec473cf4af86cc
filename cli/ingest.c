/* strata ingest --store S RUN...: agent runs into a store. */
#include <stdio.h>

#include "cli/cli.h"
#include "cli/mine_print.h"
#include "cli/rules.h"
#include "cli/store_args.h"
#include "runner/runner.h"

extern const struct cli_command cli_ingest;

struct request {
    struct cli_common common;
    const char *store_path;
    const char *repository, *revision, *prefix;
    bool after_step;
    bool no_rules;
    bool wait;
    struct cli_list rules; /* files and folders; none: the built-in ones */
    struct cli_list paths;
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
        buf_printf(out, "%llu records were put together from the files of their checkpoints.\n",
                   (unsigned long long)total.n_made_records);
    if (total.n_after_step && !request->after_step)
        buf_printf(out,
                   "%llu trees after an extra step were left out; --after-step takes them too.\n",
                   (unsigned long long)total.n_after_step);
}

/* Was the reason of note I given before it? */
static bool
is_repeated(const struct runner_report *report, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (bytes_equal(report->notes[k].reason, report->notes[i].reason))
            return true;
    return false;
}

/* Each reason once, with the first place it holds for and how many more there are. */
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
            fprintf(stderr, " (and %zu more like it; --json names them)", n_more);
        fputc('\n', stderr);
    }
    if (report->n_notes_lost)
        fprintf(stderr, "%llu further notes were counted only\n",
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

/* Is there anything to take?  If not say so: a store is made for what there is only. */
static int
look(const struct request *request, const struct runner_ingest_options *options)
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
    int outcome = runner_ingest(options, store, &report, &err);
    progress_finish(options->progress);
    if (outcome < 0)
        return cli_fail(&cli_ingest, &err);
    int status = print_report(request, report);
    runner_report_destroy(report);
    return status;
}

static int
ingest(const struct request *request)
{
    struct store *store;
    struct ruleset *rules = NULL;
    struct err err;
    if (!request->no_rules && cli_load_rules(&request->rules, &rules, &err) < 0)
        return cli_fail(&cli_ingest, &err);
    struct runner_ingest_options options = {
        .paths = request->paths.items,
        .n_paths = request->paths.n_items,
        .repository = request->repository,
        .revision = bytes_of_text(request->revision ? request->revision : ""),
        .prefix = bytes_of_text(request->prefix ? request->prefix : ""),
        .after_step = request->after_step,
        .analyzer = {.limits = analyzer_limits_default(), .rules = rules},
        .n_jobs = request->common.jobs};
    int status = look(request, &options);
    if (status == CLI_DONE)
        status = store_args_open_to_write(&cli_ingest, request->store_path, request->wait, &store);
    if (status == CLI_DONE) {
        status = ingest_into(request, &options, store);
        store_close(store);
    }
    ruleset_destroy(rules);
    return status;
}

static int
run(int argc, char **argv)
{
    struct request request = {.common = cli_common_default()};
    const struct cli_option options[] = {
        CLI_JOBS(request.common),
        CLI_QUIET(request.common),
        CLI_JSON(request.common),
        {.name = "--store", .text = &request.store_path},
        {.name = "--git", .text = &request.repository},
        {.name = "--rev", .text = &request.revision},
        {.name = "--prefix", .text = &request.prefix},
        {.name = "--after-step", .flag = &request.after_step},
        {.name = "--rules", .list = &request.rules},
        {.name = "--no-rules", .flag = &request.no_rules},
        {.name = "--wait", .flag = &request.wait},
        {.name = NULL},
    };
    int status;
    if (cli_parse(&cli_ingest, argc, argv, options, &request.paths) < 0)
        status = CLI_USAGE;
    else if (request.no_rules && request.rules.n_items)
        status = cli_usage(&cli_ingest, "--rules and --no-rules exclude each other");
    else if (!request.store_path)
        status = cli_usage(&cli_ingest, "name the store with --store");
    else if (request.repository && request.paths.n_items)
        status = cli_usage(&cli_ingest, "folders and --git exclude each other");
    else if (!request.repository && (request.revision || request.prefix))
        status = cli_usage(&cli_ingest, "--rev and --prefix go with --git");
    else if (!request.repository && !request.paths.n_items)
        status = cli_usage(&cli_ingest, "name the folder of a run, or a repository with --git");
    else
        status = ingest(&request);
    cli_list_clear(&request.rules);
    cli_list_clear(&request.paths);
    return status;
}

const struct cli_command cli_ingest = {
    .name = "ingest",
    .summary = "agent runs in SlopCodeBench's output layout into a store",
    .help =
        "usage: strata ingest --store DIR [OPTION...] RUN...\n"
        "       strata ingest --store DIR [OPTION...] --git REPO [--rev REV] [--prefix DIR]\n"
        "\n"
        "Takes the runs in each RUN, a run's output folder or any folder above some: each problem\n"
        "becomes a trajectory 'model/run folder/problem', each checkpoint the Python files of its\n"
        "snapshot with its record of tests, cost and tokens.  A checkpoint without a line in\n"
        "checkpoint_results.jsonl gets a record put together from its own files.  Whatever is\n"
        "missing or damaged is named and the rest is taken.  Taking a run again adds nothing, or\n"
        "what has changed.  With --git the runs are read from a repository's objects.  Sixty-four\n"
        "checkpoints are the most that a crash can lose.\n"
        "\n"
        "  --store DIR      the store; made when missing\n"
        "  --git REPO       a repository or bare mirror\n"
        "  --rev REV        commit, branch, tag or HEAD~3 (default HEAD)\n"
        "  --prefix DIR     only this folder of the revision\n"
        "  --after-step     the trees after a run's extra step (after_skill) too, each as a\n"
        "                   trajectory 'model/run folder/problem/after_skill' of its own\n"
        "  --rules PATH     rules to run: a file, or a folder of *.yml; may be repeated (default:\n"
        "                   the built-in ones).  After a change only the changed rules are run\n"
        "  --no-rules       run none\n"
        "  --wait           wait when another process writes to the store\n"
        "  --json           a JSON line for each run, then one for each note\n"
        "  --jobs N         threads (default: every core)\n"
        "  --quiet          no progress\n"
        "\n"
        "Exit status: 0; 1 when something was odd or left out (each is named); 2 usage; 3 when\n"
        "there is no run, or the store or repository cannot be used; 130 when stopped: run it\n"
        "again to go on.\n",
    .run = run,
};
