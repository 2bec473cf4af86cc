/* Runs with something missing, broken or in the wrong place: each is named, the rest is taken. */
#include "run_box.h"

static void
test_runner_odd__broken_and_double_lines_of_records(void **state)
{
    struct run_box *box = *state;
    struct stored stored;
    size_t n;
    box_begin_run(box);
    box_write(box, "run/p/checkpoint_1/snapshot/a.py", "x = 1\n");
    box_write(box, "run/checkpoint_results.jsonl",
              "{\"problem\": \"p\", \"checkpoint\": \"checkpoint_1\", \"cost\": 1}\r\n"
              "\n"
              "{\"problem\": \"p\", \"checkp\n"
              "[1, 2]\n"
              "{\"problem\": \"p\"}\n"
              "{\"problem\": \"p\", \"checkpoint\": \"checkpoint_1\", \"cost\": NaN}\n"
              "{\"problem\": \"gone\", \"checkpoint\": \"checkpoint_4\", \"idx\": 4}");
    const struct runner_run *run = box_ingest_run(box, "s", "run");
    assert_int_equal(run->n_broken, 3);
    assert_int_equal(run->n_duplicates, 1);
    assert_int_equal(run->n_records, 3);
    assert_int_equal(run->n_problems, 2);
    assert_true(box_has_note(box, "checkpoint_results.jsonl line 3", "record"));
    assert_true(box_has_note(box, "checkpoint_results.jsonl line 5", "names no problem"));
    assert_true(box_has_note(box, "checkpoint_results.jsonl line 6", "the later one is kept"));
    assert_true(box_has_note(box, "gone/checkpoint_4/folder", "no folder"));

    stored_open(box, "s", &stored);
    const struct store_checkpoint *checkpoints = stored_checkpoints(&stored, "m/run/p", &n);
    assert_int_equal(n, 1);
    assert_non_null(strstr((const char *)checkpoints[0].record.data, "NaN"));
    checkpoints = stored_checkpoints(&stored, "m/run/gone", &n);
    assert_int_equal(n, 1);
    assert_int_equal(checkpoints[0].n_notes, 1);
    stored_close(&stored);
}

static void
test_runner_odd__files_that_cannot_be_used_leave_their_keys_out(void **state)
{
    struct run_box *box = *state;
    struct stored stored;
    size_t n;
    box_begin_run(box);
    box_write(box, "run/p/run_info.yaml", "summary: [unclosed\n");
    box_write(box, "run/p/checkpoint_1/evaluation.json", "{\"pass_counts\": ");
    box_write(box, "run/p/checkpoint_1/inference_result.json",
              "{\"started\": \"yesterday\", \"usage\": {\"cost\": 2, \"steps\": 3}}");
    box_write(box, "run/p/checkpoint_1/quality_analysis/overall_quality.json",
              "{\"lines\": {\"total_lines\": 4, \"loc\": 3}, \"symbols\": {\"functions\": 1}}");
    box_write(box, "run/p/checkpoint_1/quality_analysis/symbols.jsonl", "{\"type\": \"func\n");
    box_ingest_run(box, "s", "run");
    assert_true(box_has_note(box, "p/run_info.yaml", "not YAML"));
    assert_true(box_has_note(box, "checkpoint_1/evaluation.json", "JSON"));
    assert_true(box_has_note(box, "quality_analysis/symbols.jsonl", "JSON"));
    assert_true(box_has_note(box, "checkpoint_1/snapshot", "no such folder"));

    stored_open(box, "s", &stored);
    const struct store_checkpoint *checkpoints = stored_checkpoints(&stored, "m/run/p", &n);
    assert_true(bytes_equal(
        checkpoints[0].record,
        BYTES("{\"problem\": \"p\", \"version\": 3, \"checkpoint\": \"checkpoint_1\", "
              "\"path\": \"out/run/p\", \"idx\": 1, \"state\": \"unknown\", \"is_first\": true, "
              "\"is_last\": false, \"cost\": 2.0, \"steps\": 3, \"loc\": 4, \"sloc\": 3, "
              "\"total_lines\": 4, \"functions\": 1, \"lint_per_loc\": 0.0, "
              "\"violation_pct\": 0.0, \"cloned_pct\": 0.0, \"verbosity_flagged_pct\": 0.0}")));
    assert_true(bytes_equal(checkpoints[0].date_problem, BYTES("its record gives no time")));
    stored_close(&stored);
}

/* A quality file of a tree with LINES lines. */
static void
write_quality(struct run_box *box, int checkpoint, int lines)
{
    const char *folder = arena_format(&box->arena, "run/p/checkpoint_%d", checkpoint);
    box_write(box, arena_format(&box->arena, "%s/checkpoint.yaml", folder), "name: c\n");
    box_write(box, arena_format(&box->arena, "%s/diff.json", folder),
              "{\"file_diffs\": {\"a.py\": {\"lines_added\": 5, \"lines_removed\": 1},"
              " \"b.txt\": {\"lines_added\": 100, \"lines_removed\": 0}}}");
    folder = arena_format(&box->arena, "%s/quality_analysis", folder);
    box_write(box, arena_format(&box->arena, "%s/overall_quality.json", folder),
              arena_format(&box->arena, "{\"lines\": {\"total_lines\": %d}}", lines));
    box_write(box, arena_format(&box->arena, "%s/files.jsonl", folder),
              "{\"file_path\": \"a.py\"}\n{\"file_path\": \"c.py\"}\n");
    box_write(box, arena_format(&box->arena, "%s/symbols.jsonl", folder),
              "{\"type\": \"function\", \"lines\": 4, \"sloc\": 4, \"complexity\": 11}\n"
              "{\"type\": \"class\", \"lines\": 9, \"sloc\": 9, \"complexity\": 20}\n"
              "{\"type\": \"method\", \"lines\": 9, \"sloc\": 9, \"complexity\": 2}\n");
}

static void
test_runner_odd__deltas_after_an_empty_tree_are_infinite(void **state)
{
    struct run_box *box = *state;
    struct stored stored;
    size_t n;
    box_begin_run(box);
    write_quality(box, 1, 0);
    write_quality(box, 2, 10);
    box_ingest_run(box, "s", "run");
    stored_open(box, "s", &stored);
    const struct store_checkpoint *checkpoints = stored_checkpoints(&stored, "m/run/p", &n);
    assert_int_equal(n, 2);
    const char *first = (const char *)checkpoints[0].record.data;
    const char *second = (const char *)checkpoints[1].record.data;
    assert_null(strstr(first, "delta"));
    assert_null(strstr(first, "cloned_pct"));
    assert_true(
        bytes_ends_with(checkpoints[1].record,
                        BYTES("\"lines_added\": 5, \"lines_removed\": 1, \"mean_func_loc\": 6.5, "
                              "\"mass.cc\": 28.0, \"mass.high_cc_pct\": 0.7857142857142857, "
                              "\"delta.loc\": Infinity, \"delta.ast_grep_violations\": 0.0, "
                              "\"delta.churn_ratio\": Infinity}")));
    assert_non_null(strstr(second, "\"state\": \"error\""));
    stored_close(&stored);
}

static void
test_runner_odd__trees_hold_what_they_hold(void **state)
{
    struct run_box *box = *state;
    struct stored stored;
    size_t n;
    box_begin_run(box);
    box_write(box, "run/p/checkpoint_1/snapshot/README", "nothing here\n");
    box_write(box, "run/p/checkpoint_2/snapshot/venv/lib/m.py", "x = 1\n");
    box_write(box, "run/p/checkpoint_2/snapshot/bad.py", "\xff\xfe(\n");
    box_write(box, "run/p/checkpoint_2/snapshot/locked.py", "x = 2\n");
    /* a snapshot with outputs of a run in it, as an agent's own tests may leave behind */
    box_write(box, "run/p/checkpoint_2/snapshot/out/q/checkpoint_1/evaluation.json", "{}");
    box_shell(box, "cd run/p/checkpoint_2/snapshot && ln -s bad.py link.py && chmod 0 locked.py");
    const struct runner_run *run = box_ingest_run(box, "s", "run");
    assert_int_equal(run->n_trees, 2);
    assert_int_equal(run->n_empty, 1);
    bool is_root = geteuid() == 0; /* may read everything */
    assert_int_equal(run->n_files, is_root ? 3 : 2);
    assert_int_equal(box_has_note(box, "checkpoint_2/locked.py", "denied"), !is_root);
    stored_open(box, "s", &stored);
    stored_checkpoints(&stored, "m/run/p", &n);
    assert_int_equal(n, 2);
    stored_close(&stored);
}

static void
test_runner_odd__places_without_runs_and_parts_of_runs_are_named(void **state)
{
    struct run_box *box = *state;
    box_begin_run(box);
    box_write(box, "run/p/checkpoint_1/snapshot/a.py", "x = 1\n");
    box_write(box, "empty/notes.txt", "none\n");
    const char *paths[] = {box_path(box, "empty"), box_path(box, "run/p"), box_path(box, "no"),
                           box_path(box, "run/p/checkpoint_1"), box_path(box, "run")};
    struct store_options store_options = {
        .path = box_path(box, "s"), .mode = STORE_WRITE, .no_sync = true};
    struct store *store;
    box->options.paths = paths;
    box->options.n_paths = 5;
    assert_int_equal(store_open(&store_options, &store, &box->err), 0);
    assert_int_equal(runner_ingest(&box->options, store, &box->report, &box->err), 0);
    store_close(store);
    assert_int_equal(box->report->n_runs, 1);
    assert_int_equal(box->report->n_unusable, 4);
    assert_true(box_has_note(box, "/empty", "no run in SlopCodeBench's layout"));
    assert_true(box_has_note(box, "/run/p", "name the run's folder"));
    assert_true(box_has_note(box, "/run/p/checkpoint_1", "name the run's folder"));
    assert_true(box_has_note(box, "/no", "No such file"));
}

static void
test_runner_odd__one_name_is_taken_once(void **state)
{
    struct run_box *box = *state;
    box_begin_run(box);
    box_write(box, "run/p/checkpoint_1/snapshot/a.py", "x = 1\n");
    box_shell(box, "mkdir -p all/b && cp -r run all/b/run && mv run all/run");
    assert_int_equal(box_ingest(box, "s", "all"), 0);
    assert_int_equal(box->report->n_runs, 2);
    assert_int_equal(box->report->runs[0].n_new + box->report->runs[1].n_new, 1);
    assert_int_equal(box->report->runs[0].n_new, 1); /* the first in order of places */
    assert_true(box_has_note(box, "m/run/p", "this one is left out"));
}

static void
test_runner_odd__a_run_without_configuration_is_called_by_what_is_known(void **state)
{
    struct run_box *box = *state;
    struct stored stored;
    size_t n;
    box_write(box, "claude-1.0_plain_none_20260605T1442/p/checkpoint_2/snapshot/a.py", "x = 1\n");
    box_write(box, "claude-1.0_plain_none_20260605T1442/p/checkpoint_10/snapshot/a.py", "x = 2\n");
    box_ingest_run(box, "s", "claude-1.0_plain_none_20260605T1442");
    stored_open(box, "s", &stored);
    const struct store_checkpoint *checkpoints =
        stored_checkpoints(&stored, "unknown/claude-1.0_plain_none_20260605T1442/p", &n);
    assert_int_equal(n, 2);
    assert_true(bytes_equal(checkpoints[0].name, BYTES("checkpoint_2")));
    assert_true(bytes_equal(checkpoints[1].name, BYTES("checkpoint_10")));
    stored_close(&stored);
}

/*
 * A commit with run/p/checkpoint_1/snapshot, a tree that names a.py twice and gone.py whose blob is
 * missing.  Git writes no such tree, so its raw bytes are put together from those of two others.
 */
static const char damaged_commit[] =
    "git init -q repo && cd repo && blob=$(echo 'x = 1' | git hash-object -w --stdin) && "
    "gone=$(echo 'x = 2' | git hash-object --stdin) && "
    "one=$(printf '100644 blob %s\\ta.py\\n' $blob | git mktree) && "
    "two=$(printf '100644 blob %s\\tgone.py\\n' $gone | git mktree --missing) && "
    "tree=$( (git cat-file tree $one; git cat-file tree $one; git cat-file tree $two) | "
    "git hash-object -t tree -w --stdin --literally) && "
    "for name in snapshot checkpoint_1 p run; do "
    "tree=$(printf '040000 tree %s\\t%s\\n' $tree $name | git mktree); done && "
    "commit=$(git -c user.name=a -c user.email=a@example.invalid commit-tree -m m $tree) && "
    "git update-ref HEAD $commit";

static void
test_runner_odd__damaged_trees_of_a_revision_are_used_as_far_as_they_go(void **state)
{
    struct run_box *box = *state;
    struct stored stored;
    size_t n;
    box_shell(box, damaged_commit);
    box->options.repository = box_path(box, "repo");
    const struct runner_run *run = box_ingest_run(box, "s", "");
    assert_int_equal(run->n_files, 1);
    assert_true(box_has_note(box, "checkpoint_1/snapshot", "the first entry is taken"));
    assert_true(box_has_note(box, "checkpoint_1/gone.py", "is missing or damaged"));
    stored_open(box, "s", &stored);
    const struct store_checkpoint *checkpoints = stored_checkpoints(&stored, "unknown/run/p", &n);
    assert_int_equal(n, 1);
    assert_int_equal(checkpoints[0].n_notes, 2);
    stored_close(&stored);
}

static void
test_runner_odd__revisions_that_are_not_there_are_named(void **state)
{
    struct run_box *box = *state;
    box_shell(box, damaged_commit);
    box->options.repository = box_path(box, "repo");
    box->options.revision = BYTES("no-such-branch");
    assert_int_equal(box_ingest(box, "s", ""), -1);
    assert_int_equal(box->err.code, ERR_INPUT);
    assert_non_null(strstr(box->err.text, "no-such-branch"));
    box->options.repository = box_path(box, "elsewhere");
    assert_int_equal(box_ingest(box, "s", ""), -1);
    assert_int_equal(box->err.code, ERR_INPUT);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, run_box_create, run_box_destroy)
    const struct CMUnitTest tests[] = {
        TEST(test_runner_odd__broken_and_double_lines_of_records),
        TEST(test_runner_odd__files_that_cannot_be_used_leave_their_keys_out),
        TEST(test_runner_odd__deltas_after_an_empty_tree_are_infinite),
        TEST(test_runner_odd__trees_hold_what_they_hold),
        TEST(test_runner_odd__places_without_runs_and_parts_of_runs_are_named),
        TEST(test_runner_odd__one_name_is_taken_once),
        TEST(test_runner_odd__a_run_without_configuration_is_called_by_what_is_known),
        TEST(test_runner_odd__damaged_trees_of_a_revision_are_used_as_far_as_they_go),
        TEST(test_runner_odd__revisions_that_are_not_there_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
