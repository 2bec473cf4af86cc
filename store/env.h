/*
 * Env: the LMDB environment under a store, its tables and its locks.
 */
#ifndef STRATA_STORE_ENV_H
#define STRATA_STORE_ENV_H

#include <lmdb.h>
#include <stdbool.h>

#include "store/folder.h"
#include "store/keys.h"
#include "store/store.h"

struct store {
    struct folder folder;
    bool is_writable;
    bool has_writer; /* at most one struct store_writer at a time */
    MDB_env *env;
    MDB_dbi tables[TABLE_N];
    struct store_repaired repaired;
};

/* How often a snapshot is taken again because a writer committed while it was taken. */
enum { SNAPSHOT_TRIES = 100 };

/* Set ERR from the LMDB result RC: "<doing> in store <path>: <why>".  Returns -1. */
int env_error(const struct store *store, int rc, const char *doing, struct err *err);

/* Names in the meta table. */
#define META_SCHEMA "schema"
#define META_CREATED "created"
#define META_NEWEST_GROUP "newest_group" /* seconds since 1970 (be64), the group */
enum { META_NEWEST_GROUP_BYTES = 8 + STORE_KEY_BYTES };

#endif
