/* Checks that a command names either a folder of a revision (--git, --rev, --prefix) or paths on
 * disk, but not both. */
#include "cli/tree_args.h"

int
tree_args_check(const struct cli_command *command, const struct tree_args *args, size_t n_paths)
{
    if (args->repository && n_paths)
        return cli_usage(command, "give either paths or --git, not both");
    if (!args->repository && (args->revision || args->prefix))
        return cli_usage(command, "--rev and --prefix need --git");
    if (!args->repository && !n_paths)
        return cli_usage(command, "name a file or folder, or a repository with --git");
    return CLI_DONE;
}

struct bytes
tree_args_revision(const struct tree_args *args)
{
    return bytes_of_text(args->revision ? args->revision : "");
}

struct bytes
tree_args_prefix(const struct tree_args *args)
{
    return bytes_of_text(args->prefix ? args->prefix : "");
}
