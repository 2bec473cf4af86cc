/*
 * Panel rules: the rules whose hits a store holds, as scoring needs them.
 */
#ifndef STRATA_AGGREGATE_PANEL_PANEL_RULES_H
#define STRATA_AGGREGATE_PANEL_PANEL_RULES_H

#include "aggregate/panel.h"
#include "aggregate/score.h"
#include "store/store.h"

struct panel_rules {
    bool has_group; /* false: no rules were run; nothing below holds */
    struct store_key group;
    struct score_rule *items; /* in the group's order, which hits count by */
    size_t n_items;
    uint32_t *scoped; /* indices of those with a scope, ascending */
    size_t n_scoped;
};

/*
 * Read the group of rules that GROUP_HEX names, or, when it is empty, the newest, into ARENA.
 * ERR_INPUT (several groups, none named, and the store does not know the newest; a name that is
 * none), ERR_DAMAGED, ERR_NOMEM.
 */
int panel_rules_open(struct store *store, struct bytes group_hex, struct arena *arena,
                     struct panel_rules *out, struct err *err);

enum { PANEL_RULES_HEX_SIZE = 2 * STORE_KEY_BYTES + 1 };
/* KEY in hex, as GROUP_HEX spells it.  Returns OUT. */
char *panel_rules_hex(const struct store_key *key, char out[PANEL_RULES_HEX_SIZE]);

/* The first of IDS that is called none of RULES, or NULL; with no rules at all, NULL as well. */
const struct bytes *
panel_rules_unknown(const struct panel_rules *rules, const struct text_list *ids);

/* A scorer of PROFILE for the hits of RULES.  The rules it names that there are none of are said in
 * WARNINGS, a line each; may be NULL. */
int panel_scorer(const struct panel_rules *rules, const struct profile *profile,
                 struct scorer **out, struct buf *warnings, struct err *err);

#endif
