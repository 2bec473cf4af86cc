/*
 * Quality lines: what a checkpoint's record takes from the files of its folder that hold a JSON
 * object per source file, symbol or finding.
 *
 * All return 1, 0 when a file that is needed is missing or got a note, or -1.
 */
#ifndef STRATA_RUNNER_READ_QUALITY_LINES_H
#define STRATA_RUNNER_READ_QUALITY_LINES_H

#include "runner/read/run_text.h"

/* The folder quality_analysis of the checkpoint's FOLDER. */
int quality_folder_open(const struct run_folder *folder, struct run_folder *out, struct err *err);

/* Lines that diff.json adds to and removes from the files that are measured. */
struct changed_lines {
    double n_added, n_removed;
};
int quality_read_changes(const struct run_folder *folder, const struct run_folder *analysis,
                         struct changed_lines *out, struct err *err);

/* Over functions and methods; all 0 when there are none. */
struct symbol_figures {
    double mean_lines;
    double mass;       /* rounded to 2 places */
    double high_share; /* of the mass, in those with a complexity over 10 */
};
int quality_read_symbols(const struct run_folder *analysis, struct symbol_figures *out,
                         struct err *err);

struct rubric_flags {
    double n, n_carried_over, n_verbosity, n_erosion;
};
int quality_read_rubric(const struct run_folder *folder, struct rubric_flags *out, struct err *err);

#endif
