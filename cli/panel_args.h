/*
 * Panel arguments: the options that `score`, `report` and `store export` share, and the store that
 * they read.
 */
#ifndef STRATA_CLI_PANEL_ARGS_H
#define STRATA_CLI_PANEL_ARGS_H

#include "aggregate/panel.h"
#include "cli/store_args.h"

struct panel_args {
    /* as given */
    const char *store_path, *profile_name, *rules_group, *since, *until;
    struct cli_list licenses, paths, not_paths;
    unsigned tiers, authors; /* sets of enum tier, enum author */
    struct cli_common common;
    bool store_is_optional;
    /* as resolved */
    struct arena arena;
    struct profile profile;
    struct source_filter files;
    struct panel_options options;
    struct store *store; /* NULL: none was named */
};

/* MEMBER is a struct panel_args of the struct REQUEST. */
#define PANEL_ARGS_OPTIONS(request, member)                                              \
    STORE_OPTION(request, member.store_path),                                            \
        {.name = "--profile",                                                            \
         .value = "NAME",                                                                \
         .help = "a built-in profile or a profile file",                                 \
         CLI_TEXT(request, member.profile_name)},                                        \
        {.name = "--rules-group",                                                        \
         .value = "HEX",                                                                 \
         .help = "the group of rules whose hits count, as store info prints it",         \
         .no_default = "the newest",                                                     \
         CLI_TEXT(request, member.rules_group)},                                         \
        {.name = "--tier",                                                               \
         .value = "NAME",                                                                \
         .help = "only repositories of this tier",                                       \
         .choice_at = panel_args_tier_at,                                                \
         CLI_SET(request, member.tiers)},                                                \
        {.name = "--license",                                                            \
         .value = "ID",                                                                  \
         .help = "only repositories with this license",                                  \
         CLI_LIST(request, member.licenses)},                                            \
        {.name = "--since",                                                              \
         .value = "DAY",                                                                 \
         .help = "only commits of this day (YYYY-MM-DD, UTC, committer date) and later", \
         CLI_TEXT(request, member.since)},                                               \
        {.name = "--until",                                                              \
         .value = "DAY",                                                                 \
         .help = "only commits before this day",                                         \
         CLI_TEXT(request, member.until)},                                               \
        {.name = "--author",                                                             \
         .value = "KIND",                                                                \
         .help = "only commits by this kind of author, as far as their marks tell",      \
         .choice_at = panel_args_author_at,                                              \
         CLI_SET(request, member.authors)},                                              \
        {.name = "--path",                                                               \
         .value = "GLOB",                                                                \
         .help = "only files that match",                                                \
         CLI_LIST(request, member.paths)},                                               \
        {.name = "--not-path",                                                           \
         .value = "GLOB",                                                                \
         .help = "no files that match",                                                  \
         CLI_LIST(request, member.not_paths)},                                           \
        CLI_JOBS(request, member.common), CLI_QUIET(request, member.common)

/* What --help says of the options that choose commits. */
#define PANEL_ARGS_NOTES "Agent runs pass --tier, --license, --since, --until and --author."

/* The Ith tier and kind of author; NULL after the last. */
const char *panel_args_tier_at(size_t i);
const char *panel_args_author_at(size_t i);

/* Set the defaults in zeroed ARGS. */
void panel_args_set_defaults(struct panel_args *args);
/*
 * Check what was given, read the profile and open the store.  CLI_DONE, or the status after
 * printing why not.  Call panel_args_clear in any case, also after an error.
 */
int panel_args_resolve(struct panel_args *args, const struct cli_command *command);
/* Free what was resolved and close the store. */
void panel_args_clear(struct panel_args *args);

#endif
