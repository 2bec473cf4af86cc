/*
 * Hit reuse: which hits of an earlier set of rules are valid for a new set, and which rules must
 * run.
 */
#ifndef STRATA_INTAKE_HIT_REUSE_H
#define STRATA_INTAKE_HIT_REUSE_H

#include "intake/intake.h"

/* The rules that must be run, borrowed from REUSE; NULL when there are none. */
const struct ruleset *hit_reuse_fresh(const struct hit_reuse *reuse);
/*
 * Append the encoded hits of the new set to OUT: those in ENCODED, which the earlier set found, and
 * those in FRESH, which the rules of hit_reuse_fresh found (empty when there are none).
 * ERR_DAMAGED, ERR_UNSUPPORTED: ENCODED cannot be read.  ERR_NOMEM.
 */
int
hit_reuse_merge(const struct hit_reuse *reuse, struct bytes encoded, const struct hit_list *fresh,
                struct arena *scratch, struct buf *out, struct err *err);

#endif
