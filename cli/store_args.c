/*
 * Opening the store that a command names.
 *
 * To read, a missing store is an error; to write, it is created.  A store that is opened to write
 * stays locked until it is closed.
 */
#include "cli/store_args.h"

#include <stdio.h>

int
store_args_open_to_read(const struct cli_command *command, const char *path, struct store **out)
{
    struct store_options options = {.path = path, .mode = STORE_READ};
    struct err err;
    if (!path)
        return cli_usage(command, "name a store with --store");
    return store_open(&options, out, &err) < 0 ? cli_fail(command, &err) : CLI_DONE;
}

static void
report_repair(const struct cli_command *command, const char *path, const struct store *store)
{
    struct store_repaired repaired;
    if (!store_was_repaired(store, &repaired))
        return;
    fprintf(stderr, "strata %s: store %s was damaged: %llu values were dropped", command->name,
            path, (unsigned long long)repaired.n_dropped);
    if (repaired.is_rebuilt)
        fprintf(stderr,
                "; its data file was rebuilt without %llu places that could not be read, the old "
                "file is kept as data.mdb.damaged",
                (unsigned long long)repaired.n_bad_places);
    fputs("; mine or ingest again to fill it\n", stderr);
}

int
store_args_open_to_write(const struct cli_command *command, const char *path, bool wait,
                         struct store **out)
{
    struct store_options options = {.path = path, .mode = STORE_WRITE, .repair = true};
    struct err err;
    if (!path)
        return cli_usage(command, "name a store with --store");
    int rc = store_open(&options, out, &err);
    if (rc < 0 && err.code == ERR_BUSY && wait) {
        fprintf(stderr, "strata %s: %s; waiting for it\n", command->name, err.text);
        options.wait = true;
        rc = store_open(&options, out, &err);
    }
    if (rc < 0)
        return cli_fail(command, &err);
    report_repair(command, path, *out);
    return CLI_DONE;
}

int
store_args_read_key(const char *hex, struct store_key *out)
{
    size_t len = strlen(hex);
    if (len != 2 * STORE_KEY_BYTES)
        return -1;
    for (size_t i = 0; i < STORE_KEY_BYTES; i++)
        out->bytes[i] = 0;
    for (size_t i = 0; i < len; i++) {
        char c = hex[i];
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0)
            return -1;
        out->bytes[i / 2] = (uint8_t)(out->bytes[i / 2] << 4 | digit);
    }
    return 0;
}

char *
store_args_write_key(const struct store_key *key, char out[STORE_ARGS_KEY_SIZE])
{
    for (size_t i = 0; i < STORE_KEY_BYTES; i++)
        snprintf(out + 2 * i, 3, "%02x", key->bytes[i]);
    return out;
}
