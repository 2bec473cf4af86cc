/*
 * Store arguments: opening the store that a command names, with the messages that go with it.
 */
#ifndef STRATA_CLI_STORE_ARGS_H
#define STRATA_CLI_STORE_ARGS_H

#include "cli/cli.h"
#include "store/store.h"

/* The option --store of the struct REQUEST, whose MEMBER is a const char *. */
#define STORE_OPTION(request, member)                                                     \
    {                                                                                     \
        .name = "--store", .value = "DIR", .help = "the store", CLI_TEXT(request, member) \
    }
#define STORE_OPTION_TO_WRITE(request, member)                                              \
    {                                                                                       \
        .name = "--store", .value = "DIR", .help = "the store, created when it is missing", \
        CLI_TEXT(request, member)                                                           \
    }
#define WAIT_OPTION(request, member)                                                \
    {                                                                               \
        .name = "--wait", .help = "wait while another process writes to the store", \
        CLI_FLAG(request, member)                                                   \
    }

/* Open the store in PATH (NULL: none was named).  CLI_DONE, and *out is the caller's, to
 * store_close; or the status after printing why not. */
int
store_args_open_to_read(const struct cli_command *command, const char *path, struct store **out);
/*
 * The same to write.  With WAIT it prints a message and waits for another writer.  A damaged store
 * is repaired and what was lost is reported.
 */
int store_args_open_to_write(const struct cli_command *command, const char *path, bool wait,
                             struct store **out);
/* Read a key from 32 hexadecimal digits.  0, or -1 when HEX is not that. */
int store_args_read_key(const char *hex, struct store_key *out);
/* Write the digits of KEY and a NUL into OUT.  Returns OUT. */
enum { STORE_ARGS_KEY_SIZE = 2 * STORE_KEY_BYTES + 1 };
char *store_args_write_key(const struct store_key *key, char out[STORE_ARGS_KEY_SIZE]);

#endif
