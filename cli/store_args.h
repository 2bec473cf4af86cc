/*
 * Store arguments: opening the store that a command names, with the messages that go with it.
 */
#ifndef STRATA_CLI_STORE_ARGS_H
#define STRATA_CLI_STORE_ARGS_H

#include "cli/cli.h"
#include "store/store.h"

/* Open the store in PATH (NULL: none was named).  CLI_DONE, or the status after printing why not.
 */
int
store_args_open_to_read(const struct cli_command *command, const char *path, struct store **out);
/*
 * The same to write: waits for another writer, saying so, when WAIT; repairs a damaged store,
 * saying what was lost.
 */
int store_args_open_to_write(const struct cli_command *command, const char *path, bool wait,
                             struct store **out);
/* A key from 32 hexadecimal digits.  0, or -1. */
int store_args_read_key(const char *hex, struct store_key *out);
/* The digits of KEY and a NUL into OUT; returns OUT. */
enum { STORE_ARGS_KEY_SIZE = 2 * STORE_KEY_BYTES + 1 };
char *store_args_write_key(const struct store_key *key, char out[STORE_ARGS_KEY_SIZE]);

#endif
