/*
 * A glob is translated from left to right.  Most of its parts have a regex of their own; `**` also
 * depends on what is around it, so the translation remembers where the last slash was written and
 * whether a `**` for whole components has just been.  Braces may be nested: the starts of the
 * alternatives around the current one are a stack.
 */
#include "analyzer/scope/glob.h"

#include "base/utf8.h"

enum { BRACES_MAX = 100 };

/* Any number of components, perhaps none, before what follows. */
#define RECURSIVE_PREFIX "(?:/?|.*/)"

struct translation {
    struct bytes glob;
    size_t at;
    bool any_case;
    struct buf *out;
    size_t start;      /* in out, of the glob or the current alternative */
    size_t before;     /* in out, before the slash that has just been written; or SIZE_MAX */
    bool is_recursive; /* a `**` that takes whole components has just been written */
    size_t braces[BRACES_MAX]; /* start of what encloses them */
    uint32_t n_braces;
    const char *why;
};

static bool
is_letter(uint8_t c)
{
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

/* Write C as a text that only matches itself. */
static void
put_literal(struct translation *t, uint8_t c)
{
    t->before = c == '/' ? t->out->len : SIZE_MAX;
    t->is_recursive = false;
    if (t->any_case && is_letter(c))
        buf_printf(t->out, "[%c%c]", c & ~0x20, c | 0x20);
    else if (c < 0x80 && !is_letter(c))
        buf_printf(t->out, "\\x%02x", c);
    else
        buf_append_byte(t->out, c);
}

static void
put_wild(struct translation *t, const char *regex)
{
    t->before = SIZE_MAX;
    t->is_recursive = false;
    buf_append_text(t->out, regex);
}

static uint8_t
peek(const struct translation *t)
{
    return t->at < t->glob.len ? t->glob.data[t->at] : 0;
}

/* Translate `**`, both stars read: it takes whole components if it is between slashes. */
static void
put_two_stars(struct translation *t)
{
    bool at_end = t->at == t->glob.len;
    uint8_t next = peek(t);
    bool ends_here = at_end || (t->n_braces > 0 && (next == ',' || next == '}'));
    if (t->out->len == t->start) {
        if (!at_end && next != '/') {
            put_wild(t, ".*");
            return;
        }
        t->at += !at_end;
        put_wild(t, RECURSIVE_PREFIX);
        t->is_recursive = true;
    } else if (t->is_recursive && (ends_here || next == '/')) {
        t->at += next == '/'; /* means what the one before means */
    } else if (t->before != SIZE_MAX && (ends_here || next == '/')) {
        t->at += next == '/';
        t->out->len = t->before; /* the slash is part of what comes instead */
        put_wild(t, ends_here ? "/.*" : "(?:/|/.*/)");
        t->is_recursive = true;
    } else {
        put_wild(t, ".*");
    }
}

static void
put_member(struct translation *t, uint8_t c)
{
    if (c < 0x80)
        buf_printf(t->out, "\\x%02x", c);
    else
        buf_append_byte(t->out, c);
}

/* Take a member of a class: one code point. */
static struct bytes
take_member(struct translation *t)
{
    size_t n = utf8_length(t->glob, t->at);
    struct bytes member = bytes_slice(t->glob, t->at, t->at + (n ? n : 1));
    t->at += member.len;
    return member;
}

static void
put_members(struct translation *t, struct bytes member)
{
    for (size_t i = 0; i < member.len; i++)
        put_member(t, member.data[i]);
}

/* Translate a class, whose '[' has been read. */
static bool
put_class(struct translation *t)
{
    struct bytes first = {0}, last;
    bool any = false;
    buf_append_text(t->out, t->any_case ? "(?i:[" : "[");
    if (peek(t) == '!' || peek(t) == '^') {
        buf_append_byte(t->out, '^');
        t->at++;
    }
    for (; t->at < t->glob.len && (peek(t) != ']' || !any); any = true) {
        first = take_member(t);
        put_members(t, first);
        if (peek(t) != '-' || t->at + 1 >= t->glob.len || t->glob.data[t->at + 1] == ']')
            continue;
        t->at++;
        last = take_member(t);
        if (bytes_compare(first, last) > 0) {
            t->why = "a range that ends before it starts";
            return false;
        }
        buf_append_byte(t->out, '-');
        put_members(t, last);
    }
    if (t->at == t->glob.len) {
        t->why = "a [ without ]";
        return false;
    }
    t->at++;
    put_wild(t, t->any_case ? "])" : "]");
    return true;
}

static bool
put_next(struct translation *t)
{
    uint8_t c = t->glob.data[t->at++];
    switch (c) {
    case '?':
        put_wild(t, ".");
        return true;
    case '*':
        if (peek(t) != '*' || t->at == t->glob.len) {
            put_wild(t, ".*");
            return true;
        }
        t->at++;
        put_two_stars(t);
        return true;
    case '[':
        return put_class(t);
    case '{':
        if (t->n_braces == BRACES_MAX) {
            t->why = "too many { in each other";
            return false;
        }
        t->braces[t->n_braces++] = t->start;
        put_wild(t, "(?:");
        t->start = t->out->len;
        return true;
    case '}':
        if (t->n_braces == 0) {
            t->why = "a } without {";
            return false;
        }
        if (t->out->len == t->start && t->out->data[t->start - 1] == '|')
            t->out->len--;
        t->start = t->braces[--t->n_braces];
        put_wild(t, ")");
        return true;
    case ',':
        if (t->n_braces == 0)
            break;
        if (t->out->len > t->start) /* an empty alternative does not count */
            put_wild(t, "|");
        t->start = t->out->len;
        return true;
    case '\\':
        if (t->at == t->glob.len) {
            t->why = "a \\ at the end";
            return false;
        }
        put_literal(t, t->glob.data[t->at++]);
        return true;
    default:
        break;
    }
    put_literal(t, c);
    return true;
}

bool
glob_to_regex(struct bytes glob, bool any_case, struct buf *out, const char **why)
{
    struct translation t = {
        .glob = glob, .any_case = any_case, .out = out, .before = SIZE_MAX, .why = NULL};
    buf_append_text(out, "(?s)^");
    t.start = out->len;
    while (t.at < glob.len && put_next(&t))
        ;
    if (!t.why && t.n_braces > 0)
        t.why = "a { without }";
    /* If nothing follows, they are any path. */
    if (bytes_equal(bytes_slice(buf_bytes(out), t.start, out->len), BYTES(RECURSIVE_PREFIX))) {
        out->len = t.start;
        buf_append_text(out, ".*");
    }
    buf_append_byte(out, '$');
    *why = t.why;
    return !t.why;
}
