/* A character is judged by its first byte, which fixes its length and what its second may be. Whole
 * texts are mostly ASCII, so eight bytes at a time are skipped while they are. */
#include "base/utf8.h"

size_t
utf8_length(struct bytes text, size_t at)
{
    const uint8_t *p = text.data + at;
    size_t left = text.len - at;
    uint8_t lead = p[0];
    if (lead < 0x80)
        return 1;
    if (lead < 0xc2 || lead > 0xf4)
        return 0;
    size_t n = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (left < n)
        return 0;
    uint8_t low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    uint8_t high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    if (p[1] < low || p[1] > high)
        return 0;
    for (size_t i = 2; i < n; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    return n;
}

size_t
utf8_encode(uint32_t code_point, uint8_t out[4])
{
    static const uint8_t leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    uint32_t c = code_point;
    size_t len = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    assert(c <= 0x10ffff);
    for (size_t i = len - 1; i > 0; i--, c >>= 6)
        out[i] = (uint8_t)(0x80 | (c & 0x3f));
    out[0] = (uint8_t)(leads[len] | c);
    return len;
}

size_t
utf8_count(struct bytes text, size_t from, size_t to)
{
    size_t n = 0;
    assert(from <= to && to <= text.len);
    for (size_t i = from; i < to; i++)
        n += (text.data[i] & 0xc0) != 0x80;
    return n;
}

bool
utf8_valid(struct bytes text)
{
    size_t i = 0;
    while (i < text.len) {
        /* Source is nearly all ASCII: take eight bytes at a time while it is. */
        uint64_t word;
        while (text.len - i >= sizeof(word)) {
            memcpy(&word, text.data + i, sizeof(word));
            if (word & 0x8080808080808080u)
                break;
            i += sizeof(word);
        }
        if (i == text.len)
            break;
        size_t n = utf8_length(text, i);
        if (n == 0)
            return false;
        i += n;
    }
    return true;
}

void
utf8_append_clean(struct buf *out, struct bytes text)
{
    size_t plain_from = 0, at = 0;
    while (at < text.len) {
        size_t step = text.data[at] ? utf8_length(text, at) : 0;
        if (step == 0) {
            buf_append(out, text.data + plain_from, at - plain_from);
            buf_append_text(out, "\xef\xbf\xbd");
            plain_from = at + 1;
            step = 1;
        }
        at += step;
    }
    if (at > plain_from)
        buf_append(out, text.data + plain_from, at - plain_from);
}
