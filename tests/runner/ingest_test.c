#include "base/stop.h"
#include "run_box.h"

static const char inference[] =
    "{\"started\": \"2026-01-05T10:00:00\", \"completed\": \"2026-01-05T10:07:30.250000\","
    " \"usage\": {\"cost\": 0.91, \"steps\": 14, \"net_tokens\": {\"cache_read\": 100,"
    " \"cache_write\": 0, \"input\": 9000, \"output\": 700, \"reasoning\": 0}}}";
static const char evaluation[] =
    "{\"pass_counts\": {\"Core\": 1, \"Functionality\": 0, \"Regression\": 1, \"Error\": 0},"
    " \"total_counts\": {\"Core\": 1, \"Functionality\": 1, \"Regression\": 2, \"Error\": 0},"
    " \"pytest_collected\": 4}";

/* Two checkpoints; the second has a line of records, the first only files. */
static void
write_small_run(struct run_box *box)
{
    box_begin_run(box);
    box_write(box, "run/p/checkpoint_1/inference_result.json", inference);
    box_write(box, "run/p/checkpoint_1/evaluation.json", evaluation);
    box_write(box, "run/p/checkpoint_1/snapshot/main.py", "def f(a):\n    return a\n");
    box_write(box, "run/p/checkpoint_1/snapshot/notes.md", "no source\n");
    box_write(box, "run/p/checkpoint_2/snapshot/lib/b.py", "x = 1\n");
    box_write(box, "run/p/checkpoint_2/snapshot/main.py", "def f(a):\n    return a\n");
    box_write(box, "run/checkpoint_results.jsonl",
              "{\"problem\": \"p\", \"checkpoint\": \"checkpoint_2\", \"idx\": 2, "
              "\"delta.loc\": Infinity}\n");
}

static void
test_runner_ingest__problems_become_trajectories(void **state)
{
    struct run_box *box = *state;
    struct stored stored;
    size_t n;
    write_small_run(box);
    const struct runner_run *run = box_ingest_run(box, "s", "run");
    assert_true(bytes_equal(run->name, BYTES("m/run")));
    assert_int_equal(run->n_problems, 1);
    assert_int_equal(run->n_new, 1);
    assert_int_equal(run->n_checkpoints, 2);
    assert_int_equal(run->n_trees, 2);
    assert_int_equal(run->n_files, 3);
    assert_int_equal(run->n_analysed, 2); /* main.py stands in both trees */
    assert_int_equal(run->n_made_records, 1);
    assert_int_equal(box->report->n_notes, 0);

    stored_open(box, "s", &stored);
    const struct store_checkpoint *checkpoints = stored_checkpoints(&stored, "m/run/p", &n);
    assert_int_equal(n, 2);
    assert_true(checkpoints[0].has_time && checkpoints[0].time_s == 1767607650);
    assert_false(checkpoints[1].has_time);
    struct store_file *files;
    struct oid blob;
    assert_int_equal(store_get_listing(stored.reader, &checkpoints[1].listing, &stored.arena,
                                       &files, &n, &box->err),
                     STORE_FOUND);
    assert_int_equal(n, 2);
    assert_true(bytes_equal(files[0].path, BYTES("lib/b.py")));
    oid_from_hex(BYTES("7d4290a117a4ddcc11daae7ea675841033830c8f"), &blob); /* git hash-object */
    assert_true(oid_equal(&files[0].blob, &blob));
    stored_close(&stored);
}

/* Two rules, one of them advice: "return" finds nothing in b.py. */
static struct ruleset *
two_rules(struct run_box *box)
{
    static const char text[] =
        "id: found-return\nlanguage: python\nseverity: warning\nmessage: m\n"
        "rule: {kind: return_statement}\n---\nid: found-call\nlanguage: python\n"
        "severity: hint\nmetadata: {advice: true}\nrule: {kind: call}\n";
    struct rule_source source = {"rules.yml", bytes_of_text(text)};
    struct ruleset *rules;
    if (ruleset_load(&source, 1, &rules, &box->err) < 0)
        fail_msg("%s", box->err.text);
    return rules;
}

/* The hits that STORED has of the FILE-th file of CHECKPOINT, under its one group of rules. */
static struct hit_list
stored_hits(struct stored *stored, const struct store_checkpoint *checkpoint, size_t file)
{
    struct store_file *files;
    struct store_key *groups;
    struct bytes encoded;
    struct hit_list hits;
    struct err err;
    size_t n;
    assert_int_equal(store_list_groups(stored->reader, &stored->arena, &groups, &n, &err), 0);
    assert_int_equal(n, 1);
    assert_int_equal(
        store_get_listing(stored->reader, &checkpoint->listing, &stored->arena, &files, &n, &err),
        STORE_FOUND);
    assert_int_equal(
        store_get_hits(stored->reader, &files[file].blob, groups, &stored->arena, &encoded, &err),
        STORE_FOUND);
    assert_int_equal(hits_decode(encoded, 2, &stored->arena, &hits, &err), 0);
    return hits;
}

static void
test_runner_ingest__rules_are_run_on_snapshots(void **state)
{
    struct run_box *box = *state;
    struct stored stored;
    struct ruleset *rules = two_rules(box);
    size_t n;
    write_small_run(box);
    box->options.analyzer.rules = rules;
    box_ingest_run(box, "s", "run");
    stored_open(box, "s", &stored);
    const struct store_checkpoint *checkpoints = stored_checkpoints(&stored, "m/run/p", &n);
    assert_int_equal(stored_hits(&stored, &checkpoints[1], 0).n_hits, 0); /* lib/b.py */
    struct hit_list hits = stored_hits(&stored, &checkpoints[1], 1);      /* main.py */
    assert_int_equal(hits.n_hits, 1);
    assert_int_equal(hits.hits[0].rule, 0);
    assert_int_equal(hits.hits[0].start_line, 2);
    stored_close(&stored);
    box->options.analyzer.rules = NULL;
    ruleset_destroy(rules);
}

static void
test_runner_ingest__records_are_kept_or_put_together(void **state)
{
    struct run_box *box = *state;
    struct stored stored;
    size_t n;
    write_small_run(box);
    box_ingest_run(box, "s", "run");
    stored_open(box, "s", &stored);
    const struct store_checkpoint *checkpoints = stored_checkpoints(&stored, "m/run/p", &n);
    assert_true(bytes_equal(
        checkpoints[0].record,
        BYTES("{\"problem\": \"p\", \"version\": 3, \"checkpoint\": \"checkpoint_1\", "
              "\"path\": \"out/run/p\", \"idx\": 1, \"state\": \"ran\", \"is_first\": true, "
              "\"is_last\": false, \"strict_pass_rate\": 0.5, \"core_pass_rate\": 1.0, "
              "\"isolated_pass_rate\": 0.5, \"total_tests\": 4, \"passed_tests\": 2, "
              "\"core_total\": 1, \"core_passed\": 1, \"functionality_total\": 1, "
              "\"functionality_passed\": 0, \"error_total\": 0, \"error_passed\": 0, "
              "\"regression_total\": 2, \"regression_passed\": 1, "
              "\"started\": \"2026-01-05T10:00:00\", \"ended\": \"2026-01-05T10:07:30.250000\", "
              "\"duration\": 450.25, \"cost\": 0.91, \"steps\": 14, \"cache_read\": 100, "
              "\"cache_write\": 0, \"input\": 9000, \"output\": 700, \"reasoning\": 0}")));
    assert_true(bytes_equal(checkpoints[1].record,
                            BYTES("{\"problem\": \"p\", \"checkpoint\": \"checkpoint_2\", "
                                  "\"idx\": 2, \"delta.loc\": Infinity}")));
    stored_close(&stored);
}

static void
test_runner_ingest__twice_adds_nothing_and_a_change_replaces(void **state)
{
    struct run_box *box = *state;
    write_small_run(box);
    box_ingest_run(box, "s", "run");
    struct bytes first = stored_text(box, "s");
    const struct runner_run *again = box_ingest_run(box, "s", "run");
    assert_int_equal(again->n_new, 0);
    assert_int_equal(again->n_analysed, 0);
    assert_true(bytes_equal(stored_text(box, "s"), first));

    box_write(box, "run/p/checkpoint_2/snapshot/main.py", "y = 2\n");
    const struct runner_run *changed = box_ingest_run(box, "s", "run");
    assert_int_equal(changed->n_new, 1);
    assert_int_equal(changed->n_analysed, 1);
    assert_false(bytes_equal(stored_text(box, "s"), first));
}

/* Thirty problems that share blobs. */
static void
write_wide_run(struct run_box *box)
{
    box_begin_run(box);
    for (int p = 0; p < 30; p++)
        for (int c = 1; c <= 4; c++)
            for (int f = 0; f < 4; f++) {
                const char *path =
                    arena_format(&box->arena, "run/p%02d/checkpoint_%d/snapshot/f%d.py", p, c, f);
                box_write(box, path,
                          arena_format(&box->arena, "x = %d\n", (p * 7 + c * 3 + f) % 50));
            }
}

static void
test_runner_ingest__threads_and_the_order_of_runs_do_not_show(void **state)
{
    struct run_box *box = *state;
    write_wide_run(box);
    box_shell(box, "mkdir two && cp -r run two/b && cp -r run two/a");
    box_ingest(box, "one", "two");
    box->options.n_jobs = 8;
    box_ingest(box, "eight", "two");
    box->options.n_jobs = 3;
    box_ingest(box, "parts", "two/b");
    box_ingest(box, "parts", "two/a");
    struct bytes one = stored_text(box, "one");
    assert_true(bytes_equal(one, stored_text(box, "eight")));
    assert_true(bytes_equal(one, stored_text(box, "parts")));
}

static void
test_runner_ingest__what_was_stopped_goes_on(void **state)
{
    struct run_box *box = *state;
    write_small_run(box);
    stop_request();
    assert_int_equal(box_ingest(box, "s", "run"), -1);
    stop_clear();
    assert_int_equal(box->err.code, ERR_STOPPED);
    box_ingest_run(box, "s", "run");
    box_ingest_run(box, "whole", "run");
    assert_true(bytes_equal(stored_text(box, "s"), stored_text(box, "whole")));
}

static void
test_runner_ingest__a_revision_reads_as_its_folder(void **state)
{
    struct run_box *box = *state;
    write_small_run(box);
    box_shell(box, "mkdir tree && mv run tree/run && git -C tree init -q && git -C tree add . && "
                   "git -C tree -c user.name=a -c user.email=a@example.invalid commit -q -m m");
    box_ingest_run(box, "disk", "tree/run");
    struct bytes disk = stored_text(box, "disk");
    box->options.repository = box_path(box, "tree");
    box_ingest_run(box, "git", "");
    assert_true(bytes_equal(disk, stored_text(box, "git")));
    box->options.prefix = BYTES("run");
    const struct runner_run *again = box_ingest_run(box, "git", "");
    assert_int_equal(again->n_analysed, 0);
    box->options.prefix = BYTES("no/such");
    assert_int_equal(box_ingest(box, "git", ""), -1);
    assert_int_equal(box->err.code, ERR_INPUT);
    assert_non_null(strstr(box->err.text, "no folder no/such"));
}

static void
test_runner_ingest__the_extra_step_is_a_trajectory_when_asked_for(void **state)
{
    struct run_box *box = *state;
    struct stored stored;
    size_t n;
    write_small_run(box);
    box_write(box, "run/p/checkpoint_1/after_skill/snapshot/main.py", "z = 1\n");
    box_write(box, "run/p/checkpoint_1/after_skill/evaluation.json", evaluation);
    const struct runner_run *run = box_ingest_run(box, "s", "run");
    assert_int_equal(run->n_after_step, 1);
    assert_int_equal(run->n_new, 1);
    box->options.after_step = true;
    run = box_ingest_run(box, "s", "run");
    assert_int_equal(run->n_new, 1);
    stored_open(box, "s", &stored);
    const struct store_checkpoint *checkpoints =
        stored_checkpoints(&stored, "m/run/p/after_skill", &n);
    assert_int_equal(n, 1);
    assert_non_null(strstr((const char *)checkpoints[0].record.data, "\"strict_pass_rate\": 0.5"));
    assert_null(strstr((const char *)checkpoints[0].record.data, "cost"));
    stored_close(&stored);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, run_box_create, run_box_destroy)
    const struct CMUnitTest tests[] = {
        TEST(test_runner_ingest__problems_become_trajectories),
        TEST(test_runner_ingest__rules_are_run_on_snapshots),
        TEST(test_runner_ingest__records_are_kept_or_put_together),
        TEST(test_runner_ingest__twice_adds_nothing_and_a_change_replaces),
        TEST(test_runner_ingest__threads_and_the_order_of_runs_do_not_show),
        TEST(test_runner_ingest__what_was_stopped_goes_on),
        TEST(test_runner_ingest__a_revision_reads_as_its_folder),
        TEST(test_runner_ingest__the_extra_step_is_a_trajectory_when_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
