/*
 * Record: trajectories, checkpoints, rules and groups as bytes.
 *
 * The encoded bytes go into a frame (frame.h); decoded texts are borrowed from them.  Decoding
 * trusts nothing: it fails on a wrong length, count or value, and the caller says which value it
 * was.
 */
#ifndef STRATA_STORE_RECORD_H
#define STRATA_STORE_RECORD_H

#include "base/arena.h"
#include "base/buf.h"
#include "store/store.h"

/* Append the encoding of a struct to OUT; a failure is in OUT (buf_failed). */
void record_put_trajectory(struct buf *out, const struct store_trajectory *trajectory);
void record_put_checkpoint(struct buf *out, const struct store_checkpoint *checkpoint);
void record_put_rule(struct buf *out, const struct store_rule *rule);
void record_put_group(struct buf *out, const struct store_key *rules, size_t n_rules);

/* How decoding ended. */
enum record_outcome { RECORD_OK = 0, RECORD_DAMAGED = -1, RECORD_NOMEM = -2 };

/* Decode ENCODED into *OUT; its lists are in ARENA, its texts are borrowed from ENCODED.  Id,
 * ordinal and key are not in the value: the caller sets them. */
enum record_outcome
record_get_trajectory(struct bytes encoded, struct arena *arena, struct store_trajectory *out);
enum record_outcome
record_get_checkpoint(struct bytes encoded, struct arena *arena, struct store_checkpoint *out);
enum record_outcome record_get_rule(struct bytes encoded, struct store_rule *out);
enum record_outcome
record_get_group(struct bytes encoded, struct arena *arena, struct store_key **out, size_t *n_out);

#endif
