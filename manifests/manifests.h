/*
 * manifests: panels and metric profiles, as data, and the readers that validate them.
 *
 * May include base.  Everything read here comes from outside: an unknown field, a wrong type or a
 * value out of range is ERR_INPUT naming file and place ("panel.json: repositories[3].stars").
 * Threads: what was read is immutable and may be shared.
 */
#ifndef STRATA_MANIFESTS_MANIFESTS_H
#define STRATA_MANIFESTS_MANIFESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/oid.h"

struct json_writer;

struct text_list {
    const struct bytes *items;
    size_t n_items;
};

/* Write a member NAME with the texts of LIST. */
void text_list_write(const struct text_list *list, const char *name, struct json_writer *json);

/* ---- Which files are source ---------------------------------------------------------------- */

/* A path is relative to the root of the scan. */
struct source_filter {
    struct text_list suffixes;     /* ".py" */
    struct text_list exclude_dirs; /* a path component equal to one takes the file out */
    struct text_list include;      /* globs; empty takes all */
    struct text_list exclude;      /* globs */
};

/* ".py" and the default list of folders; static. */
const struct source_filter *source_filter_default(void);
/* Is the regular file PATH source?  MODE as in a git tree: links and submodules never are. */
bool source_filter_takes(const struct source_filter *filter, struct bytes path, uint32_t mode);
/* Is the folder NAME (one path component) left out with all below it? */
bool source_filter_excludes_dir(const struct source_filter *filter, struct bytes name);
/* Write a member NAME that reads as FILTER in a manifest or a profile. */
void
source_filter_write(const struct source_filter *filter, const char *name, struct json_writer *json);
/*
 * Globs: '*' and '?' (one byte) stop at '/', "**" does not, [a-z] and [!a-z] take one byte; a
 * "**" that is a whole component ("**" "/tests") takes any number of folders, also none.  Matched
 * against the whole path, or, when GLOB has no '/', against the last component.  The cost is at
 * most path times glob.  Over GLOB_MAX_BYTES a glob matches nothing; the readers here refuse it.
 */
enum { GLOB_MAX_BYTES = 1024 };
bool glob_matches(struct bytes glob, struct bytes path);
/* Why GLOB cannot mean anything ("a '[' is not closed"), or NULL when it is a good one. */
const char *glob_fault(struct bytes glob);

/* ---- Panels -------------------------------------------------------------------------------- */

enum tier { TIER_HOBBY, TIER_NICHE, TIER_ESTABLISHED, TIER_MAJOR, TIER_N };

/* Hobby under 100, niche under 1,000, established under 10,000 stars, then major. */
enum tier tier_of_stars(int64_t stars);
const char *tier_name(enum tier tier); /* "hobby" and so on */

enum sampling_strategy { SAMPLING_RANDOM, SAMPLING_EVEN, SAMPLING_ALL };
enum sampling_history { HISTORY_FIRST_PARENT, HISTORY_ALL };

struct sampling {
    uint32_t n_commits; /* at most; default 30; ignored by SAMPLING_ALL */
    enum sampling_strategy strategy;
    enum sampling_history history;
    uint64_t seed;
    bool merges; /* may merge commits be sampled?  default true */
};

struct sampling sampling_default(void);
/* "random", "even", "all" and "first-parent", "all": as manifests, flags and reports spell them. */
const char *sampling_strategy_name(enum sampling_strategy strategy);
const char *sampling_history_name(enum sampling_history history);
/* The value that WORD spells.  0, or -1 when it spells none. */
int sampling_strategy_parse(struct bytes word, enum sampling_strategy *out);
int sampling_history_parse(struct bytes word, enum sampling_history *out);

struct manifest_repository {
    struct bytes name;    /* unique ignoring ASCII case; "owner/name"; good as a relative path */
    struct bytes url;     /* may be empty */
    int64_t stars;        /* -1 when not given */
    struct bytes as_of;   /* the day of the star count, "2026-06-25"; may be empty */
    struct bytes license; /* may be empty */
    struct bytes ref;     /* a branch or tag; empty: the default branch */
    struct oid head;      /* pinned commit; len 0 when not pinned */
};

struct manifest {
    struct bytes name;
    struct bytes description; /* may be empty */
    struct bytes as_of;       /* may be empty */
    struct sampling sampling;
    struct source_filter source;
    const struct manifest_repository *repositories;
    size_t n_repositories;
};

/* Read the manifest at PATH into ARENA. */
int manifest_read(const char *path, struct arena *arena, struct manifest *out, struct err *err);
/* The same from bytes; ORIGIN names them in messages. */
int manifest_parse(struct bytes text, const char *origin, struct arena *arena, struct manifest *out,
                   struct err *err);

/* Append MANIFEST to OUT as JSON that reads back the same.  Source is left out where it is the
 * default. */
void manifest_write(const struct manifest *manifest, struct buf *out);

/* ---- Drawing a panel ----------------------------------------------------------------------- */

/* A stratified sample of a table of candidates.  Lists and days left empty filter nothing; a
 * candidate whose day is not recorded does not pass a filter on that day. */
struct panel_draw {
    struct bytes name;
    uint32_t counts[TIER_N];
    uint64_t seed;
    struct text_list licenses;        /* any of these */
    struct bytes created_before;      /* a day: created on an earlier one */
    struct bytes pushed_since;        /* a day: pushed on it or later */
    struct text_list exclude_sources; /* the source column, or its part before '@' */
    struct text_list exclude;         /* names, ignoring ASCII case */
    struct text_list include;         /* always drawn: a name, or name@ref to mine that ref */
    struct bytes url_prefix;          /* goes before "owner/name.git" */
};

/* 114, 124, 120 and 115 repositories, as the paper's panel has. */
struct panel_draw panel_draw_default(void);
/*
 * Draw from TABLE, a CSV that ORIGIN names in messages, with the columns repo and stars, and
 * as_of, license, created, pushed and source where they are recorded.  The draw depends on seed
 * and names alone, not on the order of rows: a candidate more changes one repository at most.
 */
int panel_draw(const struct panel_draw *draw, struct bytes table, const char *origin,
               struct arena *arena, struct manifest *out, struct err *err);

/* ---- Profiles ------------------------------------------------------------------------------ */

enum profile_syntax_error { SYNTAX_ERROR_SKIP, SYNTAX_ERROR_KEEP };
enum profile_fstring { PROFILE_FSTRING_PARTS, PROFILE_FSTRING_ONE };
enum profile_sloc {
    SLOC_TOKENS, /* lines on which a token starts */
    SLOC_TEXT /* as line counters see them: statement_lines of a file, text_lines of a callable */
};
enum profile_callables { CALLABLES_ALL, CALLABLES_REACHABLE };
enum profile_size_term { SIZE_NONE, SIZE_SQRT, SIZE_LINEAR };
enum profile_clones { PROFILE_CLONES_NONE, PROFILE_CLONES_SUBTREE, PROFILE_CLONES_FUNCTION_BODY };
enum profile_verbosity {
    VERBOSITY_UNION, /* each flagged line once, over source lines */
    VERBOSITY_SUM    /* clone share plus hits per line, overlap counted twice: released-code */
};

/* A weight for a construct counter, by its name ("and_or"); the scorer resolves the names. */
struct profile_weight {
    struct bytes counter;
    double weight;
};

/* Everything a metric definition can choose; manifests/README.md has the fields. */
struct profile {
    struct bytes name;
    struct bytes description;
    struct source_filter source;
    enum profile_syntax_error on_syntax_error;
    enum profile_fstring fstring_tokens;
    enum profile_sloc sloc; /* of totals and sizes; lines that are flagged are always token lines */
    enum profile_callables callables;

    double cc_base;
    const struct profile_weight *cc_weights; /* counters not named weigh 0 */
    size_t n_cc_weights;
    bool cc_nested; /* do nested callables count into the outer one? */

    double high_cc; /* above it a callable is high */
    double high_cognitive;
    enum profile_size_term size_term;

    enum profile_clones clones;
    uint32_t clone_min_sloc;       /* at least 3 */
    uint32_t clone_min_statements; /* function_body: at least 2 */
    uint32_t clone_min_members;    /* at least 2 */

    struct text_list severities; /* rules of these count */
    struct text_list rules_in;   /* empty: all */
    struct text_list rules_out;
    bool advice;         /* count rules whose metadata say `advice: true`, unnamed in rules_in? */
    bool min_file_count; /* honour the rules' min_file_count metadata? */
    enum profile_verbosity verbosity;
    bool part_rules, part_clones, part_structural; /* what enters the union of verbosity */
    bool trivial_wrapper;                          /* the structural rule */
};

/*
 * The built-in profile NAME ("paper", "scb-check-0.2", "released-code", "linear-mass"), or the one
 * in the file NAME, into ARENA.  A field that a file leaves out is as in the built-in profile that
 * its "extends" names, or as in "paper".
 */
int profile_read(const char *name, struct arena *arena, struct profile *out, struct err *err);
int profile_parse(struct bytes text, const char *origin, struct arena *arena, struct profile *out,
                  struct err *err);
/* Names of the built-in profiles, NULL at the end. */
const char *const *profile_builtin_names(void);
/* The JSON text of a built-in profile, or {NULL, 0}. */
struct bytes profile_builtin_text(const char *name);

#endif
