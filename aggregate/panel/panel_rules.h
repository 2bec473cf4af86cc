/*
 * Panel rules: a group of rules whose hits are in a store, in the form that scoring needs.
 */
#ifndef STRATA_AGGREGATE_PANEL_PANEL_RULES_H
#define STRATA_AGGREGATE_PANEL_PANEL_RULES_H

#include "aggregate/panel.h"
#include "aggregate/score.h"
#include "store/store.h"

struct panel_rules {
    bool has_group; /* false: no rules were run, and nothing below holds */
    struct store_key group;
    struct score_rule *items; /* in the order of the group: struct hit.rule is an index into them */
    size_t n_items;
    uint32_t *scoped; /* indices of those with a scope, ascending */
    size_t n_scoped;
};

/*
 * Read the group of rules whose hexadecimal key begins with GROUP_HEX, or the newest group if it is
 * empty, into OUT in ARENA.  0, or -1: ERR_INPUT (no such group or several; GROUP_HEX is empty and
 * the store does not know which of its groups is the newest), ERR_DAMAGED, ERR_NOMEM.
 */
int panel_rules_open(struct store *store, struct bytes group_hex, struct arena *arena,
                     struct panel_rules *out, struct err *err);

enum { PANEL_RULES_HEX_SIZE = 2 * STORE_KEY_BYTES + 1 };
/* Write KEY to OUT in hexadecimal, with a NUL.  Returns OUT. */
char *panel_rules_hex(const struct store_key *key, char out[PANEL_RULES_HEX_SIZE]);

/* The first of IDS that is not the id of one of RULES; NULL if there is none or no rules were run.
 */
const struct bytes *
panel_rules_unknown(const struct panel_rules *rules, const struct text_list *ids);

/* Create a scorer of PROFILE for the hits of RULES.  NOTES, which may be NULL, gets a line for each
 * rule that the profile names and that is not among RULES.  *out is the caller's, to
 * scorer_destroy.  0, or -1 as for scorer_create. */
int panel_scorer(const struct panel_rules *rules, const struct profile *profile,
                 struct scorer **out, struct buf *notes, struct err *err);

#endif
