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
#include "base/arena.h"
#include "base/buf.h"
#include "base/bytes.h"
#include "base/err.h"

/* Rules in the format of ast-grep, version 0.51; a set is immutable and shared by all threads. */
struct ruleset;

enum rule_severity { SEVERITY_HINT, SEVERITY_INFO, SEVERITY_WARNING, SEVERITY_ERROR, SEVERITY_OFF };

/* "hint" and so on. */
const char *rule_severity_name(enum rule_severity severity);

/* Which selections of the built-in rules a rule says it belongs to, as bits. */
enum rule_selection {
    SELECTION_NONE,       /* it does not say: a rule of somebody else */
    SELECTION_STRICT = 1, /* each hit is a place that a careful reviewer would change */
    SELECTION_CALIBRATED, /* all hits together give the published verbosity */
    SELECTION_BOTH
};

/* "strict", "calibrated", "both"; NULL for SELECTION_NONE. */
const char *rule_selection_name(enum rule_selection selection);
/* The selection that NAME spells; SELECTION_NONE for any other text. */
enum rule_selection rule_selection_of_name(struct bytes name);

/* A rule as its file has it; {NULL, 0} for a text that is not there. */
struct rule_info {
    struct bytes id;
    struct bytes message;
    struct bytes note;
    struct bytes url;
    struct bytes metadata;   /* a JSON object */
    uint32_t min_file_count; /* of the metadata; 1 when it says nothing */
    bool is_advice;          /* the metadata say `advice: true`: shown, but it does not count */
    enum rule_selection selection; /* `selection` of the metadata */
    bool is_of_function;           /* the metadata say `extent: function`: a hit is a whole one */
    enum rule_severity severity;
    bool runs;           /* false: severity off, or for another language than Python */
    bool is_scoped;      /* `files` or `ignores` say where it applies, see ruleset_applies */
    const char *file;    /* name of its source */
    uint32_t line;       /* where it starts in that, from 1 */
    struct bytes source; /* its YAML document */
    /* Covers whatever changes its hits: the rule as read, its id, engine, grammar. */
    struct fingerprint fingerprint;
};

/* The text of a rule file and its name, which messages use and rules without id are called after.
 */
struct rule_source {
    const char *name;
    struct bytes text;
};

/*
 * Load all rules of SOURCES, in order.  When one is refused all are: ERR_INPUT with file, line and
 * rule.  ERR_UNSUPPORTED, ERR_NOMEM.  *OUT is the caller's, to ruleset_destroy.
 */
int ruleset_load(const struct rule_source *sources, size_t n_sources, struct ruleset **out,
                 struct err *err);
void ruleset_destroy(struct ruleset *set);
/* A set of the rules of A, then those of B. */
int ruleset_concat(const struct ruleset *a, const struct ruleset *b, struct ruleset **out,
                   struct err *err);
uint32_t ruleset_count(const struct ruleset *set);
/* Borrowed from SET; INDEX is below ruleset_count. */
const struct rule_info *ruleset_rule(const struct ruleset *set, uint32_t index);

/*
 * Does RULE apply to the file at PATH?  Its `files` and `ignores` say so; nothing else here asks
 * them, so the hits in a content do not depend on where it lies.  ast-grep takes the path from the
 * folder of the rule file on, or as it is given when it is not below that.
 */
bool ruleset_applies(const struct ruleset *set, uint32_t rule, struct bytes path);

/* The `files` and `ignores` of one rule, for who has no more of it than its YAML document. */
struct rule_scope;

/* Read those of SOURCE into ARENA; *OUT is NULL when the rule applies everywhere.  ERR_INPUT,
 * ERR_NOMEM. */
int rule_scope_of_source(struct bytes source, struct arena *arena, const struct rule_scope **out,
                         struct err *err);
/* Does a rule of SCOPE, which may be NULL, apply to the file at PATH? */
bool rule_scope_covers(const struct rule_scope *scope, struct bytes path);

/* A worker that only runs rules, on whatever ast-grep would scan. */
struct scanner;

/* SET is borrowed for the life of the scanner, which is the caller's, to scanner_destroy. */
int scanner_create(const struct ruleset *set, const struct analyzer_limits *limits,
                   struct scanner **out, struct err *err);
void scanner_destroy(struct scanner *scanner);
/*
 * The hits in SOURCE; *OUT borrows from SCANNER until its next run or end.  What ast-grep passes
 * over (not UTF-8, empty, enormous) has none and *SKIPPED says why; so has what passes the limits.
 * -1 only when memory is out.
 */
int scanner_run(struct scanner *scanner, struct bytes source, struct hit_list *out,
                enum skip_reason *skipped, struct err *err);
/* Append to OUT, line by line, why RULE does or does not match the nodes that start on LINE. */
int scanner_explain(struct scanner *scanner, struct bytes source, uint32_t rule, uint32_t line,
                    struct buf *out, struct err *err);

#endif
