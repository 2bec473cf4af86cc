/*
 * Escapes: what follows a backslash.
 */
#include <string.h>

#include "analyzer/regex/parse.h"

/* ---- Code points by number ----------------------------------------------------------------- */

static int
hex_value(uint32_t c)
{
    if (c >= '0' && c <= '9')
        return (int)(c - '0');
    if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
        return (int)((c | 0x20) - 'a' + 10);
    return -1;
}

/* "41" or "{1F600}" after \x, \u or \U, which need N_DIGITS without braces. */
static int
parse_hex(struct regex_parser *parser, unsigned n_digits, struct regex_atom *out)
{
    parser_skip_space(parser);
    bool braces = parser_take(parser, "{");
    uint64_t value = 0;
    unsigned n = 0;
    for (; braces || n < n_digits; n++) {
        parser_skip_space(parser);
        uint32_t c = parser_next(parser);
        if (braces && c == '}')
            break;
        int digit = c == NO_CHARACTER ? -1 : hex_value(c);
        if (digit < 0)
            return parser_error(parser, "not a hexadecimal digit");
        value = value * 16 + (unsigned)digit;
        if (value > CODE_POINT_MAX)
            return parser_error(parser, "there is no such code point");
    }
    if (n == 0)
        return parser_error(parser, "hexadecimal digits are missing");
    if (value >= 0xd800 && value <= 0xdfff)
        return parser_error(parser, "a surrogate is not a character");
    out->character = (uint32_t)value;
    out->is_byte = !braces && n_digits == 2;
    return 0;
}

/* ---- Classes ------------------------------------------------------------------------------- */

static void
add_ascii_perl_class(struct regex_class *set, uint32_t lower)
{
    if (lower == 's') {
        class_add(set, '\t', '\r');
        class_add(set, ' ', ' ');
        return;
    }
    class_add(set, '0', '9');
    if (lower == 'w') {
        class_add(set, 'A', 'Z');
        class_add(set, '_', '_');
        class_add(set, 'a', 'z');
    }
}

int
perl_class(struct regex_parser *parser, uint32_t letter, struct regex_class *out)
{
    uint32_t lower = letter | 0x20;
    *out = class_init(parser->arena);
    if (!(parser->flags & FLAG_UNICODE))
        add_ascii_perl_class(out, lower);
    else if (lower == 'd')
        unicode_add_digits(out);
    else if (lower == 's')
        unicode_add_spaces(out);
    else
        unicode_add_words(out);
    if (letter != lower)
        class_negate(out, class_max(parser));
    return out->failed ? err_nomem(parser->err, "regex") : 0;
}

/* Split "name=value", "name:value" or "name!=value". */
static void
split_property(struct bytes text, struct bytes *name, struct bytes *value, bool *negated)
{
    *name = text;
    *value = (struct bytes){0};
    for (size_t i = 0; i < text.len; i++) {
        bool unequal = text.data[i] == '!' && i + 1 < text.len && text.data[i + 1] == '=';
        if (!unequal && text.data[i] != '=' && text.data[i] != ':')
            continue;
        *name = bytes_slice(text, 0, i);
        *value = bytes_slice(text, i + (unequal ? 2 : 1), text.len);
        *negated ^= unequal;
        return;
    }
}

/* "L" or "{Greek}" after \p or \P. */
static int
parse_property(struct regex_parser *parser, bool negated, struct regex_class *out)
{
    if (!(parser->flags & FLAG_UNICODE))
        return parser_error(parser, "Unicode classes do not exist outside Unicode mode");
    parser_skip_space(parser);
    struct bytes text;
    if (parser_take(parser, "{")) {
        size_t start = parser->at;
        uint32_t c;
        while ((c = parser_next(parser)) != '}')
            if (c == NO_CHARACTER)
                return parser_error(parser, "a Unicode class is not closed");
        text = bytes_slice(parser->pattern, start, parser->at - 1);
    } else {
        size_t start = parser->at;
        if (parser_next(parser) == NO_CHARACTER)
            return parser_error(parser, "a Unicode class without name");
        text = bytes_slice(parser->pattern, start, parser->at);
    }
    struct bytes name, value;
    split_property(text, &name, &value, &negated);
    *out = class_init(parser->arena);
    if (!unicode_add_property(name, value, out))
        return parser_error(parser, "this Unicode class is unknown (general categories, scripts "
                                    "and yes-or-no properties are known)");
    return finish_class(parser, out, negated);
}

/* ---- Looks --------------------------------------------------------------------------------- */

static int
word_look(struct regex_parser *parser, enum regex_look in_unicode, struct regex_atom *out)
{
    out->kind = ATOM_LOOK;
    /* The ASCII variant of each look follows its Unicode one. */
    out->look = (parser->flags & FLAG_UNICODE) ? in_unicode : in_unicode + 1;
    return 0;
}

/* "{start}" and so on after \b; a '{' that opens a count is left alone. */
static int
parse_boundary(struct regex_parser *parser, struct regex_atom *out)
{
    static const struct {
        const char *name;
        enum regex_look look;
    } kinds[] = {{"start}", LOOK_WORD_START_UNICODE},
                 {"end}", LOOK_WORD_END_UNICODE},
                 {"start-half}", LOOK_WORD_START_HALF_UNICODE},
                 {"end-half}", LOOK_WORD_END_HALF_UNICODE}};
    size_t before = parser->at;
    if (parser_take(parser, "{")) {
        parser_skip_space(parser);
        uint32_t c = parser_peek(parser);
        if (c == '-' || (c < 0x80 && (c | 0x20) >= 'a' && (c | 0x20) <= 'z')) {
            for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
                if (parser_take(parser, kinds[i].name))
                    return word_look(parser, kinds[i].look, out);
            return parser_error(parser, "unknown kind of word boundary");
        }
        parser->at = before;
    }
    return word_look(parser, LOOK_WORD_UNICODE, out);
}

/* ---- The escape itself --------------------------------------------------------------------- */

static int
character(struct regex_atom *out, uint32_t c)
{
    out->kind = ATOM_CHARACTER;
    out->character = c;
    return 0;
}

static int
look(struct regex_atom *out, enum regex_look kind)
{
    out->kind = ATOM_LOOK;
    out->look = kind;
    return 0;
}

static bool
is_alphanumeric(uint32_t c)
{
    return (c >= '0' && c <= '9') || (c < 0x80 && (c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

int
parse_escape(struct regex_parser *parser, struct regex_atom *out)
{
    uint32_t c = parser_next(parser);
    *out = (struct regex_atom){.kind = ATOM_CHARACTER};
    switch (c) {
    case NO_CHARACTER:
        return parser_error(parser, "a backslash at the end");
    case 'x':
        return parse_hex(parser, 2, out);
    case 'u':
        return parse_hex(parser, 4, out);
    case 'U':
        return parse_hex(parser, 8, out);
    case 'p':
    case 'P':
        out->kind = ATOM_CLASS;
        return parse_property(parser, c == 'P', &out->set);
    case 'd':
    case 's':
    case 'w':
    case 'D':
    case 'S':
    case 'W':
        out->kind = ATOM_CLASS;
        return perl_class(parser, c, &out->set);
    case 'a':
        return character(out, '\a');
    case 'f':
        return character(out, '\f');
    case 't':
        return character(out, '\t');
    case 'n':
        return character(out, '\n');
    case 'r':
        return character(out, '\r');
    case 'v':
        return character(out, '\v');
    case 'A':
        return look(out, LOOK_TEXT_START);
    case 'z':
        return look(out, LOOK_TEXT_END);
    case 'b':
        return parse_boundary(parser, out);
    case 'B':
        return word_look(parser, LOOK_NOT_WORD_UNICODE, out);
    case '<':
        return word_look(parser, LOOK_WORD_START_UNICODE, out);
    case '>':
        return word_look(parser, LOOK_WORD_END_UNICODE, out);
    default:
        break;
    }
    if (c >= '0' && c <= '9')
        return parser_error(parser, "back references and octal numbers do not exist here");
    if (c > 0x7f || is_alphanumeric(c))
        return parser_error(parser, "this escape does not exist");
    return character(out, c);
}
