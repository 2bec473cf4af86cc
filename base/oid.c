/*
 * Object ids: raw bytes and hexadecimal digits, to each other.
 */
#include "base/oid.h"

struct oid
oid_from_raw(const uint8_t *raw, size_t len)
{
    struct oid oid = {0};
    if (len == OID_SHA1_BYTES || len == OID_SHA256_BYTES) {
        oid.len = (uint8_t)len;
        memcpy(oid.id, raw, len);
    }
    return oid;
}

static int
hex_value(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

int
oid_from_hex(struct bytes hex, struct oid *out)
{
    if (hex.len != 2 * OID_SHA1_BYTES && hex.len != 2 * OID_SHA256_BYTES)
        return -1;
    struct oid oid = {.len = (uint8_t)(hex.len / 2)};
    for (size_t i = 0; i < oid.len; i++) {
        int high = hex_value(hex.data[2 * i]);
        int low = hex_value(hex.data[2 * i + 1]);
        if (high < 0 || low < 0)
            return -1;
        oid.id[i] = (uint8_t)(high << 4 | low);
    }
    *out = oid;
    return 0;
}

char *
oid_to_hex(const struct oid *oid, char out[OID_HEX_SIZE])
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < oid->len; i++) {
        out[2 * i] = digits[oid->id[i] >> 4];
        out[2 * i + 1] = digits[oid->id[i] & 15];
    }
    out[2 * (size_t)oid->len] = '\0';
    return out;
}

int
oid_compare(const struct oid *a, const struct oid *b)
{
    if (a->len != b->len)
        return a->len < b->len ? -1 : 1;
    return memcmp(a->id, b->id, a->len);
}

bool
oid_equal(const struct oid *a, const struct oid *b)
{
    return a->len == b->len && memcmp(a->id, b->id, a->len) == 0;
}
