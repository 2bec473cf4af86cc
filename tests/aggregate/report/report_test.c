#include <unistd.h>

#include "base/fs.h"
#include "../panel_box.h"
#include "../report_box.h"

#define RECORDS SHARED_DIR "/data/agent-runs/checkpoints.jsonl"

/* ---- Real agent records -------------------------------------------------------------------- */

/* The report of the real records, under options CHANGED by the caller's function. */
static struct report *
report_of_records(void (*change)(struct report_options *options))
{
    if (access(RECORDS, R_OK) != 0) {
        print_message("skipped: %s is not here\n", RECORDS);
        skip();
    }
    struct arena arena;
    struct profile profile;
    struct buf text = {0};
    arena_init(&arena, 0);
    assert_int_equal(profile_read("paper", &arena, &profile, NULL), 0);
    assert_int_equal(fs_read(RECORDS, 1 << 28, &text, NULL), 0);
    struct report_options options = all_sections(&profile);
    if (change)
        change(&options);
    struct report *report = build(NULL, buf_bytes(&text), &options);
    buf_clear(&text);
    arena_clear(&arena);
    return report;
}

/* A published figure, to the decimals it was published with. */
struct figure {
    const char *key, *column;
    double value;
    int decimals;
};

static void
compare(const struct table *table, const struct figure *figures, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double have = report_box_cell(table, figures[i].key, figures[i].column)->value;
        if (!(fabs(have - figures[i].value) <= 0.5000001 * pow(10, -figures[i].decimals)))
            fail_msg("%s %s: %.9f is not %.*f", figures[i].key, figures[i].column, have,
                     figures[i].decimals, figures[i].value);
    }
}
#define COMPARE(table, figures) compare((table), (figures), sizeof(figures) / sizeof(*(figures)))

static void
test_report_slopes__every_estimator_of_real_trajectories(void **state)
{
    (void)state;
    static const struct figure figures[] = {
        {"agents/erosion/least squares", "mean", 0.028500, 6},
        {"agents/erosion/least squares", "median", 0.023730, 6},
        {"agents/erosion/end points", "mean", 0.029397, 6},
        {"agents/erosion/end points", "median", 0.024375, 6},
        {"agents/erosion/mean step", "mean", 0.029730, 6},
        {"agents/erosion/mean step", "median", 0.024375, 6},
        {"agents/erosion/median of pairwise slopes", "mean", 0.026643, 6},
        {"agents/erosion/median of pairwise slopes", "median", 0.026073, 6},
        {"agents/erosion/least squares over progress", "mean", 0.118621, 6},
        {"agents/erosion/least squares over progress", "median", 0.089231, 6},
        {"agents/verbosity/least squares", "mean", 0.008311, 6},
        {"agents/verbosity/least squares", "median", 0.006615, 6},
        {"agents/verbosity/end points", "mean", 0.006520, 6},
        {"agents/verbosity/median of pairwise slopes", "median", 0.008289, 6},
        {"agents/verbosity/least squares over progress", "mean", 0.035407, 6},
    };
    static const struct figure rising[] = {
        {"agents/erosion", "n", 60, 0},
        {"agents/erosion", "rising", 45, 0},
        {"agents/erosion", "ties", 0, 0},
        {"agents/erosion", "slope_rising", 46, 0},
        {"agents/verbosity", "rising", 37, 0},
        {"agents/verbosity", "ties", 1, 0},
        {"agents/verbosity", "slope_rising", 38, 0},
    };
    struct report *report = report_of_records(NULL);
    COMPARE(report_box_table(report, "slopes", "estimators"), figures);
    COMPARE(report_box_table(report, "slopes", "rising"), rising);
    report_destroy(report);
}

static void
three_points(struct report_options *options)
{
    options->slope_points = 3;
}

static void
test_report_slopes__least_points_are_a_choice(void **state)
{
    (void)state;
    static const struct figure figures[] = {
        {"agents/erosion/least squares", "n", 55, 0},
        {"agents/erosion/least squares", "mean", 0.043597, 6},
        {"agents/erosion/least squares", "median", 0.024699, 6},
        {"agents/verbosity/least squares", "mean", 0.011168, 6},
        {"agents/verbosity/least squares", "median", 0.010020, 6},
    };
    struct report *report = report_of_records(three_points);
    COMPARE(report_box_table(report, "slopes", "estimators"), figures);
    report_destroy(report);
}

static void
test_report_tiers__agents_pooled(void **state)
{
    (void)state;
    struct report *report = report_of_records(NULL);
    const struct table *table = report_box_table(report, "tiers", "tiers");
    const struct cell *verbosity = report_box_cell(table, "agents", "verbosity");
    const struct cell *erosion = report_box_cell(table, "agents", "erosion");
    assert_true(report_box_cell(table, "agents", "n")->value == 273);
    assert_true(fabs(verbosity->value - 0.115775) < 5e-7);
    assert_true(fabs(verbosity->second - 0.103553) < 5e-7);
    assert_true(fabs(erosion->value - 0.637962) < 5e-7);
    assert_true(fabs(erosion->second - 0.203375) < 5e-7);
    report_destroy(report);
}

static void
record_verbosity(struct report_options *options)
{
    options->study.record_verbosity = RECORD_VERBOSITY_PHYSICAL;
}

static void
test_report_tiers__verbosity_over_physical_lines_is_a_choice(void **state)
{
    (void)state;
    struct report *report = report_of_records(record_verbosity);
    const struct cell *verbosity =
        report_box_cell(report_box_table(report, "tiers", "tiers"), "agents", "verbosity");
    assert_true(fabs(verbosity->value - 0.082270) < 5e-7);
    assert_true(fabs(verbosity->second - 0.074679) < 5e-7);
    report_destroy(report);
}

static void
test_report_phases__of_real_trajectories(void **state)
{
    (void)state;
    static const struct figure outcomes[] = {
        {"Start", "records", 89, 0},
        {"Start", "kept", 61, 0},
        {"Early", "records", 80, 0},
        {"Mid", "kept", 54, 0},
        {"Late", "records", 34, 0},
        {"Final", "records", 46, 0},
        {"Start", "strict", 0.1011, 4},
        {"Early", "isolated", 0.1250, 4},
        {"Mid", "core", 0.3704, 4},
        {"Late", "core_rate", 0.4296, 4},
        {"Final", "functionality_rate", 0.2982, 4},
        {"Mid", "error_rate", 0.6350, 4},
        {"Late", "cost", 7.1015, 4},
        {"Early", "churn", 0.6818, 4},
        {"Mid", "churn", 0.6886, 4},
        {"Late", "churn", 0.4019, 4},
        {"Final", "churn", 0.3109, 4},
        {"Start", "churn_now", 1.0000, 4},
        {"Early", "churn_now", 0.4262, 4},
        {"Final", "churn_now", 0.2254, 4},
    };
    static const struct figure quality[] = {
        {"agents/Start", "erosion", 0.5472, 4},    {"agents/Final", "erosion", 0.6999, 4},
        {"agents/Mid", "verbosity", 0.1441, 4},    {"agents/Early", "clone_ratio", 0.0680, 4},
        {"agents/Final", "high_count", 10.739, 3}, {"agents/Late", "cc_max", 44.030, 3},
    };
    struct report *report = report_of_records(NULL);
    COMPARE(report_box_table(report, "phases", "outcomes"), outcomes);
    const struct table *table = report_box_table(report, "phases", "quality");
    COMPARE(table, quality);
    const struct cell *start = report_box_cell(table, "agents/Start", "erosion_95");
    const struct cell *late = report_box_cell(table, "agents/Late", "erosion_95");
    assert_true(fabs((start->second - start->value) / 2 - 0.0631) < 0.00005);
    assert_true(fabs((late->second - late->value) / 2 - 0.0583) < 0.00005);
    report_destroy(report);
}

static void
average_first(struct report_options *options)
{
    options->phase_by_trajectory = true;
    options->interval = INTERVAL_BOOTSTRAP;
}

/* Only phases in which a trajectory has several checkpoints change; Start never has. */
static void
test_report_phases__trajectories_may_be_averaged_first(void **state)
{
    (void)state;
    struct report *pooled = report_of_records(NULL), *report = report_of_records(average_first);
    const struct table *table = report_box_table(report, "phases", "quality");
    const struct table *other = report_box_table(pooled, "phases", "quality");
    double start = report_box_cell(table, "agents/Start", "erosion")->value;
    assert_true(start == report_box_cell(other, "agents/Start", "erosion")->value);
    assert_true(report_box_cell(table, "agents/Early", "erosion")->value !=
                report_box_cell(other, "agents/Early", "erosion")->value);
    const struct cell *interval = report_box_cell(table, "agents/Start", "erosion_95");
    assert_true(interval->value < start && start < interval->second);
    assert_true(interval->second - start != start - interval->value);
    assert_true(report_box_has_note(report, "averaged first"));
    assert_true(report_box_has_note(report, "Intervals of means: percentiles of 2000"));
    report_destroy(report);
    report_destroy(pooled);
}

static void
test_report_growth__of_real_trajectories(void **state)
{
    (void)state;
    struct report *report = report_of_records(NULL);
    const struct table *table = report_box_table(report, "growth", "growth");
    static const struct figure at_least_two[] = {
        {"agents/erosion", "n", 60, 0},
        {"agents/erosion", "positive", 55, 0},
        {"agents/erosion", "positive_rising", 40, 0},
        {"agents/erosion", "median_growth", 0.0992, 4},
        {"agents/verbosity", "positive", 47, 0},
        {"agents/verbosity", "positive_rising", 25, 0},
        {"agents/verbosity", "median_growth", 0.0652, 4},
    };
    COMPARE(table, at_least_two);
    const struct cell *five = &table->cells[(table->n_rows - 1) * table->n_columns];
    assert_true(five[report_box_column(table, "n")].value == 33);
    assert_true(five[report_box_column(table, "rising")].value == 25);
    assert_true(five[report_box_column(table, "positive")].value == 30);
    assert_true(fabs(five[report_box_column(table, "median_growth")].value - 0.133110) < 5e-7);
    report_destroy(report);
}

static void
test_report_sensitivity__prediction_of_real_trajectories(void **state)
{
    (void)state;
    static const struct figure figures[] = {
        {"erosion", "n", 211, 0},           {"erosion", "pass", 0.0228, 4},
        {"erosion", "cost", 0.0878, 4},     {"erosion", "cost_rank", 0.0771, 4},
        {"loc", "pass", -0.0656, 4},        {"loc", "cost", -0.0835, 4},
        {"loc", "cost_rank", -0.0066, 4},   {"cc_mean", "pass", 0.0910, 4},
        {"cc_mean", "cost", 0.1349, 4},     {"cc_mean", "cost_rank", 0.1081, 4},
        {"cc_max", "pass", -0.0505, 4},     {"cc_max", "cost", 0.0378, 4},
        {"cc_max", "cost_rank", 0.0648, 4}, {"clone_ratio", "pass", 0.1420, 4},
        {"clone_ratio", "cost", 0.0256, 4}, {"clone_ratio", "cost_rank", 0.0228, 4},
    };
    struct report *report = report_of_records(NULL);
    COMPARE(report_box_table(report, "sensitivity", "prediction"), figures);
    assert_true(isnan(
        report_box_cell(report_box_table(report, "sensitivity", "prediction"), "hit_ratio", "pass")
            ->value)); /* the hits of these runs are all 0 */
    report_destroy(report);
}

#define FUNCTIONS SHARED_DIR "/data/agent-runs/functions.jsonl"

/* The nine definitions of erosion, each against the next checkpoint. */
static void
test_report_sensitivity__nine_definitions_from_lists_of_functions(void **state)
{
    (void)state;
    static const double expected[9][3] = {
        /* next pass, next cost, the same by rank */
        {0.0129, 0.1417, 0.1204},  {-0.0213, 0.1395, 0.1227}, {-0.0368, 0.1250, 0.1341},
        {0.0390, 0.0889, 0.0711},  {0.0262, 0.0880, 0.0763},  {0.0302, 0.0809, 0.0882},
        {-0.0412, 0.1402, 0.0972}, {-0.0345, 0.1400, 0.1080}, {-0.0221, 0.1385, 0.1171},
    };
    static const char *const columns[3] = {"pass", "cost", "cost_rank"};
    static const double cutoffs[] = {8, 10, 12};
    static const enum profile_size_term sizes[] = {SIZE_NONE, SIZE_SQRT, SIZE_LINEAR};
    struct panel_box box;
    struct buf records = {0}, functions = {0}, notes = {0};
    struct report *report;
    if (access(FUNCTIONS, R_OK) != 0) {
        print_message("skipped: %s is not here\n", FUNCTIONS);
        skip();
    }
    box_open(&box);
    box_ok(&box, fs_read(RECORDS, 1 << 28, &records, &box.err));
    box_ok(&box, fs_read(FUNCTIONS, 1 << 28, &functions, &box.err));
    struct report_options options = all_sections(&box.profile);
    options.sweep =
        (struct sweep){.cutoffs = cutoffs, .n_cutoffs = 3, .sizes = sizes, .n_sizes = 3};
    const struct report_records given = {.file = {buf_bytes(&records), "records"}};
    const struct report_text lists = {buf_bytes(&functions), "functions"};
    struct report_input input = {
        .records = &given, .n_records = 1, .functions = &lists, .n_functions = 1};
    box_ok(&box, report_build(&input, &options, &report, &notes, &box.err));
    const struct table *table = report_box_table(report, "sensitivity", "functions");
    assert_int_equal(table->n_rows, 9);
    for (size_t row = 0; row < 9; row++) {
        const struct cell *cells = &table->cells[row * table->n_columns];
        assert_true(cells[report_box_column(table, "pairs")].value == 201);
        for (size_t i = 0; i < 3; i++)
            assert_true(fabs(cells[report_box_column(table, columns[i])].value - expected[row][i]) <
                        0.0000501);
    }
    report_destroy(report);
    buf_clear(&records);
    buf_clear(&functions);
    box_close(&box);
}

/* ---- Stores -------------------------------------------------------------------------------- */

static struct buf
render(struct panel_box *box, enum report_format format, size_t n_jobs)
{
    static const struct report_cut cut = {{NULL, 0}, 1704067200};
    static const enum profile_size_term sizes[] = {SIZE_NONE, SIZE_SQRT, SIZE_LINEAR};
    static const enum profile_clones clones[] = {PROFILE_CLONES_NONE, PROFILE_CLONES_SUBTREE};
    static const double cutoffs[] = {5, 8, 10, 12, 15};
    box->profile.part_rules = false;
    struct report_options options = all_sections(&box->profile);
    struct buf out = {0};
    options.panel.n_jobs = n_jobs;
    options.cuts = &cut;
    options.n_cuts = 1;
    options.sweep = (struct sweep){.is_wanted = true,
                                   .cutoffs = cutoffs,
                                   .n_cutoffs = 5,
                                   .sizes = sizes,
                                   .n_sizes = 3,
                                   .clones = clones,
                                   .n_clones = 2};
    box_commit(box);
    struct report *report = build(box->store, (struct bytes){NULL, 0}, &options);
    assert_int_equal(report_render(report, format, &out, NULL), 0);
    report_destroy(report);
    return out;
}

static void
put_panel(struct panel_box *box, bool backwards)
{
    for (uint32_t i = 0; i < 10; i++) {
        uint32_t t = backwards ? 9 - i : i;
        char id[16];
        snprintf(id, sizeof(id), "o/r%u", t);
        box_put_trajectory(box, id, (int64_t)t * t * 200, t, 20 + t);
    }
}

static void
test_report__same_bytes_for_any_jobs_and_order_of_putting(void **state)
{
    (void)state;
    struct panel_box box, reversed;
    box_open(&box);
    box_open(&reversed);
    put_panel(&box, false);
    put_panel(&reversed, true);
    for (int format = REPORT_TEXT; format <= REPORT_JSON; format++) {
        struct buf one = render(&box, (enum report_format)format, 1);
        struct buf eight = render(&reversed, (enum report_format)format, 8);
        assert_true(one.len > 0);
        assert_true(bytes_equal(buf_bytes(&one), buf_bytes(&eight)));
        buf_clear(&one);
        buf_clear(&eight);
    }
    box_close(&box);
    box_close(&reversed);
}

/* The cut is on the day of the eleventh commits, of which six were written a day or two before. */
static void
test_report_drift__eras_by_author_date_are_a_choice(void **state)
{
    (void)state;
    static const struct report_cut cut = {.time_s = 1680912000}; /* 2023-04-08 */
    struct panel_box box;
    box_open(&box);
    put_panel(&box, false);
    box_commit(&box);
    struct report_options options = all_sections(&box.profile);
    options.cuts = &cut;
    options.n_cuts = 1;
    double n_before[2];
    for (int by_author = 0; by_author < 2; by_author++) {
        options.eras_by_author_date = by_author;
        struct report *report = build(box.store, (struct bytes){NULL, 0}, &options);
        const struct table *dates = report_box_table(report, "drift", "dates");
        n_before[by_author] = report_box_cell(report_box_table(report, "drift", "pooled"),
                                              "2023-04-08/erosion", "n_before")
                                  ->value;
        assert_true(report_box_cell(dates, "2023-04-08", "n_author")->value == 245 - 10);
        assert_true(report_box_cell(dates, "2023-04-08", "after_before")->value == 3 + 3);
        assert_true(report_box_cell(dates, "2023-04-08", "before_after")->value == 0);
        assert_true(report_box_has_note(report, by_author ? "its author's date" : "committer's"));
        assert_true(report_box_has_note(report, "The author's date of 10 commits cannot be real"));
        report_destroy(report);
    }
    assert_true(n_before[0] == 100);
    assert_true(n_before[1] == 100 - 10 + 6); /* none of the ten without a date counts */
    box_close(&box);
}

/* Rules alone, clones alone and both make up verbosity; the rule that is advice does not count. */
static void
test_report_tiers__verbosity_is_taken_apart(void **state)
{
    (void)state;
    struct panel_box box;
    box_open(&box);
    box_put_rules(&box);
    put_panel(&box, false);
    box_commit(&box);
    struct report_options options = all_sections(&box.profile);
    struct report *report = build(box.store, (struct bytes){NULL, 0}, &options);
    const struct table *parts = report_box_table(report, "tiers", "parts");
    double values[4];
    static const char *const columns[4] = {"verbosity", "rules_alone", "clones_alone", "both"};
    for (size_t i = 0; i < 4; i++)
        values[i] = report_box_cell(parts, "all repositories", columns[i])->value;
    assert_true(fabs(values[1] + values[2] + values[3] - values[0]) < 1e-12);
    assert_true(values[1] > 0 && values[2] > 0 && values[3] > 0);
    assert_true(report_box_has_note(report, "counts 1 of the 2 rules"));
    const char *definition = arena_format(&box.arena, "%.*s", BYTES_ARG(report->definition));
    assert_non_null(strstr(definition, "\"run\":2,\"counting\":1"));
    assert_non_null(
        strstr(definition, "{\"name\":\"o/r3\",\"stars\":1800,\"as_of\":\"2024-01-31\","));
    report_destroy(report);
    box.profile.part_clones = false;
    report = build(box.store, (struct bytes){NULL, 0}, &options);
    assert_int_equal(report_box_table(report, "tiers", "parts")->n_rows, 0);
    report_destroy(report);
    box_close(&box);
}

/* The profile's own cutoff and size are one of the variants, and come out as in the main tables. */
static void
test_report_sensitivity__the_profiles_own_variant_is_the_main_finding(void **state)
{
    (void)state;
    static const double cutoffs[] = {8, 10};
    struct panel_box box;
    box_open(&box);
    put_panel(&box, false);
    box_commit(&box);
    struct report_options options = all_sections(&box.profile);
    options.sweep = (struct sweep){.is_wanted = true, .cutoffs = cutoffs, .n_cutoffs = 2};
    struct report *report = build(box.store, (struct bytes){NULL, 0}, &options);
    const struct table *tiers = report_box_table(report, "tiers", "tiers");
    const struct table *grid = report_box_table(report, "sensitivity", "erosion");
    size_t human = report_box_column(grid, "human"), cutoff = report_box_column(grid, "cutoff");
    assert_int_equal(grid->n_rows, 2);
    assert_true(grid->cells[grid->n_columns + cutoff].value == 10);
    assert_true(grid->cells[grid->n_columns + human].value ==
                report_box_cell(tiers, "all repositories", "erosion")->value);
    assert_true(grid->cells[human].value > grid->cells[grid->n_columns + human].value);
    report_destroy(report);
    box_close(&box);
}

static void
test_report_sensitivity__a_subset_of_rules_that_are_none_is_refused(void **state)
{
    (void)state;
    struct bytes nope[] = {BYTES("nope")};
    const struct sweep_rules rules = {.name = BYTES("x"), .except = {nope, 1}};
    struct panel_box box;
    struct report *report;
    struct buf notes = {0};
    struct err err;
    box_open(&box);
    box_put_rules(&box);
    box_put_trajectory(&box, "good", 5, 1, 4);
    box_commit(&box);
    struct report_options options = all_sections(&box.profile);
    options.sweep = (struct sweep){.is_wanted = true, .rules = &rules, .n_rules = 1};
    struct report_input input = {.store = box.store};
    assert_int_equal(report_build(&input, &options, &report, &notes, &err), -1);
    assert_int_equal(err.code, ERR_INPUT);
    assert_non_null(
        strstr(err.text, "the subset of rules x: no rule of the store is called \"nope"));
    buf_clear(&notes);
    box_close(&box);
}

/* Two runs of one setup share the first checkpoint of p; the second one only one run has. */
static void
test_report_variance__only_what_every_run_reached(void **state)
{
    (void)state;
    static const char text[] = "{\"run\":\"a\",\"problem\":\"p\",\"idx\":1,\"cost\":1,\"loc\":9,"
                               "\"sloc\":5,\"erosion\":0.5}\n"
                               "{\"run\":\"a\",\"problem\":\"p\",\"idx\":2,\"cost\":8}\n"
                               "{\"run\":\"b\",\"problem\":\"p\",\"idx\":1,\"cost\":3,\"loc\":9,"
                               "\"sloc\":5,\"erosion\":0.5}\n";
    struct panel_box box;
    box_open(&box);
    struct report_options options = all_sections(&box.profile);
    struct report *report = build(NULL, bytes_of_text(text), &options);
    const struct table *table = report_box_table(report, "variance", "variance");
    assert_int_equal(table->n_rows, 3); /* cost, erosion, loc */
    const struct cell *cost = &table->cells[report_box_column(table, "value")];
    assert_true(cost->value == 2 && cost->second == sqrt(2));
    assert_true(table->cells[report_box_column(table, "cv")].value == sqrt(2) / 2);
    const struct table *problems = report_box_table(report, "variance", "problems");
    assert_int_equal(problems->n_rows, 3); /* of the one checkpoint in common, so the same */
    assert_true(problems->cells[report_box_column(problems, "value")].value == 2);
    report_destroy(report);
    box_close(&box);
}

/* Runs that think differently are of two setups. */
static void
test_report_variance__thinking_and_agent_are_part_of_a_setup(void **state)
{
    (void)state;
    static const char text[] =
        "{\"run\":\"a\",\"problem\":\"p\",\"idx\":1,\"cost\":1,\"thinking\":\"high\"}\n"
        "{\"run\":\"b\",\"problem\":\"p\",\"idx\":1,\"cost\":3,\"thinking\":\"low\"}\n"
        "{\"run\":\"c\",\"problem\":\"p\",\"idx\":1,\"cost\":5,\"thinking\":\"high\"}\n";
    struct panel_box box;
    box_open(&box);
    struct report_options options = all_sections(&box.profile);
    struct report *report = build(NULL, bytes_of_text(text), &options);
    const struct table *table = report_box_table(report, "variance", "variance");
    assert_int_equal(table->n_rows, 1);
    assert_true(table->cells[report_box_column(table, "value")].value == 3); /* of a and c */
    report_destroy(report);
    box_close(&box);
}

/* Two models; "plan" solves one more of two checkpoints for m, and none more for k. */
static void
test_report_prompts__lifts_and_their_means_by_prompt(void **state)
{
    (void)state;
#define RECORD(model, prompt, solved, cost, erosion)                                         \
    "{\"model\":\"" model "\",\"prompt\":\"" prompt "\",\"run\":\"" prompt                   \
    "\",\"problem\":\"p\",\"idx\":1,\"n_checkpoints\":2,\"loc\":9,\"sloc\":5,\"cost\":" cost \
    ",\"strict_pass_rate\":" solved ",\"isolated_pass_rate\":" solved                        \
    ",\"core_pass_rate\":" solved ",\"erosion\":" erosion "}\n"
    static const char text[] = RECORD("m", "base", "0", "4", "0.8")
        RECORD("m", "plan", "1", "5", "0.6") RECORD("k", "base", "1", "4", "0.4")
            RECORD("k", "plan", "1", "4", "0.4") RECORD("k", "slow", "0", "8", "0.2");
#undef RECORD
    struct panel_box box;
    box_open(&box);
    struct report_options options = all_sections(&box.profile);
    options.study.baseline_prompt = BYTES("base");
    struct report *report = build(NULL, bytes_of_text(text), &options);
    const struct table *means = report_box_table(report, "prompts", "averages");
    static const struct figure figures[] = {
        {"plan", "n", 2, 0},
        {"plan", "strict", 0.25, 9},
        {"plan", "cost", 0.125, 9},
        {"plan", "erosion", 0.125, 9},
        {"slow", "strict", -0.5, 9},
        {"slow", "correctness", -0.5, 9},
        {"slow", "erosion", 0.5, 9},
        {"all prompts", "n", 3, 0},
        {"all prompts", "strict", 0, 9},
        {"all prompts", "cost", 1.25 / 3, 9},
    };
    COMPARE(means, figures);
    report_destroy(report);
    box_close(&box);
}

static void
phases_of_seen(struct report_options *options)
{
    options->phase_of_seen = true;
}

/* Every trajectory has a Final then, but those of one checkpoint. */
static void
test_report_phases__may_be_of_what_was_seen(void **state)
{
    (void)state;
    static const struct figure outcomes[] = {{"Start", "records", 89, 0}};
    struct report *configured = report_of_records(NULL);
    struct report *seen = report_of_records(phases_of_seen);
    const struct table *table = report_box_table(seen, "phases", "outcomes");
    COMPARE(table, outcomes);
    assert_true(
        report_box_cell(table, "Final", "records")->value >
        report_box_cell(report_box_table(configured, "phases", "outcomes"), "Final", "records")
            ->value);
    assert_true(report_box_has_note(seen, "that the agent reached"));
    report_destroy(seen);
    report_destroy(configured);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_report_slopes__every_estimator_of_real_trajectories),
        cmocka_unit_test(test_report_slopes__least_points_are_a_choice),
        cmocka_unit_test(test_report_tiers__agents_pooled),
        cmocka_unit_test(test_report_tiers__verbosity_over_physical_lines_is_a_choice),
        cmocka_unit_test(test_report_phases__of_real_trajectories),
        cmocka_unit_test(test_report_phases__trajectories_may_be_averaged_first),
        cmocka_unit_test(test_report_growth__of_real_trajectories),
        cmocka_unit_test(test_report_sensitivity__prediction_of_real_trajectories),
        cmocka_unit_test(test_report__same_bytes_for_any_jobs_and_order_of_putting),
        cmocka_unit_test(test_report_sensitivity__nine_definitions_from_lists_of_functions),
        cmocka_unit_test(test_report_drift__eras_by_author_date_are_a_choice),
        cmocka_unit_test(test_report_tiers__verbosity_is_taken_apart),
        cmocka_unit_test(test_report_sensitivity__the_profiles_own_variant_is_the_main_finding),
        cmocka_unit_test(test_report_phases__may_be_of_what_was_seen),
        cmocka_unit_test(test_report_variance__thinking_and_agent_are_part_of_a_setup),
        cmocka_unit_test(test_report_prompts__lifts_and_their_means_by_prompt),
        cmocka_unit_test(test_report_sensitivity__a_subset_of_rules_that_are_none_is_refused),
        cmocka_unit_test(test_report_variance__only_what_every_run_reached),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
