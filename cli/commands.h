/*
 * Commands: every command of strata once, in the order of `strata --help`.
 *
 * X(ID) is for the command that is defined as cli_ID, in a file of its own.
 */
#ifndef STRATA_CLI_COMMANDS_H
#define STRATA_CLI_COMMANDS_H

#include "cli/cli.h"

#define CLI_COMMANDS(X) \
    X(check)            \
    X(facts)            \
    X(mine)             \
    X(ingest)           \
    X(panel_build)      \
    X(panel_clone)      \
    X(panel_check)      \
    X(report)           \
    X(rules_scan)       \
    X(rules_list)       \
    X(rules_show)       \
    X(rules_explain)    \
    X(rules_test)       \
    X(score)            \
    X(store_info)       \
    X(store_verify)     \
    X(store_merge)      \
    X(store_compact)    \
    X(store_export)     \
    X(summary)

#define DECLARE_COMMAND(id) extern const struct cli_command cli_##id;
CLI_COMMANDS(DECLARE_COMMAND)
#undef DECLARE_COMMAND

/* All of them, ended by NULL. */
extern const struct cli_command *const cli_commands[];

#endif
