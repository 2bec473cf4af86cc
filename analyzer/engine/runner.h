/*
 * Runner: the struct of run.h, for the files that run and explain rules.
 */
#ifndef STRATA_ANALYZER_ENGINE_RUNNER_H
#define STRATA_ANALYZER_ENGINE_RUNNER_H

#include "analyzer/engine/match.h"
#include "analyzer/engine/run.h"
#include "analyzer/engine/ruleset.h"
#include "analyzer/engine/suppress.h"

/* A place and its column, in code points. */
struct column_place {
    uint32_t row, byte, column;
};

struct rules_runner {
    const struct ruleset *set;
    struct matching matching;
    struct arena arena; /* of the current file */
    struct suppressions suppressions;
    struct leaf_index leaves;
    uint32_t *tried_by; /* of each node: the rule that went there from an anchor last, plus one */
    uint16_t comment_kind;

    struct column_place last_start, last_end; /* of the hit before */
    struct hit *hits;
    uint32_t n_hits, hits_capacity;
    uint32_t *gave_up;
    uint32_t n_gave_up;
};

/* Begin the next file, FLAT.  -1 when memory is out. */
int rules_begin(struct rules_runner *runner, const struct flat *flat);

#endif
