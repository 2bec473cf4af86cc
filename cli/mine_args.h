/*
 * Mine arguments: what `strata mine` was given, and the options of the miner that follow from it.
 */
#ifndef STRATA_CLI_MINE_ARGS_H
#define STRATA_CLI_MINE_ARGS_H

#include "cli/rules.h"
#include "manifests/manifests.h"
#include "miner/miner.h"

struct mine_args {
    /* as given */
    const char *store_path, *manifest_path, *mirrors, *ref;
    const char *latest_date;
    unsigned strategy, history; /* enum sampling_strategy, _history; CLI_NOT_GIVEN */
    struct cli_list include, exclude, suffixes, exclude_dirs;
    uint64_t commits, seed; /* UINT64_MAX: not given */
    uint64_t memory_bytes, commit_bytes, max_file_bytes;
    enum miner_moved moved;
    bool count, no_merges, content_only, verify_objects, wait;
    bool exclude_tests, exclude_vendored, exclude_generated;
    struct rules_args rules;
    struct cli_common common;
    const struct cli_list *repositories; /* PATH or NAME=PATH */
    /* as resolved */
    struct arena arena;
    struct source_filter filter;
    struct miner_options options;
    struct miner_repository *mined;
    size_t n_mined;
};

/* The options of `strata mine`, whose request is a struct mine_args. */
extern const struct cli_option mine_args_options[];

/* Set the defaults in zeroed ARGS. */
void mine_args_set_defaults(void *args);
/*
 * Read the manifest, find the mirrors and check what was given.  Rules are not loaded.  ERR_USAGE,
 * ERR_INPUT, ERR_NOMEM.  Call mine_args_clear in any case, also after an error.
 */
int mine_args_resolve(struct mine_args *args, struct err *err);
/* Free what was resolved. */
void mine_args_clear(struct mine_args *args);

#endif
