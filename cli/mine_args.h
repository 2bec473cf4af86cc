/*
 * Mine arguments: what `strata mine` is given, resolved to what the miner wants.
 */
#ifndef STRATA_CLI_MINE_ARGS_H
#define STRATA_CLI_MINE_ARGS_H

#include "cli/cli.h"
#include "manifests/manifests.h"
#include "miner/miner.h"

struct mine_args {
    /* as given */
    const char *store_path, *manifest_path, *mirrors, *ref;
    const char *strategy, *history, *moved, *latest_date;
    struct cli_list include, exclude, suffixes, exclude_dirs;
    uint64_t commits, seed, memory_bytes, commit_bytes, max_file_bytes; /* UINT64_MAX: not given */
    bool count, no_merges, content_only, verify_objects, wait;
    bool exclude_tests, exclude_vendored, exclude_generated;
    bool no_rules;
    struct cli_list rules;        /* rule files and folders; none: the built-in ones */
    struct cli_list repositories; /* PATH or NAME=PATH */
    struct cli_common common;
    /* as resolved */
    struct arena arena;
    struct source_filter filter;
    struct miner_options options;
    struct ruleset *ruleset; /* NULL with --no-rules */
    struct miner_repository *mined;
    size_t n_mined;
};

struct mine_args mine_args_default(void);
/* Read the manifest, find the mirrors, check what was given. */
int mine_args_resolve(struct mine_args *args, struct err *err);
void mine_args_clear(struct mine_args *args);

#endif
