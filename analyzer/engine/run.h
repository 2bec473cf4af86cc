/*
 * Running rules on one file after another, for analyzer_run and the scanner.
 *
 * A struct rules_runner is one worker's scratch for a rule set: automata built so far, bindings,
 * lists of the current file.  The set is shared, the runner is not.
 */
#ifndef STRATA_ANALYZER_ENGINE_RUN_H
#define STRATA_ANALYZER_ENGINE_RUN_H

#include "analyzer/rules.h"
#include "analyzer/parse/flat.h"

struct rules_runner;

/* SET is borrowed for the life of *OUT, which is the caller's, to rules_runner_destroy. */
int rules_runner_create(const struct ruleset *set, struct rules_runner **out, struct err *err);
/* NULL is fine. */
void rules_runner_destroy(struct rules_runner *runner);

/*
 * Why ast-grep would pass SOURCE over: SKIP_ENCODING when it is not UTF-8, SKIP_TOO_LARGE when it
 * is enormous.  SKIP_NONE otherwise, and for an empty file, in which nothing can match.
 */
enum skip_reason rules_skip(struct bytes source);

/*
 * The hits in FLAT, the tree of a file's bytes as they are (byte order mark included, nothing
 * transcoded or rejoined), which rules_skip does not skip.  *OUT borrows from RUNNER until the
 * next call or rules_runner_destroy.  -1 only when memory is out.
 */
int rules_run(struct rules_runner *runner, const struct flat *flat, struct hit_list *out,
              struct err *err);

/* Append to OUT why RULE does or does not match the nodes that start on LINE.  0, or -1 with
 * ERR_NOMEM. */
int rules_explain(struct rules_runner *runner, const struct flat *flat, uint32_t rule,
                  uint32_t line, struct buf *out, struct err *err);

#endif
