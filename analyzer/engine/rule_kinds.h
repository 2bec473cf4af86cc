/*
 * Kind sets: the node kinds at which a matcher can match at all.
 *
 * They are part of the rule language, because a rule whose set is not known is refused.
 */
#ifndef STRATA_ANALYZER_ENGINE_RULE_KINDS_H
#define STRATA_ANALYZER_ENGINE_RULE_KINDS_H

#include "analyzer/engine/matcher.h"

/* Fill has_kinds and kinds of every matcher of LIST.  Utils must refer to themselves only
 * through relations. */
void rule_find_kinds(struct matcher_list *list);

#endif
