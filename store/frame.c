/* See frame.h.  Contexts are reused; a dictionary is digested once, when it is set. */
#include "store/frame.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

int
frame_encoder_init(struct frame_encoder *encoder, int level, struct err *err)
{
    *encoder = (struct frame_encoder){.context = ZSTD_createCCtx(), .level = level};
    if (!encoder->context)
        return err_nomem(err, "compression context");
    ZSTD_CCtx_setParameter(encoder->context, ZSTD_c_compressionLevel, level);
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
frame_encoder_set_dictionary(struct frame_encoder *encoder, enum store_table table,
                             struct bytes dictionary, struct err *err)
{
    ZSTD_CDict *digested = ZSTD_createCDict(dictionary.data, dictionary.len, encoder->level);
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
    XXH64_hash_t seed = XXH3_64bits_withSeed(key.data, key.len, (XXH64_hash_t)table);
    return (uint32_t)XXH3_64bits_withSeed(frame.data, frame.len, seed);
}

int
frame_encode(struct frame_encoder *encoder, enum store_table table, struct bytes key,
             struct bytes plain, struct buf *out, struct err *err)
{
    if (plain.len > FRAME_PLAIN_MAX)
        return err_set(err, ERR_UNSUPPORTED, "a value of %zu bytes is over the limit of %d",
                       plain.len, FRAME_PLAIN_MAX);
    buf_reset(out);
    size_t bound = ZSTD_compressBound(plain.len);
    uint8_t *to = buf_reserve(out, FRAME_CHECK_BYTES + bound);
    if (!to)
        return err_nomem(err, "compressed value");
    ZSTD_CCtx_refCDict(encoder->context, encoder->dictionaries[table]);
    size_t n =
        ZSTD_compress2(encoder->context, to + FRAME_CHECK_BYTES, bound, plain.data, plain.len);
    if (ZSTD_isError(n))
        return err_set(err, ERR_NOMEM, "compress a value: %s", ZSTD_getErrorName(n));
    buf_append_be32(out, check_of(table, key, (struct bytes){to + FRAME_CHECK_BYTES, n}));
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
    struct cut cut = cut_init(stored);
    uint32_t check = cut_be32(&cut);
    if (cut.failed)
        return false;
    return check == check_of(table, key, (struct bytes){cut.at, cut_left(&cut)});
}

bool
frame_needs_at_most(struct bytes stored, unsigned dictionary_id)
{
    if (stored.len < FRAME_CHECK_BYTES)
        return false;
    unsigned needed =
        ZSTD_getDictID_fromFrame(stored.data + FRAME_CHECK_BYTES, stored.len - FRAME_CHECK_BYTES);
    return needed == 0 || needed == dictionary_id;
}

static unsigned long long
content_size(struct bytes frame)
{
    unsigned long long size = ZSTD_getFrameContentSize(frame.data, frame.len);
    return size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN ? UINT64_MAX : size;
}

int
frame_decode(struct frame_decoder *decoder, enum store_table table, struct bytes key,
             struct bytes stored, struct arena *arena, struct bytes *out, struct err *err)
{
    if (!frame_is_whole(table, key, stored))
        return err_set(err, ERR_DAMAGED, "its check does not fit");
    struct bytes frame = bytes_slice(stored, FRAME_CHECK_BYTES, stored.len);
    unsigned long long size = content_size(frame);
    if (size > FRAME_PLAIN_MAX)
        return err_set(err, ERR_DAMAGED, "it is no compressed frame of a possible size");
    if (!frame_needs_at_most(stored, decoder->dictionary_ids[table]))
        return err_set(err, ERR_DAMAGED, "it needs a dictionary that the store lacks");
    uint8_t *plain = arena_alloc(arena, (size_t)size + 1, 1, 1);
    if (!plain)
        return err_nomem(err, "decompressed value");
    size_t n = ZSTD_decompress_usingDDict(decoder->context, plain, (size_t)size, frame.data,
                                          frame.len, decoder->dictionaries[table]);
    if (ZSTD_isError(n))
        return err_set(err, ERR_DAMAGED, "%s", ZSTD_getErrorName(n));
    if (n != size)
        return err_set(err, ERR_DAMAGED, "it is shorter than it says");
    *out = (struct bytes){plain, n};
    return 0;
}

uint64_t
frame_plain_bytes(struct bytes stored)
{
    if (stored.len < FRAME_CHECK_BYTES)
        return 0;
    unsigned long long size = content_size(bytes_slice(stored, FRAME_CHECK_BYTES, stored.len));
    return size > FRAME_PLAIN_MAX ? 0 : size;
}
