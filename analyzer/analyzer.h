/*
 * analyzer: the bytes of one Python file to facts and rule hits.
 *
 * Knows Python and tree-sitter, nothing of git or storage.  May include base.  The facts of a blob
 * depend on its bytes and the limits alone: not on the machine, the thread, or what was analysed
 * before.  They suffice for every metric that a profile can define, so scoring does not need the
 * source.
 *
 * Threads: a struct analyzer is used by one thread at a time; a struct ruleset is immutable once
 * loaded and shared by all.  Facts and hits are plain data.
 */
#ifndef STRATA_ANALYZER_ANALYZER_H
#define STRATA_ANALYZER_ANALYZER_H

#include <stdbool.h>

#include "analyzer/facts.h"
#include "analyzer/hits.h"
#include "analyzer/limits.h"
#include "analyzer/rules.h"
#include "base/bytes.h"
#include "base/err.h"

struct analyzer;

struct analyzer_options {
    struct analyzer_limits limits;
    const struct ruleset *rules; /* NULL runs no rules; borrowed for the life of the analyzer */
    bool skip_facts;             /* run rules only: for blobs whose facts are known */
};

struct analysis {
    struct facts facts;
    struct hit_list hits;
};

/* *out is the caller's, to analyzer_destroy.  ERR_NOMEM, ERR_UNSUPPORTED (the runtime
 * cannot use the grammar). */
int analyzer_create(const struct analyzer_options *options, struct analyzer **out, struct err *err);
/* NULL is fine. */
void analyzer_destroy(struct analyzer *analyzer);
/*
 * Analyse SOURCE.  *OUT borrows from ANALYZER until the next call or analyzer_destroy.  It
 * succeeds for any bytes: facts.skipped says why a source could not be analysed.  -1 only when
 * memory is out.
 */
int
analyzer_run(struct analyzer *analyzer, struct bytes source, struct analysis *out, struct err *err);

#endif
