/* Escapes are those that git writes: letters and three octal digits.  A line that is not a valid
 * string is taken literally, as git does. */
#include "git/odb/alternates.h"

#include <string.h>

/* Append the character that the escape at the beginning of TEXT (after its backslash) means.
 * Returns how many bytes it takes, 0 when it is none. */
static size_t
take_escape(struct bytes text, struct buf *out)
{
    static const char letters[] = "abtnvfr\\\"", meanings[] = "\a\b\t\n\v\f\r\\\"";
    if (text.len == 0)
        return 0;
    const char *letter = text.data[0] ? strchr(letters, text.data[0]) : NULL;
    if (letter) {
        buf_append_byte(out, (uint8_t)meanings[letter - letters]);
        return 1;
    }
    unsigned value = 0;
    for (size_t i = 0; i < 3; i++) {
        if (i >= text.len || text.data[i] < '0' || text.data[i] > '7')
            return 0;
        value = value << 3 | (unsigned)(text.data[i] - '0');
    }
    if (value > UINT8_MAX)
        return 0;
    buf_append_byte(out, (uint8_t)value);
    return 3;
}

/* Append what LINE in quotes means.  False: it is not a whole string. */
static bool
unquote(struct bytes line, struct buf *out)
{
    size_t at = 1;
    while (at < line.len && line.data[at] != '"') {
        if (line.data[at] != '\\') {
            buf_append_byte(out, line.data[at++]);
            continue;
        }
        size_t n = take_escape(bytes_slice(line, at + 1, line.len), out);
        if (n == 0)
            return false;
        at += 1 + n;
    }
    return at + 1 == line.len;
}

int
alternates_next(struct bytes *rest, const char *objects_dir, struct buf *out)
{
    struct bytes line;
    struct buf plain = {0};
    do {
        if (!bytes_take_line(rest, &line))
            return 0;
    } while (line.len == 0 || line.data[0] == '#');
    if (line.data[0] != '"' || !unquote(line, &plain)) {
        buf_reset(&plain);
        buf_append_bytes(&plain, line);
    }
    buf_reset(out);
    if (plain.len == 0 || plain.data[0] != '/') {
        buf_append_text(out, objects_dir);
        buf_append_byte(out, '/');
    }
    buf_append_bytes(out, buf_bytes(&plain));
    buf_append_byte(out, 0);
    bool failed = buf_failed(out) || buf_failed(&plain);
    buf_clear(&plain);
    return failed ? -1 : 1;
}
