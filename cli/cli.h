/*
 * cli: the program.  Each command is one file: it reads a request, calls a library and prints.
 *
 * A command is described once, in its struct cli_command.  main() finds it by its name, cli_parse()
 * fills its request from the command line and cli_help() prints its help, all from that
 * description; the manual page and the tests read the help.  cli/commands.h lists the commands.
 *
 * Results go to stdout, messages and progress to stderr.  Exit statuses are enum cli_status.  May
 * include every folder.
 */
#ifndef STRATA_CLI_CLI_H
#define STRATA_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

enum cli_status {
    CLI_DONE = 0,
    CLI_FINDINGS = 1, /* done, with findings or things left out where the command says so */
    CLI_USAGE = 2,
    CLI_INPUT = 3, /* input could not be used */
    CLI_INTERNAL = 4,
    CLI_STOPPED = 130, /* as a shell reports SIGINT */
    CLI_PIPE = 141     /* the reader of stdout closed it; as a shell reports SIGPIPE */
};

/* Texts from the command line, in the order given. */
struct cli_list {
    const char **items; /* borrowed from argv; the array is malloc'ed */
    size_t n_items;
    size_t capacity;
};

/* ---- Options ------------------------------------------------------------------------------- */

/* What an option's value is, and the type of the member of the request that keeps it. */
enum cli_kind {
    CLI_KIND_HEADING, /* not an option: a heading above those that follow */
    CLI_KIND_FLAG,    /* bool */
    CLI_KIND_TEXT,    /* const char *, borrowed from argv; the last one given counts */
    CLI_KIND_LIST,    /* struct cli_list: all that are given */
    CLI_KIND_NUMBER,  /* uint64_t, decimal, from min to max */
    CLI_KIND_JOBS,    /* uint64_t, a number of threads; 0 becomes the number of cores */
    CLI_KIND_SIZE,    /* uint64_t, bytes, with a K, M or G */
    CLI_KIND_REAL,    /* double */
    CLI_KIND_CHOICE,  /* unsigned, or an enum from 0: which of the choices */
    CLI_KIND_SET      /* unsigned: bit I is set when choice I was given */
};

#define CLI_NOT_GIVEN UINT32_MAX /* a choice without a default */

struct cli_option {
    const char *name;  /* "--store" */
    const char *value; /* what --help calls its value, "DIR"; NULL for a flag */
    const char *help;  /* what it does, as a text that --help wraps; for a heading its text */
    enum cli_kind kind;
    size_t offset;              /* of the member of the request */
    uint64_t min, max;          /* of a number; max 0 means no upper bound */
    const char *const *choices; /* the words a choice or a set takes, ended by NULL; or ... */
    const char *(*choice_at)(size_t i); /* ... the function that names them, NULL after the last */
    const char *no_default;             /* what --help says when the option is not given */
};

/* The offset of MEMBER in the struct REQUEST; a member of another type does not compile. */
#define CLI_MEMBER(request, member, type) \
    .offset = _Generic(((request *)0)->member, type : offsetof(request, member))
#define CLI_FLAG(request, member) .kind = CLI_KIND_FLAG, CLI_MEMBER(request, member, bool)
#define CLI_TEXT(request, member) .kind = CLI_KIND_TEXT, CLI_MEMBER(request, member, const char *)
#define CLI_LIST(request, member) \
    .kind = CLI_KIND_LIST, CLI_MEMBER(request, member, struct cli_list)
#define CLI_NUMBER(request, member) .kind = CLI_KIND_NUMBER, CLI_MEMBER(request, member, uint64_t)
#define CLI_SIZE(request, member) .kind = CLI_KIND_SIZE, CLI_MEMBER(request, member, uint64_t)
#define CLI_REAL(request, member) .kind = CLI_KIND_REAL, CLI_MEMBER(request, member, double)
#define CLI_CHOICE(request, member) .kind = CLI_KIND_CHOICE, CLI_MEMBER(request, member, unsigned)
#define CLI_SET(request, member) .kind = CLI_KIND_SET, CLI_MEMBER(request, member, unsigned)
/* A heading; "" is an empty line. */
#define CLI_HEADING(text)                       \
    {                                           \
        .kind = CLI_KIND_HEADING, .help = text, \
    }
/* Ends a table of options. */
#define CLI_END \
    {           \
        0       \
    }

/* Options that many commands take; MEMBER is a struct cli_common of the struct REQUEST. */
struct cli_common {
    uint64_t jobs; /* at least 1 after cli_parse */
    bool quiet;
    bool json;
};
#define CLI_JOBS(request, member)                                                \
    {                                                                            \
        .name = "--jobs", .value = "N", .help = "threads", .min = 1, .max = 256, \
        .kind = CLI_KIND_JOBS, CLI_MEMBER(request, member.jobs, uint64_t),       \
        .no_default = "the number of cores",                                     \
    }
#define CLI_QUIET(request, member)                                                \
    {                                                                             \
        .name = "--quiet", .help = "no progress", CLI_FLAG(request, member.quiet) \
    }
#define CLI_JSON(request, member, text)                                \
    {                                                                  \
        .name = "--json", .help = text, CLI_FLAG(request, member.json) \
    }

/* ---- Commands ------------------------------------------------------------------------------ */

enum { CLI_ANY_NUMBER = -1 };

/* A command or, where the first word has several, one of them.  Texts are wrapped by --help; an
 * empty line separates paragraphs. */
struct cli_command {
    const char *name;                 /* "check", "store info" */
    const char *summary;              /* one line for `strata --help` */
    const char *usage;                /* what follows the name, a line for each way to call it */
    const char *about;                /* what the command does */
    const char *notes;                /* what --help says after the options; may be NULL */
    const char *statuses;             /* exit statuses: "0; 2 usage; ..." */
    const struct cli_option *options; /* ended by CLI_END; where lists and values go */
    size_t request_size;              /* bytes of the struct that the options' offsets are of */
    int n_arguments_max;              /* besides options; CLI_ANY_NUMBER */
    /* Set what options default to in a zeroed request; may be NULL.  Allocates nothing. */
    void (*set_defaults)(void *request);
    /* Do it.  REQUEST and ARGUMENTS are the caller's.  An enum cli_status. */
    int (*run)(void *request, const struct cli_list *arguments);
};

/*
 * Run COMMAND with the words after its name: set the defaults, parse, call its run function and
 * free the lists.  The exit status.
 */
int cli_run(const struct cli_command *command, int argc, char **argv);

/*
 * Fill REQUEST, which holds its defaults, from the words after the command's name; what is not an
 * option goes to ARGUMENTS.  "--" ends the options and "--name=value" works.  CLI_DONE, or the
 * status after printing what is wrong; in both cases cli_clear frees what was kept.
 */
int cli_parse(const struct cli_command *command, int argc, char **argv, void *request,
              struct cli_list *arguments);
/* Free the lists of REQUEST and ARGUMENTS. */
void cli_clear(const struct cli_command *command, void *request, struct cli_list *arguments);

/* The Ith of the words that OPTION takes; NULL after the last, or when it takes any. */
const char *cli_choice(const struct cli_option *option, size_t i);

/* Append to OUT what `strata NAME --help` prints, words wrapped at CLI_HELP_COLUMNS.  ERR_NOMEM. */
enum { CLI_HELP_COLUMNS = 80 };
int cli_help(const struct cli_command *command, struct buf *out, struct err *err);

/* ---- Messages and results ------------------------------------------------------------------ */

/* Print "strata NAME: <sentence>" and where help is, for a usage mistake.  CLI_USAGE. */
int cli_usage(const struct cli_command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Print ERR as a message of COMMAND.  The status that its code means. */
int cli_fail(const struct cli_command *command, const struct err *err);
/* Write OUT to stdout and clear it; CLI_DONE; if writing fails CLI_PIPE (the reader closed
 * stdout) or CLI_INPUT. */
int cli_print(const struct cli_command *command, struct buf *out);

#endif
