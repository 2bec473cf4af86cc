/*
 * Scored panel: the trajectories of a store with the scores of their checkpoints.
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
    const struct record *record; /* of an agent's checkpoint; NULL if there is none */
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
    struct arena arena;  /* owns all of the above */
};

struct scored_panel {
    struct scored_trajectory *trajectories; /* in bytewise order of ids */
    size_t n_trajectories;
    size_t n_left_out;      /* by the filter */
    struct store_key facts; /* fingerprint of the facts that were scored */
    struct arena arena;
};

/* Set *OUT to the fingerprint of the facts to score: those of the default limits, else the only
 * ones in the store.  0, or -1: ERR_INPUT if there are several, ERR_NOMEM, ERR_DAMAGED. */
int panel_choose_facts(struct store_reader *reader, struct arena *arena, struct store_key *out,
                       struct err *err);
/*
 * Score STORE with the hits of RULES by N_SCORERS scorers at once.  Of the profile in OPTIONS only
 * the source filter is used.  A trajectory that cannot be scored has its problem set.  *out is the
 * caller's, to scored_panel_destroy.  0, or -1: ERR_NOMEM, ERR_STOPPED, ERR_UNSUPPORTED (facts of
 * another version), and the errors of opening a reader.
 */
int scored_panel_create(struct store *store, const struct panel_options *options,
                        const struct panel_rules *rules, const struct scorer *const *scorers,
                        size_t n_scorers, struct scored_panel **out, struct err *err);
/* How many checkpoints have a file that counts and that the rules were not run on. */
size_t scored_panel_count_without_hits(const struct scored_panel *panel);
/* Append a line to NOTES for each trajectory without scores, with the reason, and one if
 * checkpoints lack what needs rules. */
void scored_panel_note(const struct scored_panel *panel, struct buf *notes);
/* Free PANEL; NULL is fine. */
void scored_panel_destroy(struct scored_panel *panel);

#endif
