/*
 * rule_info: the description of a rule, without its matchers.
 *
 * Plain data and its names (library analyzer_data).  May include base.
 */
#ifndef STRATA_ANALYZER_RULE_INFO_H
#define STRATA_ANALYZER_RULE_INFO_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/limits.h"
#include "base/bytes.h"

enum rule_severity { SEVERITY_HINT, SEVERITY_INFO, SEVERITY_WARNING, SEVERITY_ERROR, SEVERITY_OFF };

/* "hint" and so on. */
const char *rule_severity_name(enum rule_severity severity);

/* Which selections of the built-in rules a rule says it belongs to, as bits. */
enum rule_selection {
    SELECTION_NONE,       /* it does not say: not a built-in rule */
    SELECTION_STRICT = 1, /* each hit is a place that a careful reviewer would change */
    SELECTION_CALIBRATED, /* all hits together give the published verbosity */
    SELECTION_BOTH
};

/* "strict", "calibrated", "both"; NULL for SELECTION_NONE. */
const char *rule_selection_name(enum rule_selection selection);
/* The selection that NAME spells; SELECTION_NONE for any other text. */
enum rule_selection rule_selection_of_name(struct bytes name);

/* A rule as its file has it; {NULL, 0} for a text that is absent. */
struct rule_info {
    struct bytes id;
    struct bytes message;
    struct bytes note;
    struct bytes url;
    struct bytes metadata;   /* a JSON object */
    uint32_t min_file_count; /* of the metadata; 1 when it says nothing */
    bool is_advice;          /* the metadata say `advice: true`: shown, but it does not count */
    enum rule_selection selection; /* `selection` of the metadata */
    bool is_of_function; /* the metadata say `extent: function`: a hit is a whole function */
    enum rule_severity severity;
    bool runs;           /* false: severity off, or for another language than Python */
    bool is_scoped;      /* `files` or `ignores` say where it applies, see ruleset_applies */
    const char *file;    /* name of its source */
    uint32_t line;       /* where it starts in that, from 1 */
    struct bytes source; /* its YAML document */
    /* Covers whatever changes its hits: the rule as read, its id, engine, grammar. */
    struct fingerprint fingerprint;
};

#endif
