/* What a report says of input that lacks something: the section that lacks it says so, the others
 * come. */
#include "../panel_box.h"
#include "../report_box.h"

static bool
says(const struct report *report, const char *section, const char *words)
{
    for (size_t s = 0; s < report->n_sections; s++)
        for (size_t n = 0; n < report->sections[s].n_notes; n++)
            if (strcmp(report->sections[s].name, section) == 0 &&
                strstr(report->sections[s].notes[n], words))
                return true;
    return false;
}

/* What SECTION must say, or with WORDS NULL the table of it that must have rows. */
struct expected {
    const char *section, *words, *table;
};

static void
check(const struct report *report, const struct expected *expected, size_t n)
{
    assert_int_equal(report->n_sections, 12);
    for (size_t i = 0; i < n; i++) {
        if (expected[i].words && !says(report, expected[i].section, expected[i].words))
            fail_msg("%s does not say: %s", expected[i].section, expected[i].words);
        if (expected[i].table &&
            report_box_table(report, expected[i].section, expected[i].table)->n_rows == 0)
            fail_msg("%s/%s has no rows", expected[i].section, expected[i].table);
    }
}
#define CHECK(report, ...)                                               \
    do {                                                                 \
        static const struct expected expected[] = {__VA_ARGS__};         \
        check((report), expected, sizeof(expected) / sizeof(*expected)); \
    } while (0)

/* The report of what PUT puts into an empty store with rules. */
static struct report *
report_of(void (*put)(struct panel_box *box), struct panel_box *box)
{
    static const struct report_cut cut = {{NULL, 0}, 1704067200};
    box_open(box);
    box_put_rules(box);
    put(box);
    box_commit(box);
    struct report_options options = all_sections(&box->profile);
    options.cuts = &cut;
    options.n_cuts = 1;
    return build(box->store, (struct bytes){NULL, 0}, &options);
}

static void
put_people(struct panel_box *box)
{
    for (uint32_t i = 0; i < 4; i++) {
        char id[16];
        snprintf(id, sizeof(id), "o/r%u", i);
        box_put_trajectory(box, id, (int64_t)i * 1000, i, 30);
    }
}

static void
test_report_gaps__a_store_without_agents(void **state)
{
    (void)state;
    struct panel_box box;
    struct report *report = report_of(put_people, &box);
    CHECK(report, {"tiers", "no agent runs", "tiers"}, {"slopes", "no agent runs", "slopes"},
          {"drift", NULL, "pooled"}, {"drift", NULL, "within"},
          {"growth", "no agent runs", "growth"}, {"phases", "no agent runs", "quality"},
          {"outliers", NULL, "ranked"}, {"agents-vs-human", "no agent runs", NULL},
          {"solve", "no agent runs", "paper"}, {"variance", "No setup has two runs", NULL},
          {"prompts", "nothing to compare", "paper"},
          {"sensitivity", "No agent run has records", NULL});
    report_destroy(report);
    box_close(&box);
}

static void
put_one_commit(struct panel_box *box)
{
    box_put_trajectory(box, "o/lonely", 50, 1, 1);
}

static void
test_report_gaps__one_repository_of_one_checkpoint(void **state)
{
    (void)state;
    struct panel_box box;
    struct report *report = report_of(put_one_commit, &box);
    CHECK(report, {"tiers", "no agent runs", "tiers"},
          {"slopes", "No trajectory of all repositories has 2 kept checkpoints", NULL},
          {"drift", "No cut has kept commits on both of its sides", NULL},
          {"growth", "No repository has 5 kept commits", NULL}, {"phases", NULL, "quality"},
          {"outliers", NULL, "ranked"});
    assert_true(isnan(
        report_box_cell(report_box_table(report, "tiers", "tiers"), "hobby", "erosion")->second));
    report_destroy(report);
    box_close(&box);
}

static void
put_undated(struct panel_box *box)
{
    struct store_checkpoint checkpoints[6];
    for (uint32_t i = 0; i < 6; i++)
        checkpoints[i] = (struct store_checkpoint){.ordinal = i,
                                                   .name = BYTES("c"),
                                                   .date_problem = BYTES("in the year 9999"),
                                                   .listing = box_put_listing(box, 1, i)};
    struct store_trajectory trajectory = {
        .id = BYTES("o/undated"), .kind = BYTES("human"), .stars = 7, .n_checkpoints = 6};
    box_ok(box, store_put_trajectory(box->writer, &trajectory, checkpoints, 6, &box->err));
    box_put_trajectory(box, "o/unstarred", -1, 2, 20);
}

static void
test_report_gaps__dates_that_cannot_be_and_no_stars(void **state)
{
    (void)state;
    struct panel_box box;
    struct report *report = report_of(put_undated, &box);
    CHECK(report, {"tiers", "6 commits have no date that can be real", "tiers"},
          {"tiers", "1 repositories have no checkpoint that counts", NULL},
          {"tiers", "1 repositories have no star count", NULL}, {"slopes", NULL, "slopes"},
          {"drift", NULL, "pooled"}, {"growth", NULL, "growth"});
    assert_true(report_box_cell(report_box_table(report, "tiers", "tiers"), "all repositories", "n")
                    ->value == 1);
    report_destroy(report);
    box_close(&box);
}

/* A run that is in the store and whose records are given as well counts once. */
static void
test_report_gaps__records_of_what_the_store_has(void **state)
{
    (void)state;
    static const char setup[] =
        "{\"model\":\"m\",\"variant\":\"v\",\"run\":\"r\",\"problem\":\"p\"}";
    static const char records[] =
        "{\"model\":\"m\",\"variant\":\"v\",\"run\":\"r\",\"problem\":\"p\",\"idx\":1,\"loc\":9,"
        "\"sloc\":5,\"erosion\":0.5}\n"
        "{\"model\":\"m\",\"variant\":\"v\",\"run\":\"r\",\"problem\":\"q\",\"idx\":1,\"loc\":9,"
        "\"sloc\":5,\"erosion\":0.5}\n";
    struct panel_box box;
    box_open(&box);
    struct store_checkpoint checkpoint = {.name = BYTES("checkpoint_1"),
                                          .listing = box_put_listing(&box, 1, 0)};
    struct store_trajectory agent = {.id = BYTES("m/r/p"),
                                     .kind = BYTES("agent"),
                                     .params = bytes_of_text(setup),
                                     .stars = -1,
                                     .n_checkpoints = 1};
    box_ok(&box, store_put_trajectory(box.writer, &agent, &checkpoint, 1, &box.err));
    box_commit(&box);
    struct report_options options = all_sections(&box.profile);
    struct report *report = build(box.store, bytes_of_text(records), &options);
    CHECK(report, {"input", "1 trajectories of the records are also in the store", NULL});
    const struct table *tiers = report_box_table(report, "tiers", "tiers");
    assert_true(report_box_cell(tiers, "agents", "n")->value == 2);
    report_destroy(report);
    box_close(&box);
}

/* Numbers that no checkpoint can have. */
static void
test_report_gaps__numbers_out_of_all_bounds(void **state)
{
    (void)state;
    static const char text[] =
        "{\"problem\":\"p\",\"idx\":1e300,\"n_checkpoints\":1e300,\"loc\":9,\"sloc\":5,\"erosion\":"
        "1}\n"
        "{\"problem\":\"p\",\"idx\":-7,\"n_checkpoints\":-1,\"loc\":9,\"sloc\":5,\"erosion\":0.5}\n"
        "{\"problem\":\"q\",\"idx\":Infinity,\"cost\":1e308,\"input\":1e300,\"loc\":1e300}\n"
        "{\"problem\":\"q\",\"idx\":2,\"cost\":1e308,\"input\":Infinity}\n";
    struct panel_box box;
    struct buf out = {0}, notes = {0};
    box_open(&box);
    struct report_options options = all_sections(&box.profile);
    struct report *report = build(NULL, bytes_of_text(text), &options);
    CHECK(report, {"tiers", NULL, "tiers"}, {"phases", NULL, "outcomes"}, {"solve", NULL, "runs"});
    assert_int_equal(report_render(report, REPORT_JSON, &out, NULL), 0);
    report_destroy(report);
    struct summary_options summary = {0};
    box_ok(&box, summary_of_records(bytes_of_text(text), "text", &summary, &out, &notes, &box.err));
    buf_clear(&out);
    buf_clear(&notes);
    box_close(&box);
}

/* Of agents alone: NaN and null are no value, and a record says nothing of rules. */
static void
test_report_gaps__records_without_values(void **state)
{
    (void)state;
    static const char text[] =
        "{\"model\":\"m\",\"problem\":\"p\",\"idx\":1,\"n_checkpoints\":3,\"loc\":9,\"sloc\":5,"
        "\"erosion\":NaN,\"cost\":null,\"strict_pass_rate\":0}\n"
        "{\"model\":\"m\",\"problem\":\"p\",\"idx\":2,\"n_checkpoints\":3,\"loc\":0,\"sloc\":0,"
        "\"erosion\":0,\"delta.churn_ratio\":Infinity}\n";
    struct panel_box box;
    box_open(&box);
    struct report_options options = all_sections(&box.profile);
    struct report *report = build(NULL, bytes_of_text(text), &options);
    CHECK(report, {"tiers", "no repositories", "tiers"}, {"tiers", "they have no verbosity", NULL},
          {"tiers", "1 checkpoints have no source line", NULL},
          {"slopes", "No trajectory of agents has 2 kept checkpoints", NULL},
          {"drift", "no repositories", NULL}, {"growth", "No agent's trajectory has 2", NULL},
          {"phases", NULL, "outcomes"}, {"outliers", "no repositories", NULL},
          {"agents-vs-human", "no repositories", NULL}, {"solve", NULL, "runs"},
          {"variance", "No setup has two runs", NULL});
    const struct table *tiers = report_box_table(report, "tiers", "tiers");
    assert_true(isnan(report_box_cell(tiers, "agents", "erosion")->value));
    report_destroy(report);
    box_close(&box);
}

static void
test_report_gaps__an_empty_store_gives_every_section_and_says_so(void **state)
{
    (void)state;
    struct panel_box box;
    box_open(&box);
    box_commit(&box);
    struct report_options options = all_sections(&box.profile);
    struct report *report = build(box.store, (struct bytes){NULL, 0}, &options);
    assert_int_equal(report->n_sections, 12);
    assert_true(report_box_has_note(report, "There are no repositories"));
    assert_true(report_box_has_note(report, "There are no agent runs"));
    report_destroy(report);
    box_close(&box);
}

static void
test_report_gaps__one_repository_of_one_commit_without_stars_or_date(void **state)
{
    (void)state;
    struct panel_box box;
    box_open(&box);
    struct store_checkpoint checkpoints[2] = {
        {.ordinal = 0, .name = BYTES("c0"), .listing = box_put_listing(&box, 1, 0)},
        {.ordinal = 1,
         .name = BYTES("c1"),
         .has_time = true,
         .time_s = 1600000000,
         .listing = box_put_listing(&box, 1, 1)}};
    checkpoints[0].date_problem = BYTES("in the year 9999");
    struct store_trajectory trajectory = {
        .id = BYTES("o/lonely"), .kind = BYTES("human"), .stars = -1, .n_checkpoints = 2};
    box_ok(&box, store_put_trajectory(box.writer, &trajectory, checkpoints, 2, &box.err));
    box_commit(&box);
    struct report_options options = all_sections(&box.profile);
    struct report *report = build(box.store, (struct bytes){NULL, 0}, &options);
    const struct cell *erosion =
        report_box_cell(report_box_table(report, "tiers", "tiers"), "all repositories", "erosion");
    assert_true(erosion->value > 0 && isnan(erosion->second));
    assert_true(report_box_has_note(report, "1 repositories have no star count"));
    assert_true(report_box_has_note(report, "1 commits have no date"));
    assert_true(report_box_has_note(report, "no hits of rules"));
    assert_int_equal(report_box_table(report, "slopes", "slopes")->n_rows, 0);
    report_destroy(report);
    box_close(&box);
}

static void
test_report_gaps__duplicate_and_broken_records_are_said(void **state)
{
    (void)state;
    static const char text[] =
        "{\"problem\":\"p\",\"idx\":1,\"n_checkpoints\":2,\"loc\":9,\"sloc\":5,\"erosion\":0.5,"
        "\"verbosity\":NaN,\"strict_pass_rate\":0}\n"
        "{\"problem\":\"p\",\"idx\":1,\"n_checkpoints\":2,\"loc\":9,\"sloc\":5,\"erosion\":0.25,"
        "\"strict_pass_rate\":1,\"delta.churn_ratio\":Infinity}\n"
        "{\"problem\":\"p\",\"idx\":\n";
    struct panel_box box;
    box_open(&box);
    struct report_options options = all_sections(&box.profile);
    const struct report_records records = {.file = {bytes_of_text(text), "runs.jsonl"}};
    struct report_input input = {.records = &records, .n_records = 1};
    struct report *report;
    struct buf notes = {0};
    box_ok(&box, report_build(&input, &options, &report, &notes, &box.err));
    buf_append_byte(&notes, 0);
    assert_non_null(strstr((char *)notes.data, "runs.jsonl line 3"));
    assert_true(report_box_has_note(report, "1 records are replaced by a later record"));
    const struct table *table = report_box_table(report, "tiers", "tiers");
    assert_true(report_box_cell(table, "agents", "erosion")->value == 0.25);
    report_destroy(report);
    buf_clear(&notes);
    box_close(&box);
}

/* Of a warning the command makes another exit status. */
static void
test_report_gaps__a_trajectory_without_scores_is_warned_of(void **state)
{
    (void)state;
    struct panel_box box;
    box_open(&box);
    struct store_file missing = {.path = BYTES("a.py"), .blob = box_blob_id(BOX_BLOBS), 0100644};
    struct store_checkpoint checkpoint = {.name = BYTES("c0")};
    struct store_trajectory bad = {
        .id = BYTES("bad"), .kind = BYTES("human"), .stars = 10, .n_checkpoints = 1};
    box_ok(&box, store_put_listing(box.writer, &missing, 1, &checkpoint.listing, &box.err));
    box_ok(&box, store_put_trajectory(box.writer, &bad, &checkpoint, 1, &box.err));
    box_commit(&box);
    struct report_options options = all_sections(&box.profile);
    struct report_input input = {.store = box.store};
    struct report *report;
    struct buf notes = {0};
    box_ok(&box, report_build(&input, &options, &report, &notes, &box.err));
    buf_append_byte(&notes, 0);
    assert_non_null(strstr((char *)notes.data, "bad: checkpoint c0: a.py: blob"));
    assert_true(report_box_has_note(report, "bad could not be scored"));
    report_destroy(report);
    buf_clear(&notes);
    box_close(&box);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_report_gaps__a_store_without_agents),
        cmocka_unit_test(test_report_gaps__one_repository_of_one_checkpoint),
        cmocka_unit_test(test_report_gaps__dates_that_cannot_be_and_no_stars),
        cmocka_unit_test(test_report_gaps__records_of_what_the_store_has),
        cmocka_unit_test(test_report_gaps__numbers_out_of_all_bounds),
        cmocka_unit_test(test_report_gaps__records_without_values),
        cmocka_unit_test(test_report_gaps__an_empty_store_gives_every_section_and_says_so),
        cmocka_unit_test(test_report_gaps__one_repository_of_one_commit_without_stars_or_date),
        cmocka_unit_test(test_report_gaps__duplicate_and_broken_records_are_said),
        cmocka_unit_test(test_report_gaps__a_trajectory_without_scores_is_warned_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
