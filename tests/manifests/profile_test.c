#include "cmocka_all.h"
#include "manifests/manifests.h"

/* Each test reads into the arena of its state. */
static int
set_up(void **state)
{
    static struct arena arena;
    arena_init(&arena, 0);
    *state = &arena;
    return 0;
}

static int
tear_down(void **state)
{
    arena_clear(*state);
    return 0;
}

static struct profile
builtin(const char *name, struct arena *arena)
{
    struct profile p;
    struct err err = {0};
    if (profile_read(name, arena, &p, &err) < 0)
        fail_msg("%s", err.text);
    return p;
}

static double
weight(const struct profile *p, const char *counter)
{
    for (size_t i = 0; i < p->n_cc_weights; i++)
        if (bytes_equal(p->cc_weights[i].counter, bytes_of_text(counter)))
            return p->cc_weights[i].weight;
    return 0;
}

static void
test_profile_read__every_builtin_is_whole_and_named_as_it_is_asked_for(void **state)
{
    for (const char *const *name = profile_builtin_names(); *name; name++) {
        struct profile p = builtin(*name, *state);
        assert_true(bytes_equal(p.name, bytes_of_text(*name)));
        assert_true(p.description.len > 0);
        assert_true(p.cc_base == 1 && p.cc_nested);
        assert_int_equal(p.n_cc_weights, 15);
        assert_true(weight(&p, "except") == 1 && weight(&p, "except*") == 1);
        assert_true(p.high_cc == 10 && p.high_cognitive == 10);
        assert_int_equal(p.clone_min_sloc, 3);
        assert_int_equal(p.severities.n_items, 4);
        assert_true(p.part_rules && p.part_clones);
        assert_non_null(profile_builtin_text(*name).data);
    }
}

static void
test_profile_read__builtins_differ_as_their_definitions_do(void **state)
{
    struct profile paper = builtin("paper", *state);
    assert_int_equal(paper.callables, CALLABLES_REACHABLE);
    assert_int_equal(paper.on_syntax_error, SYNTAX_ERROR_SKIP);
    assert_int_equal(paper.clones, PROFILE_CLONES_SUBTREE);
    assert_int_equal(paper.size_term, SIZE_SQRT);
    assert_true(weight(&paper, "and_or") == 1 && weight(&paper, "with") == 0);
    assert_false(paper.trivial_wrapper || paper.part_structural);

    struct profile scb = builtin("scb-check-0.2", *state);
    assert_int_equal(scb.callables, CALLABLES_ALL);
    assert_int_equal(scb.on_syntax_error, SYNTAX_ERROR_KEEP);
    assert_int_equal(scb.clones, PROFILE_CLONES_FUNCTION_BODY);
    assert_true(scb.trivial_wrapper && scb.part_structural);

    struct profile released = builtin("released-code", *state);
    assert_int_equal(released.verbosity, VERBOSITY_SUM);
    assert_int_equal(released.sloc, SLOC_TEXT);
    assert_int_equal(paper.sloc, SLOC_TOKENS);
    assert_false(source_filter_excludes_dir(&released.source, BYTES("build")));
    assert_int_equal(builtin("linear-mass", *state).size_term, SIZE_LINEAR);
}

static void
test_profile_parse__a_variant_changes_what_it_names(void **state)
{
    struct profile p;
    struct err err;
    struct bytes text = BYTES("{\"name\": \"mine\", \"extends\": \"scb-check-0.2\", \"high_cc\": 8,"
                              " \"cc\": {\"weights\": {\"call\": 0.5}},"
                              " \"rules\": {\"except\": [\"a\", \"b\"]},"
                              " \"verbosity\": {\"parts\": []}}");
    assert_int_equal(profile_parse(text, "p.json", *state, &p, &err), 0);
    assert_true(bytes_equal(p.name, BYTES("mine")));
    assert_true(p.high_cc == 8 && p.high_cognitive == 10);
    assert_int_equal(p.n_cc_weights, 1);
    assert_true(weight(&p, "call") == 0.5 && p.cc_base == 1);
    assert_int_equal(p.clones, PROFILE_CLONES_FUNCTION_BODY);
    assert_int_equal(p.rules_out.n_items, 2);
    assert_false(p.part_rules || p.part_clones || p.part_structural);
    assert_int_equal(profile_parse(BYTES("{\"name\": \"x\"}"), "p.json", *state, &p, &err), 0);
    assert_int_equal(p.callables, CALLABLES_REACHABLE);
}

static void
test_profile_parse__refusals_name_file_and_place(void **state)
{
    static const struct {
        const char *text;
        const char *message;
    } cases[] = {
        {"3", "p.json: must be an object, is a number"},
        {"{\"high_cc\": 8}", "p.json: \"name\" is missing"},
        {"{\"extends\": \"papers\"}", "p.json: extends: must be one of \"paper\", "},
        {"{\"size_term\": \"log\"}",
         "p.json: size_term: must be one of \"none\", \"sqrt\", \"linear\", is \"log\""},
        {"{\"high_cc\": -1}", "p.json: high_cc: must not be negative"},
        {"{\"high_cc\": 1e999}", "p.json: high_cc: is too large"},
        {"{\"clones\": {\"min_sloc\": 2}}", "p.json: clones.min_sloc: must be from 3 to"},
        {"{\"cc\": {\"weights\": {\"if\": \"1\"}}}", "p.json: cc.weights.if: must be a number"},
        {"{\"cc\": {\"weights\": {\"if\": 1, \"if\": 2}}}", "cc.weights.if: is given twice"},
        {"{\"cc\": {\"weight\": {}}}", "p.json: cc: unknown field \"weight\"; there are base"},
        {"{\"verbosity\": {\"parts\": [\"rules\", \"smells\"]}}", "verbosity.parts[1]: must be"},
        {"{\"rules\": {\"severities\": [\"error\", \"warnings\"]}}",
         "p.json: rules.severities[1]: must be one of \"error\", \"warning\", \"info\", \"hint\""},
        {"{\"rules\": {\"except\": [\"a\", \"a\"]}}", "rules.except[1]: \"a\" is in the list"},
        {"{\"cc\": null}", "p.json: cc: must be an object, is null"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct profile p;
        struct err err = {0};
        assert_int_equal(profile_parse(bytes_of_text(cases[i].text), "p.json", *state, &p, &err),
                         -1);
        assert_int_equal(err.code, ERR_INPUT);
        if (!strstr(err.text, cases[i].message))
            fail_msg("wanted \"%s\" in \"%s\"", cases[i].message, err.text);
    }
}

static void
test_profile_read__a_slip_in_a_name_lists_the_names(void **state)
{
    struct profile p;
    struct err err;
    assert_int_equal(profile_read("papper", *state, &p, &err), -1);
    assert_non_null(strstr(err.text, "\"papper\" is no built-in profile (paper,"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_profile_read__every_builtin_is_whole_and_named_as_it_is_asked_for),
        TEST(test_profile_read__builtins_differ_as_their_definitions_do),
        TEST(test_profile_parse__a_variant_changes_what_it_names),
        TEST(test_profile_parse__refusals_name_file_and_place),
        TEST(test_profile_read__a_slip_in_a_name_lists_the_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
