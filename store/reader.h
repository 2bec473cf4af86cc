/*
 * Reader: a snapshot of the store and the buffers to read its values, for the other files of the
 * store.
 */
#ifndef STRATA_STORE_READER_H
#define STRATA_STORE_READER_H

#include "store/env.h"
#include "store/frame.h"
#include "store/listing_codec.h"

struct store_reader {
    struct store *store;
    MDB_txn *txn; /* read-only; NULL after a failed refresh */
    struct frame_decoder decoder;
    struct listing_base base;        /* the whole listing that was needed last */
    struct arena scratch;            /* for decoding what is not handed out */
    const struct store_index *index; /* borrowed; NULL: none */
    const uint8_t *first, *last; /* all values seen in the map lie between; NULL before the first */
    unsigned n_seen;             /* since the map was last trimmed */
};

/* Make *OUT the stored bytes under KEY, borrowed until the snapshot ends. */
enum store_outcome reader_find(struct store_reader *reader, enum store_table table,
                               struct bytes key, struct bytes *out, struct err *err);
/* Make *OUT the decompressed value under KEY, in ARENA. */
enum store_outcome reader_get(struct store_reader *reader, enum store_table table, struct bytes key,
                              struct arena *arena, struct bytes *out, struct err *err);
/* Make *OUT the number of values in TABLE.  0, or -1. */
int reader_count(struct store_reader *reader, enum store_table table, size_t *out, struct err *err);
/* Prefix ERR with the table and key of a value.  Returns -1. */
int reader_name_value(enum store_table table, struct bytes key, struct err *err);
/* 0 for RECORD_OK; else -1 with ERR set from the OUTCOME of decoding the record under KEY. */
int reader_judge(enum record_outcome outcome, enum store_table table, struct bytes key,
                 struct err *err);

/* Called for each value of a table in order of keys.  A result other than 0 ends the scan with it.
 */
typedef int reader_visit(void *context, struct bytes key, struct bytes stored, struct err *err);
/* Visit every value of TABLE whose key starts with PREFIX.  0, the result that ended it, or -1 with
 * ERR. */
int reader_scan(struct store_reader *reader, enum store_table table, struct bytes prefix,
                reader_visit *visit, void *context, struct err *err);

#endif
