/*
 * Dictionary: what small values of one table have in common, learnt from the first of them.
 *
 * Facts and hits of a blob are a few hundred bytes to a few kilobytes and alike, so a dictionary
 * makes them much shorter.  It is trained once in the life of a store, kept in the meta table, and
 * never changed; values from before it are frames that need none.  The same samples give the same
 * dictionary in whatever order they came.
 */
#ifndef STRATA_STORE_DICTIONARY_H
#define STRATA_STORE_DICTIONARY_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "store/keys.h"

/* What the meta keys of dictionaries start with; the name of the table follows. */
#define META_DICTIONARY "dictionary/"

/* The meta key under which the dictionary of TABLE is kept; false when the table has none. */
bool dictionary_key(enum store_table table, struct key *out);

struct dictionary_sample;

/* The values seen so far. */
struct dictionary_samples {
    struct buf bytes; /* keys and values, one after another */
    struct dictionary_sample *items;
    size_t n_items;
    size_t capacity;
    size_t value_bytes;
};

void dictionary_samples_clear(struct dictionary_samples *samples);
/* Remember a value.  One that is too large to be typical is passed over. */
int dictionary_samples_add(struct dictionary_samples *samples, struct bytes key, struct bytes value,
                           struct err *err);
/* Are there enough? */
bool dictionary_samples_enough(const struct dictionary_samples *samples);
/* Append a dictionary to OUT; nothing when the samples have nothing in common. */
int dictionary_train(struct dictionary_samples *samples, struct buf *out, struct err *err);

#endif
