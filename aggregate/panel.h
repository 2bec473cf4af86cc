/*
 * panel: the trajectories of a store, scored under a profile, and what a store can answer.
 *
 * May include score.h, store, manifests and base.  Never writes a store.
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

/*
 * Score every trajectory of STORE and append one JSON line a checkpoint to OUT, by trajectory id
 * and ordinal; the bytes do not depend on n_jobs.  A trajectory that cannot be scored is said in
 * WARNINGS and left out.  ERR_NOMEM, ERR_STOPPED, and what opening a reader gives.
 */
int panel_write_scores(struct store *store, const struct panel_options *options, struct buf *out,
                       struct buf *warnings, struct err *err);

/* ---- What a store can answer --------------------------------------------------------------- */

struct profile_answer {
    const char *why_not; /* NULL: every listed blob has what the profile asks for */
    uint32_t n_rules;    /* of the newest group, whose hits count under it */
};

/* Can STORE, of which INFO is store_get_info's, be scored under PROFILE with nothing missing?  OUT
 * lives in ARENA. */
int
profile_look_up(struct store *store, const struct store_info *info, const struct profile *profile,
                struct arena *arena, struct profile_answer *out, struct err *err);

#endif
