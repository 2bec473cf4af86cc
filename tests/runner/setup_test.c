/* What a run's folder says of its setup. */
#include "run_box.h"

static void
assert_text(struct bytes actual, const char *expected)
{
    assert_true(bytes_equal(actual, bytes_of_text(expected)));
}

static void
test_runner_setup__names_the_problems_it_was_told_to_do(void **state)
{
    struct run_box *box = *state;
    struct runner_setup setup;
    struct buf warnings = {0};
    box_begin_run(box);
    box_write(box, "run/config.yaml",
              "agent: {type: claude_code, version: 2.0.51}\nmodel: {name: m}\n"
              "prompt_path: prompts/plain.jinja\nthinking: none\nproblems: [q, p]\n");
    box_shell(box, "mv run claude_code-2.0.51_plain_none_20260604T2240");
    const char *path = box_path(box, "claude_code-2.0.51_plain_none_20260604T2240/");
    if (runner_read_setup(path, &box->arena, &setup, &warnings, &box->err) < 0)
        fail_msg("%s", box->err.text);
    assert_text(setup.model, "m");
    assert_text(setup.variant, "plain");
    assert_text(setup.run, "20260604T2240");
    assert_text(setup.prompt, "plain");
    assert_text(setup.thinking, "none");
    assert_text(setup.agent_type, "claude_code");
    assert_text(setup.agent_version, "2.0.51");
    assert_int_equal(setup.n_problems, 2);
    assert_text(setup.problems[0].name, "q");
    assert_int_equal(setup.problems[0].n_checkpoints, 0); /* never begun */
    assert_text(setup.problems[1].name, "p");
    assert_int_equal(setup.problems[1].n_checkpoints, 2);
    buf_clear(&warnings);
}

static void
test_runner_setup__without_a_configuration_the_folders_speak(void **state)
{
    struct run_box *box = *state;
    struct runner_setup setup;
    struct buf warnings = {0};
    box_begin_run(box);
    box_write(box, "run/config.yaml", "problems: {p: 1\n");
    if (runner_read_setup(box_path(box, "run"), &box->arena, &setup, &warnings, &box->err) < 0)
        fail_msg("%s", box->err.text);
    assert_null(setup.model.data);
    assert_int_equal(setup.n_problems, 1);
    assert_text(setup.problems[0].name, "p");
    buf_append_byte(&warnings, 0);
    assert_non_null(strstr((char *)warnings.data, "config.yaml"));
    assert_int_equal(
        runner_read_setup(box_path(box, "gone"), &box->arena, &setup, &warnings, &box->err), -1);
    buf_clear(&warnings);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, run_box_create, run_box_destroy)
    const struct CMUnitTest tests[] = {
        TEST(test_runner_setup__names_the_problems_it_was_told_to_do),
        TEST(test_runner_setup__without_a_configuration_the_folders_speak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
