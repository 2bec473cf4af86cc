/*
 * cli: one small file per command; reads arguments, calls a room, prints.
 *
 * Results go to stdout, messages and progress to stderr.  Exit statuses are enum cli_status.
 */
#ifndef STRATA_CLI_CLI_H
#define STRATA_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

enum cli_status {
    CLI_DONE = 0,
    CLI_FINDINGS = 1, /* done, with findings or skips where the command says so */
    CLI_USAGE = 2,
    CLI_INPUT = 3, /* input could not be used */
    CLI_INTERNAL = 4
};

/* A command or, where it has subcommands, one of them. */
struct cli_command {
    const char *name;    /* "check", "store info" */
    const char *summary; /* one line for `strata --help` */
    const char *help;    /* what `strata NAME --help` prints; begins with "usage: strata NAME" */
    int (*run)(int argc, char **argv); /* argv[0] is the word behind the command's name */
};

struct cli_list {
    const char **items; /* borrowed from argv; the array is malloc'ed, freed by cli_list_clear */
    size_t n_items;
};

void cli_list_clear(struct cli_list *list);

/*
 * One option of a command.  Exactly one of the targets is set; text and list values point into
 * argv.  A value given twice takes the last, a list takes all.
 */
struct cli_option {
    const char *name; /* "--store" */
    bool *flag;
    const char **text;
    struct cli_list *list;
    uint64_t *number; /* decimal, min to max */
    uint64_t *size;   /* bytes, with K, M, G */
    double *real;
    uint64_t min;
    uint64_t max; /* 0 means no upper bound */
};

/*
 * Take OPTIONS (ended by a NULL name) and collect what is not an option into REST ("--" ends
 * options, "--name=value" works).  0; or -1 after printing what is wrong and where help is.
 */
int cli_parse(const struct cli_command *command, int argc, char **argv,
              const struct cli_option *options, struct cli_list *rest);

/* Options every long command takes. */
struct cli_common {
    uint64_t jobs; /* at least 1 */
    bool quiet;
    bool json;
};

/* The default: jobs as many as cores. */
struct cli_common cli_common_default(void);
#define CLI_JOBS(common)                                                 \
    {                                                                    \
        .name = "--jobs", .number = &(common).jobs, .min = 1, .max = 256 \
    }
#define CLI_QUIET(common)                          \
    {                                              \
        .name = "--quiet", .flag = &(common).quiet \
    }
#define CLI_JSON(common)                         \
    {                                            \
        .name = "--json", .flag = &(common).json \
    }

/* Print "strata NAME: <sentence>" for a usage mistake; CLI_USAGE. */
int cli_usage(const struct cli_command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Print ERR; the status its code asks for. */
int cli_fail(const struct cli_command *command, const struct err *err);
/* Write OUT to stdout and clear it; CLI_DONE, or CLI_INTERNAL when stdout refuses. */
int cli_print(const struct cli_command *command, struct buf *out);

/* Every command there is, in the order of `strata --help`; NULL ends the table. */
extern const struct cli_command *const cli_commands[];

#endif
