/*
 * Dictionary: a zstd dictionary for the small values of one table, trained from the first of them.
 *
 * Facts and hits of a blob are a few hundred bytes to a few kilobytes and resemble one another. The
 * dictionary is trained once in the life of a store, is kept in the table meta, and never changes;
 * values written before it do not need it.  The same samples give the same dictionary, in any
 * order.
 */
#ifndef STRATA_STORE_DICTIONARY_H
#define STRATA_STORE_DICTIONARY_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "store/keys.h"

/* The start of the meta key of a dictionary; the name of the table follows. */
#define META_DICTIONARY "dictionary/"

/* Make *OUT the meta key of the dictionary of TABLE; false when that table never has one. */
bool dictionary_key(enum store_table table, struct key *out);

struct dictionary_sample;

/* The samples so far; {0} is empty. */
struct dictionary_samples {
    struct buf bytes; /* keys and values, one after another */
    struct dictionary_sample *items;
    size_t n_items;
    size_t capacity;
    size_t value_bytes;
};

/* Free what SAMPLES holds; it is then empty. */
void dictionary_samples_clear(struct dictionary_samples *samples);
/* Add a value (copied), unless it is too large to be typical.  0, or -1 with ERR_NOMEM. */
int dictionary_samples_add(struct dictionary_samples *samples, struct bytes key, struct bytes value,
                           struct err *err);
/* Are there enough to train a dictionary? */
bool dictionary_samples_enough(const struct dictionary_samples *samples);
/* Append a dictionary to OUT, or nothing when the samples have too little in common.  0, or -1 with
 * ERR_NOMEM. */
int dictionary_train(struct dictionary_samples *samples, struct buf *out, struct err *err);

#endif
