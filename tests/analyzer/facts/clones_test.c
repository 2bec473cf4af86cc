#include "../run.h"

struct hash {
    uint64_t word[2];
};

/* The hash of the first candidate of DEFINITION in SOURCE; all zero when there is none. */
static struct hash
hash_of(void **state, enum clone_definition definition, struct bytes source)
{
    struct facts facts = facts_of(state, source);
    for (uint32_t i = 0; i < facts.n_clones; i++)
        if (facts.clones[i].definition == definition)
            return (struct hash){{facts.clones[i].hash[0], facts.clones[i].hash[1]}};
    return (struct hash){{0, 0}};
}

static void
compare_pairs(void **state, enum clone_definition definition, const struct bytes (*pairs)[2],
              size_t n_pairs, bool should_be_equal)
{
    for (size_t i = 0; i < n_pairs; i++) {
        struct hash a = hash_of(state, definition, pairs[i][0]);
        struct hash b = hash_of(state, definition, pairs[i][1]);
        assert_true(a.word[0] || a.word[1]);
        assert_true(b.word[0] || b.word[1]);
        bool is_equal = memcmp(&a, &b, sizeof(a)) == 0;
        if (is_equal != should_be_equal)
            fail_msg("pair %zu", i);
    }
}

static void
test_analyzer_clones__subtrees_equal_up_to_names_literals_and_comments(void **state)
{
    const struct bytes same[][2] = {
        {BYTES("if a:\n  b(c)\n  d = 'x'\n"), BYTES("if p:\n  # why\n  q(r)\n\n  s = 'yy'\n")},
        {BYTES("for a in b:\n  a += 1\n  b += 1\n"), BYTES("for x in y:\n  x += 22\n  y += 3\n")},
        {BYTES("while a:\n  'doc'\n  b = True\n  c = 1.5\n"),
         BYTES("while a:\n  b = False\n  c = 2e9\n")},
        {BYTES("def f(a):\n  x = a\n  return f\n"), BYTES("def g(b):\n  y = b\n  return g\n")},
    };
    const struct bytes different[][2] = {
        {BYTES("if a:\n  b(c)\n  d = 'x'\n"), BYTES("if a:\n  b(b)\n  d = 'x'\n")},
        {BYTES("if a:\n  b(c)\n  d = 'x'\n"), BYTES("if a:\n  b(c)\n  d = 1\n")},
        {BYTES("if a:\n  b + c\n  d\n"), BYTES("if a:\n  b - c\n  d\n")},
        {BYTES("if a:\n  f(b)(c)\n  d\n"), BYTES("if a:\n  f(b(c))\n  d\n")},
        {BYTES("if a:\n  b = None\n  d\n"), BYTES("if a:\n  b = True\n  d\n")},
    };
    compare_pairs(state, CLONE_SUBTREE, same, sizeof(same) / sizeof(*same), true);
    compare_pairs(state, CLONE_SUBTREE, different, sizeof(different) / sizeof(*different), false);
}

static void
test_analyzer_clones__bodies_ignore_head_and_punctuation(void **state)
{
    const struct bytes same[][2] = {
        {BYTES("def f(a):\n  'doc'\n  x = a[1]\n  return x\n"),
         BYTES("def g(a, b, c):\n  y = b(2.5)\n  return y\n")},
    };
    const struct bytes different[][2] = {
        {BYTES("def f():\n  a\n  b + c\n"), BYTES("def f():\n  a + b\n  c\n")},
        {BYTES("def f():\n  a = 'x'\n  b\n"), BYTES("def f():\n  a = 1\n  b\n")},
        {BYTES("def f():\n  a = b\n  b\n"), BYTES("def f():\n  a = b\n  a\n")},
    };
    compare_pairs(state, CLONE_FUNCTION_BODY, same, sizeof(same) / sizeof(*same), true);
    compare_pairs(state, CLONE_FUNCTION_BODY, different, sizeof(different) / sizeof(*different),
                  false);
}

static void
test_analyzer_clones__small_ones_and_type_checking_are_no_candidates(void **state)
{
    const struct bytes sources[] = {
        BYTES("if a:\n  b\n"),
        BYTES("if TYPE_CHECKING:\n  import a\n  import b\n"),
        BYTES("if typing.TYPE_CHECKING:\n  import a\n  import b\n"),
        BYTES("class C:\n  a = 1\n  b = 2\n"),
        BYTES("def f(): return 1\n"),
    };
    for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++)
        assert_int_equal(facts_of(state, sources[i]).n_clones, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_analyzer_clones__subtrees_equal_up_to_names_literals_and_comments),
        cmocka_unit_test(test_analyzer_clones__bodies_ignore_head_and_punctuation),
        cmocka_unit_test(test_analyzer_clones__small_ones_and_type_checking_are_no_candidates),
    };
    return cmocka_run_group_tests(tests, setup_analyzer, teardown_analyzer);
}
