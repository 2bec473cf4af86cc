/*
 * Interning: add a rule that was read to a program, in which equal matchers are stored once.
 */
#ifndef STRATA_ANALYZER_ENGINE_INTERN_H
#define STRATA_ANALYZER_ENGINE_INTERN_H

#include "analyzer/engine/program.h"
#include "base/err.h"

/*
 * Add the rule in LIST, whose kinds are found and whose utils are checked, to PROGRAM.  ERR_INPUT
 * when it is nested too deep or unfolds to too many matchers, ERR_NOMEM.
 */
int rule_intern(struct matcher_list *list, struct program *program, struct program_rule *out,
                struct err *err);

#endif
