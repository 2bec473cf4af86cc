/*
 * rule_scope: the files that a rule applies to, as the globs in its `files` and `ignores` say.
 *
 * Library analyzer_scope: scoring asks it about paths and needs neither a parser nor the engine of
 * rules.  May include base.  Threads: a scope is immutable and may be shared.
 */
#ifndef STRATA_ANALYZER_RULE_SCOPE_H
#define STRATA_ANALYZER_RULE_SCOPE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/err.h"

struct rule_scope;

/* Read the scope of the rule whose YAML document is SOURCE into ARENA, for callers that have no
 * more of the rule than that.  *OUT is NULL if it applies everywhere.  ERR_INPUT, ERR_NOMEM. */
int rule_scope_of_source(struct bytes source, struct arena *arena, const struct rule_scope **out,
                         struct err *err);
/* Does a rule of SCOPE, which may be NULL, apply to the file at PATH? */
bool rule_scope_covers(const struct rule_scope *scope, struct bytes path);

#endif
