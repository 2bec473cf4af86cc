/*
 * score: the score of a checkpoint from the facts of its files and a profile, and why lines are
 * flagged.
 *
 * May include analyzer's plain data and its rule scopes (analyzer/rules.h), manifests and base;
 * never parses source.  A score depends on the facts and hits of the files and on the profile
 * alone: not on the thread, the machine, or what was scored before.
 *
 * Threads: a struct scorer does not change once it is created; all threads may share it.
 */
#ifndef STRATA_AGGREGATE_SCORE_H
#define STRATA_AGGREGATE_SCORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aggregate/rows/row.h"
#include "analyzer/facts.h"
#include "analyzer/hits.h"
#include "analyzer/rule_info.h"
#include "analyzer/rule_scope.h"
#include "base/arena.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/json_write.h"
#include "manifests/manifests.h"

/* ---- Scorers ------------------------------------------------------------------------------- */

/* What scoring must know of a rule; struct hit.rule is an index into these. */
struct score_rule {
    struct bytes id;
    struct bytes severity;         /* "" is "hint", ast-grep's own default */
    uint32_t min_file_count;       /* fewer hits in one file do not count; 0 and 1 mean all count */
    bool is_advice;                /* counts only if the profile names it or takes advice */
    enum rule_selection selection; /* counts only under a profile of it; NONE: under each */
    bool is_of_function;           /* its hits are whole functions */
    const struct rule_scope *scope; /* NULL: it applies to every path */
};

/* A profile, resolved against rules and counters. */
struct scorer;

/*
 * Create a scorer of PROFILE for hits of the N_RULES RULES.  RULES is copied, PROFILE is borrowed
 * for the life of the scorer.  RULES NULL means that no rules were run: scores then lack what needs
 * them. *out is the caller's, to scorer_destroy.  0, or -1: ERR_INPUT (the profile has a weight for
 * a counter that does not exist), ERR_NOMEM.
 */
int scorer_create(const struct profile *profile, const struct score_rule *rules, size_t n_rules,
                  struct scorer **out, struct err *err);
/* Free SCORER; NULL is fine. */
void scorer_destroy(struct scorer *scorer);

/* Does a file with these facts count?  Not without facts, nor with syntax errors under a profile
 * that skips these. */
bool scorer_takes_file(const struct scorer *scorer, const struct facts *facts);
/* Does CALLABLE count as a function? */
bool scorer_takes_callable(const struct scorer *scorer, const struct callable *callable);
/* Do hits of rule number RULE count, where there are at least min_file_count? */
bool scorer_takes_rule(const struct scorer *scorer, uint32_t rule);
/*
 * The name of a selection that the profile counts but no rule belongs to, although rules of another
 * selection are there: then verbosity is not known.  NULL if no selection is lacking.
 */
const char *scorer_lacks_selection(const struct scorer *scorer);
/* The cyclomatic complexity of CALLABLE under the profile. */
double scorer_cc(const struct scorer *scorer, const struct callable *callable);
/* The mass of CALLABLE: COMPLEXITY times the profile's size term; 0 without a source line. */
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

    uint64_t files_without_hits;   /* counted files that the rules were not run on */
    bool has_rules;                /* rules were run, and on every file that counts */
    uint64_t rule_source_loc;      /* source lines flagged by rules */
    uint64_t statement_source_loc; /* of these by hits that are not whole functions */
    uint64_t function_source_loc;  /* of these by hits that are */
    uint64_t rule_hits;            /* that count */
    uint64_t rules_gave_up;        /* rules whose hits in a file are not known, over all files */

    bool has_structural;
    uint64_t structural_source_loc;
    uint64_t structural_findings;

    bool has_verbosity; /* all parts the profile asks for are there */
    uint64_t flagged_source_loc;
    double verbosity;

    /* The parts of verbosity, each alone, in source lines per source line. */
    double clone_share, statement_share, function_share, structural_share;
};

/* The columns of a struct score, by the names that the reference checker uses. */
extern const struct row_kind score_row_kind;

/* Write the columns of SCORE into the open object of JSON.  What is absent is left out. */
void score_write_members(const struct score *score, struct json_writer *json);

/* A file of a checkpoint that the profile's source filter takes. */
struct score_file {
    struct bytes path;
    const struct facts *facts;
    struct hit_list hits; /* {0} where no rules were run */
};

/* Score the N_FILES files of a checkpoint, in bytewise order of paths, into OUT.  0, or -1 with
 * ERR_NOMEM. */
int score_files(const struct scorer *scorer, const struct score_file *files, size_t n_files,
                struct score *out, struct err *err);

/* ---- Why lines are flagged ----------------------------------------------------------------- */

/* A place that has copies elsewhere. */
struct clone_place {
    uint32_t file;                 /* index into the files */
    uint32_t start_line, end_line; /* from 1, both included */
    enum clone_kind kind;
};

/* Places that are copies of each other. */
struct clone_group {
    const struct clone_place *places; /* by file, then line */
    size_t n_places;                  /* at least two */
};

/*
 * Find the clone groups among the N_FILES FILES.  *OUT has *N_OUT of them in ARENA, in order of
 * their first places; of groups with one start the longer place comes first.  0, or -1 with
 * ERR_NOMEM.
 */
int
score_clone_groups(const struct scorer *scorer, const struct score_file *files, size_t n_files,
                   struct arena *arena, struct clone_group **out, size_t *n_out, struct err *err);

/* What can flag lines: the parts of verbosity. */
enum flag_kind { FLAG_RULE, FLAG_CLONE, FLAG_STRUCTURAL };

/* Lines of one file, and what flags them. */
struct flag {
    enum flag_kind kind;
    bool counts; /* under the profile; false only of a hit */
    uint32_t start_line, end_line;
    const struct hit *hit;           /* FLAG_RULE */
    size_t group, place;             /* FLAG_CLONE: its group, and this place in the group */
    const struct callable *callable; /* FLAG_STRUCTURAL */
};

/*
 * Everything that flags lines of FILES[FILE]: *OUT has *N_OUT flags in ARENA, in order of start
 * line, end line and kind.  Hits of rules that do not count are among them.  GROUPS are those of
 * score_clone_groups for the same FILES. The source lines of the flags that count, each counted
 * once, are score.flagged_source_loc.  0, or -1 with ERR_NOMEM.
 */
int score_flags(const struct scorer *scorer, const struct score_file *files, size_t file,
                const struct clone_group *groups, size_t n_groups, struct arena *arena,
                struct flag **out, size_t *n_out, struct err *err);

#endif
