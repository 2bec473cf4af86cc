/*
 * A report over repositories and agents at once: the comparison of the two, the definition, and the
 * tables as CSV files.
 */
#include "../panel_box.h"
#include "../report_box.h"
#include "base/json_read.h"

static const char RECORDS[] =
    "{\"model\":\"m\",\"run\":\"r\",\"problem\":\"p\",\"idx\":1,\"n_checkpoints\":3,"
    "\"erosion\":0.5,\"verbosity\":0.25,\"loc\":10,\"sloc\":8,\"strict_pass_rate\":1}\n"
    "{\"model\":\"m\",\"run\":\"r\",\"problem\":\"p\",\"idx\":2,\"n_checkpoints\":3,"
    "\"erosion\":0.25,\"verbosity\":0.5,\"loc\":20,\"sloc\":16,\"strict_pass_rate\":0}\n"
    "{\"model\":\"m\",\"run\":\"r\",\"problem\":\"p\",\"idx\":3,\"n_checkpoints\":3,"
    "\"erosion\":0,\"verbosity\":0.75,\"loc\":20,\"sloc\":16,\"strict_pass_rate\":0}\n";

/* Three repositories with rules, each mined with parameters, and the records above. */
static struct report *
build_both(struct panel_box *box, const struct panel_filter *filter)
{
    box_open(box);
    box_put_rules(box);
    box_put_trajectory(box, "a/one", 50, 1, 6);
    box_put_trajectory(box, "b/two", 500, 2, 8);
    box_put_trajectory(box, "c/three", 50000, 3, 7);
    box_commit(box);
    struct report_options options = all_sections(&box->profile);
    options.program = "test 1";
    options.expected = 3;
    options.expected_problems = 2;
    if (filter)
        options.panel.filter = *filter;
    return build(box->store, bytes_of_text(RECORDS), &options);
}

static double
value(const struct report *report, const char *table, const char *key, const char *column)
{
    return report_box_cell(report_box_table(report, "agents-vs-human", table), key, column)->value;
}

static void
test_agents_vs_human__ratios_are_of_the_two_means(void **state)
{
    (void)state;
    struct panel_box box;
    struct report *report = build_both(&box, NULL);
    const char *mean = "mean (agents pooled, repositories at head)/erosion";
    const struct table *tiers = report_box_table(report, "tiers", "tiers");
    double heads = report_box_cell(tiers, "all repositories", "erosion")->value;
    assert_true(value(report, "ratios", mean, "n_agents") == 3);
    assert_true(value(report, "ratios", mean, "agents") == 0.25);
    assert_true(value(report, "ratios", mean, "n_human") == 3);
    assert_true(heads > 0 && value(report, "ratios", mean, "human") == heads);
    assert_true(value(report, "ratios", mean, "ratio") == 0.25 / heads);
    assert_true(value(report, "ratios", "median slope/verbosity", "agents") == 0.25);
    report_destroy(report);
    box_close(&box);
}

static void
test_agents_vs_human__who_is_above(void **state)
{
    (void)state;
    struct panel_box box;
    struct report *report = build_both(&box, NULL);
    const struct table *who = report_box_table(report, "agents-vs-human", "who");
    size_t n = 0, at_head = 0;
    for (size_t row = 0; row < who->n_rows; row++) {
        const struct cell *cells = &who->cells[row * who->n_columns];
        if (!bytes_equal(cells[report_box_column(who, "measure")].text, BYTES("erosion")))
            continue;
        double head = cells[report_box_column(who, "at_head")].value;
        double largest = cells[report_box_column(who, "largest")].value;
        assert_true(largest > 0.25 && largest >= head);
        n++;
        at_head += head > 0.25;
    }
    assert_true(n > 0);
    assert_true(value(report, "above", "erosion", "n") == 3);
    assert_true(value(report, "above", "erosion", "ever") == (double)n);
    assert_true(value(report, "above", "erosion", "at_head") == (double)at_head);
    report_destroy(report);
    box_close(&box);
}

static void
test_report_definition__names_profile_filters_and_choices(void **state)
{
    (void)state;
    struct panel_box box;
    struct bytes globs[] = {BYTES("pkg/**")};
    struct source_filter files = {.include = {globs, 1}};
    struct panel_filter filter = {.tiers = 1u << TIER_HOBBY | 1u << TIER_MAJOR,
                                  .has_since = true,
                                  .since_s = 0,
                                  .files = &files,
                                  .authors = 1u << AUTHOR_HUMAN};
    struct report *report = build_both(&box, &filter);
    struct json_doc *doc;
    struct err err;
    assert_int_equal(json_open(report->definition, "definition", false, &doc, &err), 0);
    const struct json_value *root = json_root(doc);
    const struct json_value *chosen = json_member(root, "filter");
    assert_true(bytes_equal(json_string(json_member(root, "program")), BYTES("test 1")));
    assert_int_equal(json_count(json_member(chosen, "tiers")), 2);
    assert_int_equal(json_count(json_member(chosen, "authors")), 1);
    assert_true(bytes_equal(json_string(json_member(chosen, "since")), BYTES("1970-01-01")));
    assert_true(
        bytes_equal(json_string(json_first(json_member(chosen, "paths"))), BYTES("pkg/**")));
    assert_true(json_number(json_member(json_member(root, "choices"), "expected")) == 3);
    assert_true(json_number(json_member(json_member(root, "rules"), "run")) == 2);
    /* Of the two repositories that the filter takes, both have odd seeds and so one sampling. */
    const struct json_value *sampling = json_first(json_member(root, "sampling"));
    assert_int_equal(json_count(json_member(root, "sampling")), 1);
    assert_true(json_number(json_member(sampling, "repositories")) == 2);
    const struct json_value *first = json_first(json_member(root, "repositories"));
    assert_true(bytes_equal(json_string(json_member(first, "as_of")), BYTES("2024-01-31")));
    assert_int_equal(json_string(json_member(first, "head")).len, 40);
    json_close(doc);
    report_destroy(report);
    box_close(&box);
}

/* One file per table with rows, named section-table, and one of all footnotes at the end. */
static void
test_report_tables__each_is_a_file(void **state)
{
    (void)state;
    struct panel_box box;
    struct report *report = build_both(&box, NULL);
    struct err err;
    size_t n = report_count_tables(report);
    bool has_tiers = false;
    for (size_t i = 0; i < n; i++) {
        struct buf name = {0}, text = {0};
        assert_int_equal(report_render_table(report, i, &name, &text, &err), 0);
        assert_true(text.len > 0 && text.data[text.len - 1] == '\n');
        has_tiers = has_tiers || bytes_equal(buf_bytes(&name), BYTES("tiers-tiers"));
        assert_true(bytes_equal(buf_bytes(&name), BYTES("notes")) == (i + 1 == n));
        buf_clear(&name);
        buf_clear(&text);
    }
    assert_true(n > 10 && has_tiers);
    report_destroy(report);
    box_close(&box);
}

static void
test_report_render__every_format_has_every_section(void **state)
{
    (void)state;
    struct panel_box box;
    struct report *report = build_both(&box, NULL);
    for (int format = REPORT_TEXT; format <= REPORT_JSON; format++) {
        struct buf out = {0};
        struct err err;
        assert_int_equal(report_render(report, (enum report_format)format, &out, &err), 0);
        buf_append_byte(&out, 0);
        for (size_t i = 0; i < report->n_sections; i++) {
            const char *wanted =
                format == REPORT_CSV ? report->sections[i].name : report->sections[i].title;
            if (format == REPORT_CSV && report->sections[i].n_tables == 0)
                continue;
            if (!strstr((const char *)out.data, wanted))
                fail_msg("format %d lacks the section %s", format, wanted);
        }
        buf_clear(&out);
    }
    report_destroy(report);
    box_close(&box);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agents_vs_human__ratios_are_of_the_two_means),
        cmocka_unit_test(test_agents_vs_human__who_is_above),
        cmocka_unit_test(test_report_definition__names_profile_filters_and_choices),
        cmocka_unit_test(test_report_tables__each_is_a_file),
        cmocka_unit_test(test_report_render__every_format_has_every_section),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
