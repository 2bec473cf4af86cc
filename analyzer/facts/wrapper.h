/*
 * Wrapper: functions that do nothing but call another.
 *
 * The rule is that of the SlopCodeBench release (its waste metric, "trivial wrappers"), on which
 * the structural rule `trivial-wrapper` of scb-check 0.2 rests.
 */
#ifndef STRATA_ANALYZER_FACTS_WRAPPER_H
#define STRATA_ANALYZER_FACTS_WRAPPER_H

#include "analyzer/parse/flat.h"
#include "analyzer/parse/syntax.h"

/*
 * Is the body of the function definition NODE, plain string statements and `pass` aside, a single
 * return or expression statement whose first expression holds exactly one call, of something with
 * a name (`f` or `x.f`)?
 */
bool wrapper_is_trivial(const struct syntax_table *table, const struct flat *flat, uint32_t node);

#endif
