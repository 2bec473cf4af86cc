/*
 * Walk: scores the checkpoints of one trajectory of a store, one after the other.
 *
 * Each listing is compared with the one before, so that a checkpoint costs only what changed: a
 * blob is decoded and tallied once, files that stay keep their tallies, and clone groups are
 * counted up and down.  With several scorers each blob is still decoded once.
 *
 * Threads: a walk is used by one thread; reader and scorers outlive it.
 */
#ifndef STRATA_AGGREGATE_PANEL_WALK_H
#define STRATA_AGGREGATE_PANEL_WALK_H

#include "aggregate/panel/panel_rules.h"
#include "aggregate/score/scoring.h"
#include "base/map.h"
#include "store/store.h"

/* Which files of a listing count: those that both filters take. */
struct path_choice {
    const struct source_filter *source; /* of the profile */
    const struct source_filter *extra;  /* of the user; NULL: none */
};

/* Does FILE count? */
static inline bool
path_choice_takes(const struct path_choice *choice, const struct store_file *file)
{
    return source_filter_takes(choice->source, file->path, file->mode) &&
           (!choice->extra || source_filter_takes(choice->extra, file->path, file->mode));
}

struct walk;

struct walk_options {
    struct store_reader *reader;
    struct store_key facts;          /* fingerprint of the facts to use */
    const struct panel_rules *rules; /* whose hits to use */
    struct path_choice paths;
    const struct scorer *const *scorers;
    size_t n_scorers; /* at least 1 */
};

/* Create a walk.  OPTIONS is copied, what it points to is borrowed for the life of the walk.  *out
 * is the caller's, to walk_destroy.  0, or -1 with ERR_NOMEM. */
int walk_create(const struct walk_options *options, struct walk **out, struct err *err);
/* Free WALK; NULL is fine. */
void walk_destroy(struct walk *walk);

/* Begin another trajectory: forget the blobs and files of the one before. */
void walk_begin(struct walk *walk);
/*
 * Score the next checkpoint of the trajectory, whose files are in LISTING: OUT[k] is the score by
 * scorer k.  0, or -1: ERR_DAMAGED (names what is missing or does not decode), ERR_UNSUPPORTED,
 * ERR_NOMEM. After -1 the walk may only begin another trajectory or be destroyed.
 */
int
walk_step(struct walk *walk, const struct store_key *listing, struct score *out, struct err *err);

#endif
