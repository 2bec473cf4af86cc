/* The table of commands, made from the list in cli/commands.h. */
#include "cli/commands.h"

#define POINT_TO_COMMAND(id) &cli_##id,
const struct cli_command *const cli_commands[] = {CLI_COMMANDS(POINT_TO_COMMAND) NULL};
