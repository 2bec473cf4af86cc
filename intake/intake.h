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

/* Which hits of an earlier set of rules are valid for a new set; immutable, shared by all threads.
 */
struct hit_reuse;

/* Compare SET, whose stored rules (ruleset_store_rules) are RULES, with an earlier set of N_BASE
 * rules whose keys are BASE.  SET is borrowed; *OUT is the caller's, to hit_reuse_destroy.
 * ERR_NOMEM. */
int hit_reuse_create(const struct ruleset *set, const struct store_rule *rules,
                     const struct store_key *base, size_t n_base, struct hit_reuse **out,
                     struct err *err);
/* NULL is fine. */
void hit_reuse_destroy(struct hit_reuse *reuse);
/* How many rules of the set must be run. */
uint32_t hit_reuse_n_fresh(const struct hit_reuse *reuse);

/* The rules of a run in its store.  Immutable between begin and end, shared by all threads. */
struct run_rules {
    struct store_hit_groups groups;
    struct hit_reuse *reuse; /* of the hits under the base; NULL: none can be reused */
};

/* Put the rules of ANALYZER (none when it has none) into STORE through WRITER, and find which
 * earlier hits can be reused.  What *RULES points to is in ARENA; call run_rules_end, also after a
 * failure.  0, or -1 with ERR_NOMEM or an error of the store. */
int run_rules_begin(struct run_rules *rules, const struct analyzer_options *analyzer,
                    struct store *store, struct store_writer *writer, struct arena *arena,
                    struct err *err);
/* Free what run_rules_begin made outside of the arena. */
void run_rules_end(struct run_rules *rules);

/* Analyses blobs and encodes the results as a store keeps them, only those that are requested. Used
 * by one thread. */
struct blob_encoder;

struct blob_encoder_options {
    struct analyzer_limits limits;
    const struct ruleset *rules;   /* NULL runs none; borrowed */
    const struct hit_reuse *reuse; /* of RULES, borrowed; NULL: all of them are always run */
};

/* *OUT is the caller's, to blob_encoder_destroy.  ERR_NOMEM, ERR_UNSUPPORTED as analyzer_create. */
int blob_encoder_create(const struct blob_encoder_options *options, struct blob_encoder **out,
                        struct err *err);
/* NULL is fine. */
void blob_encoder_destroy(struct blob_encoder *encoder);

struct encode_request {
    bool facts, hits;
    struct bytes base_hits; /* of the earlier set, encoded; all rules are run when this is {NULL, 0}
                               or cannot be read */
};

struct encode_result {
    size_t facts_len, hits_len; /* appended, in this order; 0: not requested */
    bool ran_all;               /* hits were requested, and all rules were run for them */
};

/* Append what REQUEST names of SOURCE to OUT.  SOURCE may be {NULL, its size} when that is over the
 * limit.  -1 only when memory is out. */
int blob_encoder_run(struct blob_encoder *encoder, struct bytes source,
                     const struct encode_request *request, struct buf *out,
                     struct encode_result *result, struct err *err);

/* ---- From a blob to its values in a store -------------------------------------------------- */

/* What one thread encodes with; all borrowed. */
struct blob_encoding {
    struct blob_encoder *encoder;
    struct store_reader *reader; /* for earlier hits; may be NULL when none can be reused */
    const struct run_rules *rules;
    struct arena *scratch; /* reset for each blob */
};

/* Describes the encoded facts and hits of a blob; the bytes are in a buffer of the caller. */
struct encoded_blob {
    bool has_facts, has_hits;
    bool is_taken_over;         /* earlier hits of unchanged rules were reused */
    size_t facts_len, hits_len; /* bytes of the facts and of the hits after them */
};

/* Append to OUT the values of the blob ID that WANTS names (a set of enum store_want); its bytes
 * are SOURCE; SOURCE may be {NULL, its size} when it is over the limit.  *MADE describes it.  0, or
 * -1 with ERR_NOMEM or an error of the store. */
int
encoded_blob_make(struct encoded_blob *made, const struct blob_encoding *with, const struct oid *id,
                  int wants, struct bytes source, struct buf *out, struct err *err);
/* Put the values that MADE describes into the store; ENCODED is what was appended for them.  0, or
 * -1 as puts fail. */
int encoded_blob_put(const struct encoded_blob *made, struct bytes encoded, const struct oid *id,
                     const struct store_key *fingerprint, const struct run_rules *rules,
                     struct store_writer *writer, struct err *err);

#endif
