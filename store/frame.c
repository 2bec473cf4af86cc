/*
 * Frames: compressing and checking values.
 *
 * The stored bytes are `check (4), zstd frame, tail` or `check (4), 0, value`; no zstd frame begins
 * with 0.  Contexts of zstd are reused, and a dictionary is prepared once, when it is set.
 * 1. The check is over table, key and everything after it.
 * 2. What a value decodes to is at most plain_max(table) bytes, tail included, whatever its frame
 * says.
 * 3. A value in the table meta is always compressed, because dictionaries are found there.
 */
#include "store/frame.h"

#include <assert.h>
#include <string.h>
#include <zdict.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/decoder.h"

/* The byte after the check of a value that is not compressed. */
enum { FORM_AS_IS = 0 };

/* Scoring reads hundreds of thousands of values.  The fast levels do not compress literals, which
 * takes a sixth more bytes for facts and a quarter of the time.  FORMAT.md has the measurements. */
enum { LEVEL = -1 };

int
frame_encoder_init(struct frame_encoder *encoder, struct err *err)
{
    *encoder = (struct frame_encoder){.context = ZSTD_createCCtx()};
    if (!encoder->context)
        return err_nomem(err, "compression context");
    ZSTD_CCtx_setParameter(encoder->context, ZSTD_c_compressionLevel, LEVEL);
    ZSTD_CCtx_setParameter(encoder->context, ZSTD_c_checksumFlag, 1);
    return 0;
}

void
frame_encoder_clear(struct frame_encoder *encoder)
{
    for (int i = 0; i < TABLE_N; i++)
        ZSTD_freeCDict(encoder->dictionaries[i]);
    ZSTD_freeCCtx(encoder->context);
    *encoder = (struct frame_encoder){0};
}

int
frame_check_dictionary(struct bytes dictionary, struct err *err)
{
    size_t head_bytes = ZDICT_getDictHeaderSize(dictionary.data, dictionary.len);
    return ZDICT_isError(head_bytes) ? err_set(err, ERR_DAMAGED, "it is not a dictionary") : 0;
}

static size_t
plain_max(enum store_table table)
{
    return table == TABLE_FACTS || table == TABLE_HITS ? STORE_BLOB_BYTES_MAX : FRAME_PLAIN_MAX;
}

int
frame_encoder_set_dictionary(struct frame_encoder *encoder, enum store_table table,
                             struct bytes dictionary, struct err *err)
{
    if (frame_check_dictionary(dictionary, err) < 0)
        return -1;
    ZSTD_CDict *digested = ZSTD_createCDict(dictionary.data, dictionary.len, LEVEL);
    if (!digested)
        return err_nomem(err, "compression dictionary");
    ZSTD_freeCDict(encoder->dictionaries[table]);
    encoder->dictionaries[table] = digested;
    encoder->dictionary_ids[table] = ZSTD_getDictID_fromDict(dictionary.data, dictionary.len);
    return 0;
}

static uint32_t
check_of(enum store_table table, struct bytes key, struct bytes frame)
{
    assert((unsigned)table < TABLE_N && key.len <= KEY_MAX_BYTES);
    XXH64_hash_t seed = XXH3_64bits_withSeed(key.data, key.len, (XXH64_hash_t)table);
    return (uint32_t)XXH3_64bits_withSeed(frame.data, frame.len, seed);
}

/* Compression that saves less than a third is not worth the time that each read takes. */
static bool
is_worth_it(size_t plain_bytes, size_t frame_bytes)
{
    return frame_bytes <= plain_bytes - plain_bytes / 3;
}

int
frame_encode(struct frame_encoder *encoder, enum store_table table, struct bytes key,
             struct bytes plain, size_t tail_bytes, struct buf *out, struct err *err)
{
    assert(tail_bytes <= plain.len);
    if (plain.len > plain_max(table))
        return err_set(err, ERR_UNSUPPORTED, "a value of %zu bytes is over the limit of %zu",
                       plain.len, plain_max(table));
    buf_reset(out);
    size_t packed = plain.len - tail_bytes;
    size_t bound = ZSTD_compressBound(packed);
    uint8_t *to = buf_reserve(out, FRAME_CHECK_BYTES + 1 + bound + tail_bytes);
    if (!to)
        return err_nomem(err, "compressed value");
    uint8_t *frame = to + FRAME_CHECK_BYTES;
    ZSTD_CCtx_refCDict(encoder->context, encoder->dictionaries[table]);
    size_t n = ZSTD_compress2(encoder->context, frame, bound, plain.data, packed);
    if (ZSTD_isError(n))
        return err_set(err, ERR_NOMEM, "compress a value: %s", ZSTD_getErrorName(n));
    if (table != TABLE_META && !is_worth_it(packed, n)) {
        frame[0] = FORM_AS_IS;
        n = 1;
        tail_bytes = plain.len;
    }
    if (tail_bytes)
        memcpy(frame + n, plain.data + plain.len - tail_bytes, tail_bytes);
    n += tail_bytes;
    buf_append_be32(out, check_of(table, key, (struct bytes){frame, n}));
    out->len += n;
    return 0;
}

int
frame_decoder_init(struct frame_decoder *decoder, struct err *err)
{
    *decoder = (struct frame_decoder){.context = ZSTD_createDCtx()};
    return decoder->context ? 0 : err_nomem(err, "decompression context");
}

void
frame_decoder_clear(struct frame_decoder *decoder)
{
    for (int i = 0; i < TABLE_N; i++)
        ZSTD_freeDDict(decoder->dictionaries[i]);
    ZSTD_freeDCtx(decoder->context);
    *decoder = (struct frame_decoder){0};
}

int
frame_decoder_set_dictionary(struct frame_decoder *decoder, enum store_table table,
                             struct bytes dictionary, struct err *err)
{
    if (frame_check_dictionary(dictionary, err) < 0)
        return -1;
    ZSTD_DDict *digested = ZSTD_createDDict(dictionary.data, dictionary.len);
    if (!digested)
        return err_nomem(err, "decompression dictionary");
    ZSTD_freeDDict(decoder->dictionaries[table]);
    decoder->dictionaries[table] = digested;
    decoder->dictionary_ids[table] = ZSTD_getDictID_fromDict(dictionary.data, dictionary.len);
    return 0;
}

bool
frame_is_whole(enum store_table table, struct bytes key, struct bytes stored)
{
    struct decoder decoder = decoder_init(stored);
    uint32_t check = decoder_be32(&decoder);
    if (decoder.failed)
        return false;
    return check == check_of(table, key, (struct bytes){decoder.at, decoder_left(&decoder)});
}

/* ---- The parts of stored bytes --------------------------------------------------------- */

/* The parts of a stored value; frame is empty when it is not compressed. */
struct parts {
    struct bytes frame;
    uint64_t frame_plain_bytes;
    struct bytes tail;
};

/* Split STORED into its parts.  False when it cannot be a value. */
static bool
take_apart(struct bytes stored, struct parts *out)
{
    *out = (struct parts){0};
    if (stored.len <= FRAME_CHECK_BYTES)
        return false;
    struct bytes rest = bytes_slice(stored, FRAME_CHECK_BYTES, stored.len);
    if (rest.data[0] == FORM_AS_IS) {
        out->tail = bytes_slice(rest, 1, rest.len);
        return out->tail.len <= FRAME_PLAIN_MAX;
    }
    size_t n = ZSTD_findFrameCompressedSize(rest.data, rest.len);
    unsigned long long plain = ZSTD_getFrameContentSize(rest.data, rest.len);
    if (ZSTD_isError(n) || plain > FRAME_PLAIN_MAX)
        return false;
    out->frame = bytes_slice(rest, 0, n);
    out->frame_plain_bytes = plain;
    out->tail = bytes_slice(rest, n, rest.len);
    return out->tail.len <= FRAME_PLAIN_MAX - plain;
}

static bool
needs_at_most(const struct parts *parts, unsigned dictionary_id)
{
    unsigned needed = ZSTD_getDictID_fromFrame(parts->frame.data, parts->frame.len);
    return needed == 0 || needed == dictionary_id;
}

bool
frame_needs_at_most(struct bytes stored, unsigned dictionary_id)
{
    struct parts parts;
    return take_apart(stored, &parts) && needs_at_most(&parts, dictionary_id);
}

uint64_t
frame_plain_bytes(struct bytes stored)
{
    struct parts parts;
    return take_apart(stored, &parts) ? parts.frame_plain_bytes + parts.tail.len : 0;
}

size_t
frame_tail_bytes(struct bytes stored)
{
    struct parts parts;
    return take_apart(stored, &parts) ? parts.tail.len : 0;
}

/* ---- Decode -------------------------------------------------------------------------------- */

int
frame_decode(struct frame_decoder *decoder, enum store_table table, struct bytes key,
             struct bytes stored, struct arena *arena, struct bytes *out, struct err *err)
{
    struct parts parts;
    if (!frame_is_whole(table, key, stored))
        return err_set(err, ERR_DAMAGED, "its check is wrong");
    if (!take_apart(stored, &parts) || parts.frame_plain_bytes + parts.tail.len > plain_max(table))
        return err_set(err, ERR_DAMAGED, "it is not a compressed frame of a possible size");
    size_t packed = (size_t)parts.frame_plain_bytes;
    uint8_t *plain = arena_alloc_raw(arena, packed + parts.tail.len + 1, 1);
    if (!plain)
        return err_nomem(err, "decompressed value");
    if (parts.frame.len) {
        if (!needs_at_most(&parts, decoder->dictionary_ids[table]))
            return err_set(err, ERR_DAMAGED, "it needs a dictionary that the store lacks");
        size_t n = ZSTD_decompress_usingDDict(decoder->context, plain, packed, parts.frame.data,
                                              parts.frame.len, decoder->dictionaries[table]);
        if (ZSTD_isError(n))
            return err_set(err, ERR_DAMAGED, "%s", ZSTD_getErrorName(n));
        if (n != packed)
            return err_set(err, ERR_DAMAGED, "it is shorter than it says");
    }
    if (parts.tail.len)
        memcpy(plain + packed, parts.tail.data, parts.tail.len);
    plain[packed + parts.tail.len] = 0;
    assert(packed + parts.tail.len <= plain_max(table));
    *out = (struct bytes){plain, packed + parts.tail.len};
    return 0;
}
