#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "cmocka_all.h"

static void
test_num_format_double__spells_as_python_repr(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0.1, "0.1"},
        {3.0, "3.0"},
        {1e16, "1e+16"},
        {123456789012345680.0, "1.2345678901234568e+17"},
        {1e15, "1000000000000000.0"},
        {1e-5, "1e-05"},
        {0.0001, "0.0001"},
        {-0.0, "-0.0"},
        {0.23333333333333334, "0.23333333333333334"},
        {5e-324, "5e-324"},
        {1.7976931348623157e308, "1.7976931348623157e+308"},
        {100.0, "100.0"},
        {2514.2110649113256, "2514.2110649113256"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        char text[NUM_DOUBLE_SIZE];
        size_t n = num_format_double(cases[i].value, text);
        assert_string_equal(text, cases[i].text);
        assert_int_equal(n, strlen(text));
    }
}

static void
test_num_format_double__reads_back_the_same(void **state)
{
    (void)state;
    uint64_t bits = 88172645463325252u;
    for (int i = 0; i < 200000; i++) {
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        double value;
        memcpy(&value, &bits, sizeof(value));
        if (value != value || value - value != 0)
            continue;
        char text[NUM_DOUBLE_SIZE];
        num_format_double(value, text);
        assert_true(strtod(text, NULL) == value);
    }
}

/* Digits are found in two ways: by whole numbers, and by trying what printf gives. */
static void
test_num_format_double__no_shorter_text_reads_back_the_same(void **state)
{
    (void)state;
    uint64_t bits = 88172645463325252u;
    for (int i = 0; i < 100000; i++) {
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        double value = (double)(bits >> (11 + i % 40)) / (double)(1 + bits % 4096);
        char text[NUM_DOUBLE_SIZE], shortest[40];
        num_format_double(value, text);
        for (int n = 0; n == 0 || strtod(shortest, NULL) != value; n++)
            snprintf(shortest, sizeof(shortest), "%.*e", n, value);
        size_t n_digits = strcspn(shortest, "e") - (shortest[1] == '.');
        size_t first = strspn(text, "0."), n_text = 0;
        for (size_t at = first; text[at] && text[at] != 'e'; at++)
            n_text += text[at] != '.';
        bool is_whole = strchr(text, '.') && strcmp(strchr(text, '.'), ".0") == 0;
        assert_true(value == 0 || is_whole || n_text == n_digits);
        assert_true(strtod(text, NULL) == value);
    }
}

static void
test_num_parse__whole_text_in_range_or_nothing(void **state)
{
    (void)state;
    uint64_t u = 7;
    int64_t s = 7;
    double d = 7;
    assert_int_equal(num_parse_u64(BYTES("18446744073709551615"), 0, UINT64_MAX, &u), 0);
    assert_true(u == UINT64_MAX);
    assert_int_equal(num_parse_u64(BYTES("18446744073709551616"), 0, UINT64_MAX, &u), -1);
    assert_int_equal(num_parse_u64(BYTES(""), 0, 9, &u), -1);
    assert_int_equal(num_parse_u64(BYTES("1x"), 0, 9, &u), -1);
    assert_int_equal(num_parse_u64(BYTES("10"), 0, 9, &u), -1);
    assert_int_equal(num_parse_i64(BYTES("-9223372036854775808"), INT64_MIN, INT64_MAX, &s), 0);
    assert_true(s == INT64_MIN);
    assert_int_equal(num_parse_i64(BYTES("--1"), INT64_MIN, INT64_MAX, &s), -1);
    assert_int_equal(num_parse_double(BYTES("0x10"), &d), -1);
    assert_int_equal(num_parse_double(BYTES("1e999"), &d), -1);
    assert_int_equal(num_parse_double(BYTES("2.5e-1"), &d), 0);
    assert_true(d == 0.25);
    assert_int_equal(num_parse_size(BYTES("4M"), &u), 0);
    assert_int_equal(u, 4 << 20);
    assert_int_equal(num_parse_size(BYTES("M"), &u), -1);
    assert_int_equal(num_parse_size(BYTES("99999999999G"), &u), -1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_num_format_double__spells_as_python_repr),
        cmocka_unit_test(test_num_format_double__reads_back_the_same),
        cmocka_unit_test(test_num_format_double__no_shorter_text_reads_back_the_same),
        cmocka_unit_test(test_num_parse__whole_text_in_range_or_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
