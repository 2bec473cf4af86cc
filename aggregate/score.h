/*
 * score: the facts of a checkpoint's files and a profile to a score, and why lines are flagged.
 *
 * May include analyzer's plain data, manifests and base.  Never parses source.  A score is a
 * function of the facts and hits of the files and the profile, and of nothing else: not of the
 * thread, the machine, or what was scored before.
 *
 * Threads: a struct scorer is immutable once created and shared by all.
 */
#ifndef STRATA_AGGREGATE_SCORE_H
#define STRATA_AGGREGATE_SCORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aggregate/rows/row.h"
#include "analyzer/facts.h"
#include "analyzer/hits.h"
#include "analyzer/rules.h"
#include "base/arena.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/json_write.h"
#include "manifests/manifests.h"

/* ---- A profile made ready ------------------------------------------------------------------ */

/* What scoring has to know of a rule; struct hit.rule counts these. */
struct score_rule {
    struct bytes id;
    struct bytes severity;          /* "" counts as "hint", ast-grep's own default */
    uint32_t min_file_count;        /* least hits of it in one file that count; 0 and 1 mean all */
    bool is_advice;                 /* counts only where the profile names it or takes advice */
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

/*
 * The score of one checkpoint.  Which members are written, and what each means to a reader, is in
 * score_row_kind; a member that is missing there is not in any output.
 */
struct score {
    uint64_t files_walked;
    uint64_t files_scanned;
    uint64_t files_skipped_parse; /* syntax errors, under a profile that skips these */
    uint64_t files_skipped;       /* without facts, for whatever reason */
    uint64_t skipped_by_reason[SKIP_N_REASONS]; /* the same by enum skip_reason */
    uint64_t source_loc, physical_loc;
    uint64_t total_functions;
    uint64_t high_cc_functions;
    uint64_t high_cog_functions;
    double total_mass, high_cc_mass, erosion;
    double total_cog_mass, high_cog_mass, cog_erosion;
    double cc_max, cc_sum, cc_mean; /* over the callables that count; 0 without any */

    bool has_clones; /* the profile looks for clones */
    uint64_t clone_source_loc, clone_physical_loc;

    uint64_t files_without_hits; /* counted files that the rules were not run on */
    bool has_rules;              /* rules were run, and on every file that counts */
    uint64_t rule_source_loc;    /* source lines flagged by rules */
    uint64_t rule_hits;          /* that count */
    uint64_t rules_gave_up;      /* rules whose hits in a file are not known, over all files */

    bool has_structural;
    uint64_t structural_source_loc;
    uint64_t structural_findings;

    bool has_verbosity; /* all parts the profile asks for are there */
    uint64_t flagged_source_loc;
    double verbosity;
};

/* The columns of a struct score, by the names that the reference checker uses. */
extern const struct row_kind score_row_kind;

/* Write the columns of SCORE into the open object of JSON.  What is absent is left out. */
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

#endif
