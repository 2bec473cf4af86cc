#include "../run.h"

/* Statement lines are what radon's raw metrics call sloc; see conformance/radon_lines.py. */
static void
test_analyzer_text_lines__statements_keep_what_their_brackets_and_strings_hold(void **state)
{
    const struct {
        struct bytes source;
        uint32_t expected;
    } cases[] = {
        {BYTES(""), 0},
        {BYTES("# only a comment\n\n"), 0},
        {BYTES("\xef\xbb\xbf# only a comment\n"), 0},
        {BYTES("x = (1,\n\n     # why\n     2)\n"), 3},
        {BYTES("x = (1, [2,\n# a\n], # b\n# c\n)\n# d\n"), 5},
        {BYTES("x = '''a\n\n  # no comment\n'''\n"), 3},
        {BYTES("x = f'''a\n\n{b}\n'''\n"), 3},
        {BYTES("'''doc\n\nstring'''\nx = 1\n"), 1},
        {BYTES("'''doc\nstring'''; x = 1\n"), 2}, /* does not own its lines */
        {BYTES("'a' 'b'\n"), 1},                  /* no plain string */
        {BYTES("x = 1 + \\\n  2\n"), 2},
        {BYTES("x = 1 + \\\n  \\\n  2\n"), 3},
        {BYTES("if a:  # b\n    # c\n    pass\nelse:\n    f(\n    )\n"), 5},
        {BYTES("def f():\n    '''doc'''\n    return [\n        # a\n    ]\n"), 4},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct facts facts = facts_of(state, cases[i].source);
        if (facts.statement_lines != cases[i].expected)
            fail_msg("case %zu: %u", i, facts.statement_lines);
    }
}

static void
test_analyzer_text_lines__a_callable_has_all_but_blank_lines_and_those_with_a_hash(void **state)
{
    struct facts facts = FACTS("@d\n"
                               "def f():\n"
                               "    '''doc\n"
                               "    # in a string all the same\n"
                               "    '''\n"
                               "\n"
                               "    # a comment\n"
                               "    x = 1  # another\n"
                               "    def g():\n"
                               "        pass\n"
                               "    # after the end\n"
                               "y = 1\n");
    assert_int_equal(facts.n_callables, 2);
    assert_int_equal(facts.callables[0].text_lines, 6);
    assert_int_equal(facts.callables[1].text_lines, 2);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            test_analyzer_text_lines__statements_keep_what_their_brackets_and_strings_hold),
        cmocka_unit_test(
            test_analyzer_text_lines__a_callable_has_all_but_blank_lines_and_those_with_a_hash),
    };
    return cmocka_run_group_tests(tests, setup_analyzer, teardown_analyzer);
}
