/*
 * facts: all that is known of one file, independent of any metric definition.
 *
 * Plain data and its encoding (library analyzer_data): scoring reads facts from a store and needs
 * neither a parser nor the source.  May include base.
 */
#ifndef STRATA_ANALYZER_FACTS_H
#define STRATA_ANALYZER_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzer/counters.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/bytes.h"
#include "base/err.h"

/* ---- Outcomes ------------------------------------------------------------------------------ */

/* Why a file has no facts.  Kept in stores: append only. */
enum skip_reason {
    SKIP_NONE = 0,
    SKIP_TOO_LARGE, /* more than max_file_bytes */
    SKIP_TOO_DEEP,  /* tree deeper than max_depth */
    SKIP_TOO_MANY_NODES,
    SKIP_PARSE_BUDGET, /* the parser did not finish within its budget of steps and memory */
    SKIP_NUL,          /* a NUL byte, which every Python refuses */
    SKIP_ENCODING, /* not decodable in the encoding it declares, or that is not one of Python source
                    */
    SKIP_UNREADABLE, /* the bytes could not be read: a missing or damaged object, a file without
                        access */
    SKIP_NO_MEMORY,
    SKIP_CLONE_BUDGET, /* deeply nested statements hold so much that clones are too expensive to
                          find */
    SKIP_N_REASONS
};

/* "too large" and so on, for messages and JSON; "" for SKIP_NONE. */
const char *skip_reason_name(enum skip_reason reason);

/* ---- Facts --------------------------------------------------------------------------------- */

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

/* The two counts of source lines: an f-string as its parts, or as one token. */
enum fstring_tokens { FSTRING_PARTS, FSTRING_ONE, FSTRING_N };

enum callable_flag {
    CALLABLE_ASYNC = 1 << 0,
    CALLABLE_DECORATED = 1 << 1,
    CALLABLE_METHOD = 1 << 2, /* its nearest enclosing callable or class is a class */
    CALLABLE_NESTED = 1 << 3, /* inside another callable */
    CALLABLE_REACHABLE =
        1 << 4, /* all nodes above it are functions, classes, decorated definitions or blocks */
    CALLABLE_TRIVIAL_WRAPPER = 1 << 5, /* its body is one call, see analyzer/facts/wrapper.h */
    CALLABLE_HAS_ERROR = 1 << 6        /* an ERROR or MISSING node inside */
};

struct callable {
    struct bytes name;
    uint32_t start_line; /* of `def` or `async` */
    uint32_t end_line;   /* where its last statement ends */
    uint32_t sloc[FSTRING_N];
    uint32_t text_lines;   /* its lines that are neither blank nor begin with '#' */
    uint32_t all[COUNT_N]; /* nested callables included */
    uint32_t own[COUNT_N]; /* without nested callables and classes */
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

/* Why no version of Python would accept a file, which has facts nevertheless.  Append only. */
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
    enum skip_reason skipped; /* not SKIP_NONE: of the rest only n_bytes and encoding are set */
    uint64_t n_bytes;
    const char *encoding; /* as Python's tokenize names it: "utf-8", "iso-8859-1"; static or in the
                           * arena; NULL or "" when the bytes were not read */
    enum refusal refusal;
    bool is_rejoined; /* the tree had errors only because a line within brackets is indented less
                       * than its block, which Python allows and the grammar does not: the facts are
                       * those of the text with such lines joined.  has_error and n_errors are those
                       * of the original text. */
    uint32_t physical_lines; /* LF, CRLF and a lone CR each end one */
    uint32_t n_errors;       /* ERROR and MISSING nodes */
    bool has_error;
    struct line_set sloc[FSTRING_N];
    uint32_t statement_lines; /* of statements that are not blank, whatever is in their brackets and
                               * strings; string statements that own their lines are left out */
    uint32_t comment_lines;   /* lines that hold a comment and no token */
    struct callable *callables; /* in order of appearance */
    uint32_t n_callables;
    uint32_t n_classes;
    uint32_t n_statements;          /* simple and compound, at any depth */
    struct clone_candidate *clones; /* by start, then outermost first */
    uint32_t n_clones;
};

/* Append FACTS to OUT in the encoding of store/FORMAT.md, section "facts". */
void facts_encode(const struct facts *facts, struct buf *out);
/* How many bytes at the end of ENCODED, which facts_encode wrote, are hashes; they do not compress.
 */
size_t facts_hash_bytes(struct bytes encoded);
/* Read what facts_encode wrote, from untrusted bytes, into ARENA.  ERR_UNSUPPORTED: their
 * schema is not one of FACTS_SCHEMAS.  ERR_DAMAGED, ERR_NOMEM. */
int facts_decode(struct bytes encoded, struct arena *arena, struct facts *out, struct err *err);

#endif
