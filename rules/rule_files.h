/*
 * Rule files: the built-in rule set as it is in rules/, one YAML file per category.
 *
 * Names are paths below rules ("strict/loops.yml"); a NULL name ends each array.
 */
#ifndef STRATA_RULES_RULE_FILES_H
#define STRATA_RULES_RULE_FILES_H

#include "base/embedded.h"

extern const struct embedded_file builtin_rule_files[];
/* Their examples, in the format of `ast-grep test`: documents of id, valid, invalid. */
extern const struct embedded_file builtin_rule_tests[];

#endif
