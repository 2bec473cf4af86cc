/*
 * Scopes: the `files` and `ignores` of a rule, globs for the paths of the files it applies to.
 *
 * Globs mean what Rust's globset crate makes of them without options: `*` and `?` match '/' too,
 * `**` in place of a whole component any number of components.  Each becomes a regex.
 */
#ifndef STRATA_ANALYZER_ENGINE_RULE_SCOPE_H
#define STRATA_ANALYZER_ENGINE_RULE_SCOPE_H

#include "analyzer/engine/rule_load.h"

struct rule_scope {
    bool has_files; /* then one of these must match */
    const struct regex **files;
    uint32_t n_files;
    const struct regex **ignores; /* none of these may */
    uint32_t n_ignores;
};

/* Read the globs of ROOT; *OUT is NULL when there are none.  ERR_INPUT, ERR_NOMEM. */
int rule_scope_read(struct rule_loader *loader, struct rule_reader *reader,
                    const struct yaml_value *root, const struct rule_scope **out);
/* Append to OUT the regex that GLOB means; false with the reason in *WHY when it means none. */
bool glob_to_regex(struct bytes glob, bool any_case, struct buf *out, const char **why);

#endif
