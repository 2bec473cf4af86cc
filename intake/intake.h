/*
 * intake: what miner and runner share between the bytes of a file and the store.
 *
 * The keys of rules, the reuse of hits that an earlier set of rules found, the encoding of a blob's
 * facts and hits as a store keeps them, and the notes of a trajectory.  May include analyzer, store
 * and base.
 *
 * Threads: a struct hit_reuse is immutable and shared by all threads; a struct blob_encoder is used
 * by one thread at a time.
 */
#ifndef STRATA_INTAKE_INTAKE_H
#define STRATA_INTAKE_INTAKE_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzer/analyzer.h"
#include "store/store.h"

/* The rules of SET in order as a store keeps them, in ARENA; LIMITS are those they are run with.
 * NULL when memory is out. */
struct store_rule *ruleset_store_rules(const struct ruleset *set,
                                       const struct analyzer_limits *limits, struct arena *arena);

/* Which hits of an earlier set of rules are good for a set; immutable, shared by all threads. */
struct hit_reuse;

/* SET, of which RULES are what ruleset_store_rules gives, after a set whose rules had the keys
 * BASE. SET is borrowed; *OUT is the caller's, to hit_reuse_destroy. */
int hit_reuse_create(const struct ruleset *set, const struct store_rule *rules,
                     const struct store_key *base, size_t n_base, struct hit_reuse **out,
                     struct err *err);
void hit_reuse_destroy(struct hit_reuse *reuse);
/* How many rules of the set must be run. */
uint32_t hit_reuse_n_fresh(const struct hit_reuse *reuse);

/* The rules of a run in its store.  Immutable between begin and end, shared by all threads. */
struct run_rules {
    struct store_hit_groups groups;
    struct hit_reuse *reuse; /* of the hits under the base; NULL: nothing can be taken over */
};

/* Put the rules of ANALYZER (none when it has none) into STORE through WRITER, and find what can be
 * taken over from earlier hits.  What *RULES points to is in ARENA; end it with run_rules_end, also
 * after a failure.  0, or -1 with ERR_NOMEM or an error of the store. */
int run_rules_begin(struct run_rules *rules, const struct analyzer_options *analyzer,
                    struct store *store, struct store_writer *writer, struct arena *arena,
                    struct err *err);
void run_rules_end(struct run_rules *rules);

/* Analyses into the encodings of a store, and no more than is wanted.  Of one thread. */
struct blob_encoder;

struct blob_encoder_options {
    struct analyzer_limits limits;
    const struct ruleset *rules;   /* NULL runs none; borrowed, as is: */
    const struct hit_reuse *reuse; /* of RULES; NULL: all of them are always run */
};

int blob_encoder_create(const struct blob_encoder_options *options, struct blob_encoder **out,
                        struct err *err);
void blob_encoder_destroy(struct blob_encoder *encoder);

struct encode_request {
    bool facts, hits;
    struct bytes base_hits; /* of the earlier set, encoded; {NULL, 0}: all rules are run.  So they
                               are when these cannot be read. */
};

struct encode_result {
    size_t facts_len, hits_len; /* appended, in this order; 0: not wanted */
    bool ran_all;               /* hits were wanted, and all rules were run for them */
};

/* Append what REQUEST wants of SOURCE to OUT.  SOURCE may be {NULL, its size} when that is over the
 * limit.  -1 only when memory is out. */
int blob_encoder_run(struct blob_encoder *encoder, struct bytes source,
                     const struct encode_request *request, struct buf *out,
                     struct encode_result *result, struct err *err);

/* ---- From a blob to its values in a store -------------------------------------------------- */

/* What one thread encodes with; all borrowed. */
struct blob_encoding {
    struct blob_encoder *encoder;
    struct store_reader *reader; /* for earlier hits; may be NULL when nothing can be taken over */
    const struct run_rules *rules;
    struct arena *scratch; /* reset for each blob */
};

/* The encoded facts and hits of a blob, which are in a buffer elsewhere. */
struct encoded_blob {
    bool has_facts, has_hits;
    bool is_taken_over;         /* earlier hits of unchanged rules were reused */
    size_t facts_len, hits_len; /* bytes of the facts and of the hits after them */
};

/* Append to OUT what is wanted (WANTS is a set of enum store_want) of the blob ID, whose bytes are
 * SOURCE; SOURCE may be {NULL, its size} when it is over the limit.  *MADE describes it.  0, or -1
 * with ERR_NOMEM or an error of the store. */
int
encoded_blob_make(struct encoded_blob *made, const struct blob_encoding *with, const struct oid *id,
                  int wants, struct bytes source, struct buf *out, struct err *err);
/* Put what MADE describes; ENCODED is what was appended for it.  0, or -1 as puts fail. */
int encoded_blob_put(const struct encoded_blob *made, struct bytes encoded, const struct oid *id,
                     const struct store_key *fingerprint, const struct run_rules *rules,
                     struct store_writer *writer, struct err *err);

#endif
