/*
 * rules: pattern rules in the format of ast-grep, as sets that are loaded, described and run.
 *
 * May include base.  Threads: a struct ruleset is immutable once loaded and shared by all threads;
 * a struct scanner is used by one thread at a time.
 */
#ifndef STRATA_ANALYZER_RULES_H
#define STRATA_ANALYZER_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzer/facts.h"
#include "analyzer/hits.h"
#include "analyzer/limits.h"
#include "analyzer/rule_info.h"
#include "analyzer/rule_scope.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/bytes.h"
#include "base/err.h"

/* Rules in the format of ast-grep, version 0.51; a set is immutable and shared by all threads. */
struct ruleset;

/* The text of a rule file and its name, for messages and for the ids of rules without one. */
struct rule_source {
    const char *name;
    struct bytes text;
};

/*
 * Load all rules of SOURCES, in order.  One bad rule refuses the whole set: ERR_INPUT with file,
 * line and rule.  ERR_UNSUPPORTED, ERR_NOMEM.  *OUT is the caller's, to ruleset_destroy.
 */
int ruleset_load(const struct rule_source *sources, size_t n_sources, struct ruleset **out,
                 struct err *err);
/* NULL is fine. */
void ruleset_destroy(struct ruleset *set);
/* Make *OUT a set of the rules of A, then those of B; both stay as they are.  Fails as ruleset_load
 * does. */
int ruleset_concat(const struct ruleset *a, const struct ruleset *b, struct ruleset **out,
                   struct err *err);
/* The number of rules in SET. */
uint32_t ruleset_count(const struct ruleset *set);
/* Borrowed from SET; INDEX is below ruleset_count. */
const struct rule_info *ruleset_rule(const struct ruleset *set, uint32_t index);

/*
 * Does RULE apply to the file at PATH?  Its `files` and `ignores` decide; no other function
 * here uses them, so the hits in a blob do not depend on its path.  ast-grep takes the path
 * relative to the folder of the rule file, or as it is given when it is not below that folder.
 */
bool ruleset_applies(const struct ruleset *set, uint32_t rule, struct bytes path);

/* Runs rules only, on every source that ast-grep would scan. */
struct scanner;

/* SET is borrowed for the life of the scanner, which is the caller's, to scanner_destroy. */
int scanner_create(const struct ruleset *set, const struct analyzer_limits *limits,
                   struct scanner **out, struct err *err);
/* NULL is fine. */
void scanner_destroy(struct scanner *scanner);
/*
 * The hits in SOURCE; *OUT borrows from SCANNER until the next call or scanner_destroy.  A source
 * that ast-grep skips (not UTF-8, empty, enormous) or that exceeds the limits has no hits, and
 * *SKIPPED says why.  -1 only when memory is out.
 */
int scanner_run(struct scanner *scanner, struct bytes source, struct hit_list *out,
                enum skip_reason *skipped, struct err *err);
/* Append to OUT, line by line, why RULE does or does not match the nodes that start on LINE. */
int scanner_explain(struct scanner *scanner, struct bytes source, uint32_t rule, uint32_t line,
                    struct buf *out, struct err *err);

#endif
