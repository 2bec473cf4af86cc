/*
 * manifests: panels and metric profiles as data, with the code that reads, checks and writes them.
 *
 * May include base.  Everything read here is untrusted: an unknown field, a wrong type or a value
 * out of range is ERR_INPUT, with a message that names file and place ("panel.json:
 * repositories[3].stars").
 * Threads: what was read is immutable and may be shared between threads.
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

/* Texts, borrowed. */
struct text_list {
    const struct bytes *items;
    size_t n_items;
};

/* Write the texts of LIST as the member NAME; NAME NULL: as a value. */
void text_list_write(const struct text_list *list, const char *name, struct json_writer *json);

/* ---- Which files are source ---------------------------------------------------------------- */

/* Which files count as source.  Paths are relative to the root of the scan. */
struct source_filter {
    struct text_list suffixes;     /* a path must end in one, such as ".py" */
    struct text_list exclude_dirs; /* names of folders that are left out with all below them */
    struct text_list include;      /* globs; if there are any, a path must match one */
    struct text_list exclude;      /* globs; a path must match none */
};

/* The filter of files that end in ".py", without the folders of tools and builds.  Static. */
const struct source_filter *source_filter_default(void);
/* Is the file PATH source?  MODE is as in a git tree: links and submodules never are. */
bool source_filter_takes(const struct source_filter *filter, struct bytes path, uint32_t mode);
/* Is the folder NAME (one path component) left out with everything below it? */
bool source_filter_excludes_dir(const struct source_filter *filter, struct bytes name);
/* Write FILTER as the member NAME (NAME NULL: as a value) that reads as FILTER in a manifest or a
 * profile. */
void
source_filter_write(const struct source_filter *filter, const char *name, struct json_writer *json);
/*
 * Does GLOB match PATH?  '*' matches any bytes and '?' one byte, but not '/'; "**" matches '/' too;
 * [a-z] and [!a-z] match one byte.  A "**" that is a whole component ("**" "/tests") matches any
 * number of folders, also none.  GLOB is matched against the whole path, or against the last
 * component when it has no '/'.  The cost is at most the length of PATH times that of GLOB.  A glob
 * of more than GLOB_MAX_BYTES matches nothing; the readers of this folder refuse it.
 */
enum { GLOB_MAX_BYTES = 1024 };
bool glob_matches(struct bytes glob, struct bytes path);
/* Why GLOB is not valid ("has a '[' that is not closed"), or NULL when it is.  Static. */
const char *glob_fault(struct bytes glob);

/* ---- Panels -------------------------------------------------------------------------------- */

enum tier { TIER_HOBBY, TIER_NICHE, TIER_ESTABLISHED, TIER_MAJOR, TIER_N };

/* The tier of a repository with STARS: hobby below 100, niche below 1,000, established below
 * 10,000, major from there on. */
enum tier tier_of_stars(int64_t stars);
/* "hobby", "niche", "established", "major".  Static. */
const char *tier_name(enum tier tier);

enum sampling_strategy { SAMPLING_RANDOM, SAMPLING_EVEN, SAMPLING_ALL };
enum sampling_history { HISTORY_FIRST_PARENT, HISTORY_ALL };

/* How the commits of a repository are sampled. */
struct sampling {
    uint32_t n_commits; /* at most; default 30; ignored by SAMPLING_ALL */
    enum sampling_strategy strategy;
    enum sampling_history history;
    uint64_t seed;
    bool merges; /* may merge commits be sampled?  default true */
};

/* 30 commits at random from the history of first parents, merges included, seed 0. */
struct sampling sampling_default(void);
/* "random", "even", "all" and "first-parent", "all", as manifests, flags and reports spell them.
 * Static. */
const char *sampling_strategy_name(enum sampling_strategy strategy);
const char *sampling_history_name(enum sampling_history history);
/* Make *OUT the value that WORD spells.  0, or -1 when there is not one. */
int sampling_strategy_parse(struct bytes word, enum sampling_strategy *out);
int sampling_history_parse(struct bytes word, enum sampling_history *out);

struct manifest_repository {
    struct bytes name;    /* unique ignoring ASCII case; "owner/name"; valid as a relative path */
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

/* Read the manifest at PATH into *OUT; what that points to is in ARENA.  0, or -1 with ERR_INPUT,
 * ERR_IO or ERR_NOMEM. */
int manifest_read(const char *path, struct arena *arena, struct manifest *out, struct err *err);
/* The same from TEXT, which messages call ORIGIN. */
int manifest_parse(struct bytes text, const char *origin, struct arena *arena, struct manifest *out,
                   struct err *err);

/* Append MANIFEST to OUT as JSON that reads back as the same manifest.  The source filter is left
 * out when it is the default one.  Failure is in OUT (buf_failed). */
void manifest_write(const struct manifest *manifest, struct buf *out);

/* ---- Drawing a panel ----------------------------------------------------------------------- */

/* How to draw a stratified sample from a table of candidates.  An empty list or day filters
 * nothing; a candidate whose day is not recorded does not pass a filter on that day. */
struct panel_draw {
    struct bytes name;
    uint32_t counts[TIER_N];
    uint64_t seed;
    struct text_list licenses;        /* any of these */
    struct bytes created_before;      /* a day: created on an earlier one */
    struct bytes pushed_since;        /* a day: pushed on it or later */
    struct text_list exclude_sources; /* values of the column source, or their part before '@' */
    struct text_list exclude;         /* names, ignoring ASCII case */
    struct text_list include;         /* names that are always drawn; name@ref to mine that ref */
    struct bytes url_prefix;          /* goes before "owner/name.git" */
};

/* 114, 124, 120 and 115 repositories from hobby to major, as in the paper's panel, with seed 1. */
struct panel_draw panel_draw_default(void);
/*
 * Draw a panel from TABLE, a CSV that messages call ORIGIN, into *OUT, which lives in ARENA and
 * borrows from DRAW.  TABLE has the columns repo and stars, and as_of, license, created, pushed and
 * source where they are recorded.  The draw depends on the seed and the names only, not on the
 * order of rows: one candidate more changes at most one repository.  0, or -1: ERR_INPUT (a bad
 * table, too few candidates), ERR_USAGE (a bad day or prefix, no repository asked for), ERR_NOMEM.
 */
int panel_draw(const struct panel_draw *draw, struct bytes table, const char *origin,
               struct arena *arena, struct manifest *out, struct err *err);

/* ---- Profiles ------------------------------------------------------------------------------ */

enum profile_syntax_error { SYNTAX_ERROR_SKIP, SYNTAX_ERROR_KEEP };
enum profile_fstring { PROFILE_FSTRING_PARTS, PROFILE_FSTRING_ONE };
enum profile_sloc {
    SLOC_TOKENS, /* lines on which a token starts */
    SLOC_TEXT    /* as line counters do: statement_lines of a file, text_lines of a callable */
};
enum profile_callables { CALLABLES_ALL, CALLABLES_REACHABLE };
enum profile_size_term { SIZE_NONE, SIZE_SQRT, SIZE_LINEAR };
enum profile_clones { PROFILE_CLONES_NONE, PROFILE_CLONES_SUBTREE, PROFILE_CLONES_FUNCTION_BODY };
/* Which of the built-in rules count; rules that name no selection count under each. */
enum profile_selection { PROFILE_STRICT, PROFILE_CALIBRATED, PROFILE_BOTH };
enum profile_verbosity {
    VERBOSITY_UNION, /* each flagged line once, over source lines */
    VERBOSITY_SUM    /* clone share plus hits per line, overlap counted twice: released-code */
};

/* The weight of a construct counter, by its name ("and_or"); the scorer resolves the names. */
struct profile_weight {
    struct bytes counter;
    double weight;
};
struct profile_weights {
    const struct profile_weight *items;
    size_t n_items;
};

/* The words of size terms and clone definitions, by value, NULL at the end. */
extern const char *const profile_size_term_names[];
extern const char *const profile_clones_names[];

/* Everything a metric definition can choose.  profile_fields.c has a line for every member;
 * README.md says what each means. */
struct profile {
    struct bytes name;
    struct bytes description;
    struct source_filter source;
    enum profile_syntax_error on_syntax_error;
    enum profile_fstring fstring_tokens;
    enum profile_sloc sloc; /* of totals and sizes; lines that are flagged are always token lines */
    enum profile_callables callables;

    double cc_base;
    struct profile_weights cc_weights; /* counters not named weigh 0 */
    bool cc_nested;                    /* do nested callables count into the outer one? */

    double high_cc; /* a callable above it is high */
    double high_cognitive;
    enum profile_size_term size_term;

    enum profile_clones clones;
    uint32_t clone_min_sloc;       /* at least 3 */
    uint32_t clone_min_statements; /* function_body: at least 2 */
    uint32_t clone_min_members;    /* at least 2 */

    enum profile_selection selection; /* of the built-in rules */
    struct text_list severities;      /* rules of these count */
    struct text_list rules_in;        /* empty: all */
    struct text_list rules_out;
    bool advice;         /* do rules of advice count that rules_in does not name? */
    bool min_file_count; /* honour the rules' min_file_count metadata? */
    enum profile_verbosity verbosity;
    bool part_rules, part_clones, part_structural; /* what enters the union of verbosity */
    bool trivial_wrapper;                          /* the structural rule */
};

/*
 * Read the built-in profile NAME, or the one in the file NAME, into ARENA.  A field that a file
 * leaves out is as in the built-in profile that its "extends" names, or as in "paper".  ERR_INPUT
 * names file and field; ERR_IO; ERR_NOMEM.
 */
int profile_read(const char *name, struct arena *arena, struct profile *out, struct err *err);
/* The same from the bytes of a file; ORIGIN names them in messages. */
int profile_parse(struct bytes text, const char *origin, struct arena *arena, struct profile *out,
                  struct err *err);
/* The same for the text of a built-in profile: every field must be there. */
int profile_parse_builtin(struct bytes text, const char *origin, struct arena *arena,
                          struct profile *out, struct err *err);
/* Names of the built-in profiles, NULL at the end. */
extern const char *const profile_builtin_names[];

#endif
