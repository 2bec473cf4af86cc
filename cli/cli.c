/*
 * What all commands share: running one of them, its messages and its output.
 *
 * A message may quote text from outside, such as a path, so it is printed with control characters
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

/* After memory ran out, every other error follows from that.  Needs no memory. */
static int
fail_without_memory(const struct cli_command *command)
{
    fprintf(stderr, "strata %s: out of memory; nothing was printed or stored\n", command->name);
    return CLI_INTERNAL;
}

int
cli_usage(const struct cli_command *command, const char *format, ...)
{
    if (memory_ran_out())
        return fail_without_memory(command);
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
    if (memory_ran_out())
        return fail_without_memory(command);
    print_message(command, err->text);
    return status_of(err->code);
}

/* Writing to stdout failed.  If its reader closed it, that is not reported as an error: the
 * program ends as SIGPIPE would have ended it. */
static int
fail_stdout(const struct cli_command *command)
{
    struct err err;
    if (errno == EPIPE)
        return CLI_PIPE;
    err_set_errno(&err, "write the output");
    print_message(command, err.text);
    return CLI_INPUT;
}

int
cli_print(const struct cli_command *command, struct buf *out)
{
    int status = CLI_DONE;
    if (buf_failed(out) || memory_ran_out())
        status = fail_without_memory(command);
    else if ((out->len > 0 && fwrite(out->data, 1, out->len, stdout) != out->len) ||
             fflush(stdout) != 0)
        status = fail_stdout(command);
    buf_clear(out);
    return status;
}
