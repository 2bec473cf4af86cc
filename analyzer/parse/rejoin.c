/* A scanner that knows just enough of Python to tell code from strings and comments: quotes with
 * their prefixes and escapes, comments, brackets.  Fields of formatted strings are not looked into;
 * brackets inside them belong to the string. */
#include "analyzer/parse/rejoin.h"

struct scanner {
    struct bytes text;
    uint8_t *out;   /* the rejoined copy; the text until something is rejoined */
    size_t depth;   /* open brackets */
    size_t indent;  /* columns before the logical line under way */
    size_t comment; /* where a comment of this line starts, or SIZE_MAX */
    bool at_line_start;
    bool changed;
};

/* One past the string that opens with the quote at AT. */
static size_t
skip_string(struct bytes text, size_t at)
{
    uint8_t quote = text.data[at];
    bool is_triple = at + 2 < text.len && text.data[at + 1] == quote && text.data[at + 2] == quote;
    at += is_triple ? 3 : 1;
    while (at < text.len) {
        uint8_t c = text.data[at];
        if (c == '\\') {
            at += 2;
        } else if (c == '\n' && !is_triple) {
            return at; /* unterminated: the line ends it */
        } else if (c == quote && !is_triple) {
            return at + 1;
        } else if (c == quote && at + 2 < text.len && text.data[at + 1] == quote &&
                   text.data[at + 2] == quote) {
            return at + 3;
        } else {
            at++;
        }
    }
    return text.len;
}

/* Columns of white space at AT, *NEXT past it; a tab goes to the next multiple of eight. */
static size_t
measure_indent(struct bytes text, size_t at, size_t *next)
{
    size_t columns = 0;
    for (; at < text.len; at++) {
        if (text.data[at] == ' ')
            columns++;
        else if (text.data[at] == '\t')
            columns = (columns / 8 + 1) * 8;
        else if (text.data[at] == '\f')
            columns = 0;
        else
            break;
    }
    *next = at;
    return columns;
}

/* The line end at AT is within brackets: join the next line when it stands left of the block. */
static void
end_line_in_brackets(struct scanner *s, size_t at)
{
    size_t code;
    size_t columns = measure_indent(s->text, at + 1, &code);
    if (columns > s->indent && s->comment == SIZE_MAX)
        return;
    bool is_code = code < s->text.len && s->text.data[code] != '\n' && s->text.data[code] != '\r';
    if (columns > s->indent || !is_code)
        return;
    size_t from = s->comment == SIZE_MAX ? at : s->comment;
    memset(s->out + from, ' ', at + 1 - from);
    s->changed = true;
}

static size_t
step(struct scanner *s, size_t at)
{
    if (s->at_line_start) {
        s->at_line_start = false;
        s->indent = measure_indent(s->text, at, &at);
        return at;
    }
    switch (s->text.data[at]) {
    case '\'':
    case '"':
        return skip_string(s->text, at);
    case '#': {
        s->comment = at;
        const uint8_t *end = memchr(s->text.data + at, '\n', s->text.len - at);
        return end ? (size_t)(end - s->text.data) : s->text.len;
    }
    case '(':
    case '[':
    case '{':
        s->depth++;
        break;
    case ')':
    case ']':
    case '}':
        s->depth -= s->depth > 0;
        break;
    case '\n':
        if (s->depth > 0)
            end_line_in_brackets(s, at);
        else
            s->at_line_start = true;
        s->comment = SIZE_MAX;
        break;
    default:
        break;
    }
    return at + 1;
}

bool
rejoin_brackets(struct bytes source, struct arena *arena, struct bytes *out)
{
    struct bytes copy = arena_copy(arena, source);
    if (!copy.data)
        return false;
    struct scanner s = {.text = source,
                        .out = (uint8_t *)(uintptr_t)copy.data,
                        .comment = SIZE_MAX,
                        .at_line_start = true};
    for (size_t at = 0; at < source.len;)
        at = step(&s, at);
    *out = copy;
    return s.changed;
}

/* Row of BYTE, given a row that is not after it. */
static uint32_t
row_from(const struct flat *flat, uint32_t row, uint32_t byte)
{
    while (row + 1 < flat->n_rows && flat->row_start[row + 1] <= byte)
        row++;
    return row;
}

static uint32_t
row_of(const struct flat *flat, uint32_t byte)
{
    uint32_t low = 0;
    uint32_t high = flat->n_rows;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (flat->row_start[middle] <= byte)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void
rejoin_rows(struct flat *flat, const struct flat *original)
{
    flat->source = original->source;
    flat->n_rows = original->n_rows;
    flat->row_start = original->row_start;
    uint32_t row = 0;
    for (uint32_t i = 0; i < flat->n_nodes; i++) {
        row = row_from(flat, row, flat->start_byte[i]); /* starts ascend in pre-order */
        flat->start_row[i] = row;
        flat->end_row[i] = row_of(flat, flat->end_byte[i]);
    }
}
