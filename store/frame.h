/*
 * Frame: a value as it is stored.
 *
 * Four bytes of check, then a zstd frame with content size and content checksum, then the tail of
 * the value: bytes at its end that the caller knows do not compress.  A value that compresses badly
 * is stored as it is after a byte 0.  The check covers table, key and everything that follows it,
 * so a value under another key, or a key with a flipped bit, is noticed without decompressing.
 * Facts and hits may use a dictionary.
 *
 * Threads: an encoder or decoder belongs to one thread.
 */
#ifndef STRATA_STORE_FRAME_H
#define STRATA_STORE_FRAME_H

#include <zstd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "store/keys.h"

enum {
    FRAME_CHECK_BYTES = 4,
    FRAME_PLAIN_MAX = 256 * 1024 * 1024 /* bytes of a value before compression; STORE_BLOB_BYTES_MAX
                                           for facts and hits, which grow when decoded */
};

struct frame_encoder {
    ZSTD_CCtx *context;
    ZSTD_CDict *dictionaries[TABLE_N]; /* NULL: none */
    unsigned dictionary_ids[TABLE_N];  /* 0: none */
};

/* 0, or -1 with ERR_NOMEM.  A cleared encoder is as a zeroed one. */
int frame_encoder_init(struct frame_encoder *encoder, struct err *err);
void frame_encoder_clear(struct frame_encoder *encoder);
/* Use DICTIONARY (copied) for values of TABLE from now on.  0, or -1: ERR_DAMAGED when it is not a
 * dictionary, ERR_NOMEM. */
int frame_encoder_set_dictionary(struct frame_encoder *encoder, enum store_table table,
                                 struct bytes dictionary, struct err *err);
/* Replace OUT by the stored form of PLAIN, the last TAIL_BYTES of which are not compressed.  0, or
 * -1: ERR_UNSUPPORTED above the limit, ERR_NOMEM. */
int frame_encode(struct frame_encoder *encoder, enum store_table table, struct bytes key,
                 struct bytes plain, size_t tail_bytes, struct buf *out, struct err *err);

struct frame_decoder {
    ZSTD_DCtx *context;
    ZSTD_DDict *dictionaries[TABLE_N]; /* NULL: none */
    unsigned dictionary_ids[TABLE_N];  /* 0: none */
};

/* As for the encoder. */
int frame_decoder_init(struct frame_decoder *decoder, struct err *err);
void frame_decoder_clear(struct frame_decoder *decoder);
int frame_decoder_set_dictionary(struct frame_decoder *decoder, enum store_table table,
                                 struct bytes dictionary, struct err *err);
/* Check STORED and decompress it into ARENA; a NUL follows *OUT.  0, or -1: ERR_DAMAGED with a
 * message to which the caller adds the value's name, ERR_NOMEM. */
int frame_decode(struct frame_decoder *decoder, enum store_table table, struct bytes key,
                 struct bytes stored, struct arena *arena, struct bytes *out, struct err *err);

/* 0 when DICTIONARY is a dictionary of zstd, else -1 with ERR_DAMAGED. */
int frame_check_dictionary(struct bytes dictionary, struct err *err);
/* Is the check of STORED right?  Much cheaper than decoding. */
bool frame_is_whole(enum store_table table, struct bytes key, struct bytes stored);
/* Does STORED, which is whole, need no dictionary or the one with DICTIONARY_ID? */
bool frame_needs_at_most(struct bytes stored, unsigned dictionary_id);
/* How many bytes STORED says that it decodes to; 0 when it does not say. */
uint64_t frame_plain_bytes(struct bytes stored);
/* How many of those bytes are the tail of the value. */
size_t frame_tail_bytes(struct bytes stored);

#endif
