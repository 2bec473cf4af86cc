/*
 * Quality lines: the figures of a checkpoint's record that are sums over files, symbols or
 * findings.
 *
 * Each comes from a file of the checkpoint's folder with a JSON object per line.  All functions
 * return 1, 0 when a file that is needed is missing or got a note, or -1 (ERR_NOMEM, ERR_STOPPED).
 */
#ifndef STRATA_RUNNER_READ_QUALITY_LINES_H
#define STRATA_RUNNER_READ_QUALITY_LINES_H

#include "runner/read/run_text.h"

/* List the folder quality_analysis of the checkpoint's FOLDER into OUT. */
int quality_folder_open(const struct run_folder *folder, struct run_folder *out, struct err *err);

/* Lines that were added to and removed from the files that are measured. */
struct changed_lines {
    double n_added, n_removed;
};
/* Sum diff.json of FOLDER over the files that files.jsonl of ANALYSIS names. */
int quality_read_changes(const struct run_folder *folder, const struct run_folder *analysis,
                         struct changed_lines *out, struct err *err);

/* Figures over functions and methods; all 0 when there are none. */
struct symbol_figures {
    double mean_lines;
    double mass;       /* rounded to 2 places */
    double high_share; /* of the mass, in those with a complexity over 10 */
};
/* Sum symbols.jsonl of ANALYSIS. */
int quality_read_symbols(const struct run_folder *analysis, struct symbol_figures *out,
                         struct err *err);

/* Findings of the rubric, and how many of them are of each kind. */
struct rubric_flags {
    double n, n_carried_over, n_verbosity, n_erosion;
};
/* Count the lines of rubric.jsonl of FOLDER. */
int quality_read_rubric(const struct run_folder *folder, struct rubric_flags *out, struct err *err);

#endif
