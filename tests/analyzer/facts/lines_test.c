#include "../run.h"

static void
test_analyzer_lines__sloc_in_both_countings(void **state)
{
    const struct {
        struct bytes source;
        uint32_t one, parts, physical;
    } cases[] = {
        {BYTES(""), 0, 0, 0},
        {BYTES("\n\n"), 0, 0, 2},
        {BYTES("# only a comment"), 0, 0, 1},
        {BYTES("\"\"\"doc\n\nstring\"\"\"\n"), 0, 0, 3},
        {BYTES("x = \"\"\"a\nb\nc\"\"\"\n"), 1, 1, 3},
        {BYTES("\"doc\"; x = 1\n"), 1, 1, 1}, /* does not own its line */
        {BYTES("\"doc\"  # why\n"), 1, 1, 1}, /* nor here */
        {BYTES("b'bytes'\n"), 1, 1, 1},       /* no plain string */
        {BYTES("'a' 'b'\n"), 1, 1, 1},        /* nor a concatenation */
        {BYTES("('a')\n"), 1, 1, 1},
        {BYTES("u'a'\n"), 0, 0, 1},
        {BYTES("x = ('a'\n     'b'\n     # why\n     'c')\n"), 3, 3, 4},
        {BYTES("x = f'''a\n{b}\nc\n'''\n"), 1, 3, 4},    /* start, field, closing quotes */
        {BYTES("x = f'''a\nb {{ c\nd\n'''\n"), 1, 3, 4}, /* doubled brace */
        {BYTES("x = f'''{a}'''\n"), 1, 1, 1},
        {BYTES("x = f'''{\na +\nb}'''\n"), 1, 3, 3},
        {BYTES("x = f'''{'p\\\nq'}\n'''\n"), 1, 3, 3}, /* its field ends on row 2 */
        {BYTES("x = f'''{'''p\nq'''\n}'''\n"), 1, 2,
         3}, /* a plain string in a field is one token */
        {BYTES("x = 1 + \\\n    2\n"), 2, 2, 2},
        {BYTES("x = 1 + \\\n\n"), 1, 1, 2}, /* the continued line is blank */
        {BYTES("a\r\nb\r\n"), 2, 2, 2},
        {BYTES("a\rb\rc"), 3, 3, 3},      /* a lone CR ends a line */
        {BYTES("a\n\x0c\nb\n"), 2, 2, 3}, /* a form feed does not */
        {BYTES("if a:\n    pass\n;\n"), 3, 3, 3},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct facts facts = facts_of(state, cases[i].source);
        assert_int_equal(facts.skipped, SKIP_NONE);
        if (facts.sloc[FSTRING_ONE].n_lines != cases[i].one ||
            facts.sloc[FSTRING_PARTS].n_lines != cases[i].parts ||
            facts.physical_lines != cases[i].physical)
            fail_msg("case %zu: %u %u %u", i, facts.sloc[FSTRING_ONE].n_lines,
                     facts.sloc[FSTRING_PARTS].n_lines, facts.physical_lines);
    }
}

static void
test_analyzer_lines__runs_ascend_and_do_not_touch(void **state)
{
    struct facts facts = FACTS("a\n\nb\nc\n# d\ne\n");
    const struct line_set *set = &facts.sloc[FSTRING_ONE];
    static const struct line_run expected[] = {{1, 1}, {3, 2}, {6, 1}};
    assert_int_equal(set->n_runs, 3);
    assert_memory_equal(set->runs, expected, sizeof(expected));
    assert_int_equal(facts.comment_lines, 1);
}

static void
test_analyzer_lines__a_run_may_cross_many_words(void **state)
{
    struct buf source = {0};
    for (int i = 0; i < 1000; i++)
        buf_append_text(&source, i < 70 || i > 500 ? "a\n" : "\n");
    struct facts facts = facts_of(state, buf_bytes(&source));
    assert_int_equal(facts.sloc[FSTRING_ONE].n_runs, 2);
    assert_int_equal(facts.sloc[FSTRING_ONE].n_lines, 70 + 499);
    assert_int_equal(facts.sloc[FSTRING_ONE].runs[1].first, 502);
    buf_clear(&source);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_analyzer_lines__sloc_in_both_countings),
        cmocka_unit_test(test_analyzer_lines__runs_ascend_and_do_not_touch),
        cmocka_unit_test(test_analyzer_lines__a_run_may_cross_many_words),
    };
    return cmocka_run_group_tests(tests, setup_analyzer, teardown_analyzer);
}
