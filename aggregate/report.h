/*
 * report: tables and plots of the trajectories of a store and of the records of agent runs.
 *
 * A report is built from its input once and rendered in any format.  May include panel.h,
 * records.h, store, manifests and base.
 *
 * Threads: report_build starts its own threads to score a store; a struct report is used by one
 * thread at a time.
 */
#ifndef STRATA_AGGREGATE_REPORT_H
#define STRATA_AGGREGATE_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aggregate/panel.h"
#include "aggregate/records.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/bytes.h"
#include "base/err.h"
#include "manifests/manifests.h"
#include "store/store.h"

/* ---- Reports ------------------------------------------------------------------------------- */

/* The verbosity of a record that does not have the key. */
enum record_verbosity {
    RECORD_VERBOSITY_SOURCE,  /* flagged source lines over source lines */
    RECORD_VERBOSITY_PHYSICAL /* over physical lines, as the release does */
};

struct study_options {
    enum record_verbosity record_verbosity;
    bool record_quality; /* measures of agents are those of their records, not of their snapshots */
    bool all_runs;       /* compare every run, not only the best of each model */
    struct bytes baseline_prompt; /* prompt of the runs that are compared; empty: any */
};

/* How the checkpoints between first and last are divided into three phases. */
enum phase_split {
    SPLIT_CONTIGUOUS, /* three contiguous groups, the larger ones first: the default */
    SPLIT_CENTRES,    /* by the third that the centre of each position is in */
    SPLIT_POSITIONS,  /* by the third that (i - 1) / (n - 1) is in, thirds closed on the right */
    SPLIT_RELEASE     /* the released code's five bins, ceil(5 i / n) */
};
/* "contiguous", "centres", "positions" or "release"; static. */
const char *phase_split_name(enum phase_split split);
/* Set *OUT to the split with this NAME.  0, or -1 if there is not one. */
int phase_split_parse(struct bytes name, enum phase_split *out);

/* A day that divides commits into eras. */
struct report_cut {
    struct bytes name; /* may be empty */
    int64_t time_s;    /* its first second, since 1970; commits from then on are after the cut */
};

/* Which rules a variant of the sweep counts; an empty list is as in the profile. */
struct sweep_rules {
    struct bytes name;
    struct text_list severities, only, except;
    bool advice; /* rules that are advice count as well */
};

/* A grid of variants of the profile: all combinations are scored.  An empty dimension has the
 * profile's value. */
struct sweep {
    bool is_wanted;        /* false: the section has no variants */
    const double *cutoffs; /* of high complexity */
    size_t n_cutoffs;
    const enum profile_size_term *sizes;
    size_t n_sizes;
    const enum profile_clones *clones;
    size_t n_clones;
    const struct sweep_rules *rules;
    size_t n_rules;
};

/* Which pass rate is predicted. */
enum pass_rate { PASS_STRICT, PASS_ISOLATED, PASS_CORE };

/* How the 95 % interval of a mean is computed. */
enum report_interval {
    INTERVAL_T,        /* t(n - 1) * deviation / sqrt(n): the default */
    INTERVAL_BOOTSTRAP /* percentiles of the means of bootstrap samples */
};

/*
 * X(function, name, title): the sections of a report, in their order.  The function
 * section_FUNCTION fills the section; it is in a file of aggregate/report/sections/.  Names, their
 * number, and what users may ask for follow from this list.
 */
/* clang-format off */
#define REPORT_SECTIONS(X)                                                    \
    X(tiers, "tiers", "Verbosity and erosion by star tier")                   \
    X(slopes, "slopes", "Slopes per checkpoint")                              \
    X(drift, "drift", "Drift of repositories over dates")                     \
    X(growth, "growth", "Growth from first to last")                          \
    X(phases, "phases", "Phases from start to final")                         \
    X(outliers, "outliers", "Outliers")                                       \
    X(agents_vs_human, "agents-vs-human", "Agents against repositories")      \
    X(solve, "solve", "What agents solve")                                    \
    X(variance, "variance", "Runs of one setup against each other")           \
    X(prompts, "prompts", "Prompts")                                          \
    X(sensitivity, "sensitivity", "Sensitivity and prediction")
/* clang-format on */

enum report_section {
#define REPORT_SECTION_ENUM(function, name, title) REPORT_SECTION_##function,
    REPORT_SECTIONS(REPORT_SECTION_ENUM)
#undef REPORT_SECTION_ENUM
        REPORT_N_SECTIONS
};

struct report_options {
    const char *program;              /* name and version of the program, for JSON; may be NULL */
    bool sections[REPORT_N_SECTIONS]; /* by enum report_section: which to make */
    struct panel_options panel;
    struct study_options study;
    struct sweep sweep;
    enum pass_rate predicted; /* at the next checkpoint */
    bool predict_no_failures; /* leave out pairs whose next checkpoint has no cost */
    uint32_t slope_points;    /* kept checkpoints that a slope needs, at least 2 */
    bool eras_by_author_date; /* by the author's date, not the committer's */
    bool shift_of_means;      /* the shift within a repository is of means, not of medians */
    const struct report_cut *cuts;
    size_t n_cuts;
    enum phase_split phase_split;
    bool phase_of_seen; /* phases of the checkpoints an agent reached, not of those configured */
    bool phase_by_trajectory; /* a trajectory's checkpoints of a phase are averaged before they are
                               * pooled
                               */
    enum report_interval interval;
    uint64_t seed;              /* of every bootstrap */
    uint64_t expected;          /* denominator of a run's rates; 0: its configured checkpoints */
    uint64_t expected_problems; /* denominator of the partial rate; 0: problems with records */
};

/* What a report is made from: a store, records and results of agent runs.  Any may be missing. */
struct report_input {
    struct store *store; /* NULL: none */
    const struct report_records *records;
    size_t n_records;
    const struct report_text *functions; /* JSON lines as for summary_of_functions */
    size_t n_functions;
    const struct report_text *results; /* result.json files, or lines as of `strata summary` */
    size_t n_results;
};

/* The names of the sections, by enum report_section, NULL at the end; static. */
const char *const *report_section_names(void);

struct report;

/*
 * Build the report of INPUT with the sections that OPTIONS names.  NOTES gets a line for each thing
 * that is odd in the input; what a section lacks is a footnote of the section.  *OUT is the
 * caller's, to report_destroy.  0, or -1: ERR_INPUT, ERR_NOMEM, ERR_STOPPED, and the errors of
 * reading the store.
 */
int report_build(const struct report_input *input, const struct report_options *options,
                 struct report **out, struct buf *notes, struct err *err);
/* Free REPORT; NULL is fine. */
void report_destroy(struct report *report);

enum report_format { REPORT_TEXT, REPORT_MARKDOWN, REPORT_HTML, REPORT_CSV, REPORT_JSON };

/* Append REPORT in FORMAT to OUT; REPORT_CSV has all tables one after the other.  0, or -1 with
 * ERR_NOMEM. */
int report_render(const struct report *report, enum report_format format, struct buf *out,
                  struct err *err);
/* The number of CSV files: the tables with rows, then one for the footnotes of all sections. */
size_t report_count_tables(const struct report *report);
/* Append file NUMBER, below report_count_tables, to OUT and its name, "section-table" or "notes",
 * to NAME. 0, or -1 with ERR_NOMEM. */
int report_render_table(const struct report *report, size_t number, struct buf *name,
                        struct buf *out, struct err *err);

#endif
