/* Names of enum values, as JSON, profiles and exports have them.  A name, once written to a file,
 * does not change: each table has its values in the order of the enum. */
#include <assert.h>

#include "analyzer/facts.h"
#include "analyzer/rule_info.h"

const char *
skip_reason_name(enum skip_reason reason)
{
    static const char *const names[SKIP_N_REASONS] = {
        [SKIP_NONE] = "",
        [SKIP_TOO_LARGE] = "too large",
        [SKIP_TOO_DEEP] = "nested too deep",
        [SKIP_TOO_MANY_NODES] = "too many nodes",
        [SKIP_PARSE_BUDGET] = "parse budget used up",
        [SKIP_NUL] = "NUL byte",
        [SKIP_ENCODING] = "not decodable",
        [SKIP_UNREADABLE] = "unreadable",
        [SKIP_NO_MEMORY] = "out of memory",
        [SKIP_CLONE_BUDGET] = "clone budget used up",
    };
    assert(reason < SKIP_N_REASONS);
    return names[reason];
}

const char *
refusal_name(enum refusal refusal)
{
    static const char *const names[REFUSAL_N] = {
        [REFUSAL_NONE] = "",
        [REFUSAL_SYNTAX] = "syntax error",
        [REFUSAL_BRACKETS] = "more than 200 open brackets",
        [REFUSAL_ENCODING] = "not UTF-8 and no encoding declared",
    };
    assert(refusal < REFUSAL_N);
    return names[refusal];
}

#define NAME(id, name, schema, what) [COUNT_##id] = (name),
#define DESCRIPTION(id, name, schema, what) [COUNT_##id] = (what),

const char *
counter_name(enum counter counter)
{
    static const char *const names[COUNT_N] = {FACTS_COUNTERS(NAME)};
    assert(counter < COUNT_N);
    return names[counter];
}

const char *
counter_description(enum counter counter)
{
    static const char *const descriptions[COUNT_N] = {FACTS_COUNTERS(DESCRIPTION)};
    assert(counter < COUNT_N);
    return descriptions[counter];
}

const char *
clone_kind_name(enum clone_kind kind)
{
    static const char *const names[CLONE_KIND_N] = {
        [CLONE_KIND_FUNCTION] = "function", [CLONE_KIND_IF] = "if",     [CLONE_KIND_FOR] = "for",
        [CLONE_KIND_WHILE] = "while",       [CLONE_KIND_WITH] = "with", [CLONE_KIND_TRY] = "try",
        [CLONE_KIND_MATCH] = "match",       [CLONE_KIND_BODY] = "body",
    };
    assert(kind < CLONE_KIND_N);
    return names[kind];
}

static const char *const selection_names[] = {[SELECTION_STRICT] = "strict",
                                              [SELECTION_CALIBRATED] = "calibrated",
                                              [SELECTION_BOTH] = "both"};

const char *
rule_selection_name(enum rule_selection selection)
{
    assert(selection <= SELECTION_BOTH);
    return selection_names[selection];
}

enum rule_selection
rule_selection_of_name(struct bytes name)
{
    for (unsigned i = SELECTION_STRICT; i <= SELECTION_BOTH; i++)
        if (bytes_equal(name, bytes_of_text(selection_names[i])))
            return (enum rule_selection)i;
    return SELECTION_NONE;
}

const char *
rule_severity_name(enum rule_severity severity)
{
    static const char *const names[] = {"hint", "info", "warning", "error", "off"};
    assert(severity <= SEVERITY_OFF);
    return names[severity];
}
