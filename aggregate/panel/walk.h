/*
 * Walk: the checkpoints of one trajectory out of a store, scored.
 *
 * A listing is compared with the one before it, so a checkpoint costs what changed: a blob is
 * decoded and tallied once, files that stayed keep their numbers, clone groups follow by counting.
 * Several scorers can go along, each blob then being decoded once for all of them.
 * Threads: a walk belongs to one thread; reader and scorers outlive it.
 */
#ifndef STRATA_AGGREGATE_PANEL_WALK_H
#define STRATA_AGGREGATE_PANEL_WALK_H

#include "aggregate/panel/panel_rules.h"
#include "aggregate/score/scoring.h"
#include "base/map.h"
#include "store/store.h"

/* Which files of a listing count; all must agree. */
struct path_choice {
    const struct source_filter *source; /* of the profile */
    const struct source_filter *extra;  /* more globs of the user's; NULL for none */
};

static inline bool
path_choice_takes(const struct path_choice *choice, const struct store_file *file)
{
    return source_filter_takes(choice->source, file->path, file->mode) &&
           (!choice->extra || source_filter_takes(choice->extra, file->path, file->mode));
}

struct walk;

struct walk_options {
    struct store_reader *reader;
    struct store_key facts;          /* fingerprint of the facts to take */
    const struct panel_rules *rules; /* whose hits to take */
    struct path_choice paths;
    const struct scorer *const *scorers;
    size_t n_scorers; /* at least 1 */
};

/* *out is the caller's, to walk_destroy.  OPTIONS is copied, what it points to is borrowed. */
int walk_create(const struct walk_options *options, struct walk **out, struct err *err);
void walk_destroy(struct walk *walk);

/* Begin a new trajectory: forget the blobs and files of the last. */
void walk_begin(struct walk *walk);
/*
 * Score the files of LISTING, the trajectory's next checkpoint; OUT[k] is by scorer k.
 * ERR_DAMAGED names what is missing from the store or does not decode.
 */
int
walk_step(struct walk *walk, const struct store_key *listing, struct score *out, struct err *err);

#endif
