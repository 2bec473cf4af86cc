#include "../run.h"

static void
test_analyzer_callables__every_counter_once(void **state)
{
    struct facts facts = FACTS("async def f(a, b=1, *c, d, **e):\n"
                               "    if a: pass\n"
                               "    elif b: pass\n"
                               "    else: pass\n"
                               "    for i in c: break\n"
                               "    else: pass\n"
                               "    while d: continue\n"
                               "    try: pass\n"
                               "    except E: raise\n"
                               "    else: pass\n"
                               "    finally: pass\n"
                               "    try: pass\n"
                               "    except* E: pass\n"
                               "    with a: pass\n"
                               "    assert a\n"
                               "    [x for x in a]\n"
                               "    {x for x in a}\n"
                               "    {x: x for x in a}\n"
                               "    (x for x in a if x)\n"
                               "    match a:\n"
                               "        case 1 if b: pass\n"
                               "    a and b\n"
                               "    a if b else c\n"
                               "    lambda: 1\n"
                               "    yield\n"
                               "    await a\n"
                               "    g()\n"
                               "    return\n");
    assert_int_equal(facts.n_callables, 1);
    const struct callable *f = &facts.callables[0];
    for (int i = 0; i < COUNT_N; i++)
        if (f->all[i] != 1)
            fail_msg("%s is %u", counter_name((enum counter)i), f->all[i]);
    assert_memory_equal(f->own, f->all, sizeof(f->own));
    assert_int_equal(f->n_parameters, 5);
    assert_int_equal(f->flags, CALLABLE_ASYNC | CALLABLE_REACHABLE);
}

static void
test_analyzer_callables__nested_ones_count_outside_too_but_not_as_own(void **state)
{
    struct facts facts = FACTS("def outer():\n"
                               "    if a:\n"
                               "        @deco\n"
                               "        def inner():\n"
                               "            if b:\n"
                               "                return 1\n"
                               "    class C:\n"
                               "        x = 1 if a else 2\n"
                               "        def method(self):\n"
                               "            assert self\n");
    assert_int_equal(facts.n_callables, 3);
    assert_int_equal(facts.n_classes, 1);
    const struct callable *outer = &facts.callables[0];
    const struct callable *inner = &facts.callables[1];
    const struct callable *method = &facts.callables[2];
    assert_int_equal(outer->all[COUNT_IF], 2);
    assert_int_equal(outer->own[COUNT_IF], 1);
    assert_int_equal(outer->all[COUNT_TERNARY], 1);
    assert_int_equal(outer->own[COUNT_TERNARY], 0);
    assert_int_equal(outer->all[COUNT_ASSERT], 1);
    assert_int_equal(outer->flags, CALLABLE_REACHABLE);
    assert_int_equal(inner->flags, CALLABLE_DECORATED | CALLABLE_NESTED);
    assert_int_equal(inner->start_line, 4);
    assert_int_equal(method->flags, CALLABLE_METHOD | CALLABLE_NESTED | CALLABLE_REACHABLE);
    assert_true(bytes_equal(method->name, BYTES("method")));
}

static void
test_analyzer_callables__cognitive_counts_from_each_callable_inwards(void **state)
{
    struct facts facts = FACTS("def f():\n"
                               "    if a:\n"           /* 1 */
                               "        for b in c:\n" /* 2 */
                               "            def g():\n"
                               "                while d:\n"  /* 3 outside, 1 inside */
                               "                    break\n" /* 1 */
                               "    elif e and h or i:\n"    /* 2, and 2 for the operators */
                               "        pass\n"
                               "    else:\n" /* 2 */
                               "        pass\n");
    assert_int_equal(facts.callables[0].cognitive, 1 + 2 + 3 + 1 + 2 + 2 + 2);
    assert_int_equal(facts.callables[0].max_nesting, 3);
    assert_int_equal(facts.callables[1].cognitive, 2);
    assert_int_equal(facts.callables[1].max_nesting, 1);
}

static void
test_analyzer_callables__end_is_the_last_statement_not_a_comment(void **state)
{
    struct facts facts = FACTS("def f():\n"
                               "    \"\"\"doc\"\"\"\n"
                               "    return [\n"
                               "        1]\n"
                               "    # trailing\n"
                               "    # more\n"
                               "x = 1\n");
    assert_int_equal(facts.callables[0].end_line, 4);
    assert_int_equal(facts.callables[0].sloc[FSTRING_ONE], 3);
    assert_int_equal(facts.callables[0].n_statements, 1);
}

static void
test_analyzer_callables__trivial_wrappers(void **state)
{
    const struct {
        struct bytes source;
        bool is_trivial;
    } cases[] = {
        {BYTES("def f(a):\n    return g(a)\n"), true},
        {BYTES("def f(a):\n    'doc'\n    x.g(a)\n    pass\n"), true},
        {BYTES("def f(a):\n    # why\n    return (x.y.g(a) + 1)\n"), true},
        {BYTES("def f(a):\n    return g(h(a))\n"), false},
        {BYTES("def f(a):\n    return a\n"), false},
        {BYTES("def f(a):\n    return g[0](a)\n"), false},
        {BYTES("def f(a):\n    b = 1\n    return g(a)\n"), false},
        {BYTES("def f(a):\n    raise g(a)\n"), false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct facts facts = facts_of(state, cases[i].source);
        bool is_trivial = facts.callables[0].flags & CALLABLE_TRIVIAL_WRAPPER;
        if (is_trivial != cases[i].is_trivial)
            fail_msg("case %zu", i);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_analyzer_callables__every_counter_once),
        cmocka_unit_test(test_analyzer_callables__nested_ones_count_outside_too_but_not_as_own),
        cmocka_unit_test(test_analyzer_callables__cognitive_counts_from_each_callable_inwards),
        cmocka_unit_test(test_analyzer_callables__end_is_the_last_statement_not_a_comment),
        cmocka_unit_test(test_analyzer_callables__trivial_wrappers),
    };
    return cmocka_run_group_tests(tests, setup_analyzer, teardown_analyzer);
}
