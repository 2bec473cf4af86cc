/*
 * Check: what `strata check` has read and scored, for the files that print it.
 */
#ifndef STRATA_CLI_CHECK_H
#define STRATA_CLI_CHECK_H

#include "aggregate/score.h"
#include "base/base.h"
#include "manifests/manifests.h"
#include "miner/miner.h"

struct check {
    struct profile profile;
    struct ruleset *rules; /* NULL: none were run */
    struct scorer *scorer;
    struct miner_tree *tree;
    struct score_file *files; /* one for each of the tree */
    struct score score;
    struct clone_group *groups; /* when clones or flags are to be shown */
    size_t n_groups;
    struct arena arena;
    bool show_clones;
    bool show_files;
    bool show_flags;
};

/* Why FILE does not count: a word or two; NULL when it does. */
const char *check_reason(const struct check *check, const struct miner_file *file);

/* Append CHECK to OUT as one JSON object, or as text.  ERR_NOMEM. */
int check_write_json(struct check *check, struct buf *out, struct err *err);
int check_write_text(struct check *check, struct buf *out, struct err *err);

#endif
