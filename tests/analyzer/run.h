/* One analyzer for a test file's cases, and facts of a text in one call. */
#ifndef STRATA_TESTS_ANALYZER_RUN_H
#define STRATA_TESTS_ANALYZER_RUN_H

#include "analyzer/analyzer.h"
#include "cmocka_all.h"

static int
setup_analyzer(void **state)
{
    struct analyzer_options options = {.limits = analyzer_limits_default()};
    struct analyzer *analyzer;
    struct err err;
    assert_int_equal(analyzer_create(&options, &analyzer, &err), 0);
    *state = analyzer;
    return 0;
}

static int
teardown_analyzer(void **state)
{
    analyzer_destroy(*state);
    return 0;
}

/* Good until the next call. */
static inline struct facts
facts_of(void **state, struct bytes source)
{
    struct analysis analysis;
    struct err err;
    assert_int_equal(analyzer_run(*state, source, &analysis, &err), 0);
    return analysis.facts;
}

#define FACTS(source) facts_of(state, BYTES(source))

#endif
