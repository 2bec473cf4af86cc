/*
 * Syntax: the node kinds of the Python grammar that facts use, as small constants.
 *
 * The grammar numbers its kinds differently in every version; this table maps them once, by name,
 * to constants that a switch can use.
 */
#ifndef STRATA_ANALYZER_PARSE_SYNTAX_H
#define STRATA_ANALYZER_PARSE_SYNTAX_H

#include <stdint.h>

#include "analyzer/parse/flat.h"
#include "base/err.h"

enum syntax {
    SYN_OTHER,
    SYN_ERROR,
    SYN_MODULE,
    SYN_FUNCTION,
    SYN_CLASS,
    SYN_DECORATED,
    SYN_BLOCK,
    SYN_PARAMETERS,
    SYN_IF,
    SYN_ELIF,
    SYN_ELSE,
    SYN_FOR,
    SYN_WHILE,
    SYN_TRY,
    SYN_EXCEPT,
    SYN_FINALLY,
    SYN_WITH,
    SYN_MATCH,
    SYN_CASE,
    SYN_ASSERT,
    SYN_LIST_COMP,
    SYN_SET_COMP,
    SYN_DICT_COMP,
    SYN_GENERATOR,
    SYN_IF_CLAUSE,
    SYN_AND_OR,
    SYN_TERNARY,
    SYN_LAMBDA,
    SYN_RETURN,
    SYN_RAISE,
    SYN_YIELD,
    SYN_AWAIT,
    SYN_BREAK,
    SYN_CONTINUE,
    SYN_CALL,
    SYN_ATTRIBUTE,
    SYN_EXPRESSION_STATEMENT,
    SYN_PASS,
    SYN_SIMPLE_STATEMENT, /* every other statement without a body */
    SYN_STRING,
    SYN_STRING_CONTENT,
    SYN_ESCAPE_SEQUENCE,
    SYN_COMMENT,
    SYN_LINE_CONTINUATION,
    SYN_IDENTIFIER,
    SYN_INTEGER,
    SYN_FLOAT,
    SYN_TRUE,
    SYN_FALSE,
    SYN_NONE,
    SYN_SEPARATOR,   /* the bare * and / of a parameter list */
    SYN_OPEN,        /* ( [ { */
    SYN_CLOSE,       /* ) ] } */
    SYN_PUNCTUATION, /* : ; , */
    SYN_STAR,        /* the token of except* */
    SYN_ASYNC,       /* the token */
    SYN_N
};

enum { SYNTAX_KINDS_MAX = 1024 };

struct syntax_table {
    uint8_t of_kind[SYNTAX_KINDS_MAX];
    uint8_t field_body, field_condition, field_name, field_parameters, field_function;
};

/* Fill TABLE.  ERR_UNSUPPORTED when the grammar lacks a kind or field that facts use. */
int syntax_table_init(struct syntax_table *table, struct err *err);

/* The constant of KIND, a symbol of the grammar; of the kind of NODE. */
static inline enum syntax
syntax_of(const struct syntax_table *table, uint16_t kind)
{
    return kind < SYNTAX_KINDS_MAX ? (enum syntax)table->of_kind[kind] : SYN_ERROR;
}

static inline enum syntax
syntax_at(const struct syntax_table *table, const struct flat *flat, uint32_t node)
{
    return syntax_of(table, flat->kind[node]);
}

/* Is NODE an expression statement that is nothing but one plain string (no b or f before it)? */
bool syntax_is_string_statement(const struct syntax_table *table, const struct flat *flat,
                                uint32_t node);
/* Is LETTER, a small letter, in the prefix of the string NODE, small or capital? */
bool syntax_string_has_prefix(const struct flat *flat, uint32_t node, char letter);

#endif
