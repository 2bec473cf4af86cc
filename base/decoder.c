/* The one part of a decoder that is not inline: varints of more than one byte. */
#include "base/decoder.h"

size_t
varint_read(const uint8_t *at, const uint8_t *end, uint64_t *out)
{
    const uint8_t *from = at;
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && at != end; shift += 7) {
        uint8_t byte = *at++;
        if (shift == 63 && byte > 1)
            break;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *out = value;
            return (size_t)(at - from);
        }
    }
    return 0;
}
