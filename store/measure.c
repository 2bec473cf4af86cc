/*
 * Measuring what the dictionaries save: every value of facts and hits is decoded and compressed
 * again by an encoder without a dictionary.
 */
#include "base/stop.h"
#include "store/reader.h"

struct measuring {
    struct store_reader *reader;
    struct frame_encoder encoder;
    enum store_table table; /* the one that is being scanned */
    struct store_measured *out;
    struct arena arena; /* reset for each value */
    struct buf again;
};

static int
measure_value(void *context, struct bytes key, struct bytes stored, struct err *err)
{
    struct measuring *work = context;
    struct bytes plain;
    if (stop_requested())
        return err_set(err, ERR_STOPPED, "stopped on request");
    arena_reset(&work->arena);
    if (frame_decode(&work->reader->decoder, work->table, key, stored, &work->arena, &plain, err) <
        0)
        return reader_name_value(work->table, key, err);
    /* A value that is not compressed is all tail; only its hashes need to be. */
    size_t tail_bytes = frame_tail_bytes(stored);
    if (frame_encode(&work->encoder, work->table, key, plain,
                     tail_bytes < plain.len ? tail_bytes : 0, &work->again, err) < 0)
        return -1;
    work->out->n_values++;
    work->out->n_with_dictionary += !frame_needs_at_most(stored, 0);
    work->out->plain_bytes += plain.len;
    work->out->tail_bytes += tail_bytes;
    work->out->stored_bytes += stored.len;
    work->out->without_bytes += work->again.len;
    return 0;
}

int
store_measure(struct store *store, struct store_measured out[STORE_N_MEASURED], struct err *err)
{
    static const enum store_table tables[STORE_N_MEASURED] = {TABLE_FACTS, TABLE_HITS};
    struct measuring work = {0};
    if (store_reader_open(store, &work.reader, err) < 0)
        return -1;
    arena_init(&work.arena, 0);
    int rc = frame_encoder_init(&work.encoder, err);
    for (size_t i = 0; rc == 0 && i < STORE_N_MEASURED; i++) {
        work.table = tables[i];
        work.out = &out[i];
        *work.out = (struct store_measured){.table = table_name(work.table)};
        rc = reader_scan(work.reader, work.table, (struct bytes){NULL, 0}, measure_value, &work,
                         err);
    }
    frame_encoder_clear(&work.encoder);
    buf_clear(&work.again);
    arena_clear(&work.arena);
    store_reader_close(work.reader);
    return rc;
}
