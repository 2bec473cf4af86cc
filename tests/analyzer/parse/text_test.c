#include "../run.h"

static void
test_analyzer_text__encodings_and_what_is_refused(void **state)
{
    const struct {
        struct bytes source;
        const char *encoding;
        enum skip_reason skipped;
        enum refusal refusal;
    } cases[] = {
        {BYTES("x = 'ascii'\n"), "utf-8", SKIP_NONE, REFUSAL_NONE},
        {BYTES("\xef\xbb\xbfx = 1\n"), "utf-8-sig", SKIP_NONE, REFUSAL_NONE},
        {BYTES("\xef\xbb\xbf# coding: latin-1\n"), "utf-8-sig", SKIP_ENCODING, REFUSAL_NONE},
        {BYTES("# -*- coding: latin-1 -*-\nx = '\xe9'\n"), "iso-8859-1", SKIP_NONE, REFUSAL_NONE},
        {BYTES("#!/bin/x\n# vim: fileencoding=cp1252\nx = '\x80'\n"), "cp1252", SKIP_NONE,
         REFUSAL_NONE},
        {BYTES("x = 1\n# coding: latin-1\ny = '\xe9'\n"), "utf-8", SKIP_NONE, REFUSAL_ENCODING},
        {BYTES("# coding: utf8\nx = '\xc3\xa9'\n"), "utf-8", SKIP_NONE, REFUSAL_NONE},
        {BYTES("# coding: no-such-codec\nx = 1\n"), "no-such-codec", SKIP_ENCODING, REFUSAL_NONE},
        {BYTES("# coding: ascii\nx = '\xe9'\n"), "ascii", SKIP_ENCODING, REFUSAL_NONE},
        {BYTES("x = '\xe9'\n"), "utf-8", SKIP_NONE, REFUSAL_ENCODING},
        {BYTES("\xff\xfex\0"), "utf-16", SKIP_ENCODING, REFUSAL_NONE},
        {BYTES("x = '\0'\n"), "utf-8", SKIP_NUL, REFUSAL_NONE},
        {BYTES("def f(:\n"), "utf-8", SKIP_NONE, REFUSAL_SYNTAX},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct facts facts = facts_of(state, cases[i].source);
        if (facts.skipped != cases[i].skipped || facts.refusal != cases[i].refusal ||
            strcmp(facts.encoding, cases[i].encoding) != 0)
            fail_msg("case %zu: %s, %s, %s", i, facts.encoding, skip_reason_name(facts.skipped),
                     refusal_name(facts.refusal));
    }
}

static void
test_analyzer_rejoin__lines_in_brackets_may_stand_left(void **state)
{
    struct facts facts = FACTS("def f(a):\n"
                               "    if (a and  # a bracket ( in a comment\n"
                               "  b('a quote \\' ( in a string')):\n"
                               "        return a\n"
                               "    return [\n"
                               "1]\n"
                               "def g(): pass\n");
    assert_true(facts.has_error);
    assert_true(facts.is_rejoined);
    assert_int_equal(facts.refusal, REFUSAL_NONE);
    assert_int_equal(facts.sloc[FSTRING_ONE].n_lines, 7);
    assert_int_equal(facts.n_callables, 2);
    assert_int_equal(facts.callables[0].end_line, 6);
    assert_int_equal(facts.callables[1].start_line, 7);
    facts = FACTS("def f(a):\n    x = (\n1\n    y = ]\n");
    assert_false(facts.is_rejoined);
    assert_int_equal(facts.refusal, REFUSAL_SYNTAX);
}

static void
test_analyzer_run__same_facts_whatever_was_analysed_before(void **state)
{
    const struct bytes source = BYTES("def f(a):\n    return [x for x in a if x]\n");
    struct buf first = {0};
    struct buf second = {0};
    struct facts facts = facts_of(state, source);
    facts_encode(&facts, &first);
    FACTS("class Other:\n    def f(self): '''unterminated\n");
    facts = facts_of(state, source);
    facts_encode(&facts, &second);
    assert_true(bytes_equal(buf_bytes(&first), buf_bytes(&second)));
    buf_clear(&first);
    buf_clear(&second);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_analyzer_text__encodings_and_what_is_refused),
        cmocka_unit_test(test_analyzer_rejoin__lines_in_brackets_may_stand_left),
        cmocka_unit_test(test_analyzer_run__same_facts_whatever_was_analysed_before),
    };
    return cmocka_run_group_tests(tests, setup_analyzer, teardown_analyzer);
}
