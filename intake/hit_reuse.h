/*
 * Hit reuse: which hits of an earlier set of rules are good for a set, and what must be run anew.
 */
#ifndef STRATA_INTAKE_HIT_REUSE_H
#define STRATA_INTAKE_HIT_REUSE_H

#include "intake/intake.h"

/* The rules that must be run; NULL when there are none. */
const struct ruleset *hit_reuse_fresh(const struct hit_reuse *reuse);
/*
 * Append the encoded hits of the set to OUT: those of the base, ENCODED, and those of the fresh
 * rules, FRESH (empty when there are none).  ERR_DAMAGED, ERR_UNSUPPORTED:
 * ENCODED cannot be read.
 */
int
hit_reuse_merge(const struct hit_reuse *reuse, struct bytes encoded, const struct hit_list *fresh,
                struct arena *scratch, struct buf *out, struct err *err);

#endif
