/*
 * analyzer: the bytes of one Python file to facts and rule hits.
 *
 * Knows Python and tree-sitter, nothing of git or storage.  May include base.  The facts of a blob
 * depend on its bytes and the limits alone: not on the machine, the thread, or what was analysed
 * before.  They hold enough for any metric definition of a profile, so that scoring needs no source.
 *
 * Threads: a struct analyzer is used by one thread at a time; a struct ruleset is immutable once
 * loaded and shared by all.  Facts and hits are plain data.
 */
#ifndef STRATA_ANALYZER_ANALYZER_H
#define STRATA_ANALYZER_ANALYZER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/store_rule.h"

/* ---- Limits and outcomes ------------------------------------------------------------------- */

/* Why a file has no facts.  Kept in stores: append only. */
enum skip_reason {
    SKIP_NONE = 0,
    SKIP_TOO_LARGE,   /* more than max_file_bytes */
    SKIP_TOO_DEEP,    /* tree deeper than max_depth */
    SKIP_TOO_MANY_NODES,
    SKIP_PARSE_BUDGET, /* the parser did not finish within its budget of steps and memory */
    SKIP_NUL,          /* a NUL byte: no Python reads past it */
    SKIP_ENCODING,     /* not decodable in the encoding it declares, or no Python source encoding */
    SKIP_UNREADABLE,   /* the bytes could not be had: missing or damaged object, unreadable file */
    SKIP_NO_MEMORY,
    SKIP_CLONE_BUDGET, /* statements nested so deep around so much that clones are not looked for */
    SKIP_N_REASONS
};

/* "too large" and so on, for messages and JSON; "" for SKIP_NONE. */
const char *skip_reason_name(enum skip_reason reason);

struct analyzer_limits {
    uint32_t max_file_bytes;
    uint32_t max_depth; /* of the syntax tree */
    uint32_t max_nodes;
    uint32_t parse_steps_per_byte; /* parser steps allowed: this times the bytes, plus a constant,
                                    * but never more than takes about two seconds */
};

/* 4 MiB, 2,000 levels, 4,000,000 nodes, and the measured budget. */
struct analyzer_limits analyzer_limits_default(void);

enum { FINGERPRINT_BYTES = 16 };

struct fingerprint {
    uint8_t bytes[FINGERPRINT_BYTES];
};

/* What the facts of a blob depend on besides its bytes: facts schema, grammar, LIMITS. */
struct fingerprint analyzer_fingerprint(const struct analyzer_limits *limits);
/* "tree-sitter-python 0.25.0, runtime 0.25.1, facts schema 4", for `info` and reports. */
const char *analyzer_versions(void);

/* ---- Facts --------------------------------------------------------------------------------- */

/* Construct counters of a callable.  Kept in stores: append only. */
enum counter {
    COUNT_IF,
    COUNT_ELIF,
    COUNT_ELSE, /* of an if statement */
    COUNT_FOR,
    COUNT_WHILE,
    COUNT_EXCEPT,
    COUNT_EXCEPT_STAR,
    COUNT_FINALLY,
    COUNT_WITH,
    COUNT_ASSERT,
    COUNT_LIST_COMP,
    COUNT_SET_COMP,
    COUNT_DICT_COMP,
    COUNT_GENERATOR,
    COUNT_COMP_IF,
    COUNT_CASE,
    COUNT_CASE_GUARD,
    COUNT_AND_OR,
    COUNT_TERNARY,
    COUNT_LAMBDA,
    COUNT_LOOP_ELSE,
    COUNT_TRY_ELSE,
    COUNT_RETURN,
    COUNT_RAISE,
    COUNT_YIELD,
    COUNT_AWAIT,
    COUNT_BREAK,
    COUNT_CONTINUE,
    COUNT_CALL,
    COUNT_N
};

/* "if", "and_or" and so on: the names profiles use. */
const char *counter_name(enum counter counter);

/* Lines FIRST to FIRST + N - 1, counted from 1. */
struct line_run {
    uint32_t first;
    uint32_t n;
};

/* A set of lines as runs in ascending order that neither touch nor overlap. */
struct line_set {
    struct line_run *runs;
    uint32_t n_runs;
    uint32_t n_lines; /* in all runs together */
};

enum fstring_tokens { FSTRING_PARTS, FSTRING_ONE, FSTRING_N };

enum callable_flag {
    CALLABLE_ASYNC = 1 << 0,
    CALLABLE_DECORATED = 1 << 1,
    CALLABLE_METHOD = 1 << 2,    /* its nearest enclosing callable or class is a class */
    CALLABLE_NESTED = 1 << 3,    /* inside another callable */
    CALLABLE_REACHABLE = 1 << 4, /* only function, class, decorated definition and block above it */
    CALLABLE_TRIVIAL_WRAPPER = 1 << 5, /* its body is one call, see analyzer/wrapper.h */
    CALLABLE_HAS_ERROR = 1 << 6        /* an ERROR or MISSING node inside */
};

struct callable {
    struct bytes name;
    uint32_t start_line; /* of `def` or `async` */
    uint32_t end_line;   /* where its last statement ends */
    uint32_t sloc[FSTRING_N];
    uint32_t text_lines;   /* of its text that are neither blank nor begin with '#' */
    uint32_t all[COUNT_N]; /* nested callables included */
    uint32_t own[COUNT_N]; /* without what sits in a nested callable or class */
    uint32_t cognitive;
    uint32_t max_nesting;
    uint32_t n_statements; /* at the top level of its body, plain string statements not counted */
    uint32_t n_parameters;
    uint32_t flags; /* enum callable_flag */
};

enum clone_definition { CLONE_SUBTREE, CLONE_FUNCTION_BODY, CLONE_N };

enum clone_kind {
    CLONE_KIND_FUNCTION,
    CLONE_KIND_IF,
    CLONE_KIND_FOR,
    CLONE_KIND_WHILE,
    CLONE_KIND_WITH,
    CLONE_KIND_TRY,
    CLONE_KIND_MATCH,
    CLONE_KIND_BODY,
    CLONE_KIND_N
};

/* "function", "if" and so on. */
const char *clone_kind_name(enum clone_kind kind);

/* One place that may be a copy of another: same definition, same hash. */
struct clone_candidate {
    uint64_t hash[2];
    uint32_t start_line;
    uint32_t end_line;
    uint32_t sloc[FSTRING_N];
    uint32_t n_statements; /* function_body only, else 0 */
    uint8_t definition;    /* enum clone_definition */
    uint8_t kind;          /* enum clone_kind */
};

/* Why no version of Python would take a file that has facts all the same.  Append only. */
enum refusal {
    REFUSAL_NONE,
    REFUSAL_SYNTAX,   /* the tree has errors */
    REFUSAL_BRACKETS, /* more than 200 open brackets at once, CPython's limit */
    REFUSAL_ENCODING, /* bytes that are not UTF-8, and nothing else declared */
    REFUSAL_N
};

/* "syntax error" and so on; "" for REFUSAL_NONE. */
const char *refusal_name(enum refusal refusal);

struct facts {
    enum skip_reason skipped; /* not SKIP_NONE: nothing below holds but n_bytes and encoding */
    uint64_t n_bytes;
    const char *encoding; /* as Python's tokenize names it: "utf-8", "iso-8859-1"; static or in the
                           * arena; NULL or "" when the bytes were not read */
    enum refusal refusal;
    bool is_mended; /* the tree had errors only because a line within brackets stands left of its
                     * block, which the grammar does not allow and Python does: the facts are those
                     * of the text with such lines joined.  has_error and n_errors keep what the
                     * grammar said. */
    uint32_t physical_lines; /* LF, CRLF and a lone CR each end one */
    uint32_t n_errors;       /* ERROR and MISSING nodes */
    bool has_error;
    struct line_set sloc[FSTRING_N];
    uint32_t statement_lines; /* of statements that are not blank, whatever is in their brackets and
                               * strings; string statements that own their lines are left out */
    uint32_t comment_lines; /* lines that hold a comment and no token */
    struct callable *callables; /* in order of appearance */
    uint32_t n_callables;
    uint32_t n_classes;
    uint32_t n_statements; /* simple and compound, at any depth */
    struct clone_candidate *clones; /* by start, then outermost first */
    uint32_t n_clones;
};

/* Append FACTS to OUT in the encoding of store/FORMAT.md, section "facts". */
void facts_encode(const struct facts *facts, struct buf *out);
/* How many bytes at the end of what facts_encode wrote are hashes, which do not compress. */
size_t facts_hash_bytes(struct bytes encoded);
/* Read what facts_encode wrote, from untrusted bytes, into ARENA.  ERR_DAMAGED, ERR_NOMEM. */
int facts_decode(struct bytes encoded, struct arena *arena, struct facts *out, struct err *err);

/* ---- Rules --------------------------------------------------------------------------------- */

/* Rules in the format of ast-grep, version 0.51; a set is immutable and shared by all threads. */
struct ruleset;

enum rule_severity { SEVERITY_HINT, SEVERITY_INFO, SEVERITY_WARNING, SEVERITY_ERROR, SEVERITY_OFF };

/* "hint" and so on. */
const char *rule_severity_name(enum rule_severity severity);

/* A rule as its file has it; {NULL, 0} for a text that is not there. */
struct rule_info {
    struct bytes id;
    struct bytes message;
    struct bytes note;
    struct bytes url;
    struct bytes metadata;   /* a JSON object */
    uint32_t min_file_count; /* of the metadata; 1 when it says nothing */
    bool is_advice;          /* the metadata say `advice: true`: shown, but it does not count */
    enum rule_severity severity;
    bool runs;           /* false: severity off, or for another language than Python */
    bool is_scoped;      /* `files` or `ignores` say where it applies, see ruleset_applies */
    const char *file;    /* name of its source */
    uint32_t line;       /* where it starts in that, from 1 */
    struct bytes source; /* its YAML document */
    /* Covers whatever changes its hits: the rule as read, its id, engine, grammar. */
    struct fingerprint fingerprint;
};

/* The text of a rule file and its name, which messages use and rules without id are called after. */
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

/* The rules of SET in order as a store keeps them, in ARENA; LIMITS are those they are run with.
 * NULL when memory is out. */
struct store_rule *ruleset_store_rules(const struct ruleset *set,
                                       const struct analyzer_limits *limits, struct arena *arena);

/* A node that a rule matched. */
struct hit {
    uint32_t rule; /* index into the rule set */
    uint32_t start_line, end_line;     /* from 1 */
    uint32_t start_column, end_column; /* from 0, in code points; the end is exclusive */
    uint32_t start_byte, end_byte;
};

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

struct hit_list {
    const struct hit *hits; /* sorted by rule, start byte, end byte */
    uint32_t n_hits;
    /* Rules whose work on this file, or whose hits, passed their bound, ascending: their hits are not
     * known and none are listed. */
    const uint32_t *gave_up;
    uint32_t n_gave_up;
};

/* Append LIST to OUT in the encoding of store/FORMAT.md, section "hits": rules and lines. */
void hits_encode(const struct hit_list *list, struct buf *out);
/*
 * Read what hits_encode wrote for a set of N_RULES rules, from untrusted bytes, into ARENA; columns
 * and bytes are 0.  ERR_DAMAGED, ERR_NOMEM.
 */
int hits_decode(struct bytes encoded, uint32_t n_rules, struct arena *arena, struct hit_list *out,
                struct err *err);

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

/* ---- Analysis ------------------------------------------------------------------------------ */

struct analyzer;

struct analyzer_options {
    struct analyzer_limits limits;
    const struct ruleset *rules; /* NULL runs no rules; borrowed for the life of the analyzer */
    bool skip_facts;             /* only rules: for blobs whose facts are known already */
};

struct analysis {
    struct facts facts;
    struct hit_list hits;
};

/* *out is the caller's, to analyzer_destroy.  ERR_NOMEM, ERR_UNSUPPORTED (grammar and runtime do
 * not fit). */
int analyzer_create(const struct analyzer_options *options, struct analyzer **out, struct err *err);
void analyzer_destroy(struct analyzer *analyzer);
/*
 * Analyse SOURCE.  *OUT borrows from ANALYZER until its next run or end.  Whatever the bytes are
 * this succeeds: what cannot be analysed has facts.skipped set.  -1 only when memory is out.
 */
int analyzer_run(struct analyzer *analyzer, struct bytes source, struct analysis *out,
                 struct err *err);

/* ---- Analysis as bytes --------------------------------------------------------------------- */

/* Which hits of an earlier set of rules are good for a set; immutable, shared by all threads. */
struct hit_reuse;

/* SET, of which RULES are what ruleset_store_rules gives, after a set whose rules had the keys BASE.
 * SET is borrowed; *OUT is the caller's, to hit_reuse_destroy. */
int hit_reuse_create(const struct ruleset *set, const struct store_rule *rules,
                     const struct store_key *base, size_t n_base, struct hit_reuse **out,
                     struct err *err);
void hit_reuse_destroy(struct hit_reuse *reuse);
/* How many rules of the set must be run. */
uint32_t hit_reuse_n_fresh(const struct hit_reuse *reuse);

/* Analyses into the encodings of a store, and no more than is wanted.  Of one thread. */
struct analyst;

struct analyst_options {
    struct analyzer_limits limits;
    const struct ruleset *rules;   /* NULL runs none; borrowed, as is: */
    const struct hit_reuse *reuse; /* of RULES; NULL: all of them are always run */
};

int analyst_create(const struct analyst_options *options, struct analyst **out, struct err *err);
void analyst_destroy(struct analyst *analyst);

struct analyst_wish {
    bool facts, hits;
    struct bytes base_hits; /* of the earlier set, encoded; {NULL, 0}: all rules are run.  So they are
                               when these cannot be read. */
};

struct analyst_result {
    size_t facts_len, hits_len; /* appended, in this order; 0: not wanted */
    bool ran_all;               /* hits were wanted, and all rules were run for them */
};

/* Append what WISH wants of SOURCE to OUT.  SOURCE may be {NULL, its size} when that is over the
 * limit.  -1 only when memory is out. */
int analyst_run(struct analyst *analyst, struct bytes source, const struct analyst_wish *wish,
                struct buf *out, struct analyst_result *result, struct err *err);

#endif
