/*
 * Panel arguments: the options that `score` and `report` share, and the store they read.
 */
#ifndef STRATA_CLI_PANEL_ARGS_H
#define STRATA_CLI_PANEL_ARGS_H

#include "aggregate/score.h"
#include "aggregate/panel.h"
#include "aggregate/records.h"
#include "aggregate/report.h"
#include "aggregate/export.h"
#include "cli/cli.h"

struct panel_args {
    /* as given */
    const char *store_path, *profile_name, *rules_group, *since, *until;
    struct cli_list tiers, authors, licenses, paths, not_paths;
    struct cli_common common;
    bool store_is_optional;
    /* as resolved */
    struct arena arena;
    struct profile profile;
    struct source_filter files;
    struct panel_options options;
    struct store *store; /* NULL: none was named */
};

#define PANEL_ARGS_OPTIONS(args)                                                                  \
    {.name = "--store", .text = &(args).store_path},                                              \
        {.name = "--profile", .text = &(args).profile_name},                                      \
        {.name = "--rules-group", .text = &(args).rules_group},                                   \
        {.name = "--since", .text = &(args).since}, {.name = "--until", .text = &(args).until},   \
        {.name = "--author", .list = &(args).authors}, {.name = "--tier", .list = &(args).tiers}, \
        {.name = "--license", .list = &(args).licenses},                                          \
        {.name = "--path", .list = &(args).paths},                                                \
        {.name = "--not-path", .list = &(args).not_paths}, CLI_JOBS((args).common),               \
        CLI_QUIET((args).common)

#define PANEL_ARGS_HELP                                                                          \
    "  --profile NAME   a built-in profile or a profile's file (default paper)\n"                \
    "  --rules-group HEX  the group of rules whose hits count (default: the newest)\n"           \
    "  --tier NAME      only repositories of this tier: hobby, niche, established, major;\n"     \
    "                   may be repeated\n"                                                       \
    "  --license ID     only repositories of this license; may be repeated\n"                    \
    "  --since DAY      only commits of this day (YYYY-MM-DD, UTC, committer date) and later\n"  \
    "  --until DAY      only commits before this day\n"                                          \
    "  --author KIND    only commits by a human (no mark of a machine), a bot, or an\n"          \
    "                   assistant (marked as written with one); may be repeated; agents' runs\n" \
    "                   pass all five\n"                                                         \
    "  --path GLOB      only files that match; may be repeated\n"                                \
    "  --not-path GLOB  no files that match; may be repeated\n"                                  \
    "  --jobs N         threads (default: every core)\n"                                         \
    "  --quiet          no progress\n"

struct panel_args panel_args_default(void);
/* Check what was given, read the profile, open the store.  CLI_DONE, or the status after printing
 * why not. */
int panel_args_resolve(struct panel_args *args, const struct cli_command *command);
void panel_args_clear(struct panel_args *args);

#endif
