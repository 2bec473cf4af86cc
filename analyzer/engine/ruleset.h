/*
 * A rule set, for the files that run it.
 */
#ifndef STRATA_ANALYZER_ENGINE_RULESET_H
#define STRATA_ANALYZER_ENGINE_RULESET_H

#include "analyzer/rules.h"
#include "analyzer/engine/anchors.h"
#include "analyzer/engine/needs.h"
#include "analyzer/engine/program.h"

struct ruleset {
    struct arena arena;
    struct program program;
    struct program_needs needs;
    struct program_anchors anchors;
    struct rule_info *infos;
    struct program_rule *rules;
    uint32_t n_rules;
    uint32_t capacity;
    struct rule_source *sources; /* copies, so that sets can be put together */
    size_t n_sources;
};

#endif
