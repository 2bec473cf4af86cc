/*
 * panel: the scores of the trajectories of a store under a profile, and which profiles a store has
 * the data for.
 *
 * A panel is a set of repositories with their star tiers; agents' trajectories are scored beside
 * it. May include score.h, store, manifests, the built-in rules and base.  Never writes a store.
 *
 * Threads: every function may be called from any thread; scoring starts its own threads.
 */
#ifndef STRATA_AGGREGATE_PANEL_H
#define STRATA_AGGREGATE_PANEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/progress.h"
#include "manifests/manifests.h"
#include "store/store.h"

/* ---- The trajectories of a store ----------------------------------------------------------- */

/* Who made a commit, by the marks in its message and its author. */
enum author {
    AUTHOR_HUMAN,    /* no mark */
    AUTHOR_BOT,      /* an automated account, such as a dependency updater */
    AUTHOR_ASSISTANT /* a coding assistant wrote it or helped */
};
enum { AUTHOR_N = AUTHOR_ASSISTANT + 1 };

/* "human", "bot" or "assistant". */
const char *author_name(enum author author);

/* Which trajectories, checkpoints and files to take; {0} takes all.  Tiers, licenses, dates and
 * authors apply to repositories and their commits only: agents' trajectories always pass. */
struct panel_filter {
    unsigned tiers;            /* bits 1 << enum tier; 0: all, also those without stars */
    struct text_list licenses; /* empty: all */
    bool has_since, has_until; /* then commits without a date that can be real are left out */
    int64_t since_s, until_s;  /* seconds since 1970; since is included, until is not */
    const struct source_filter *files; /* in addition to the profile's; NULL: none */
    unsigned authors;                  /* bits 1 << enum author; 0: all */
};

struct panel_options {
    const struct profile *profile;
    struct panel_filter filter;
    struct bytes rules_group;  /* group whose hits count, a prefix in hex; empty: the newest */
    size_t n_jobs;             /* threads; 0: one per core */
    struct progress *progress; /* may be NULL */
};

/*
 * Score the trajectories of STORE and append a JSON line per checkpoint to OUT, in order of
 * trajectory id and ordinal; docs/data-dictionary.md describes the lines.  The bytes do not depend
 * on n_jobs.  A trajectory that cannot be scored is left out, and a line in NOTES says why.  0, or
 * -1: ERR_NOMEM, ERR_STOPPED, and the errors of opening a reader.
 */
int panel_write_scores(struct store *store, const struct panel_options *options, struct buf *out,
                       struct buf *notes, struct err *err);

/* ---- Which profiles a store has the data for ----------------------------------------------- */

struct profile_answer {
    const char *why_not; /* NULL: every listed blob has what the profile needs; else a sentence */
    uint32_t n_rules;    /* rules of the newest group whose hits count under the profile */
};

/* Can STORE be scored under PROFILE with nothing missing?  INFO is that of store_get_info.  OUT
 * points into ARENA.  0, or -1 with ERR_NOMEM and the errors of opening a reader. */
int
profile_look_up(struct store *store, const struct store_info *info, const struct profile *profile,
                struct arena *arena, struct profile_answer *out, struct err *err);

#endif
