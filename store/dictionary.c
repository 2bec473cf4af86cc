/*
 * Training a dictionary.
 *
 * Samples are sorted by their keys before training, so the dictionary does not depend on the order
 * in which they came.  zstd's own search for the best parameters takes as long as a small mine, so
 * the parameters are fixed here.
 */
#include "store/dictionary.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ZDICT_STATIC_LINKING_ONLY
#include <zdict.h>

#include "base/map.h"

enum {
    SAMPLES_ENOUGH = 1000,
    SAMPLES_BYTES_ENOUGH = 2 * 1024 * 1024,
    SAMPLE_MAX_BYTES = 32 * 1024,
    DICTIONARY_BYTES = 64 * 1024,
    ID_FIRST = 256
};

struct dictionary_sample {
    size_t key_at, key_len;
    size_t value_at, value_len;
};

bool
dictionary_key(enum store_table table, struct key *out)
{
    if (table != TABLE_FACTS && table != TABLE_HITS)
        return false;
    char name[sizeof(META_DICTIONARY) + 16];
    snprintf(name, sizeof(name), META_DICTIONARY "%s", table_name(table));
    return key_of_text(name, out, NULL) == 0;
}

void
dictionary_samples_clear(struct dictionary_samples *samples)
{
    buf_clear(&samples->bytes);
    free(samples->items);
    *samples = (struct dictionary_samples){0};
}

int
dictionary_samples_add(struct dictionary_samples *samples, struct bytes key, struct bytes value,
                       struct err *err)
{
    if (value.len > SAMPLE_MAX_BYTES || value.len == 0)
        return 0;
    assert(samples->n_items <= samples->capacity);
    if (samples->n_items == samples->capacity) {
        size_t capacity = samples->capacity ? samples->capacity * 2 : 64;
        void *items = reallocarray(samples->items, capacity, sizeof(*samples->items));
        if (!items)
            return err_nomem(err, "samples for a dictionary");
        samples->items = items;
        samples->capacity = capacity;
    }
    size_t at = samples->bytes.len;
    buf_append_bytes(&samples->bytes, key);
    buf_append_bytes(&samples->bytes, value);
    if (buf_failed(&samples->bytes))
        return err_nomem(err, "samples for a dictionary");
    samples->items[samples->n_items++] =
        (struct dictionary_sample){at, key.len, at + key.len, value.len};
    samples->value_bytes += value.len;
    return 0;
}

bool
dictionary_samples_enough(const struct dictionary_samples *samples)
{
    return samples->n_items >= SAMPLES_ENOUGH || samples->value_bytes >= SAMPLES_BYTES_ENOUGH;
}

static int
by_key(const void *a, const void *b, void *context)
{
    const uint8_t *bytes = context;
    const struct dictionary_sample *x = a, *y = b;
    return bytes_compare((struct bytes){bytes + x->key_at, x->key_len},
                         (struct bytes){bytes + y->key_at, y->key_len});
}

/* An id that follows from the samples, so that no value is read with a dictionary that replaced a
 * damaged one.  Every frame has it in two bytes. */
static unsigned
choose_id(struct bytes values)
{
    return ID_FIRST + (unsigned)(map_hash(values) % (UINT16_MAX - ID_FIRST + 1));
}

int
dictionary_train(struct dictionary_samples *samples, struct buf *out, struct err *err)
{
    if (samples->n_items == 0)
        return 0;
    qsort_r(samples->items, samples->n_items, sizeof(*samples->items), by_key, samples->bytes.data);
    struct buf values = {0};
    size_t *sizes = reallocarray(NULL, samples->n_items, sizeof(*sizes));
    for (size_t i = 0; sizes && i < samples->n_items; i++) {
        const struct dictionary_sample *item = &samples->items[i];
        buf_append(&values, samples->bytes.data + item->value_at, item->value_len);
        sizes[i] = item->value_len;
    }
    uint8_t *to = buf_reserve(out, DICTIONARY_BYTES);
    int rc = 0;
    if (!sizes || buf_failed(&values) || !to) {
        rc = err_nomem(err, "dictionary");
    } else {
        ZDICT_fastCover_params_t params = {
            .k = 256, .d = 8, .f = 18, .accel = 1, .zParams.dictID = choose_id(buf_bytes(&values))};
        size_t n = ZDICT_trainFromBuffer_fastCover(to, DICTIONARY_BYTES, values.data, sizes,
                                                   (unsigned)samples->n_items, params);
        /* Samples with too little in common are not a failure: there is no dictionary then. */
        if (!ZDICT_isError(n))
            out->len += n;
    }
    free(sizes);
    buf_clear(&values);
    return rc;
}
