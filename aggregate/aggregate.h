/*
 * aggregate: facts and a profile to scores, scores and records to statistics and tables.
 *
 * May include analyzer (its plain data), store, manifests and base.  Never parses source and never
 * writes a store.  A score is a function of the facts and hits of a checkpoint's files and a
 * profile, and of nothing else: not of the thread, the machine, or what was scored before.
 *
 * Threads: a struct scorer is immutable once created and shared by all; a struct scoring belongs to
 * one thread at a time.
 */
#ifndef STRATA_AGGREGATE_AGGREGATE_H
#define STRATA_AGGREGATE_AGGREGATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzer/analyzer.h"
#include "base/arena.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/json_write.h"
#include "base/progress.h"
#include "manifests/manifests.h"
#include "store/store.h"

/* ---- A profile made ready ------------------------------------------------------------------ */

/* What scoring has to know of a rule; struct hit.rule counts these. */
struct score_rule {
    struct bytes id;
    struct bytes severity;   /* "" counts as "hint", ast-grep's own default */
    uint32_t min_file_count; /* least hits of it in one file that count; 0 and 1 mean all */
    bool is_advice;          /* counts only where the profile names it or takes advice */
    const struct rule_scope *scope; /* NULL: it applies wherever a file lies */
};

struct scorer;

/*
 * Make PROFILE ready for scoring hits of RULES, which are copied; PROFILE is borrowed for the life
 * of the scorer.  RULES NULL: no rules were run, and what rests on them is absent from scores.
 * *out is the caller's, to scorer_destroy.  ERR_INPUT (a counter no callable has), ERR_NOMEM.
 */
int scorer_create(const struct profile *profile, const struct score_rule *rules, size_t n_rules,
                  struct scorer **out, struct err *err);
void scorer_destroy(struct scorer *scorer);

/* Does a file with these facts count, its syntax errors considered? */
bool scorer_takes_file(const struct scorer *scorer, const struct facts *facts);
bool scorer_takes_callable(const struct scorer *scorer, const struct callable *callable);
/* Does a hit of rule RULE count, apart from min_file_count? */
bool scorer_takes_rule(const struct scorer *scorer, uint32_t rule);
double scorer_cc(const struct scorer *scorer, const struct callable *callable);
/* COMPLEXITY times the profile's size term of CALLABLE; 0 when it has no source line. */
double scorer_mass(const struct scorer *scorer, const struct callable *callable, double complexity);

/* ---- The score of a checkpoint ------------------------------------------------------------- */

struct score {
    uint64_t files_walked;
    uint64_t files_scanned;
    uint64_t files_skipped_parse;           /* syntax errors, under a profile that skips these */
    uint64_t files_skipped[SKIP_N_REASONS]; /* without facts, by enum skip_reason */
    uint64_t total_loc;
    uint64_t physical_lines;
    uint64_t total_functions;
    uint64_t high_cc_functions;
    uint64_t high_cog_functions;
    double total_mass, high_cc_mass, erosion;
    double total_cog_mass, high_cog_mass, cog_erosion;
    double cc_max, cc_sum; /* over the callables that count */

    bool has_clones; /* the profile looks for clones */
    uint64_t clone_loc;
    uint64_t clone_lines; /* physical lines inside clones */

    uint64_t files_without_hits; /* counted files that the rules were not run on */
    bool has_rules;              /* rules were run, and on every file that counts */
    uint64_t ast_grep_flagged_loc;
    uint64_t ast_grep_hits; /* that count */
    uint64_t rules_gave_up; /* rules whose hits in a file are not known, over all files */

    bool has_structural;
    uint64_t structural_rule_loc;
    uint64_t structural_rule_findings;

    bool has_verbosity; /* all parts the profile asks for are there */
    uint64_t verbosity_flagged_loc;
    double verbosity;
};

/* Mean complexity of the callables that count; 0 without any. */
double score_cc_mean(const struct score *score);
/* Files without facts, for whatever reason. */
uint64_t score_files_skipped(const struct score *score);
/* Write SCORE's members into the open object, by the names the reference checker uses.  What is
 * absent is left out. */
void score_write_members(const struct score *score, struct json_writer *json);

/* One file of a checkpoint that the profile's source filter takes. */
struct score_file {
    struct bytes path;
    const struct facts *facts;
    struct hit_list hits; /* {0} where no rules were run */
};

/* Score FILES, given in bytewise order of paths.  ERR_NOMEM. */
int score_files(const struct scorer *scorer, const struct score_file *files, size_t n_files,
                struct score *out, struct err *err);

/* ---- Why lines are flagged ----------------------------------------------------------------- */

struct clone_place {
    uint32_t file; /* index into the files */
    uint32_t start_line, end_line;
    enum clone_kind kind;
};

struct clone_group {
    const struct clone_place *places; /* by file, then line */
    size_t n_places;                  /* at least two */
};

/* The clone groups of FILES in order of their first places (the longer first), into ARENA. */
int
score_clone_groups(const struct scorer *scorer, const struct score_file *files, size_t n_files,
                   struct arena *arena, struct clone_group **out, size_t *n_out, struct err *err);

enum flag_kind { FLAG_RULE, FLAG_CLONE, FLAG_STRUCTURAL };

/* Lines of one file that count as verbose, and what makes them so. */
struct flag {
    enum flag_kind kind;
    uint32_t start_line, end_line;
    const struct hit *hit;           /* FLAG_RULE */
    size_t group, place;             /* FLAG_CLONE: its group, and this place in the group */
    const struct callable *callable; /* FLAG_STRUCTURAL */
};

/*
 * Everything that flags lines of FILES[FILE], by start line, end line, kind, into ARENA.  GROUPS
 * are those of score_clone_groups.
 */
int score_flags(const struct scorer *scorer, const struct score_file *files, size_t file,
                const struct clone_group *groups, size_t n_groups, struct arena *arena,
                struct flag **out, size_t *n_out, struct err *err);

/* ---- The trajectories of a store ----------------------------------------------------------- */

/* Who a commit says made it, by its marks. */
enum author {
    AUTHOR_HUMAN,    /* no mark */
    AUTHOR_BOT,      /* an account that works by fixed rules */
    AUTHOR_ASSISTANT /* a program that writes code helped or did it */
};
enum { AUTHOR_N = AUTHOR_ASSISTANT + 1 };

/* "human", "bot", "assistant". */
const char *author_name(enum author author);

/* {0} takes everything.  Tiers, licenses, dates and authors are of repositories and their commits:
 * agents' trajectories pass. */
struct panel_filter {
    unsigned tiers;                    /* bits 1 << enum tier; 0: all, also those without stars */
    struct text_list licenses;         /* empty: all */
    bool has_since, has_until;         /* commits without a real date are then left out */
    int64_t since_s, until_s;          /* from since up to, not including, until */
    const struct source_filter *files; /* besides the profile's own; NULL: none */
    unsigned authors;                  /* bits 1 << enum author; 0: all */
};

struct panel_options {
    const struct profile *profile;
    struct panel_filter filter;
    struct bytes rules_group;  /* whose hits count, in hexadecimal; empty: the newest */
    size_t n_jobs;             /* 0: every core */
    struct progress *progress; /* may be NULL */
};

/* "2024-01-31" as the first second of that day in UTC.  0, or -1 when TEXT is no day. */
int panel_parse_day(struct bytes text, int64_t *out);

/*
 * Score every trajectory of STORE and append one JSON line a checkpoint to OUT, by trajectory id
 * and ordinal; the bytes do not depend on n_jobs.  A trajectory that cannot be scored is said in
 * WARNINGS and left out.  ERR_NOMEM, ERR_STOPPED, and what opening a reader gives.
 */
int panel_write_scores(struct store *store, const struct panel_options *options, struct buf *out,
                       struct buf *warnings, struct err *err);

/* ---- Reports ------------------------------------------------------------------------------- */

enum record_verbosity {
    RECORD_VERBOSITY_SLOC,  /* flagged source lines over source lines */
    RECORD_VERBOSITY_RECORD /* over physical lines, as the release writes it */
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

enum { REPORT_SECTIONS_MAX = 12 };

struct report_options {
    const char *program; /* name and version of who makes it, for readers of JSON; may be NULL */
    bool sections[REPORT_SECTIONS_MAX]; /* by report_section_names */
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
    bool phase_by_line; /* a trajectory's checkpoints of a phase are averaged before they are pooled
                         */
    enum report_interval interval;
    uint64_t seed;              /* of every bootstrap */
    uint64_t expected;          /* checkpoints a run's rates are of; 0: those configured */
    uint64_t expected_problems; /* problems the partial rate is of; 0: those with records */
};

/* What is known of a run from elsewhere; it counts where its records do not say.  May be empty. */
struct summary_setup {
    struct bytes model, variant, run, prompt, thinking, agent_type, agent_version;
};

/* The text of a file, and its name. */
struct report_text {
    struct bytes text;
    const char *origin;
};

struct report_problem {
    struct bytes name;
    uint64_t n_checkpoints; /* configured; 0: not known */
};

/* Checkpoint records, JSON lines as for summary_of_records, and what is known of their run: it
 * counts where they do not say. */
struct report_records {
    struct report_text file;
    struct summary_setup setup; /* may be empty */
    const struct report_problem *problems;
    size_t n_problems;
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

/* The names of the sections, in their order, NULL at the end. */
const char *const *report_section_names(void);

struct report;

/*
 * Make the report with the sections of OPTIONS.  What is odd in the input is said in WARNINGS, a
 * line each; what a section lacks is said in the section.  *OUT is the caller's, to
 * report_destroy.  ERR_INPUT, ERR_NOMEM, ERR_STOPPED, and what reading the store gives.
 */
int report_build(const struct report_input *input, const struct report_options *options,
                 struct report **out, struct buf *warnings, struct err *err);
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

/* ---- Export -------------------------------------------------------------------------------- */

enum export_table_id {
    EXPORT_TRAJECTORIES,
    EXPORT_CHECKPOINTS,
    EXPORT_SCORES,
    EXPORT_FILES,
    EXPORT_BLOBS,
    EXPORT_CALLABLES,
    EXPORT_N_TABLES
};

/* "trajectories" and so on. */
const char *export_table_name(enum export_table_id id);

enum export_format {
    EXPORT_JSON_LINES, /* a file a table in a folder */
    EXPORT_CSV,        /* the same */
    EXPORT_SQLITE      /* one database */
};

struct export_options {
    enum export_format format;
    const char *path;           /* the folder, made when it is missing, or the database's file */
    unsigned tables;            /* bits 1 << enum export_table_id; 0: all */
    struct panel_options panel; /* what is exported, and the profile of the scores */
};

/*
 * Write the tables of STORE for other programs to read: aggregate/EXPORT.md says what is in them.
 * The same store gives the same rows in the same order.  N_ROWS counts them by table; what is
 * missing is said in WARNINGS, a line each.  ERR_FULL, ERR_IO, ERR_STOPPED, ERR_NOMEM, and what
 * reading the store gives; then no file has its final name unless it is whole.
 */
int export_store(struct store *store, const struct export_options *options,
                 uint64_t n_rows[EXPORT_N_TABLES], struct buf *warnings, struct err *err);

/* ---- What a store can answer --------------------------------------------------------------- */

struct profile_answer {
    const char *why_not; /* NULL: every listed blob has what the profile asks for */
    uint32_t n_rules;    /* of the newest group, whose hits count under it */
};

/* Can STORE, of which INFO is store_get_info's, be scored under PROFILE with nothing missing?  OUT
 * lives in ARENA. */
int profile_look_up(struct store *store, const struct store_info *info,
                    const struct profile *profile, struct arena *arena, struct profile_answer *out,
                    struct err *err);

/* ---- Agent runs from their records --------------------------------------------------------- */

struct summary_options {
    uint64_t expected; /* configured checkpoints of a run; 0: as the records say */
    struct summary_setup setup;
    bool result_only;  /* the bare result object of the one run there is, indented by 2 */
};

/*
 * Append to OUT the result figures of every run in the JSON lines of TEXT, in order of appearance:
 * a line {"model", "variant", "run", "result"} each.  ORIGIN names TEXT.  What is odd and was
 * counted or left out all the same is said in WARNINGS, a line each.  1 when a line was left out,
 * else 0; -1 with ERR_INPUT (no record, or more runs than one for result_only) or ERR_NOMEM.
 */
int summary_of_records(struct bytes text, const char *origin, const struct summary_options *options,
                       struct buf *out, struct buf *warnings, struct err *err);
/*
 * The same for lines with a member "fn", a list of [complexity, source lines] of the functions of a
 * checkpoint: each line comes out again with the complexity and mass figures in place of the list.
 */
int summary_of_functions(struct bytes text, const char *origin, struct buf *out,
                         struct buf *warnings, struct err *err);

#endif
