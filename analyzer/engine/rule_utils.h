/*
 * Utils: find cycles of utils that refer to each other.
 */
#ifndef STRATA_ANALYZER_ENGINE_RULE_UTILS_H
#define STRATA_ANALYZER_ENGINE_RULE_UTILS_H

#include "analyzer/engine/rule_read.h"

enum { UTILS_MAX = 1000 };

/*
 * Refuse utils of READER's list that refer to each other in a cycle on the same node, and
 * calls of unknown utils that the rule or a constraint can reach; mark those that are recursive
 * through a relation.  LINE is that of the rule.
 */
int rule_check_utils(struct rule_reader *reader, uint32_t line);

#endif
