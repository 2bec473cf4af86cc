/*
 * Scope: read the `files` and `ignores` of a rule from its YAML document.
 */
#ifndef STRATA_ANALYZER_SCOPE_SCOPE_H
#define STRATA_ANALYZER_SCOPE_SCOPE_H

#include "analyzer/rule_scope.h"
#include "base/yaml_read.h"

/* Read the globs of ROOT, a rule of the file ORIGIN, into ARENA; *OUT is NULL if there are none.
 * ERR_INPUT with file and line, ERR_NOMEM. */
int rule_scope_read(const struct yaml_value *root, const char *origin, struct arena *arena,
                    const struct rule_scope **out, struct err *err);

#endif
