/* Options, errors and output that all commands share. */
#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
cli_list_clear(struct cli_list *list)
{
    free(list->items);
    *list = (struct cli_list){0};
}

static int
list_add(const struct cli_command *command, struct cli_list *list, const char *item)
{
    const char **items = reallocarray(list->items, list->n_items + 1, sizeof(*items));
    if (!items) {
        cli_usage(command, "out of memory");
        return -1;
    }
    list->items = items;
    list->items[list->n_items++] = item;
    return 0;
}

static const struct cli_option *
find_option(const struct cli_option *options, const char *argument, size_t name_len)
{
    for (const struct cli_option *option = options; option->name; option++)
        if (strlen(option->name) == name_len && memcmp(option->name, argument, name_len) == 0)
            return option;
    return NULL;
}

static int
take_number(const struct cli_command *command, const struct cli_option *option, const char *value)
{
    uint64_t max = option->max ? option->max : UINT64_MAX;
    if (num_parse_u64(bytes_of_text(value), option->min, max, option->number) == 0)
        return 0;
    if (option->max)
        cli_usage(command, "%s wants a whole number from %llu to %llu, not '%s'", option->name,
                  (unsigned long long)option->min, (unsigned long long)option->max, value);
    else
        cli_usage(command, "%s wants a whole number of at least %llu, not '%s'", option->name,
                  (unsigned long long)option->min, value);
    return -1;
}

static int
take_value(const struct cli_command *command, const struct cli_option *option, const char *value)
{
    if (option->number)
        return take_number(command, option, value);
    if (option->list)
        return list_add(command, option->list, value);
    if (option->text) {
        *option->text = value;
        return 0;
    }
    if (option->size) {
        if (num_parse_size(bytes_of_text(value), option->size) == 0)
            return 0;
        cli_usage(command, "%s wants a size such as 4M or 500000, not '%s'", option->name, value);
        return -1;
    }
    if (num_parse_double(bytes_of_text(value), option->real) == 0)
        return 0;
    cli_usage(command, "%s wants a number, not '%s'", option->name, value);
    return -1;
}

static int
refuse(const struct cli_command *command, const char *name, size_t name_len, const char *why)
{
    cli_usage(command, "%.*s %s", (int)name_len, name, why);
    return -1;
}

int
cli_parse(const struct cli_command *command, int argc, char **argv,
          const struct cli_option *options, struct cli_list *rest)
{
    for (int i = 0; i < argc; i++) {
        const char *argument = argv[i];
        if (argument[0] != '-' || argument[1] == '\0') {
            if (list_add(command, rest, argument) < 0)
                return -1;
            continue;
        }
        if (strcmp(argument, "--") == 0) {
            for (i++; i < argc; i++)
                if (list_add(command, rest, argv[i]) < 0)
                    return -1;
            break;
        }
        const char *equals = strchr(argument, '=');
        size_t name_len = equals ? (size_t)(equals - argument) : strlen(argument);
        const struct cli_option *option = find_option(options, argument, name_len);
        if (!option)
            return refuse(command, argument, name_len, "is not an option of this command");
        if (option->flag) {
            if (equals)
                return refuse(command, argument, name_len, "takes no value");
            *option->flag = true;
            continue;
        }
        if (!equals && i + 1 == argc)
            return refuse(command, argument, name_len, "wants a value");
        if (take_value(command, option, equals ? equals + 1 : argv[++i]) < 0)
            return -1;
    }
    return 0;
}

struct cli_common
cli_common_default(void)
{
    return (struct cli_common){.jobs = thread_pool_default_size()};
}

/* A message, which may quote what is not ours, as a line. */
static void
say(const struct cli_command *command, const char *text)
{
    struct buf line = {0};
    printable_append(&line, bytes_of_text(text));
    fprintf(stderr, "strata %s: %.*s\n", command->name, BYTES_ARG(buf_bytes(&line)));
    buf_clear(&line);
}

int
cli_usage(const struct cli_command *command, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    say(command, text);
    fprintf(stderr, "Try: strata %s --help\n", command->name);
    return CLI_USAGE;
}

static int
status_of(enum err_code code)
{
    switch (code) {
    case ERR_USAGE:
        return CLI_USAGE;
    case ERR_NOMEM:
    case ERR_INTERNAL:
    case ERR_NONE:
        return CLI_INTERNAL;
    case ERR_STOPPED:
        return 130; /* as a shell reports SIGINT */
    default:
        return CLI_INPUT;
    }
}

int
cli_fail(const struct cli_command *command, const struct err *err)
{
    say(command, err->text);
    return status_of(err->code);
}

int
cli_print(const struct cli_command *command, struct buf *out)
{
    struct err err;
    int status = CLI_DONE;
    if (buf_failed(out)) {
        err_nomem(&err, "the output");
        status = cli_fail(command, &err);
    } else if ((out->len > 0 && fwrite(out->data, 1, out->len, stdout) != out->len) ||
               fflush(stdout) != 0) {
        if (errno != EPIPE) { /* a reader that has seen enough is no error to speak of */
            err_set_errno(&err, "write the output");
            cli_fail(command, &err);
        }
        status = CLI_INTERNAL;
    }
    buf_clear(out);
    return status;
}
