#include "aggregate/report/render.h"

#include <math.h>
#include <string.h>

#include "cmocka_all.h"

static const struct column columns[] = {{"repository", "repository", COLUMN_TEXT, 0}};

/* Names come out of repositories; who reads the CSV wants RFC 4180 and UTF-8. */
static void
test_render_csv__names_are_quoted_and_utf8(void **state)
{
    (void)state;
    struct cell cells[] = {{.text = BYTES("plain")},
                           {.text = BYTES("a,b\"c")},
                           {.text = BYTES("new\nline")},
                           {.text = BYTES("bad\xff")},
                           {.text = BYTES("\xff,\"\xc3\xa9")}};
    const struct table table = {
        .name = "t", .columns = columns, .n_columns = 1, .cells = cells, .n_rows = 5};
    struct buf out = {0};
    render_csv_table(&table, &out);
    buf_append_byte(&out, 0);
    assert_string_equal((const char *)out.data, "repository\n"
                                                "plain\n"
                                                "\"a,b\"\"c\"\n"
                                                "\"new\nline\"\n"
                                                "bad\xef\xbf\xbd\n"
                                                "\"\xef\xbf\xbd,\"\"\xc3\xa9\"\n");
    buf_clear(&out);
}

/* A record may hold any number; its digits must not push the rest of a table away. */
static void
test_render_cell__large_numbers_have_an_exponent(void **state)
{
    (void)state;
    const struct {
        enum column_kind kind;
        double value, second;
        const char *expected;
    } cases[] = {{COLUMN_COUNT, 999999999999999, NAN, "999999999999999"},
                 {COLUMN_COUNT, 1e15, NAN, "1e+15"},
                 {COLUMN_COUNT, 1e308, NAN, "1e+308"},
                 {COLUMN_NUMBER, -1e308, NAN, "-1e+308"},
                 {COLUMN_NUMBER, 1e14, NAN, "100000000000000.00"},
                 {COLUMN_PERCENT, 1e300, NAN, "1e+302 %"},
                 {COLUMN_SPREAD, 1.5e70, 0.25, "1.5e+70 ± 0.25"},
                 {COLUMN_INTERVAL, -1e70, 1e70, "-1e+70 to 1e+70"}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const struct column column = {"n", "n", cases[i].kind, 2};
        const struct cell cell = {.value = cases[i].value, .second = cases[i].second};
        struct buf out = {0};
        render_cell(&column, &cell, &out);
        buf_append_byte(&out, 0);
        assert_string_equal((const char *)out.data, cases[i].expected);
        buf_clear(&out);
    }
}

static void
test_render_csv__large_counts_have_an_exponent(void **state)
{
    (void)state;
    static const struct column counts[] = {{"n", "n", COLUMN_COUNT, 0}};
    struct cell cells[] = {{.value = 473}, {.value = 1e308}};
    const struct table table = {
        .name = "t", .columns = counts, .n_columns = 1, .cells = cells, .n_rows = 2};
    struct buf out = {0};
    render_csv_table(&table, &out);
    buf_append_byte(&out, 0);
    assert_string_equal((const char *)out.data, "n\n473\n1e+308\n");
    buf_clear(&out);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_render_csv__names_are_quoted_and_utf8),
        cmocka_unit_test(test_render_cell__large_numbers_have_an_exponent),
        cmocka_unit_test(test_render_csv__large_counts_have_an_exponent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
