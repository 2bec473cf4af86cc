/*
 * See json_write.h.  The writer remembers for each level whether an item came before, which decides
 * about commas and line breaks.
 */
#include "base/json_write.h"

#include <assert.h>
#include <math.h>

#include "base/num.h"
#include "base/utf8.h"

struct json_writer
json_writer_init(struct buf *out, unsigned indent)
{
    return (struct json_writer){.out = out, .indent = indent};
}

static void
new_line(struct json_writer *json)
{
    buf_append_byte(json->out, '\n');
    for (unsigned i = 0; i < json->indent * json->depth; i++)
        buf_append_byte(json->out, ' ');
}

/* Write what comes before an item: a comma, a line break, or nothing after a key. */
static void
before_item(struct json_writer *json)
{
    if (json->after_key) {
        json->after_key = false;
        return;
    }
    if (json->depth == 0)
        return;
    bool *has_items = &json->has_items[json->depth - 1];
    if (*has_items)
        buf_append_text(json->out, json->spaced && !json->indent ? ", " : ",");
    *has_items = true;
    if (json->indent)
        new_line(json);
}

static void
begin(struct json_writer *json, uint8_t bracket)
{
    before_item(json);
    buf_append_byte(json->out, bracket);
    assert(json->depth < JSON_WRITE_DEPTH);
    json->has_items[json->depth++] = false;
}

static void
end(struct json_writer *json, uint8_t bracket)
{
    assert(json->depth > 0);
    bool had_items = json->has_items[--json->depth];
    if (had_items && json->indent)
        new_line(json);
    buf_append_byte(json->out, bracket);
}

void
json_begin_object(struct json_writer *json)
{
    begin(json, '{');
}

void
json_end_object(struct json_writer *json)
{
    end(json, '}');
}

void
json_begin_array(struct json_writer *json)
{
    begin(json, '[');
}

void
json_end_array(struct json_writer *json)
{
    end(json, ']');
}

void
json_key_bytes(struct json_writer *json, struct bytes name)
{
    before_item(json);
    json_quote(json->out, name);
    buf_append_text(json->out, json->indent || json->spaced ? ": " : ":");
    json->after_key = true;
}

void
json_key(struct json_writer *json, const char *name)
{
    json_key_bytes(json, bytes_of_text(name));
}

static void
put_word(struct json_writer *json, const char *word)
{
    before_item(json);
    buf_append_text(json->out, word);
}

void
json_text(struct json_writer *json, const char *text)
{
    if (text)
        json_bytes(json, bytes_of_text(text));
    else
        json_null(json);
}

void
json_bytes(struct json_writer *json, struct bytes text)
{
    before_item(json);
    json_quote(json->out, text);
}

void
json_u64(struct json_writer *json, uint64_t value)
{
    before_item(json);
    buf_append_decimal(json->out, value);
}

void
json_i64(struct json_writer *json, int64_t value)
{
    before_item(json);
    if (value < 0)
        buf_append_byte(json->out, '-');
    buf_append_decimal(json->out, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void
json_double(struct json_writer *json, double value)
{
    char text[NUM_DOUBLE_SIZE];
    if (isfinite(value)) {
        num_format_double(value, text);
        put_word(json, text);
    } else if (json->nonfinite == JSON_NONFINITE_NULL) {
        put_word(json, "null");
    } else {
        put_word(json, isnan(value) ? "NaN" : value < 0 ? "-Infinity" : "Infinity");
    }
}

void
json_bool(struct json_writer *json, bool value)
{
    put_word(json, value ? "true" : "false");
}

void
json_null(struct json_writer *json)
{
    put_word(json, "null");
}

void
json_raw(struct json_writer *json, struct bytes text)
{
    before_item(json);
    buf_append_bytes(json->out, text);
}

void
json_member_text(struct json_writer *json, const char *name, const char *text)
{
    json_key(json, name);
    json_text(json, text);
}

void
json_member_bytes(struct json_writer *json, const char *name, struct bytes text)
{
    json_key(json, name);
    json_bytes(json, text);
}

void
json_member_u64(struct json_writer *json, const char *name, uint64_t value)
{
    json_key(json, name);
    json_u64(json, value);
}

void
json_member_i64(struct json_writer *json, const char *name, int64_t value)
{
    json_key(json, name);
    json_i64(json, value);
}

void
json_member_double(struct json_writer *json, const char *name, double value)
{
    json_key(json, name);
    json_double(json, value);
}

void
json_member_bool(struct json_writer *json, const char *name, bool value)
{
    json_key(json, name);
    json_bool(json, value);
}

void
json_member_null(struct json_writer *json, const char *name)
{
    json_key(json, name);
    json_null(json);
}

/* Is C written as it is in a JSON string? */
static inline bool
is_plain(uint8_t c)
{
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

/* The first byte of TEXT at FROM or later that has to be escaped; what is not ASCII has not, if it
 * is UTF-8. */
static size_t
skip_plain(struct bytes text, size_t from)
{
    size_t at = from, step = 0;
    do {
        at += step;
        while (at < text.len && is_plain(text.data[at]))
            at++;
        step = at < text.len && text.data[at] >= 0x80 ? utf8_length(text, at) : 0;
    } while (step > 0);
    return at;
}

static void
put_escaped(struct buf *out, uint8_t c)
{
    static const char digits[] = "0123456789abcdef";
    switch (c) {
    case '"':
        buf_append_text(out, "\\\"");
        break;
    case '\\':
        buf_append_text(out, "\\\\");
        break;
    case '\n':
        buf_append_text(out, "\\n");
        break;
    case '\r':
        buf_append_text(out, "\\r");
        break;
    case '\t':
        buf_append_text(out, "\\t");
        break;
    default:
        if (c < 0x80) {
            const char escape[6] = {'\\', 'u', '0', '0', digits[c >> 4], digits[c & 15]};
            buf_append(out, escape, sizeof(escape));
        } else {
            buf_append_text(out, "\xef\xbf\xbd"); /* U+FFFD for a byte that is not UTF-8 */
        }
    }
}

void
json_quote(struct buf *out, struct bytes text)
{
    buf_append_byte(out, '"');
    for (size_t at = 0; at < text.len; at++) {
        size_t plain_to = skip_plain(text, at);
        buf_append_bytes(out, bytes_slice(text, at, plain_to));
        at = plain_to;
        if (at < text.len)
            put_escaped(out, text.data[at]);
    }
    buf_append_byte(out, '"');
}
