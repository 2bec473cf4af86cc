/* The table of commands.  A command's file defines its struct cli_command; it is named here. */
#include "cli/cli.h"

extern const struct cli_command cli_check;
extern const struct cli_command cli_facts;
extern const struct cli_command cli_mine;
extern const struct cli_command cli_ingest;
extern const struct cli_command cli_panel_build;
extern const struct cli_command cli_panel_check;
extern const struct cli_command cli_panel_clone;
extern const struct cli_command cli_report;
extern const struct cli_command cli_rules_explain;
extern const struct cli_command cli_rules_list;
extern const struct cli_command cli_rules_show;
extern const struct cli_command cli_rules_test;
extern const struct cli_command cli_rules_scan;
extern const struct cli_command cli_score;
extern const struct cli_command cli_store_compact;
extern const struct cli_command cli_store_export;
extern const struct cli_command cli_store_info;
extern const struct cli_command cli_store_merge;
extern const struct cli_command cli_store_verify;
extern const struct cli_command cli_summary;

const struct cli_command *const cli_commands[] = {
    &cli_check,        &cli_facts,       &cli_mine,
    &cli_ingest,       &cli_panel_build, &cli_panel_clone,
    &cli_panel_check,  &cli_report,      &cli_rules_scan,
    &cli_rules_list,   &cli_rules_show,  &cli_rules_explain,
    &cli_rules_test,   &cli_score,       &cli_store_info,
    &cli_store_verify, &cli_store_merge, &cli_store_compact,
    &cli_store_export, &cli_summary,     NULL,
};
