/*
 * Tree arguments: the options --git, --rev and --prefix, which name a folder of a revision.
 */
#ifndef STRATA_CLI_TREE_ARGS_H
#define STRATA_CLI_TREE_ARGS_H

#include "cli/cli.h"

struct tree_args {
    const char *repository; /* NULL: paths on disk were given instead */
    const char *revision;   /* NULL: HEAD */
    const char *prefix;     /* NULL: the root */
};

/* MEMBER is a struct tree_args of the struct REQUEST. */
#define TREE_ARGS_OPTIONS(request, member)                                                 \
    {.name = "--git",                                                                      \
     .value = "REPO",                                                                      \
     .help = "read a revision of this repository or bare mirror, not files on disk",       \
     CLI_TEXT(request, member.repository)},                                                \
        {.name = "--rev",                                                                  \
         .value = "REV",                                                                   \
         .help = "its commit, branch, tag or a form such as HEAD~3",                       \
         .no_default = "HEAD",                                                             \
         CLI_TEXT(request, member.revision)},                                              \
    {                                                                                      \
        .name = "--prefix", .value = "DIR", .help = "only this folder of it, as the root", \
        CLI_TEXT(request, member.prefix)                                                   \
    }

/*
 * Check that either ARGS name a repository or there are N_PATHS of files on disk.  CLI_DONE, or
 * CLI_USAGE after printing what is wrong.
 */
int
tree_args_check(const struct cli_command *command, const struct tree_args *args, size_t n_paths);
/* The revision and the prefix as libraries take them: empty when they were not given. */
struct bytes tree_args_revision(const struct tree_args *args);
struct bytes tree_args_prefix(const struct tree_args *args);

#endif
