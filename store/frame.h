/*
 * Frame: a value as it lies in the store.
 *
 * Four bytes of check, then one zstd frame with content size and content checksum, then the value's
 * tail as it is: the bytes at its end of which the caller knows that they do not compress.  A value
 * that compresses badly is kept as it is behind a byte 0, which begins no zstd frame.  The check is
 * taken over table, key and all that follows it, so a value that ended up under another key, or a
 * key with a flipped bit, is noticed without decompressing.  Facts and hits may use a dictionary.
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
    FRAME_PLAIN_MAX = 256 * 1024 * 1024 /* bytes of a value before compression; facts and hits have
                                           STORE_BLOB_BYTES_MAX, for they grow when decoded */
};

struct frame_encoder {
    ZSTD_CCtx *context;
    ZSTD_CDict *dictionaries[TABLE_N]; /* NULL: none */
    unsigned dictionary_ids[TABLE_N];  /* 0: none */
};

int frame_encoder_init(struct frame_encoder *encoder, struct err *err);
void frame_encoder_clear(struct frame_encoder *encoder);
/* Use DICTIONARY (copied) for values of TABLE from now on.  ERR_DAMAGED when it is none. */
int frame_encoder_set_dictionary(struct frame_encoder *encoder, enum store_table table,
                                 struct bytes dictionary, struct err *err);
/* Replace OUT by the stored form of PLAIN, the last TAIL_BYTES of which are not compressed.
 * ERR_UNSUPPORTED above the limit, ERR_NOMEM. */
int frame_encode(struct frame_encoder *encoder, enum store_table table, struct bytes key,
                 struct bytes plain, size_t tail_bytes, struct buf *out, struct err *err);

struct frame_decoder {
    ZSTD_DCtx *context;
    ZSTD_DDict *dictionaries[TABLE_N]; /* NULL: none */
    unsigned dictionary_ids[TABLE_N];  /* 0: none */
};

int frame_decoder_init(struct frame_decoder *decoder, struct err *err);
void frame_decoder_clear(struct frame_decoder *decoder);
int frame_decoder_set_dictionary(struct frame_decoder *decoder, enum store_table table,
                                 struct bytes dictionary, struct err *err);
/* Decompress STORED into ARENA.  ERR_DAMAGED, without saying which value it is; ERR_NOMEM. */
int frame_decode(struct frame_decoder *decoder, enum store_table table, struct bytes key,
                 struct bytes stored, struct arena *arena, struct bytes *out, struct err *err);

/* Is this a dictionary?  0, or ERR_DAMAGED. */
int frame_check_dictionary(struct bytes dictionary, struct err *err);
/* Does the check of STORED fit?  Much cheaper than decoding. */
bool frame_is_whole(enum store_table table, struct bytes key, struct bytes stored);
/* Does STORED, which is whole, need no dictionary or the one with DICTIONARY_ID? */
bool frame_needs_at_most(struct bytes stored, unsigned dictionary_id);
/* How many bytes STORED decodes to by its own word; 0 when it does not say. */
uint64_t frame_plain_bytes(struct bytes stored);
/* How many of them are its tail. */
size_t frame_tail_bytes(struct bytes stored);

#endif
