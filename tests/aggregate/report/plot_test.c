#include "aggregate/report/plot.h"

#include <math.h>
#include <string.h>

#include "cmocka_all.h"

static const struct column columns[] = {
    {"group", "group", COLUMN_TEXT, 0},   {"phase", "phase", COLUMN_TEXT, 0},
    {"value", "value", COLUMN_SPREAD, 3}, {"paper", "paper", COLUMN_NUMBER, 2},
    {"span", "span", COLUMN_INTERVAL, 2},
};

static void
add_row(struct table *table, const char *group, const char *phase, double value, double deviation,
        double paper)
{
    table_text(table, bytes_of_text(group));
    table_text(table, bytes_of_text(phase));
    table_pair(table, value, deviation);
    table_number(table, paper);
    table_pair(table, value - 1, value + 1);
}

static size_t
count(const struct buf *out, const char *part)
{
    size_t n = 0;
    for (const char *at = (const char *)out->data; (at = strstr(at, part)); at++)
        n++;
    return n;
}

/* The picture of a table of ROWS under a report that the caller destroys. */
static struct report *
draw(bool has_values, const char *interval, struct buf *out)
{
    struct report *report = report_create();
    struct section *section = report_add_section(report, "s", "s");
    struct table *table = SECTION_TABLE(section, "t", "t", columns);
    add_row(table, "a<b", "Start", has_values ? 2 : NAN, 0.5, NAN);
    add_row(table, "a<b", "Final", has_values ? 4 : NAN, NAN, 3);
    add_row(table, "c", "Final", NAN, NAN, NAN);
    section_add_plot(section, "x & y", table, "phase", "group", "value", interval, "paper");
    plot_write(&section->plots[0], out);
    buf_append_byte(out, 0);
    return report;
}

static void
test_plot__a_point_a_value_with_whiskers_and_the_papers_mark(void **state)
{
    (void)state;
    struct buf out = {0};
    struct report *report = draw(true, NULL, &out);
    assert_int_equal(count(&out, "r=\"4\""), 2 + 2);  /* two values, two series in the legend */
    assert_int_equal(count(&out, "stroke-width"), 1); /* the other has no deviation */
    assert_int_equal(count(&out, "stroke-dasharray"), 1);
    assert_int_equal(count(&out, "<title>x &amp; y</title>"), 1);
    assert_int_equal(count(&out, ">a&lt;b<"), 1);
    assert_int_equal(count(&out, "nan"), 0);
    /* 0 lies at the foot of the picture, 4 at its top: 2 in the middle. */
    assert_int_equal(count(&out, "cy=\"143.0\" r=\"4\""), 1);
    assert_int_equal(count(&out, "cy=\"30.0\" r=\"4\""), 1);
    report_destroy(report);
    buf_clear(&out);
}

static void
test_plot__an_interval_takes_the_deviations_place(void **state)
{
    (void)state;
    struct buf out = {0};
    struct report *report = draw(true, "span", &out);
    assert_int_equal(count(&out, "stroke-width"), 2);
    report_destroy(report);
    buf_clear(&out);
}

static void
test_plot__nothing_of_a_table_without_values(void **state)
{
    (void)state;
    struct buf out = {0};
    struct report *report = draw(false, NULL, &out);
    assert_int_equal(out.len, 1);
    report_destroy(report);
    buf_clear(&out);
}

static void
test_plot__nothing_of_values_farther_apart_than_doubles_reach(void **state)
{
    (void)state;
    struct buf out = {0};
    struct report *report = report_create();
    struct section *section = report_add_section(report, "s", "s");
    struct table *table = SECTION_TABLE(section, "t", "t", columns);
    add_row(table, "a", "Start", -1e308, NAN, NAN);
    add_row(table, "a", "Final", 1e308, NAN, NAN);
    section_add_plot(section, "x", table, "phase", "group", "value", NULL, NULL);
    plot_write(&section->plots[0], &out);
    assert_int_equal(out.len, 0);
    report_destroy(report);
    buf_clear(&out);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plot__a_point_a_value_with_whiskers_and_the_papers_mark),
        cmocka_unit_test(test_plot__an_interval_takes_the_deviations_place),
        cmocka_unit_test(test_plot__nothing_of_a_table_without_values),
        cmocka_unit_test(test_plot__nothing_of_values_farther_apart_than_doubles_reach),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
