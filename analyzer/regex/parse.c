/*
 * Alternatives, concatenations, repeats and groups by recursive descent.  The recursion is bounded:
 * every level of it is a group, and more than REGEX_NEST_MAX of those are refused, as the crate
 * does.  Escapes are in escape.c, bracketed classes in brackets.c.
 */
#include "analyzer/regex/parse.h"

#include <string.h>

#include "base/array.h"
#include "base/utf8.h"

/* ---- Characters ---------------------------------------------------------------------------- */

static uint32_t
decode(struct bytes text, size_t at, size_t *length)
{
    if (at >= text.len)
        return NO_CHARACTER;
    *length = utf8_length(text, at);
    return *length ? utf8_decode(text.data + at, *length) : NO_CHARACTER; /* it is valid UTF-8 */
}

uint32_t
parser_peek(const struct regex_parser *parser)
{
    size_t length;
    return decode(parser->pattern, parser->at, &length);
}

uint32_t
parser_next(struct regex_parser *parser)
{
    size_t length = 0;
    uint32_t c = decode(parser->pattern, parser->at, &length);
    parser->at += length;
    return c;
}

uint32_t
parser_peek_second(const struct regex_parser *parser)
{
    struct regex_parser ahead = *parser;
    (void)parser_next(&ahead);
    parser_skip_space(&ahead);
    return parser_peek(&ahead);
}

bool
parser_take(struct regex_parser *parser, const char *text)
{
    size_t n = strlen(text);
    if (parser->pattern.len - parser->at < n ||
        memcmp(parser->pattern.data + parser->at, text, n) != 0)
        return false;
    parser->at += n;
    return true;
}

bool
is_unicode_space(uint32_t c)
{
    return (c >= 9 && c <= 13) || c == ' ' || c == 0x85 || c == 0xa0 || c == 0x1680 ||
           (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f ||
           c == 0x205f || c == 0x3000;
}

void
parser_skip_space(struct regex_parser *parser)
{
    if (!(parser->flags & FLAG_VERBOSE))
        return;
    for (;;) {
        uint32_t c = parser_peek(parser);
        if (c != NO_CHARACTER && is_unicode_space(c)) {
            (void)parser_next(parser);
        } else if (c == '#') {
            while (c != NO_CHARACTER && c != '\n')
                c = parser_next(parser);
        } else {
            return;
        }
    }
}

int
parser_error(struct regex_parser *parser, const char *reason)
{
    return err_set(parser->err, ERR_INPUT, "regex: %s (at byte %zu of the pattern)", reason,
                   parser->at);
}

/* ---- Nodes --------------------------------------------------------------------------------- */

static struct regex_node *
node_new(struct regex_parser *parser, enum regex_op op)
{
    struct regex_node *node = ARENA_NEW(parser->arena, struct regex_node);
    if (!node) {
        (void)err_nomem(parser->err, "regex");
        return NULL;
    }
    node->op = op;
    return node;
}

/* A growing list of nodes. */
struct node_list {
    struct regex_node **items;
    uint32_t n, capacity;
};

static int
list_push(struct regex_parser *parser, struct node_list *list, struct regex_node *node)
{
    if (!ARRAY_RESERVE_IN(parser->arena, list->items, list->n, list->capacity, 1))
        return err_nomem(parser->err, "regex");
    list->items[list->n++] = node;
    return 0;
}

static struct regex_node *
node_of_list(struct regex_parser *parser, enum regex_op op, const struct node_list *list)
{
    if (list->n == 1)
        return list->items[0];
    struct regex_node *node = node_new(parser, list->n ? op : REGEX_EMPTY);
    if (!node)
        return NULL;
    node->items = list->items;
    node->n_items = list->n;
    for (uint32_t i = 0; i < list->n; i++)
        if (list->items[i]->depth >= node->depth)
            node->depth = list->items[i]->depth + 1;
    return node;
}

static struct regex_node *
node_of_class(struct regex_parser *parser, struct regex_class set, uint32_t depth)
{
    if (set.failed) {
        (void)err_nomem(parser->err, "regex");
        return NULL;
    }
    struct regex_node *node = node_new(parser, REGEX_CLASS);
    if (!node)
        return NULL;
    node->set = set;
    node->depth = depth;
    return node;
}

static struct regex_node *
node_of_look(struct regex_parser *parser, enum regex_look look)
{
    struct regex_node *node = node_new(parser, REGEX_LOOK);
    if (node)
        node->look = look;
    return node;
}

static struct regex_node *
node_of_character(struct regex_parser *parser, uint32_t c)
{
    struct regex_class set = class_init(parser->arena);
    class_add(&set, c, c);
    bool folds =
        (parser->flags & FLAG_CASE_INSENSITIVE) && ((parser->flags & FLAG_UNICODE) || c < 0x80);
    if (folds && finish_class(parser, &set, false) < 0)
        return NULL;
    return node_of_class(parser, set, 0);
}

static struct regex_node *
node_of_atom(struct regex_parser *parser, const struct regex_atom *atom)
{
    if (atom->kind == ATOM_LOOK)
        return node_of_look(parser, atom->look);
    if (atom->kind == ATOM_CLASS) {
        if (check_class(parser, &atom->set) < 0)
            return NULL;
        return node_of_class(parser, atom->set, 0);
    }
    if (atom->is_byte && atom->character > 0x7f && !(parser->flags & FLAG_UNICODE)) {
        (void)parser_error(parser, "a byte above \\x7f outside Unicode mode can match part of a "
                                   "character");
        return NULL;
    }
    return node_of_character(parser, atom->character);
}

static struct regex_node *
node_of_dot(struct regex_parser *parser)
{
    struct regex_class set = class_init(parser->arena);
    if (!(parser->flags & FLAG_DOT_ALL)) {
        class_add(&set, '\n', '\n');
        if (parser->flags & FLAG_CRLF)
            class_add(&set, '\r', '\r');
        class_normalise(&set);
    }
    class_negate(&set, class_max(parser));
    if (check_class(parser, &set) < 0)
        return NULL;
    return node_of_class(parser, set, 0);
}

static enum regex_look
line_look(const struct regex_parser *parser, bool start)
{
    if (!(parser->flags & FLAG_MULTI_LINE))
        return start ? LOOK_TEXT_START : LOOK_TEXT_END;
    if (parser->flags & FLAG_CRLF)
        return start ? LOOK_LINE_START_CRLF : LOOK_LINE_END_CRLF;
    return start ? LOOK_LINE_START : LOOK_LINE_END;
}

/* ---- Repeats ------------------------------------------------------------------------------- */

/* A decimal number between any white space; -1 when there is none or it passes 32 bits. */
static int
parse_count(struct regex_parser *parser, uint32_t *out)
{
    while (parser_peek(parser) != NO_CHARACTER && is_unicode_space(parser_peek(parser)))
        (void)parser_next(parser);
    uint64_t value = 0;
    bool any = false;
    for (uint32_t c = parser_peek(parser); c >= '0' && c <= '9'; c = parser_peek(parser)) {
        value = value * 10 + (c - '0');
        if (value > UINT32_MAX - 1)
            return parser_error(parser, "this count is too large");
        any = true;
        (void)parser_next(parser);
    }
    while (parser_peek(parser) != NO_CHARACTER && is_unicode_space(parser_peek(parser)))
        (void)parser_next(parser);
    if (!any)
        return parser_error(parser, "'{' must open a count such as {2,5}; write \\{ for the sign");
    *out = (uint32_t)value;
    return 0;
}

/* "{m}", "{m,}" or "{m,n}"; the parser is just after the '{'. */
static int
parse_counts(struct regex_parser *parser, uint32_t *min, uint32_t *max)
{
    parser_skip_space(parser);
    if (parse_count(parser, min) < 0)
        return -1;
    *max = *min;
    if (parser_take(parser, ",")) {
        parser_skip_space(parser);
        if (parser_peek(parser) == '}')
            *max = REGEX_UNBOUNDED;
        else if (parse_count(parser, max) < 0)
            return -1;
    }
    parser_skip_space(parser);
    if (!parser_take(parser, "}"))
        return parser_error(parser, "a count must end with '}'");
    if (*max < *min)
        return parser_error(parser, "the first count is larger than the second");
    return 0;
}

/* Wrap the last node of LIST in the repeat SIGN, which has been taken. */
static int
parse_repeat(struct regex_parser *parser, uint32_t sign, struct node_list *list, bool can_repeat)
{
    uint32_t min = sign == '+', max = sign == '?' ? 1 : REGEX_UNBOUNDED;
    if (!can_repeat)
        return parser_error(parser, "nothing to repeat");
    if (sign == '{' && parse_counts(parser, &min, &max) < 0)
        return -1;
    (void)parser_take(parser, "?"); /* lazy: the same answer */
    struct regex_node *node = node_new(parser, REGEX_REPEAT);
    struct node_list one = {0};
    if (!node || list_push(parser, &one, list->items[list->n - 1]) < 0)
        return -1;
    node->min = min;
    node->max = max;
    node->items = one.items;
    node->n_items = 1;
    node->depth = one.items[0]->depth + 1;
    list->items[list->n - 1] = node;
    return 0;
}

/* ---- Groups -------------------------------------------------------------------------------- */

static unsigned
flag_of(uint32_t letter)
{
    switch (letter) {
    case 'i':
        return FLAG_CASE_INSENSITIVE;
    case 'm':
        return FLAG_MULTI_LINE;
    case 's':
        return FLAG_DOT_ALL;
    case 'U':
        return FLAG_SWAP_GREED;
    case 'u':
        return FLAG_UNICODE;
    case 'R':
        return FLAG_CRLF;
    case 'x':
        return FLAG_VERBOSE;
    default:
        return 0;
    }
}

/* Letters up to ':' or ')', which is left; sets the parser's flags.  *ANY: there was one. */
static int
parse_flags(struct regex_parser *parser, bool *any)
{
    unsigned seen = 0, flags = parser->flags;
    bool negate = false, dangling = false;
    *any = false;
    for (;;) {
        uint32_t c = parser_peek(parser);
        if (c == NO_CHARACTER)
            return parser_error(parser, "a group of flags is not closed");
        if (c == ':' || c == ')')
            break;
        (void)parser_next(parser);
        *any = true;
        if (c == '-') {
            if (negate)
                return parser_error(parser, "flags are negated twice");
            negate = dangling = true;
            continue;
        }
        unsigned flag = flag_of(c);
        if (!flag)
            return parser_error(parser, "unknown flag: look-around, atomic groups, comments and "
                                        "conditions do not exist here");
        if (seen & flag)
            return parser_error(parser, "a flag is given twice");
        seen |= flag;
        flags = negate ? flags & ~flag : flags | flag;
        dangling = false;
    }
    if (dangling)
        return parser_error(parser, "'-' without a flag");
    parser->flags = flags;
    return 0;
}

static bool
is_name_character(uint32_t c, bool first)
{
    bool letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z' && c < 0x80;
    if (c == '_' || letter)
        return true;
    if (!first && (c == '.' || c == '[' || c == ']' || (c >= '0' && c <= '9')))
        return true;
    return c >= 0x80 && unicode_is_alphabetic(c);
}

/* The name of a capture group; the parser is just after the '<'. */
static int
parse_group_name(struct regex_parser *parser)
{
    size_t start = parser->at;
    for (;;) {
        size_t end = parser->at;
        uint32_t c = parser_next(parser);
        if (c == '>') {
            struct bytes name = bytes_slice(parser->pattern, start, end);
            bool is_new;
            if (name.len == 0)
                return parser_error(parser, "a group has an empty name");
            if (!map_put(&parser->names, name, &is_new))
                return err_nomem(parser->err, "regex");
            return is_new ? 0 : parser_error(parser, "two groups have the same name");
        }
        if (c == NO_CHARACTER || !is_name_character(c, end == start))
            return parser_error(parser, "not a group name");
    }
}

static struct regex_node *parse_alternatives(struct regex_parser *parser);

/* A group; the parser is just after the '('.  *OUT stays NULL for "(?flags)". */
static int
parse_group(struct regex_parser *parser, struct regex_node **out)
{
    unsigned outer = parser->flags;
    parser_skip_space(parser);
    if (parser_take(parser, "?=") || parser_take(parser, "?!") || parser_take(parser, "?<=") ||
        parser_take(parser, "?<!"))
        return parser_error(parser, "look-around does not exist here");
    if (parser_take(parser, "?P<") || parser_take(parser, "?<")) {
        if (parse_group_name(parser) < 0)
            return -1;
    } else if (parser_take(parser, "?")) {
        bool any;
        if (parse_flags(parser, &any) < 0)
            return -1;
        if (parser_next(parser) == ')')
            return any ? 0 : parser_error(parser, "nothing to repeat");
    }
    if (++parser->group_depth > REGEX_NEST_MAX)
        return parser_error(parser, "nested too deep");
    struct regex_node *inner = parse_alternatives(parser);
    if (!inner)
        return -1;
    if (!parser_take(parser, ")"))
        return parser_error(parser, "a group is not closed");
    parser->group_depth--;
    parser->flags = outer;
    inner->depth++;
    *out = inner;
    return 0;
}

/* ---- Concatenations and alternatives ------------------------------------------------------- */

/* One item; *OUT stays NULL for a group of flags, which is not an item. */
static int
parse_item(struct regex_parser *parser, uint32_t c, struct regex_node **out)
{
    struct regex_atom atom;
    struct regex_class set;
    uint32_t depth;

    *out = NULL;
    switch (c) {
    case '(':
        return parse_group(parser, out);
    case '[':
        if (parse_class(parser, &set, &depth) < 0 || check_class(parser, &set) < 0)
            return -1;
        *out = node_of_class(parser, set, depth);
        break;
    case '\\':
        if (parse_escape(parser, &atom) < 0)
            return -1;
        *out = node_of_atom(parser, &atom);
        break;
    case '.':
        *out = node_of_dot(parser);
        break;
    case '^':
    case '$':
        *out = node_of_look(parser, line_look(parser, c == '^'));
        break;
    default:
        *out = node_of_character(parser, c);
        break;
    }
    return *out ? 0 : -1;
}

static struct regex_node *
parse_concat(struct regex_parser *parser)
{
    struct node_list list = {0};
    bool can_repeat = false;
    for (;;) {
        parser_skip_space(parser);
        uint32_t c = parser_peek(parser);
        if (c == NO_CHARACTER || c == '|' || c == ')')
            return node_of_list(parser, REGEX_CONCAT, &list);
        (void)parser_next(parser);
        if (c == '*' || c == '+' || c == '?' || c == '{') {
            if (parse_repeat(parser, c, &list, can_repeat) < 0)
                return NULL;
            continue;
        }
        struct regex_node *item;
        if (parse_item(parser, c, &item) < 0 || (item && list_push(parser, &list, item) < 0))
            return NULL;
        can_repeat = item != NULL;
    }
}

static struct regex_node *
parse_alternatives(struct regex_parser *parser)
{
    struct node_list list = {0};
    do {
        struct regex_node *branch = parse_concat(parser);
        if (!branch || list_push(parser, &list, branch) < 0)
            return NULL;
    } while (parser_take(parser, "|"));
    return node_of_list(parser, REGEX_ALTERNATE, &list);
}

int
regex_parse(struct bytes pattern, struct arena *arena, struct regex_node **out, struct err *err)
{
    struct regex_parser parser = {
        .pattern = pattern, .flags = FLAG_UNICODE, .arena = arena, .err = err};
    map_init(&parser.names);
    *out = parse_alternatives(&parser);
    map_clear(&parser.names);
    if (!*out)
        return -1;
    if (parser.at < pattern.len)
        return parser_error(&parser, "')' without '('");
    if ((*out)->depth > REGEX_NEST_MAX)
        return parser_error(&parser, "nested too deep");
    return 0;
}
