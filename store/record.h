/*
 * Record: trajectories, checkpoints, rules and groups as bytes.
 *
 * Encoded is what goes into a frame; decoded texts are borrowed from the encoded bytes.  Decoding
 * trusts nothing: a wrong length, count or value makes it fail, and the caller says where it was.
 */
#ifndef STRATA_STORE_RECORD_H
#define STRATA_STORE_RECORD_H

#include "base/arena.h"
#include "base/buf.h"
#include "store/store.h"

void record_put_trajectory(struct buf *out, const struct store_trajectory *trajectory);
void record_put_checkpoint(struct buf *out, const struct store_checkpoint *checkpoint);
void record_put_rule(struct buf *out, const struct store_rule *rule);
void record_put_group(struct buf *out, const struct store_key *rules, size_t n_rules);

/* What decoding came to. */
enum record_outcome { RECORD_OK = 0, RECORD_DAMAGED = -1, RECORD_NOMEM = -2 };

/* The id, ordinal and key are not in the value: the caller sets them from the key. */
enum record_outcome
record_get_trajectory(struct bytes encoded, struct arena *arena, struct store_trajectory *out);
enum record_outcome
record_get_checkpoint(struct bytes encoded, struct arena *arena, struct store_checkpoint *out);
enum record_outcome record_get_rule(struct bytes encoded, struct store_rule *out);
enum record_outcome
record_get_group(struct bytes encoded, struct arena *arena, struct store_key **out, size_t *n_out);

#endif
