/*
 * Regex syntax: a pattern in the dialect of Rust's regex crate, as a tree.
 *
 * The tree is about code points.  Flags are applied while parsing: a letter under (?i) is the class
 * of its foldings, a dot is the class it means, '^' and '$' are the looks they mean.  Whether a
 * repeat is greedy is not kept, because the only question is whether there is a match.
 */
#ifndef STRATA_ANALYZER_REGEX_AST_H
#define STRATA_ANALYZER_REGEX_AST_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/regex/class.h"
#include "analyzer/regex/unicode.h"
#include "base/arena.h"
#include "base/bytes.h"
#include "base/err.h"

enum regex_op {
    REGEX_EMPTY,
    REGEX_CLASS, /* one code point of a set */
    REGEX_LOOK,  /* a condition on the place between two code points */
    REGEX_REPEAT,
    REGEX_CONCAT,
    REGEX_ALTERNATE
};

enum regex_look {
    LOOK_TEXT_START,
    LOOK_TEXT_END,
    LOOK_LINE_START, /* lines end at LF */
    LOOK_LINE_END,
    LOOK_LINE_START_CRLF, /* lines end at CR, LF or CRLF */
    LOOK_LINE_END_CRLF,
    LOOK_WORD_UNICODE,
    LOOK_WORD_ASCII,
    LOOK_NOT_WORD_UNICODE,
    LOOK_NOT_WORD_ASCII,
    LOOK_WORD_START_UNICODE,
    LOOK_WORD_START_ASCII,
    LOOK_WORD_END_UNICODE,
    LOOK_WORD_END_ASCII,
    LOOK_WORD_START_HALF_UNICODE, /* no word character before */
    LOOK_WORD_START_HALF_ASCII,
    LOOK_WORD_END_HALF_UNICODE, /* no word character after */
    LOOK_WORD_END_HALF_ASCII
};

#define REGEX_UNBOUNDED UINT32_MAX
enum { REGEX_NEST_MAX = 250 };

struct regex_node {
    enum regex_op op;
    enum regex_look look;      /* REGEX_LOOK */
    struct regex_class set;    /* REGEX_CLASS */
    uint32_t min, max;         /* REGEX_REPEAT; max may be REGEX_UNBOUNDED */
    struct regex_node **items; /* REGEX_CONCAT, REGEX_ALTERNATE: 2 or more; REGEX_REPEAT: 1 */
    uint32_t n_items;
    uint32_t depth;     /* levels of nesting, as the crate counts them */
    uint32_t set_index; /* REGEX_CLASS: given by the compiler */
};

/*
 * Parse PATTERN (valid UTF-8) into ARENA.  ERR_INPUT with place and reason when the regex crate
 * would refuse it, ERR_UNSUPPORTED for a property that is not known here, ERR_NOMEM.
 */
int
regex_parse(struct bytes pattern, struct arena *arena, struct regex_node **out, struct err *err);

#endif
