/*
 * Rules: under which name a run keeps hits, and what hits of an earlier rule set are still good.
 *
 * Hits are kept a blob and a group of rules.  When a set has changed since, the hits of the rules
 * that are the same (by fingerprint) are taken over from the group that shares most, and only the
 * others are run.
 */
#ifndef STRATA_MINER_RULES_H
#define STRATA_MINER_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/analyzer.h"
#include "base/arena.h"
#include "base/err.h"
#include "store/store.h"

#define RULE_NONE UINT32_MAX

struct mine_rules {
    const struct ruleset *set; /* NULL: no rules are run, and nothing below holds; borrowed */
    struct store_key group;    /* of SET */
    bool has_base;
    struct store_key base;     /* the group whose hits are taken over */
    uint32_t n_base;           /* rules in it */
    uint32_t *base_to_set;     /* a rule of it as a rule of SET; RULE_NONE when SET lacks it */
    struct ruleset *fresh;     /* the rules of SET that it lacks; NULL when it lacks none */
    uint32_t *fresh_to_set;
    struct arena arena;
};

/* Put SET (may be NULL) and its group with WRITER, look for a base in STORE.  *OUT is the caller's,
 * to mine_rules_close. */
int mine_rules_open(const struct ruleset *set, struct store *store, struct store_writer *writer,
                    struct mine_rules *out, struct err *err);
void mine_rules_close(struct mine_rules *rules);

/*
 * Append the encoded hits of SET to OUT: those of the base, ENCODED, and those of the fresh rules,
 * FRESH (empty when there are none).  ERR_DAMAGED: ENCODED cannot be read.
 */
int mine_rules_merge(const struct mine_rules *rules, struct bytes encoded,
                     const struct hit_list *fresh, struct arena *scratch, struct buf *out,
                     struct err *err);

#endif
