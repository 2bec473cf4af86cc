/*
 * Bracketed classes: ranges, POSIX names, nested classes and set operations.
 *
 * Operators bind to the left with equal strength, and adjacent items are united before any of
 * them: [a-c&&b--c] is ((a-c) and b) without c.
 */
#include <string.h>

#include "analyzer/regex/parse.h"

uint32_t
class_max(const struct regex_parser *parser)
{
    return (parser->flags & FLAG_UNICODE) ? CODE_POINT_MAX : 0xff;
}

int
check_class(struct regex_parser *parser, const struct regex_class *set)
{
    if (set->failed)
        return err_nomem(parser->err, "regex");
    if (!(parser->flags & FLAG_UNICODE) && set->n_ranges &&
        set->ranges[set->n_ranges - 1].last > 0x7f)
        return parser_error(parser, "outside Unicode mode this can match part of a character");
    return 0;
}

int
finish_class(struct regex_parser *parser, struct regex_class *set, bool negated)
{
    class_normalise(set);
    if (parser->flags & FLAG_CASE_INSENSITIVE)
        unicode_fold(set);
    if (!(parser->flags & FLAG_UNICODE) && (parser->flags & FLAG_CASE_INSENSITIVE)) {
        /* Folding stays within ASCII there. */
        struct regex_class ascii = class_init(parser->arena);
        class_add(&ascii, 0, 0xff);
        class_intersect(set, &ascii);
    }
    if (negated)
        class_negate(set, class_max(parser));
    return set->failed ? err_nomem(parser->err, "regex") : 0;
}

/* ---- POSIX names --------------------------------------------------------------------------- */

static bool
posix_ranges(struct bytes name, struct regex_class *set)
{
    static const struct {
        const char *name;
        const char *ranges; /* pairs of first and last */
    } names[] = {
        {"alnum", "09AZaz"}, {"alpha", "AZaz"}, {"blank", "\t\t  "},  {"digit", "09"},
        {"graph", "!~"},     {"lower", "az"},   {"print", " ~"},      {"punct", "!/:@[`{~"},
        {"space", "\t\r  "}, {"upper", "AZ"},   {"word", "09AZaz__"}, {"xdigit", "09AFaf"},
    };
    if (bytes_equal(name, BYTES("ascii"))) {
        class_add(set, 0, 0x7f);
        return true;
    }
    if (bytes_equal(name, BYTES("cntrl"))) {
        class_add(set, 0, 0x1f);
        class_add(set, 0x7f, 0x7f);
        return true;
    }
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (!bytes_equal(name, bytes_of_text(names[i].name)))
            continue;
        for (const char *r = names[i].ranges; *r; r += 2)
            class_add(set, (uint32_t)r[0], (uint32_t)r[1]);
        return true;
    }
    return false;
}

/* Take "[:alpha:]" or "[:^alpha:]" when one stands here; the parser stands at the '['. */
static bool
take_posix(struct regex_parser *parser, struct regex_class *out)
{
    struct regex_parser ahead = *parser;
    if (!parser_take(&ahead, "[:"))
        return false;
    bool negated = parser_take(&ahead, "^");
    size_t start = ahead.at;
    uint32_t c;
    while ((c = parser_next(&ahead)) != ':')
        if (c == NO_CHARACTER)
            return false;
    struct bytes name = bytes_slice(ahead.pattern, start, ahead.at - 1);
    *out = class_init(parser->arena);
    if (!parser_take(&ahead, "]") || !posix_ranges(name, out))
        return false;
    class_normalise(out);
    if (negated)
        class_negate(out, class_max(parser));
    parser->at = ahead.at;
    return true;
}

/* ---- Items --------------------------------------------------------------------------------- */

/* A single character, a class escape; not a nested class. */
static int
parse_single(struct regex_parser *parser, struct regex_atom *out)
{
    uint32_t c = parser_next(parser);
    *out = (struct regex_atom){.kind = ATOM_CHARACTER, .character = c};
    if (c != '\\')
        return 0;
    if (parse_escape(parser, out) < 0)
        return -1;
    if (out->kind == ATOM_LOOK)
        return parser_error(parser, "a place such as \\b cannot be in a class");
    return 0;
}

static int
check_single(struct regex_parser *parser, const struct regex_atom *atom)
{
    if (!(parser->flags & FLAG_UNICODE) && atom->character > 0x7f && !atom->is_byte)
        return parser_error(parser, "outside Unicode mode a class holds ASCII only");
    return 0;
}

/* A character, a range or a class escape; the parser stands at it. */
static int
parse_range(struct regex_parser *parser, struct regex_class *set)
{
    struct regex_atom low, high;
    if (parse_single(parser, &low) < 0)
        return -1;
    parser_skip_space(parser);
    uint32_t after = parser_peek(parser) == '-' ? parser_peek_second(parser) : ']';
    if (after == ']' || after == '-') {
        if (low.kind == ATOM_CLASS) {
            class_add_all(set, &low.set);
            return 0;
        }
        if (check_single(parser, &low) < 0)
            return -1;
        class_add(set, low.character, low.character);
        return 0;
    }
    (void)parser_next(parser);
    parser_skip_space(parser);
    if (parser_peek(parser) == NO_CHARACTER)
        return parser_error(parser, "a class is not closed");
    if (parse_single(parser, &high) < 0)
        return -1;
    if (low.kind != ATOM_CHARACTER || high.kind != ATOM_CHARACTER)
        return parser_error(parser, "a range runs between two characters");
    if (check_single(parser, &low) < 0 || check_single(parser, &high) < 0)
        return -1;
    if (low.character > high.character)
        return parser_error(parser, "a range runs backwards");
    class_add(set, low.character, high.character);
    return 0;
}

enum set_operator { SET_NONE, SET_INTERSECT, SET_SUBTRACT, SET_DIFFERENCE };

static enum set_operator
take_operator(struct regex_parser *parser)
{
    if (parser_take(parser, "&&"))
        return SET_INTERSECT;
    if (parser_take(parser, "--"))
        return SET_SUBTRACT;
    if (parser_take(parser, "~~"))
        return SET_DIFFERENCE;
    return SET_NONE;
}

static void
apply(enum set_operator operation, struct regex_class *left, const struct regex_class *right)
{
    switch (operation) {
    case SET_NONE:
        *left = *right;
        break;
    case SET_INTERSECT:
        class_intersect(left, right);
        break;
    case SET_SUBTRACT:
        class_subtract(left, right);
        break;
    case SET_DIFFERENCE:
        class_symmetric_difference(left, right);
        break;
    }
}

/* Fold an operand as the flags say before it takes part in an operation. */
static int
finish_operand(struct regex_parser *parser, struct regex_class *operand)
{
    return finish_class(parser, operand, false);
}

/* Literal '-' and ']' are allowed right after the opening. */
static void
parse_opening(struct regex_parser *parser, struct regex_class *operand, bool *negated)
{
    parser_skip_space(parser);
    *negated = parser_take(parser, "^");
    parser_skip_space(parser);
    bool empty = true;
    while (parser_take(parser, "-")) {
        class_add(operand, '-', '-');
        parser_skip_space(parser);
        empty = false;
    }
    if (empty && parser_take(parser, "]"))
        class_add(operand, ']', ']');
}

int
parse_class(struct regex_parser *parser, struct regex_class *out, uint32_t *depth)
{
    struct regex_class left = class_init(parser->arena), operand = class_init(parser->arena);
    enum set_operator pending = SET_NONE;
    bool negated;

    if (++parser->group_depth > REGEX_NEST_MAX)
        return parser_error(parser, "nested too deep");
    *depth = 1;
    parse_opening(parser, &operand, &negated);
    for (;;) {
        parser_skip_space(parser);
        struct regex_class inner;
        uint32_t inner_depth;
        uint32_t c = parser_peek(parser);
        if (c == NO_CHARACTER)
            return parser_error(parser, "a class is not closed");
        if (c == ']')
            break;
        if (c == '[' && take_posix(parser, &inner)) {
            class_add_all(&operand, &inner);
            continue;
        }
        if (c == '[') {
            (void)parser_next(parser);
            if (parse_class(parser, &inner, &inner_depth) < 0)
                return -1;
            class_add_all(&operand, &inner);
            if (inner_depth >= *depth)
                *depth = inner_depth + 1;
            continue;
        }
        enum set_operator next = take_operator(parser);
        if (next == SET_NONE) {
            if (parse_range(parser, &operand) < 0)
                return -1;
            continue;
        }
        if (finish_operand(parser, &operand) < 0)
            return -1;
        apply(pending, &left, &operand);
        pending = next;
        operand = class_init(parser->arena);
    }
    (void)parser_next(parser);
    parser->group_depth--;
    if (finish_operand(parser, &operand) < 0)
        return -1;
    apply(pending, &left, &operand);
    *out = left;
    return finish_class(parser, out, negated);
}
