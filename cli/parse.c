/*
 * From the command line to a request, by the command's table of options.
 *
 * Words are looked at in order: an option fills its member of the request, which the table gives as
 * an offset; anything else is an argument.  Everything after "--" is an argument, and so is "-",
 * which many programs take for standard input.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "cli/cli.h"

/* What is being parsed. */
struct parsing {
    const struct cli_command *command;
    void *request;
    struct cli_list *arguments;
};

/* ---- Lists --------------------------------------------------------------------------------- */

static int
list_add(const struct parsing *parsing, struct cli_list *list, const char *item)
{
    if (!ARRAY_RESERVE(list->items, list->n_items, list->capacity, 1)) {
        struct err err;
        err_nomem(&err, "arguments");
        return cli_fail(parsing->command, &err);
    }
    list->items[list->n_items++] = item;
    return CLI_DONE;
}

static void
list_clear(struct cli_list *list)
{
    free(list->items);
    *list = (struct cli_list){0};
}

/* ---- Values -------------------------------------------------------------------------------- */

/* The member of REQUEST that OPTION fills. */
static void *
member_of(void *request, const struct cli_option *option)
{
    return (char *)request + option->offset;
}

static int
take_number(const struct parsing *parsing, const struct cli_option *option, const char *value)
{
    uint64_t *out = member_of(parsing->request, option);
    uint64_t max = option->max ? option->max : UINT64_MAX;
    if (num_parse_u64(bytes_of_text(value), option->min, max, out) == 0)
        return CLI_DONE;
    if (option->max)
        return cli_usage(parsing->command, "%s takes a whole number from %llu to %llu, not '%s'",
                         option->name, (unsigned long long)option->min, (unsigned long long)max,
                         value);
    return cli_usage(parsing->command, "%s takes a whole number of at least %llu, not '%s'",
                     option->name, (unsigned long long)option->min, value);
}

const char *
cli_choice(const struct cli_option *option, size_t i)
{
    if (option->choice_at)
        return option->choice_at(i);
    return option->choices ? option->choices[i] : NULL;
}

static int
take_choice(const struct parsing *parsing, const struct cli_option *option, const char *value)
{
    unsigned *out = member_of(parsing->request, option);
    struct buf words = {0};
    const char *word;
    for (unsigned i = 0; (word = cli_choice(option, i)) != NULL; i++) {
        if (strcmp(value, word) == 0) {
            *out = option->kind == CLI_KIND_SET ? *out | 1u << i : i;
            buf_clear(&words);
            return CLI_DONE;
        }
        buf_printf(&words, "%s%s", i ? ", " : "", word);
    }
    cli_usage(parsing->command, "%s takes one of %.*s, not '%s'", option->name,
              BYTES_ARG(buf_bytes(&words)), value);
    buf_clear(&words);
    return CLI_USAGE;
}

static int
take_value(const struct parsing *parsing, const struct cli_option *option, const char *value)
{
    void *out = member_of(parsing->request, option);
    switch (option->kind) {
    case CLI_KIND_TEXT:
        memcpy(out, &value, sizeof(value));
        return CLI_DONE;
    case CLI_KIND_LIST:
        return list_add(parsing, out, value);
    case CLI_KIND_NUMBER:
    case CLI_KIND_JOBS:
        return take_number(parsing, option, value);
    case CLI_KIND_SIZE:
        if (num_parse_size(bytes_of_text(value), out) == 0)
            return CLI_DONE;
        return cli_usage(parsing->command, "%s takes a size such as 4M or 500000, not '%s'",
                         option->name, value);
    case CLI_KIND_REAL:
        if (num_parse_double(bytes_of_text(value), out) == 0)
            return CLI_DONE;
        return cli_usage(parsing->command, "%s takes a number, not '%s'", option->name, value);
    case CLI_KIND_CHOICE:
    case CLI_KIND_SET:
        return take_choice(parsing, option, value);
    case CLI_KIND_FLAG:
    case CLI_KIND_HEADING:
        break;
    }
    assert(!"an option without a value");
    return CLI_INTERNAL;
}

/* ---- Words --------------------------------------------------------------------------------- */

static const struct cli_option *
find_option(const struct cli_option *options, const char *word, size_t name_len)
{
    for (const struct cli_option *option = options; option->help; option++)
        if (option->name && strlen(option->name) == name_len &&
            memcmp(option->name, word, name_len) == 0)
            return option;
    return NULL;
}

/* Take the option at ARGV[*I], and the word after it when that is its value. */
static int
take_option(const struct parsing *parsing, int argc, char **argv, int *i)
{
    const char *word = argv[*i], *equals = strchr(word, '=');
    size_t name_len = equals ? (size_t)(equals - word) : strlen(word);
    const struct cli_option *option = find_option(parsing->command->options, word, name_len);
    if (!option)
        return cli_usage(parsing->command, "%.*s is not an option of this command", (int)name_len,
                         word);
    if (option->kind == CLI_KIND_FLAG) {
        if (equals)
            return cli_usage(parsing->command, "%s takes no value", option->name);
        *(bool *)member_of(parsing->request, option) = true;
        return CLI_DONE;
    }
    if (!equals && *i + 1 == argc)
        return cli_usage(parsing->command, "%s needs a value", option->name);
    return take_value(parsing, option, equals ? equals + 1 : argv[++*i]);
}

/* Where no number of threads was given there is one for each core. */
static void
resolve_jobs(const struct parsing *parsing)
{
    for (const struct cli_option *option = parsing->command->options; option->help; option++) {
        uint64_t *jobs = member_of(parsing->request, option);
        if (option->kind == CLI_KIND_JOBS && *jobs == 0)
            *jobs = thread_pool_default_size();
    }
}

int
cli_parse(const struct cli_command *command, int argc, char **argv, void *request,
          struct cli_list *arguments)
{
    const struct parsing parsing = {command, request, arguments};
    bool are_options = true;
    int status = CLI_DONE;
    for (int i = 0; i < argc && status == CLI_DONE; i++) {
        if (are_options && strcmp(argv[i], "--") == 0)
            are_options = false;
        else if (are_options && argv[i][0] == '-' && argv[i][1] != '\0')
            status = take_option(&parsing, argc, argv, &i);
        else
            status = list_add(&parsing, arguments, argv[i]);
    }
    if (status == CLI_DONE && command->n_arguments_max != CLI_ANY_NUMBER &&
        arguments->n_items > (size_t)command->n_arguments_max)
        status = cli_usage(command, "'%s' is one argument too many",
                           arguments->items[command->n_arguments_max]);
    resolve_jobs(&parsing);
    return status;
}

void
cli_clear(const struct cli_command *command, void *request, struct cli_list *arguments)
{
    for (const struct cli_option *option = command->options; option->help; option++)
        if (option->kind == CLI_KIND_LIST)
            list_clear(member_of(request, option));
    list_clear(arguments);
}
