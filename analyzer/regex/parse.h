/*
 * The state of one regex parse, shared by the files that read its parts.
 */
#ifndef STRATA_ANALYZER_REGEX_PARSE_H
#define STRATA_ANALYZER_REGEX_PARSE_H

#include "analyzer/regex/ast.h"
#include "base/map.h"

enum regex_flag {
    FLAG_CASE_INSENSITIVE = 1 << 0, /* i */
    FLAG_MULTI_LINE = 1 << 1,       /* m */
    FLAG_DOT_ALL = 1 << 2,          /* s */
    FLAG_SWAP_GREED = 1 << 3,       /* U, without effect here */
    FLAG_UNICODE = 1 << 4,          /* u, set at the start */
    FLAG_CRLF = 1 << 5,             /* R */
    FLAG_VERBOSE = 1 << 6           /* x */
};

struct regex_parser {
    struct bytes pattern;
    size_t at;      /* byte offset of the next character */
    unsigned flags; /* enum regex_flag */
    unsigned group_depth;
    struct arena *arena;
    struct map names; /* of capture groups */
    struct err *err;
};

#define NO_CHARACTER UINT32_MAX

/* The next character, which is not taken, or NO_CHARACTER at the end. */
uint32_t parser_peek(const struct regex_parser *parser);
/* The character after the next one, spaces and comments passed over under (?x). */
uint32_t parser_peek_second(const struct regex_parser *parser);
/* Take the next character. */
uint32_t parser_next(struct regex_parser *parser);
/* Take TEXT when it comes next. */
bool parser_take(struct regex_parser *parser, const char *text);
/* Under (?x) pass over spaces and comments. */
void parser_skip_space(struct regex_parser *parser);
/* Set ERR to ERR_INPUT with the place and REASON.  Returns -1. */
int parser_error(struct regex_parser *parser, const char *reason);

/* What an escape or a class item means. */
enum atom_kind { ATOM_CHARACTER, ATOM_CLASS, ATOM_LOOK };
struct regex_atom {
    enum atom_kind kind;
    uint32_t character;
    bool is_byte; /* written \xHH: outside Unicode mode it is a byte */
    struct regex_class set;
    enum regex_look look;
};

/* Read an escape; the parser is just after the backslash. */
int parse_escape(struct regex_parser *parser, struct regex_atom *out);
/* Read a bracketed class; the parser is just after the '['.  *DEPTH is its nesting. */
int parse_class(struct regex_parser *parser, struct regex_class *out, uint32_t *depth);
/* Apply case folding and negation as the flags say. */
int finish_class(struct regex_parser *parser, struct regex_class *set, bool negated);
/* The largest member a class can have in the present mode. */
uint32_t class_max(const struct regex_parser *parser);
/* The class of \d, \s or \w (letter D, S, W: negated) in the present mode. */
int perl_class(struct regex_parser *parser, uint32_t letter, struct regex_class *out);
/* Refuse, outside Unicode mode, a class that could match part of a character. */
int check_class(struct regex_parser *parser, const struct regex_class *set);

/* As char::is_whitespace of Rust. */
bool is_unicode_space(uint32_t character);

#endif
