/*
 * The selector that `kind` takes: "call > argument_list", "list:has(> integer)" and so on.
 *
 * It is made of the same matchers as the rest.  The matched node is that of the right-most
 * compound, so "a > b" becomes: kind b, inside kind a.
 */
#include "analyzer/engine/rule_names.h"
#include "analyzer/engine/rule_read.h"

enum { SELECTOR_DEPTH_MAX = 64, COMPOUND_PARTS_MAX = 16, COMPOUNDS_MAX = 256 };

struct selector {
    struct rule_reader *reader;
    struct bytes text;
    size_t at;
    uint32_t line;
    unsigned depth;
    unsigned n_compounds; /* bounds the depth of what they are combined to */
};

static uint32_t
refuse(struct selector *s, const char *reason)
{
    (void)rule_refuse(s->reader, s->line, "`kind`: %s (at byte %zu of \"%.*s\")", reason, s->at,
                      BYTES_ARG(s->text));
    return MATCHER_NONE;
}

/* MATCHER, or the message that memory is out. */
static uint32_t
checked(struct selector *s, uint32_t matcher)
{
    if (matcher == MATCHER_NONE)
        (void)err_nomem(s->reader->err, "rules");
    return matcher;
}

static uint8_t
peek(const struct selector *s)
{
    return s->at < s->text.len ? s->text.data[s->at] : 0;
}

static bool
is_space(uint8_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool
skip_space(struct selector *s)
{
    size_t before = s->at;
    while (is_space(peek(s)))
        s->at++;
    return s->at > before;
}

static bool
take(struct selector *s, const char *text)
{
    struct bytes wanted = bytes_of_text(text);
    if (!bytes_starts_with(bytes_slice(s->text, s->at, s->text.len), wanted))
        return false;
    s->at += wanted.len;
    return true;
}

static bool
is_name_byte(uint8_t c, bool first)
{
    return ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_' || c == '-' ||
           (!first && c >= '0' && c <= '9');
}

static struct bytes
take_name(struct selector *s)
{
    size_t start = s->at;
    while (is_name_byte(peek(s), s->at == start))
        s->at++;
    return bytes_slice(s->text, start, s->at);
}

static uint32_t read_list(struct selector *s);
static uint32_t read_complex(struct selector *s);

/* ---- Pseudo-classes ------------------------------------------------------------------------ */

static uint32_t
close_argument(struct selector *s, uint32_t matcher)
{
    if (matcher == MATCHER_NONE)
        return MATCHER_NONE;
    skip_space(s);
    return take(s, ")") ? matcher : refuse(s, "')' is missing");
}

static uint32_t
read_has(struct selector *s)
{
    skip_space(s);
    enum stop_by stop = take(s, ">") ? STOP_NEIGHBOR : STOP_END;
    skip_space(s);
    uint32_t inner = close_argument(s, read_complex(s));
    if (inner == MATCHER_NONE)
        return MATCHER_NONE;
    return checked(s,
                   matcher_list_add_relation(s->reader->list, MATCHER_HAS, inner, stop, s->line));
}

static uint32_t
read_not(struct selector *s)
{
    skip_space(s);
    struct matcher matcher = {.op = MATCHER_NOT, .inner = close_argument(s, read_complex(s))};
    if (matcher.inner == MATCHER_NONE)
        return MATCHER_NONE;
    return checked(s, matcher_list_add(s->reader->list, &matcher, s->line));
}

/* "2n+1" or "2n+1 of integer" */
static uint32_t
read_nth(struct selector *s, bool reverse)
{
    struct matcher matcher = {.op = MATCHER_NTH,
                              .nth = {.of_rule = MATCHER_NONE, .reverse = reverse}};
    size_t start = s->at;
    while (s->at < s->text.len && peek(s) != ')' &&
           !bytes_starts_with(bytes_slice(s->text, s->at, s->text.len), BYTES("of")))
        s->at++;
    if (rule_read_formula(bytes_slice(s->text, start, s->at), &matcher.nth.step,
                          &matcher.nth.offset) < 0)
        return refuse(s, "not a position such as 2n+1");
    if (take(s, "of")) {
        skip_space(s);
        matcher.nth.of_rule = read_complex(s);
        if (matcher.nth.of_rule == MATCHER_NONE)
            return MATCHER_NONE;
    }
    skip_space(s);
    if (!take(s, ")"))
        return refuse(s, "')' is missing");
    return checked(s, matcher_list_add(s->reader->list, &matcher, s->line));
}

static uint32_t
read_pseudo(struct selector *s)
{
    if (take(s, "has("))
        return read_has(s);
    if (take(s, "not("))
        return read_not(s);
    if (take(s, "is(")) {
        skip_space(s);
        return close_argument(s, read_list(s));
    }
    if (take(s, "nth-child("))
        return read_nth(s, false);
    if (take(s, "nth-last-child("))
        return read_nth(s, true);
    return refuse(s, "unknown pseudo-class");
}

/* ---- Compounds, combinators, lists --------------------------------------------------------- */

static uint32_t
read_compound(struct selector *s)
{
    uint32_t parts[COMPOUND_PARTS_MAX], n = 0;
    if (++s->n_compounds > COMPOUNDS_MAX)
        return refuse(s, "too long");
    struct bytes name = take_name(s);
    if (name.len) {
        uint16_t kind = rule_kind_of_name(name);
        if (kind == 0) {
            (void)rule_refuse(s->reader, s->line, "\"%.*s\" is no node kind of Python",
                              BYTES_ARG(name));
            return MATCHER_NONE;
        }
        parts[n] = checked(s, matcher_list_add_kind(s->reader->list, kind, s->line));
        if (parts[n++] == MATCHER_NONE)
            return MATCHER_NONE;
    }
    while (take(s, ":")) {
        if (n == COMPOUND_PARTS_MAX)
            return refuse(s, "too many pseudo-classes in a row");
        parts[n] = read_pseudo(s);
        if (parts[n++] == MATCHER_NONE)
            return MATCHER_NONE;
    }
    if (n == 0)
        return refuse(s, "a kind is missing");
    if (n == 1)
        return parts[0];
    return checked(s, matcher_list_add_group(s->reader->list, MATCHER_ALL, parts, n, s->line));
}

/* COMPOUND where LEFT is in the relation that COMBINATOR names. */
static uint32_t
combine(struct selector *s, uint8_t combinator, uint32_t left, uint32_t compound)
{
    enum matcher_op op = combinator == '+' || combinator == '~' ? MATCHER_FOLLOWS : MATCHER_INSIDE;
    enum stop_by stop = combinator == '>' || combinator == '+' ? STOP_NEIGHBOR : STOP_END;
    uint32_t parts[2] = {compound,
                         matcher_list_add_relation(s->reader->list, op, left, stop, s->line)};
    if (parts[1] == MATCHER_NONE)
        return checked(s, MATCHER_NONE);
    return checked(s, matcher_list_add_group(s->reader->list, MATCHER_ALL, parts, 2, s->line));
}

static uint32_t
read_complex(struct selector *s)
{
    if (++s->depth > SELECTOR_DEPTH_MAX)
        return refuse(s, "nested too deep");
    uint32_t left = read_compound(s);
    while (left != MATCHER_NONE) {
        bool spaced = skip_space(s);
        uint8_t c = peek(s);
        if (c == '>' || c == '+' || c == '~') {
            s->at++;
            skip_space(s);
        } else if (!spaced || !(is_name_byte(c, true) || c == ':')) {
            break;
        } else {
            c = ' ';
        }
        uint32_t compound = read_compound(s);
        left = compound == MATCHER_NONE ? MATCHER_NONE : combine(s, c, left, compound);
    }
    s->depth--;
    return left;
}

static uint32_t
read_list(struct selector *s)
{
    struct matcher_list *list = s->reader->list;
    uint32_t left = read_complex(s);
    while (left != MATCHER_NONE && peek(s) == ',') {
        s->at++;
        skip_space(s);
        uint32_t parts[2] = {left, read_complex(s)};
        if (parts[1] == MATCHER_NONE)
            return MATCHER_NONE;
        left = checked(s, matcher_list_add_group(list, MATCHER_ANY, parts, 2, s->line));
    }
    return left;
}

uint32_t
rule_read_selector(struct rule_reader *reader, struct bytes text, uint32_t line)
{
    struct selector s = {.reader = reader, .text = text, .line = line};
    skip_space(&s);
    if (s.at == text.len) /* legal, and matches nothing */
        return checked(&s, matcher_list_add_group(reader->list, MATCHER_ANY, NULL, 0, line));
    uint32_t matcher = read_list(&s);
    if (matcher == MATCHER_NONE)
        return MATCHER_NONE;
    skip_space(&s);
    return s.at == text.len ? matcher : refuse(&s, "cannot be read further");
}
