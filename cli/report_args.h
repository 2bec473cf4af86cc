/*
 * Report arguments: the options of `strata report`, and the choices of a report that follow.
 */
#ifndef STRATA_CLI_REPORT_ARGS_H
#define STRATA_CLI_REPORT_ARGS_H

#include "aggregate/report.h"
#include "cli/panel_args.h"

struct report_args {
    struct panel_args panel;
    /* as given */
    struct cli_list records, functions, results, cuts, rule_subsets;
    unsigned sections; /* set of the numbers of sections; 0: all */
    const char *output, *baseline, *cutoffs, *sizes, *clones;
    enum report_format format;
    enum phase_split phases;
    enum pass_rate predicted;
    enum report_interval intervals;
    enum record_verbosity verbosity;
    unsigned era_dates, shift, phase_count, phase_means, quality; /* which of the two words */
    uint64_t slope_points;
    bool all_runs;
    /* as resolved */
    struct report_options options;
};

/* The options of `strata report`, whose request is a struct report_args. */
extern const struct cli_option report_args_options[];

/* Set the defaults in zeroed ARGS. */
void report_args_set_defaults(void *args);
/*
 * Check what was given, read the profile, open the store if there is one.  CLI_DONE, or the status
 * after printing why not.  Call report_args_clear in any case, also after an error.
 */
int report_args_resolve(struct report_args *args, const struct cli_command *command);
/* Free what was resolved and close the store. */
void report_args_clear(struct report_args *args);

#endif
