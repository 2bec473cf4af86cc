/*
 * main: find the command that the first one or two words name and run it, or print help.
 *
 * Before anything is opened the standard files are made safe, and signals that would end the
 * process in the middle of a write are ignored: the write fails instead and is reported.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"

static void
print_overview(FILE *to)
{
    fprintf(to, "usage: strata COMMAND [ARGUMENT...]\n\n"
                "Measures how code erodes in the histories of Python repositories and in runs\n"
                "of coding agents.\n\n");
    for (const struct cli_command *const *command = cli_commands; *command; command++)
        fprintf(to, "  %-14s %s\n", (*command)->name, (*command)->summary);
    fprintf(
        to,
        "\n'strata COMMAND --help' describes a command, with the defaults of options in brackets;\n"
        "'strata --version' prints the version.\n"
        "Exit status: 0 done, 1 done with findings or something left out, 2 usage, 3 input\n"
        "could not be used, 4 internal error, 130 stopped by the user.\n");
}

/* Match the one or two words of a command's name against ARGV; the number of words, or 0. */
static int
match_words(const char *name, int argc, char **argv)
{
    const char *space = strchr(name, ' ');
    size_t first_len = space ? (size_t)(space - name) : strlen(name);
    if (strlen(argv[0]) != first_len || memcmp(argv[0], name, first_len) != 0)
        return 0;
    if (!space)
        return 1;
    return argc >= 2 && strcmp(argv[1], space + 1) == 0 ? 2 : 0;
}

/* Print the commands whose first word is WORD, as for `strata store`.  How many there are. */
static int
print_group(const char *word, FILE *to)
{
    size_t len = strlen(word);
    int n_found = 0;
    for (const struct cli_command *const *command = cli_commands; *command; command++) {
        const char *name = (*command)->name;
        if (strncmp(name, word, len) != 0 || name[len] != ' ')
            continue;
        if (n_found++ == 0)
            fprintf(to, "usage: strata %s COMMAND [ARGUMENT...]\n\n", word);
        fprintf(to, "  %-14s %s\n", name, (*command)->summary);
    }
    return n_found;
}

static bool
wants_help(int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    return false;
}

static int
print_help(const struct cli_command *command)
{
    struct buf out = {0};
    struct err err;
    return cli_help(command, &out, &err) < 0 ? cli_fail(command, &err) : cli_print(command, &out);
}

static int
run_command(int argc, char **argv)
{
    for (const struct cli_command *const *command = cli_commands; *command; command++) {
        int n_words = match_words((*command)->name, argc, argv);
        if (n_words == 0)
            continue;
        argc -= n_words;
        argv += n_words;
        return wants_help(argc, argv) ? print_help(*command) : cli_run(*command, argc, argv);
    }
    bool help = wants_help(argc, argv);
    bool is_group = print_group(argv[0], help ? stdout : stderr) > 0;
    if (is_group && (help || argc == 1))
        return help ? CLI_DONE : CLI_USAGE;
    fprintf(stderr, "%sstrata: there is no command '", is_group ? "\n" : "");
    printable_write(stderr, bytes_of_text(argv[0]));
    if (is_group) {
        fputc(' ', stderr);
        printable_write(stderr, bytes_of_text(argv[1]));
    }
    fputs("'\nTry: strata --help\n", stderr);
    return CLI_USAGE;
}

/*
 * Open those of the three standard files that the caller closed, each the wrong way round so that
 * using it still fails.  Otherwise the next file opened, perhaps one of a store, would get the
 * number of stdout or stderr and the messages with it.
 */
static int
hold_standard_files(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            return -1;
    return 0;
}

static int
run(int argc, char **argv)
{
    if (argc < 2) {
        print_overview(stderr);
        return CLI_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_overview(stdout);
        return CLI_DONE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("strata " STRATA_VERSION);
        return CLI_DONE;
    }
    stop_install();
    return run_command(argc - 1, argv + 1);
}

/* The status of the process: STATUS of the command, unless memory ran out, so that what it found
 * may be wrong, or its output could not be written. */
static int
finish(int status)
{
    if (memory_ran_out() && status != CLI_INTERNAL) {
        fputs("strata: memory ran out; the result is not reliable\n", stderr);
        return CLI_INTERNAL;
    }
    if (status != CLI_PIPE && fflush(stdout) != 0) {
        if (errno == EPIPE)
            status = CLI_PIPE;
        else if (status == CLI_DONE) { /* of help; commands report it themselves */
            perror("strata: write the output");
            status = CLI_INPUT;
        }
    }
    if (status == CLI_PIPE) {
        signal(SIGPIPE, SIG_DFL);
        raise(SIGPIPE);
    }
    return status;
}

int
main(int argc, char **argv)
{
    if (hold_standard_files() < 0)
        return CLI_INTERNAL;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a write beyond the limit of file sizes fails instead */
    return finish(run(argc, argv));
}
