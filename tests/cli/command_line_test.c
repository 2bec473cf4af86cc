/* Command lines into a request, and the help of a command, from one table of options. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cmocka_all.h"

struct request {
    struct cli_common common;
    const char *name;
    struct cli_list globs;
    uint64_t count, size;
    double bound;
    enum { COLOUR_RED, COLOUR_GREEN } colour;
    unsigned days;
};

static const char *
day_at(size_t i)
{
    static const char *const days[] = {"monday", "tuesday", "friday"};
    return i < 3 ? days[i] : NULL;
}

static const char *const colours[] = {"red", "green", NULL};

static void
set_defaults(void *self)
{
    struct request *request = self;
    request->name = "paper";
    request->count = 7;
    request->size = 4 << 20;
    request->bound = INFINITY;
    request->colour = COLOUR_GREEN;
}

static int
run(void *request, const struct cli_list *arguments)
{
    (void)request;
    return (int)arguments->n_items;
}

static const struct cli_option options[] = {
    {.name = "--name", .value = "NAME", .help = "a name", CLI_TEXT(struct request, name)},
    {.name = "--glob", .value = "GLOB", .help = "a glob", CLI_LIST(struct request, globs)},
    CLI_HEADING("Numbers:"),
    {.name = "--count",
     .value = "N",
     .help = "a number",
     .min = 2,
     .max = 9,
     CLI_NUMBER(struct request, count)},
    {.name = "--size", .value = "SIZE", .help = "a size", CLI_SIZE(struct request, size)},
    {.name = "--bound", .value = "X", .help = "a bound", CLI_REAL(struct request, bound)},
    {.name = "--colour",
     .value = "WORD",
     .help = "a colour",
     .choices = colours,
     CLI_CHOICE(struct request, colour)},
    {.name = "--day-of-the-week",
     .value = "NAME",
     .help = "a day",
     .choice_at = day_at,
     CLI_SET(struct request, days)},
    CLI_JSON(struct request, common, "as JSON"),
    CLI_JOBS(struct request, common),
    CLI_QUIET(struct request, common),
    CLI_END,
};

static const struct cli_command command = {
    .name = "try this",
    .summary = "a command for tests",
    .usage = "[OPTION...] FILE\n--json",
    .about =
        "Does what tests need, in a sentence that is long enough to be wrapped at the end of a "
        "line.\n\nAnd says so.",
    .notes = "More follows.",
    .statuses = "0; 2 usage.",
    .options = options,
    .request_size = sizeof(struct request),
    .set_defaults = set_defaults,
    .n_arguments_max = 2,
    .run = run,
};

/* Parse WORDS, separated by spaces, into REQUEST with its defaults. */
static int
parse(const char *words, struct request *request, struct cli_list *arguments)
{
    static char text[256];
    char *argv[32];
    int argc = 0;
    snprintf(text, sizeof(text), "%s", words);
    for (char *rest = text, *word; (word = strtok_r(rest, " ", &rest)) != NULL;)
        argv[argc++] = word;
    *request = (struct request){0};
    *arguments = (struct cli_list){0};
    set_defaults(request);
    return cli_parse(&command, argc, argv, request, arguments);
}

static void
test_cli_parse__fills_the_request(void **state)
{
    (void)state;
    struct request request;
    struct cli_list arguments;
    int status = parse("a --name x --glob=*.py --glob b --count 9 --size 2K --bound 0.5 --colour "
                       "red --day-of-the-week friday --day-of-the-week monday --json --jobs 3 "
                       "--quiet -- --name",
                       &request, &arguments);
    assert_int_equal(status, CLI_DONE);
    assert_string_equal(request.name, "x");
    assert_int_equal(request.globs.n_items, 2);
    assert_string_equal(request.globs.items[0], "*.py");
    assert_string_equal(request.globs.items[1], "b");
    assert_int_equal(request.count, 9);
    assert_int_equal(request.size, 2048);
    assert_true(request.bound == 0.5);
    assert_int_equal(request.colour, COLOUR_RED);
    assert_int_equal(request.days, 1u << 2 | 1u << 0);
    assert_true(request.common.json && request.common.quiet);
    assert_int_equal(request.common.jobs, 3);
    assert_int_equal(arguments.n_items, 2);
    assert_string_equal(arguments.items[0], "a");
    assert_string_equal(arguments.items[1], "--name");
    cli_clear(&command, &request, &arguments);
    assert_null(request.globs.items);
}

static void
test_cli_parse__keeps_defaults(void **state)
{
    (void)state;
    struct request request;
    struct cli_list arguments;
    assert_int_equal(parse("-", &request, &arguments), CLI_DONE);
    assert_string_equal(request.name, "paper");
    assert_int_equal(request.count, 7);
    assert_int_equal(request.colour, COLOUR_GREEN);
    assert_true(request.common.jobs >= 1);
    assert_string_equal(arguments.items[0], "-");
    cli_clear(&command, &request, &arguments);
}

static void
test_cli_parse__refuses(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "--nothing",   "--nam x",    "--name",        "--count 1",
        "--count 10",  "--count x",  "--count=",      "--size 4X",
        "--bound nan", "--bound a",  "--colour blue", "--json=yes",
        "--jobs 0",    "--jobs 257", "a b c",         "--day-of-the-week sunday"};
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct request request;
        struct cli_list arguments;
        if (parse(cases[i], &request, &arguments) != CLI_USAGE)
            fail_msg("taken: %s", cases[i]);
        cli_clear(&command, &request, &arguments);
    }
}

static void
test_cli_run__gives_the_status_of_the_command(void **state)
{
    (void)state;
    char *words[] = {(char[]){"one"}, (char[]){"two"}};
    assert_int_equal(cli_run(&command, 2, words), 2);
    char *bad[] = {(char[]){"--bad"}};
    assert_int_equal(cli_run(&command, 1, bad), CLI_USAGE);
}

static void
test_cli_fail__status_follows_the_error(void **state)
{
    (void)state;
    struct err err;
    err_set(&err, ERR_INPUT, "no such thing");
    assert_int_equal(cli_fail(&command, &err), CLI_INPUT);
    err_set(&err, ERR_STOPPED, "stopped");
    assert_int_equal(cli_fail(&command, &err), CLI_STOPPED);
    err_set(&err, ERR_INTERNAL, "a mistake of ours");
    assert_int_equal(cli_fail(&command, &err), CLI_INTERNAL);
    err_set(&err, ERR_USAGE, "not like this");
    assert_int_equal(cli_fail(&command, &err), CLI_USAGE);
}

static void
test_cli_help__is_the_table(void **state)
{
    (void)state;
    static const char expected[] =
        "usage: strata try this [OPTION...] FILE\n"
        "       strata try this --json\n"
        "\n"
        "Does what tests need, in a sentence that is long enough to be wrapped at the end\n"
        "of a line.\n"
        "\n"
        "And says so.\n"
        "\n"
        "  --name NAME            a name [paper]\n"
        "  --glob GLOB            a glob (repeatable)\n"
        "\n"
        "Numbers:\n"
        "  --count N              a number [7]\n"
        "  --size SIZE            a size [4M]\n"
        "  --bound X              a bound\n"
        "  --colour WORD          a colour: red, green [green]\n"
        "  --day-of-the-week NAME\n"
        "                         a day: monday, tuesday, friday (repeatable)\n"
        "  --json                 as JSON\n"
        "  --jobs N               threads [the number of cores]\n"
        "  --quiet                no progress\n"
        "\n"
        "More follows.\n"
        "\n"
        "Exit status: 0; 2 usage.\n";
    struct buf out = {0};
    struct err err;
    assert_int_equal(cli_help(&command, &out, &err), 0);
    buf_append_byte(&out, 0);
    assert_string_equal((const char *)out.data, expected);
    buf_clear(&out);
}

static void
test_cli_help__of_a_command_without_anything(void **state)
{
    (void)state;
    static const struct cli_option none[] = {CLI_END};
    const struct cli_command plain = {
        .name = "plain", .usage = "", .about = "Does it.", .statuses = "0.", .options = none};
    struct buf out = {0};
    struct err err;
    assert_int_equal(cli_help(&plain, &out, &err), 0);
    buf_append_byte(&out, 0);
    assert_string_equal((const char *)out.data,
                        "usage: strata plain\n\nDoes it.\n\nExit status: 0.\n");
    buf_clear(&out);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cli_parse__fills_the_request),
        cmocka_unit_test(test_cli_parse__keeps_defaults),
        cmocka_unit_test(test_cli_parse__refuses),
        cmocka_unit_test(test_cli_run__gives_the_status_of_the_command),
        cmocka_unit_test(test_cli_fail__status_follows_the_error),
        cmocka_unit_test(test_cli_help__is_the_table),
        cmocka_unit_test(test_cli_help__of_a_command_without_anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
