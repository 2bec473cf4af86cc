/*
 * report: tables and figures over the trajectories of a store and the records of agent runs.
 *
 * May include panel.h, records.h, store, manifests and base.
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

enum record_verbosity {
    RECORD_VERBOSITY_SOURCE,  /* flagged source lines over source lines */
    RECORD_VERBOSITY_PHYSICAL /* over physical lines, as the release writes it */
};

struct study_options {
    enum record_verbosity record_verbosity;
    bool record_quality;          /* agents' measures from their records, not their snapshots */
    bool all_runs;                /* every run counts, not the best of each model alone */
    struct bytes baseline_prompt; /* of the runs that are compared; empty: any */
};

enum phase_split {
    SPLIT_CONTIGUOUS, /* the interior cut into three runs, the larger first: the default */
    SPLIT_CENTRES,    /* by the centre of each interior position */
    SPLIT_POSITIONS,  /* by position (i - 1) / (n - 1), in thirds closed on the right */
    SPLIT_RELEASE     /* the released code's five bins, ceil(5 i / n) */
};
/* "contiguous", "centres", "positions", "release". */
const char *phase_split_name(enum phase_split split);
/* The split NAME spells.  0, or -1. */
int phase_split_parse(struct bytes name, enum phase_split *out);

/* A day that divides commits into eras. */
struct report_cut {
    struct bytes name; /* may be empty */
    int64_t time_s;    /* its first second; commits from then on are after */
};

/* Which rules a variant of the sweep counts; empty lists as in the profile. */
struct sweep_rules {
    struct bytes name;
    struct text_list severities, only, except;
    bool advice; /* those that say of themselves that they are advice count as well */
};

/* A grid of metric definitions, each a change of the profile: all combinations are scored.  An
 * empty dimension takes the profile's own value. */
struct sweep {
    bool is_wanted;        /* false: the section says nothing of variants */
    const double *cutoffs; /* of high complexity */
    size_t n_cutoffs;
    const enum profile_size_term *sizes;
    size_t n_sizes;
    const enum profile_clones *clones;
    size_t n_clones;
    const struct sweep_rules *rules;
    size_t n_rules;
};

enum pass_rate { PASS_STRICT, PASS_ISOLATED, PASS_CORE };

/* How the 95 % interval of a mean is found. */
enum report_interval {
    INTERVAL_T,        /* t(n - 1) times deviation over the root of n: the default */
    INTERVAL_BOOTSTRAP /* percentiles of means of values drawn again */
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
    const char *program; /* name and version of who makes it, for readers of JSON; may be NULL */
    bool sections[REPORT_N_SECTIONS]; /* by enum report_section: which to make */
    struct panel_options panel;
    struct study_options study;
    struct sweep sweep;
    enum pass_rate predicted; /* at the next checkpoint */
    bool predict_no_failures; /* pairs whose next checkpoint cost nothing do not count */
    uint32_t slope_points;    /* least kept checkpoints of a trajectory with a slope, at least 2 */
    bool eras_by_author_date; /* not by committer date */
    bool shift_of_means;      /* of a repository's eras, not of their medians */
    const struct report_cut *cuts;
    size_t n_cuts;
    enum phase_split phase_split;
    bool phase_of_seen; /* phases of the checkpoints an agent reached, not of those configured */
    bool phase_by_trajectory; /* a trajectory's checkpoints of a phase are averaged before they are
                               * pooled
                               */
    enum report_interval interval;
    uint64_t seed;              /* of every bootstrap */
    uint64_t expected;          /* checkpoints a run's rates are of; 0: those configured */
    uint64_t expected_problems; /* problems the partial rate is of; 0: those with records */
};

/* Trajectories from a store, records and results of agent runs; any may be missing. */
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
 * Make the report with the sections of OPTIONS.  What is odd in the input is said in NOTES, a
 * line each; what a section lacks is said in the section.  *OUT is the caller's, to
 * report_destroy.  ERR_INPUT, ERR_NOMEM, ERR_STOPPED, and what reading the store gives.
 */
int report_build(const struct report_input *input, const struct report_options *options,
                 struct report **out, struct buf *notes, struct err *err);
void report_destroy(struct report *report);

enum report_format { REPORT_TEXT, REPORT_MARKDOWN, REPORT_HTML, REPORT_CSV, REPORT_JSON };

/* Append REPORT to OUT.  REPORT_CSV puts all tables behind each other. */
int report_render(const struct report *report, enum report_format format, struct buf *out,
                  struct err *err);
/* The tables with rows, for one CSV file each, and the notes of all sections as the last. */
size_t report_count_tables(const struct report *report);
/* Append table NUMBER to OUT and "section-table", or "notes", to NAME. */
int report_render_table(const struct report *report, size_t number, struct buf *name,
                        struct buf *out, struct err *err);

#endif
