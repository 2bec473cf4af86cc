/*
 * Rule files: the built-in rule set as it stands in analyzer/rules, one YAML file per category.
 *
 * Names are paths below analyzer ("rules/python/loops.yml"); a NULL name ends each array.
 */
#ifndef STRATA_ANALYZER_RULE_FILES_H
#define STRATA_ANALYZER_RULE_FILES_H

#include "base/embedded.h"

extern const struct embedded_file analyzer_rule_files[];
/* Their examples, in the format of `ast-grep test`: documents of id, valid, invalid. */
extern const struct embedded_file analyzer_rule_tests[];

#endif
