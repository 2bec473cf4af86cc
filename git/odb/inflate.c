/* See inflate.h.  libdeflate gets all input there is, which may continue after the end of the
 * stream; a stream that is cut off is bad data. */
#include "git/odb/inflate.h"

#include <libdeflate.h>
#include <limits.h>
#include <stdlib.h>
#define ZLIB_CONST
#include <zlib.h>

enum { EXCESS_COUNTED_MAX = 64 * 1024, SINK_BYTES = 16 * 1024 };

struct inflater {
    struct libdeflate_decompressor *whole;
    z_stream stream;
    uint8_t sink[SINK_BYTES]; /* what is only counted */
};

struct inflater *
inflater_create(void)
{
    struct inflater *inflater = calloc(1, sizeof(*inflater));
    if (!inflater)
        return NULL;
    inflater->whole = libdeflate_alloc_decompressor();
    if (inflater->whole && inflateInit(&inflater->stream) == Z_OK)
        return inflater;
    if (inflater->whole)
        libdeflate_free_decompressor(inflater->whole);
    free(inflater);
    return NULL;
}

void
inflater_destroy(struct inflater *inflater)
{
    if (!inflater)
        return;
    libdeflate_free_decompressor(inflater->whole);
    inflateEnd(&inflater->stream);
    free(inflater);
}

size_t
inflate_bound(size_t size)
{
    /* Stored blocks of zlib cost five bytes in some thousands; this allows for far worse. */
    const size_t slack = 4096;
    return size > (SIZE_MAX - slack) / 2 ? SIZE_MAX : 2 * size + slack;
}

bool
inflate_whole(struct inflater *inflater, struct bytes in, uint8_t *out, size_t len, size_t *used)
{
    size_t n_in = 0, n_out = 0;
    uint8_t none;
    enum libdeflate_result result = libdeflate_zlib_decompress_ex(
        inflater->whole, in.data, in.len, len ? out : &none, len, &n_in, &n_out);
    if (used)
        *used = n_in;
    return result == LIBDEFLATE_SUCCESS && n_out == len;
}

static void
begin(struct inflater *inflater, struct bytes in)
{
    z_stream *stream = &inflater->stream;
    inflateReset(stream);
    stream->next_in = in.data;
    stream->avail_in = in.len < UINT_MAX ? (uInt)in.len : UINT_MAX;
}

/* zlib's result for at most LEN more bytes into OUT; *N_OUT is how many there were. */
static int
step(struct inflater *inflater, uint8_t *out, size_t len, size_t *n_out)
{
    z_stream *stream = &inflater->stream;
    stream->next_out = out;
    stream->avail_out = (uInt)len;
    int status = inflate(stream, Z_SYNC_FLUSH);
    *n_out = len - stream->avail_out;
    return status;
}

static enum odb_outcome
is_no_stream(int status, struct failure *failure)
{
    if (status == Z_MEM_ERROR)
        return failure_no_memory(failure);
    return failure_set(failure, ODB_DAMAGED, "it is not a zlib stream");
}

enum odb_outcome
inflate_head(struct inflater *inflater, struct bytes in, uint8_t *out, size_t len, size_t *n_out,
             struct failure *failure)
{
    begin(inflater, in);
    int status = step(inflater, out, len, n_out);
    if (status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR)
        return ODB_OK;
    if (status == Z_DATA_ERROR && *n_out > 0)
        return failure_set(failure, ODB_DAMAGED, "its compressed data are damaged");
    return is_no_stream(status, failure);
}

enum odb_outcome
inflate_explain(struct inflater *inflater, struct bytes in, size_t header, size_t len,
                struct failure *failure)
{
    size_t total = 0;
    int status = Z_OK;
    begin(inflater, in);
    while (status == Z_OK && total <= len + EXCESS_COUNTED_MAX) {
        size_t n;
        status = step(inflater, inflater->sink, SINK_BYTES, &n);
        total += n;
    }
    size_t follow = total > header ? total - header : 0, announced = len - header;
    if (status == Z_OK)
        return failure_set(failure, ODB_DAMAGED, "more than %zu bytes follow, %zu announced",
                           announced + EXCESS_COUNTED_MAX, announced);
    if (status == Z_STREAM_END && total != len)
        return failure_set(failure, ODB_DAMAGED, "%zu bytes follow, %zu announced", follow,
                           announced);
    if (status == Z_BUF_ERROR)
        return failure_set(failure, ODB_DAMAGED, "it is cut short after %zu of %zu bytes", follow,
                           announced);
    if (status == Z_DATA_ERROR && total > 0)
        return failure_set(failure, ODB_DAMAGED,
                           "its compressed data are damaged within %zu bytes after %zu of %zu",
                           (size_t)SINK_BYTES, follow, announced);
    return is_no_stream(status, failure);
}
