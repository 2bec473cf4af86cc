/*
 * Rule files: the built-in rule set as it is in rules/, one YAML file per category of a selection.
 *
 * Names are paths below rules ("strict/loops.yml"); each array ends with a name of NULL.
 */
#ifndef STRATA_RULES_RULE_FILES_H
#define STRATA_RULES_RULE_FILES_H

#include <stdbool.h>

#include "base/bytes.h"
#include "base/embedded.h"

extern const struct embedded_file builtin_rule_files[];
/* Their examples, in the format of `ast-grep test`: documents of id, valid, invalid. */
extern const struct embedded_file builtin_rule_tests[];

/* Is a rule of the selection `strict` called ID?  Older stores hold rules
 * that do not name their selection. */
bool builtin_rules_have_strict(struct bytes id);

#endif
