/*
 * See printable.h.  Text is decoded one UTF-8 character at a time; what is not harmless is written
 * as the escapes of its bytes.
 */
#include "base/printable.h"

#include <stdbool.h>
#include <stdint.h>

#include "base/utf8.h"

static bool
is_harmless(uint32_t c)
{
    return c >= 0x20 && !(c >= 0x7f && c <= 0x9f) && c != 0x061c && c != 0x200e && c != 0x200f &&
           !(c >= 0x2028 && c <= 0x202e) && !(c >= 0x2066 && c <= 0x2069) && c != 0xfeff;
}

static void
append_text(struct buf *out, struct bytes text, bool keep_newlines)
{
    for (size_t i = 0; i < text.len;) {
        size_t len = utf8_length(text, i);
        if (len && ((keep_newlines && text.data[i] == '\n') ||
                    is_harmless(utf8_decode(text.data + i, len)))) {
            buf_append(out, text.data + i, len);
            i += len;
            continue;
        }
        size_t end = i + (len ? len : 1);
        for (; i < end; i++)
            buf_printf(out, "\\x%02x", text.data[i]);
    }
}

void
printable_append(struct buf *out, struct bytes name)
{
    append_text(out, name, false);
}

size_t
printable_width(struct bytes text)
{
    return utf8_count(text, 0, text.len);
}

void
printable_write(FILE *to, struct bytes messages)
{
    struct buf escaped = {0};
    append_text(&escaped, messages, true);
    if (!buf_failed(&escaped)) {
        fwrite(escaped.data, 1, escaped.len, to);
    } else {
        for (size_t i = 0; i < messages.len; i++) {
            uint8_t byte = messages.data[i];
            fputc((byte >= ' ' && byte < 0x7f) || byte == '\n' ? byte : '?', to);
        }
    }
    buf_clear(&escaped);
}
