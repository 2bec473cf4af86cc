/* Each instruction is checked before it is carried out, so a damaged delta ends at its first
 * invalid instruction, and no delta writes outside of OUT. */
#include "git/odb/delta.h"

#include <string.h>

static bool
take_size(struct bytes delta, size_t *at, uint64_t *out)
{
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t byte;
    do {
        if (*at == delta.len || shift > 63)
            return false;
        byte = delta.data[(*at)++];
        uint64_t part = byte & 0x7f;
        if (shift == 63 && part > 1)
            return false;
        value |= part << shift;
        shift += 7;
    } while (byte & 0x80);
    *out = value;
    return true;
}

enum odb_outcome
delta_sizes(struct bytes delta, struct delta_sizes *out, struct failure *failure)
{
    out->header = 0;
    if (take_size(delta, &out->header, &out->base) && take_size(delta, &out->header, &out->result))
        return ODB_OK;
    return failure_set(failure, ODB_DAMAGED, "the sizes at the beginning of a delta are malformed");
}

static enum odb_outcome
is_bad(size_t at, const char *why, struct failure *failure)
{
    return failure_set(failure, ODB_DAMAGED, "the delta's instruction at byte %zu %s", at, why);
}

struct copy {
    size_t offset, len;
};

/* The operands of the copy instruction CODE, from *IN, which moves past them.  False: END comes
 * before. */
static inline bool
take_copy(uint8_t code, const uint8_t **in, const uint8_t *end, struct copy *out)
{
    const uint8_t *at = *in;
    uint32_t offset = 0, len = 0;
    if ((size_t)(end - at) < (size_t)__builtin_popcount(code & 0x7fU))
        return false;
    for (unsigned i = 0; i < 4; i++)
        if (code & 1U << i)
            offset |= (uint32_t)*at++ << (8 * i);
    for (unsigned i = 0; i < 3; i++)
        if (code & 0x10U << i)
            len |= (uint32_t)*at++ << (8 * i);
    *in = at;
    *out = (struct copy){offset, len ? len : 0x10000};
    return true;
}

enum odb_outcome
delta_apply(struct bytes delta, const struct delta_sizes *sizes, struct bytes base, uint8_t *out,
            struct failure *failure)
{
    const uint8_t *in = delta.data + sizes->header, *end = delta.data + delta.len;
    size_t left = (size_t)sizes->result;
    while (in < end) {
        size_t at = (size_t)(in - delta.data);
        uint8_t code = *in++;
        struct bytes piece = {in, code};
        if (code & 0x80) {
            struct copy copy;
            if (!take_copy(code, &in, end, &copy))
                return is_bad(at, "is cut short", failure);
            if (copy.offset > base.len || copy.len > base.len - copy.offset)
                return is_bad(at, "copies from outside its base", failure);
            piece = (struct bytes){base.data + copy.offset, copy.len};
        } else if (code == 0) {
            return is_bad(at, "is of no known kind", failure);
        } else if ((size_t)(end - in) < code) {
            return is_bad(at, "is cut short", failure);
        } else {
            in += code;
        }
        if (piece.len > left)
            return is_bad(at, "makes more than was announced", failure);
        memcpy(out, piece.data, piece.len);
        out += piece.len;
        left -= piece.len;
    }
    return left == 0 ? ODB_OK
                     : failure_set(failure, ODB_DAMAGED, "a delta makes %zu bytes, %llu announced",
                                   (size_t)sizes->result - left, (unsigned long long)sizes->result);
}
