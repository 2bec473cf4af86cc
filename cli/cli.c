/*
 * What all commands share: running one of them, its messages and its output.
 *
 * A message may quote what is not ours, such as a path: it is printed with control characters
 * escaped.
 */
#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int
cli_run(const struct cli_command *command, int argc, char **argv)
{
    struct cli_list arguments = {0};
    struct err err;
    void *request = calloc(1, command->request_size ? command->request_size : 1);
    if (!request) {
        err_nomem(&err, "the request");
        return cli_fail(command, &err);
    }
    if (command->set_defaults)
        command->set_defaults(request);
    int status = cli_parse(command, argc, argv, request, &arguments);
    if (status == CLI_DONE)
        status = command->run(request, &arguments);
    cli_clear(command, request, &arguments);
    free(request);
    return status;
}

static void
print_message(const struct cli_command *command, const char *text)
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
    print_message(command, text);
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
        return CLI_STOPPED;
    default:
        return CLI_INPUT;
    }
}

int
cli_fail(const struct cli_command *command, const struct err *err)
{
    print_message(command, err->text);
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
        if (errno != EPIPE) { /* a reader that has seen enough is not an error to report */
            err_set_errno(&err, "write the output");
            cli_fail(command, &err);
        }
        status = CLI_INTERNAL;
    }
    buf_clear(out);
    return status;
}
