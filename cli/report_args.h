/*
 * Report arguments: the choices a report leaves to its reader.
 */
#ifndef STRATA_CLI_REPORT_ARGS_H
#define STRATA_CLI_REPORT_ARGS_H

#include "cli/panel_args.h"

struct report_args {
    struct panel_args panel;
    /* as given */
    struct cli_list sections, records, functions, results, cuts, rule_subsets;
    const char *format, *output, *phases, *baseline, *quality, *verbosity, *predicted;
    const char *phase_count, *phase_means, *intervals, *shift, *era_dates;
    const char *cutoffs, *sizes, *clones;
    uint64_t slope_points;
    bool all_runs;
    /* as resolved */
    enum report_format report_format;
    struct report_options options;
};

struct report_args report_args_default(void);
/* Check what was given, read the profile, open the store if there is one.  CLI_DONE, or the status
 * after printing why not. */
int report_args_resolve(struct report_args *args, const struct cli_command *command);
void report_args_clear(struct report_args *args);

#endif
