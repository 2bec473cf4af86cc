/*
 * Panel: the trajectories of a store with their scores, as the reports read them.
 */
#ifndef STRATA_AGGREGATE_PANEL_SCORED_PANEL_H
#define STRATA_AGGREGATE_PANEL_SCORED_PANEL_H

#include "aggregate/panel.h"
#include "aggregate/score.h"
#include "aggregate/panel/panel_rules.h"
#include "aggregate/records/record.h"
#include "store/store.h"

struct scored_checkpoint {
    const struct store_checkpoint *stored;
    enum author author;
    const struct record *record; /* of an agent's checkpoint, or NULL */
    const struct score *scores;  /* by scorer */
};

struct scored_trajectory {
    struct store_trajectory about;
    bool is_agent;
    bool has_tier; /* its stars are known */
    enum tier tier;
    struct scored_checkpoint *checkpoints; /* those the filter takes, by ordinal */
    size_t n_checkpoints;
    size_t n_left_out;   /* by the filter */
    const char *problem; /* why there are no scores, or NULL */
    struct arena arena;  /* holds all of it */
};

struct scored_panel {
    struct scored_trajectory *trajectories; /* in bytewise order of ids */
    size_t n_trajectories;
    size_t n_left_out; /* by the filter */
    struct store_key facts;
    struct arena arena;
};

/* The facts to score: those of the default limits, or the only ones there are.  ERR_INPUT. */
int panel_choose_facts(struct store_reader *reader, struct arena *arena, struct store_key *out,
                       struct err *err);
/* Score a store with the hits of RULES under N_SCORERS profiles at once.  The profile of options is
 * not looked at but for its source filter. */
int scored_panel_create(struct store *store, const struct panel_options *options,
                        const struct panel_rules *rules, const struct scorer *const *scorers,
                        size_t n_scorers, struct scored_panel **out, struct err *err);
/* The checkpoints with a file that the rules were not run on. */
size_t scored_panel_count_without_hits(const struct scored_panel *panel);
/* Say in WARNINGS which trajectories have no scores and why, a line each, and how many checkpoints
 * lack what needs rules. */
void scored_panel_note(const struct scored_panel *panel, struct buf *warnings);
void scored_panel_destroy(struct scored_panel *panel);

#endif
