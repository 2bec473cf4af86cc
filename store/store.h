/*
 * store: facts, hits, listings and trajectories on disk.
 *
 * A blob seen in a thousand commits is analysed once: its facts are found here by blob id and
 * fingerprint.  LMDB underneath, values are zstd frames with their own checksum.  May include base.
 * Knows nothing of Python, rules or git walks: facts, hits and rule texts are bytes to it.
 * store/FORMAT.md describes every byte.
 *
 * Threads: one process writes, many read.  In the writing process one thread writes, through struct
 * store_writer; any number of threads read, each with its own struct store_reader.
 * Trust: what is read is checked before it is used; damage is ERR_DAMAGED naming table and key.
 */
#ifndef STRATA_STORE_STORE_H
#define STRATA_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/oid.h"

enum {
    STORE_SCHEMA = 3,
    STORE_SCHEMA_OLDEST = 2, /* that is read as it is; a writer makes it the newest */
    STORE_ID_MAX = 480       /* bytes of a trajectory id, which holds no NUL */
};

/* ---- Open ---------------------------------------------------------------------------------- */

struct store;

enum store_mode {
    STORE_READ,  /* must exist; nothing is written, no write lock taken */
    STORE_WRITE, /* created when missing; ERR_BUSY when another process writes */
};

struct store_options {
    const char *path; /* a folder */
    enum store_mode mode;
    bool wait;    /* STORE_WRITE: wait for the other writer instead of ERR_BUSY */
    bool no_sync; /* faster and not durable: for benchmarks and throw-away stores */
    bool repair;  /* STORE_WRITE: rebuild a data file whose structure is damaged from what of it
                     is whole (the old one is kept as data.mdb.damaged), and drop values that
                     are damaged, so that mining again brings back what is missing */
};

/* Every page of the data file is checked, so that no later call can stumble over a damaged one.  A
 * process has a store open once at a time.
 * *out is the caller's, to store_close.  ERR_INPUT (missing, a file, not a store), ERR_UNSUPPORTED
 * (newer schema), ERR_DAMAGED, ERR_BUSY, ERR_FULL, ERR_IO, ERR_NOMEM. */
int store_open(const struct store_options *options, struct store **out, struct err *err);
/* Close.  Readers and writer must be closed before.  NULL is fine. */
void store_close(struct store *store);

/* What a repair did. */
struct store_repaired {
    bool is_rebuilt; /* the data file is another one */
    uint64_t
        n_bad_places;   /* pages and nodes that could not be used; values in them are not counted */
    uint64_t n_dropped; /* values whose check did not fit */
};

/* Was anything repaired when the store was opened?  Then *out says what. */
bool store_was_repaired(const struct store *store, struct store_repaired *out);

/* What a look-up found. */
enum store_outcome { STORE_FAILED = -1, STORE_FOUND = 0, STORE_MISSING = 1 };

/* ---- Values -------------------------------------------------------------------------------- */

enum {
    STORE_KEY_BYTES = 16,
    STORE_RULE_HIT_BYTES = 8, /* of a rule's key: those that follow from what its hits depend on */
    STORE_BLOB_BYTES_MAX = 32 * 1024 * 1024 /* of the facts, or the hits, of one blob */
};

/* 128 bits that name a fingerprint, a rule, a group of rules, or a listing. */
struct store_key {
    uint8_t bytes[STORE_KEY_BYTES];
};

/* The part of a rule's key that its hits depend on, borrowed from it. */
static inline struct bytes
store_rule_hit_bytes(const struct store_key *key)
{
    return (struct bytes){key->bytes, STORE_RULE_HIT_BYTES};
}

struct store_rule {
    /* The first half follows from what its hits depend on, the second from all the rest of it.  So
     * hits can be taken over from a rule that only says something else about itself, and no store
     * holds two texts under one key. */
    struct store_key key;
    struct bytes id;
    struct bytes severity;
    struct bytes metadata; /* JSON object, or {NULL, 0} */
    struct bytes source;   /* its YAML document */
};

/* One file of a checkpoint. */
struct store_file {
    struct bytes path;
    struct oid blob;
    uint32_t mode; /* 0100644, 0100755; 0100664 of old trees kept as it is */
};

/* Something that was left out, and why. */
struct store_note {
    struct bytes what;   /* path or commit */
    struct bytes reason; /* one line */
};

enum store_status {
    STORE_STATUS_UNFINISHED, /* stopped on the way; a resumed mine goes on */
    STORE_STATUS_DONE,
    STORE_STATUS_PARTIAL, /* as far as it goes; notes say what is missing */
    STORE_STATUS_SKIPPED, /* not mined at all; notes say why */
    STORE_N_STATUSES
};

/* As messages, reports and exports spell it: "unfinished", "done", "partial", "skipped".  Static.
 */
const char *store_status_name(enum store_status status);

/* A series of checkpoints.  Texts are UTF-8 or bytes of a repository; {NULL, 0} means unknown. */
struct store_trajectory {
    struct bytes id;     /* key; unique in the store: repository name, or run/problem */
    struct bytes kind;   /* "human" or "agent" */
    struct bytes origin; /* url or path it was mined from */
    int64_t stars;       /* -1 when unknown */
    struct bytes as_of;  /* day of the star count, YYYY-MM-DD */
    struct bytes license;
    struct bytes ref;    /* branch or tag that was asked for */
    struct oid head;     /* commit the sampling started from */
    struct bytes params; /* JSON object: sampling and source selection, or the agent run's setup */
    enum store_status status;
    uint32_t n_checkpoints; /* that belong to it, in the checkpoints table under ordinals 0.. */
    uint64_t n_commits;     /* walked; 0 when unknown */
    struct store_note *notes;
    uint32_t n_notes;
};

/* What is known of when a commit was written, as against when it was committed. */
enum store_author_date {
    STORE_AUTHOR_UNRECORDED, /* mined by schema 2, or no commit */
    STORE_AUTHOR_NO_DATE,    /* none, or one that cannot be real */
    STORE_AUTHOR_DATE
};

struct store_checkpoint {
    uint32_t ordinal;          /* from 0, in order of the trajectory */
    struct bytes name;         /* commit id in hex, or the checkpoint's name */
    bool has_time;             /* false: none, or a date that cannot be real */
    int64_t time_s;            /* committer date, seconds since 1970 */
    struct bytes date_problem; /* why has_time is false; {NULL, 0} otherwise */
    enum store_author_date author_date;
    int64_t author_time_s; /* seconds since 1970; 0 without a date */
    struct store_key listing;
    uint32_t n_parents;
    struct bytes markers; /* JSON array of machine co-authorship marks, or {NULL, 0} */
    struct bytes record; /* JSON object of an agent checkpoint: tests, cost, tokens; or {NULL, 0} */
    struct store_note *notes; /* files of this checkpoint that could not be had */
    uint32_t n_notes;
};

/* ---- Read ---------------------------------------------------------------------------------- */

struct store_reader; /* a snapshot of the store and the buffers to read it with */

int store_reader_open(struct store *store, struct store_reader **out, struct err *err);
void store_reader_close(struct store_reader *reader);
/* Open N readers of one snapshot, for as many threads, into OUT; on failure there is none. */
int store_readers_open(struct store *store, size_t n, struct store_reader **out, struct err *err);
void store_readers_close(struct store_reader **readers, size_t n);
/* See what was committed since; values borrowed before are gone. */
int store_reader_refresh(struct store_reader *reader, struct err *err);

/* Is there a value?  Without decoding it. */
enum store_outcome store_has_facts(struct store_reader *reader, const struct oid *blob,
                                   const struct store_key *fingerprint, struct err *err);
/* The encoded facts, decompressed into ARENA. */
enum store_outcome store_get_facts(struct store_reader *reader, const struct oid *blob,
                                   const struct store_key *fingerprint, struct arena *arena,
                                   struct bytes *out, struct err *err);
enum store_outcome store_has_hits(struct store_reader *reader, const struct oid *blob,
                                  const struct store_key *group, struct err *err);
enum store_outcome
store_get_hits(struct store_reader *reader, const struct oid *blob, const struct store_key *group,
               struct arena *arena, struct bytes *out, struct err *err);
/*
 * An index of where facts and hits lie, in memory: for who wants those of most blobs, a few dozen
 * bytes of memory a blob instead of a search in the store for each.
 */
struct store_index;
/* Index the facts with FINGERPRINT and the hits with GROUP (NULL: no hits) that READER sees.  *out
 * is the caller's, to store_index_destroy; usable while READER is open and not refreshed.
 * ERR_NOMEM, ERR_DAMAGED, ERR_IO. */
int store_index_create(struct store_reader *reader, const struct store_key *fingerprint,
                       const struct store_key *group, struct store_index **out, struct err *err);
void store_index_destroy(struct store_index *index);
/* Let READER look into INDEX, of the same store, first.  Borrowed; readers of several threads may
 * share it. */
void store_reader_use_index(struct store_reader *reader, const struct store_index *index);
/* READER will soon be asked for the facts and hits of these N BLOBS, about a dozen: begin to bring
 * what its index has of them into the processor's caches, all at once. */
void
store_reader_expect(const struct store_reader *reader, const struct oid *const *blobs, size_t n);

/* The files of a listing in bytewise order of paths. */
enum store_outcome
store_get_listing(struct store_reader *reader, const struct store_key *key, struct arena *arena,
                  struct store_file **out, size_t *n_out, struct err *err);
enum store_outcome
store_get_trajectory(struct store_reader *reader, struct bytes id, struct arena *arena,
                     struct store_trajectory *out, struct err *err);
/* All trajectory ids in bytewise order. */
int store_list_trajectories(struct store_reader *reader, struct arena *arena, struct bytes **out,
                            size_t *n_out, struct err *err);
/* All checkpoints of a trajectory, by ordinal. */
int store_get_checkpoints(struct store_reader *reader, struct bytes id, struct arena *arena,
                          struct store_checkpoint **out, size_t *n_out, struct err *err);
enum store_outcome store_get_rule(struct store_reader *reader, const struct store_key *key,
                                  struct arena *arena, struct store_rule *out, struct err *err);
/* A group of rules that ran together: the keys of its rules, in order. */
enum store_outcome
store_get_group(struct store_reader *reader, const struct store_key *group, struct arena *arena,
                struct store_key **out, size_t *n_out, struct err *err);
int store_list_groups(struct store_reader *reader, struct arena *arena, struct store_key **out,
                      size_t *n_out, struct err *err);
/* The group that store_put_rules put last. */
enum store_outcome store_get_newest_group(struct store_reader *reader, struct arena *arena,
                                          struct store_key *out, struct err *err);
/* The facts fingerprints of which the store holds values. */
int store_list_fingerprints(struct store_reader *reader, struct arena *arena,
                            struct store_key **out, size_t *n_out, struct err *err);
/* A value of the meta table: "analyzer", "created" and so on. */
enum store_outcome store_get_meta(struct store_reader *reader, const char *name,
                                  struct arena *arena, struct bytes *out, struct err *err);

/* ---- Write --------------------------------------------------------------------------------- */

struct store_writer; /* one open batch; what it holds is durable after store_writer_commit */

int store_writer_open(struct store *store, struct store_writer **out, struct err *err);
/* Close without committing what came after the last commit. */
void store_writer_close(struct store_writer *writer);
/* Make everything put so far durable and start the next batch. */
int store_writer_commit(struct store_writer *writer, struct err *err);
/* How many bytes the open batch holds, for callers that commit by size. */
uint64_t store_writer_pending_bytes(const struct store_writer *writer);

/*
 * All puts copy what they are given.  The map grows by itself.  On failure (ERR_FULL, ERR_IO,
 * ERR_NOMEM) the batch is lost and the writer can only be closed.
 * Puts of facts and hits under a key that is there are ignored: content is content-addressed.
 * The last TAIL_BYTES of ENCODED are kept as they are: hashes, which do not compress.
 */
int store_put_facts(struct store_writer *writer, const struct oid *blob,
                    const struct store_key *fingerprint, struct bytes encoded, size_t tail_bytes,
                    struct err *err);
int store_put_hits(struct store_writer *writer, const struct oid *blob,
                   const struct store_key *group, struct bytes encoded, struct err *err);
/* FILES in bytewise order of paths; *KEY is the listing's name. */
int store_put_listing(struct store_writer *writer, const struct store_file *files, size_t n_files,
                      struct store_key *key, struct err *err);
/* Replace the trajectory and, when CHECKPOINTS is not NULL, all its checkpoints. */
int store_put_trajectory(struct store_writer *writer, const struct store_trajectory *trajectory,
                         const struct store_checkpoint *checkpoints, size_t n_checkpoints,
                         struct err *err);
/* Put RULES and the group of them in this order, *GROUP, which is the newest from now on. */
int store_put_rules(struct store_writer *writer, const struct store_rule *rules, size_t n_rules,
                    struct store_key *group, struct err *err);
int store_put_rule(struct store_writer *writer, const struct store_rule *rule, struct err *err);
/* Name the group of RULES (in this order) and remember it; *GROUP is its key. */
int store_put_group(struct store_writer *writer, const struct store_key *rules, size_t n_rules,
                    struct store_key *group, struct err *err);
int
store_put_meta(struct store_writer *writer, const char *name, struct bytes value, struct err *err);

/* ---- Hits of rules that have changed ------------------------------------------------------------
 */

/* Where the hits of some rules are kept, and what of those kept before is good. */
struct store_hit_groups {
    bool are_wanted;        /* false: no rules are run, and nothing below holds */
    struct store_key group; /* of the rules */
    bool has_base;
    struct store_key base;        /* of the other groups the one that shares most hits with it */
    struct store_key *base_rules; /* the rules of that, in order */
    size_t n_base_rules;
};

/* Put RULES as store_put_rules does, and look for a base in STORE.  *OUT lives in ARENA. */
int store_begin_rules(struct store *store, struct store_writer *writer,
                      const struct store_rule *rules, size_t n_rules, struct arena *arena,
                      struct store_hit_groups *out, struct err *err);

enum store_want {
    STORE_WANT_FACTS = 1 << 0,
    STORE_WANT_HITS = 1 << 1,
    STORE_WANT_FRESH_HITS = 1 << 2 /* only of the rules that the base lacks */
};

/* What READER lacks of BLOB (enum store_want); -1. */
int store_wants(struct store_reader *reader, const struct oid *blob,
                const struct store_key *fingerprint, const struct store_hit_groups *groups,
                struct err *err);
/* The hits of BLOB under the base, decompressed into ARENA; damaged ones are as missing. */
enum store_outcome store_get_base_hits(struct store_reader *reader, const struct oid *blob,
                                       const struct store_hit_groups *groups, struct arena *arena,
                                       struct bytes *out, struct err *err);

/* ---- Care ---------------------------------------------------------------------------------- */

/* Something wrong in a store. */
struct store_finding {
    const char *table;   /* "facts", ... */
    const char *key;     /* in words: "blob 1f2e..., fingerprint 00aa..." */
    const char *problem; /* "its check does not fit" */
};

/*
 * What the caller knows of values that are bytes to the store, and where findings go.  A check
 * decodes ENCODED and returns -1 with ERR saying what is wrong with it; ERR_UNSUPPORTED means that
 * another schema wrote it, which is reported once for all values of a fingerprint or group.  NULL:
 * not checked.
 */
struct store_verify_options {
    int (*check_facts)(void *context, struct bytes encoded, struct err *err);
    /* N_RULES are in the group. */
    int (*check_hits)(void *context, uint32_t n_rules, struct bytes encoded, struct err *err);
    void (*report)(void *context, const struct store_finding *finding);
    void *context;
};

struct store_verified {
    uint64_t n_values;   /* looked at */
    uint64_t n_findings; /* 0: the store is whole */
};

/*
 * Decode every value and follow every name in it: trajectories to their checkpoints, those to their
 * listings, those to facts of every blob, hits to rule groups, those to rules.  What is wrong is
 * reported and counted; -1 only when the store cannot be read at all, or a stop was asked for.
 */
int store_verify(struct store *store, const struct store_verify_options *options,
                 struct store_verified *out, struct err *err);

enum { STORE_N_TABLES = 8 };

struct store_table_info {
    const char *name;
    uint64_t n_values;
    uint64_t plain_bytes;  /* before compression */
    uint64_t stored_bytes; /* after it, checks included */
    uint64_t page_bytes;   /* of the pages they take, keys and gaps included */
};

/* Values of one fingerprint (facts) or one group of rules (hits). */
struct store_set_info {
    struct store_key key;
    uint64_t n_values;
    uint64_t n_listed; /* of blobs that checkpoints lead to */
    uint64_t plain_bytes;
    uint64_t stored_bytes;
};

/* Values that no checkpoint leads to. */
struct store_loose_info {
    uint64_t n_values;
    uint64_t stored_bytes;
};

/* Trajectories that were made with the same parameters. */
struct store_params_info {
    struct bytes params;
    uint64_t n_trajectories;
};

struct store_info {
    uint64_t file_bytes;
    uint64_t free_bytes; /* in pages that hold nothing; compacting gives them back */
    struct store_table_info tables[STORE_N_TABLES];
    struct store_set_info *facts; /* by key */
    size_t n_facts;
    struct store_set_info *hits;
    size_t n_hits;
    struct store_params_info *params; /* by bytes */
    size_t n_params;
    uint64_t n_trajectories[STORE_N_STATUSES]; /* by status */
    uint64_t n_checkpoints;
    uint64_t n_listed_files; /* in the listings of all checkpoints together */
    uint64_t n_listed_blobs; /* distinct blobs among them */
    struct store_loose_info loose_listings, loose_facts, loose_hits;
};

/* As messages, reports and exports spell it: "unfinished", "done", "partial", "skipped".  Static.
 */
const char *store_status_name(enum store_status status);

/* Count what is in the store, into ARENA.  Reads every listing; decodes no facts. */
int
store_get_info(struct store *store, struct arena *arena, struct store_info *out, struct err *err);

/* What the dictionary of a table is good for. */
struct store_measured {
    const char *table; /* "facts" or "hits" */
    uint64_t n_values;
    uint64_t n_with_dictionary; /* of these: their frames need it */
    uint64_t plain_bytes;
    uint64_t tail_bytes;    /* of these: kept as they are, for they do not compress */
    uint64_t stored_bytes;  /* as they are in the store */
    uint64_t without_bytes; /* as they would be without a dictionary */
};

enum { STORE_N_MEASURED = 2 };

/* Decode every value of facts and hits, and compress it again without a dictionary: takes as long
 * as reading all of the store and compressing it.  Nothing is written.  ERR_DAMAGED, ERR_STOPPED.
 */
int
store_measure(struct store *store, struct store_measured out[STORE_N_MEASURED], struct err *err);

struct store_copied {
    uint64_t n_trajectories, n_listings, n_facts, n_hits; /* copied */
    uint64_t n_dropped_listings, n_dropped_facts, n_dropped_hits, n_dropped_rules;
    uint64_t n_replaced; /* trajectories of the target that the source had more of */
    uint64_t n_kept;     /* trajectories of the target that the source had less of */
};

/* What is not to be in the store any more. */
struct store_compact_options {
    const struct store_key *drop_facts; /* fingerprints */
    size_t n_drop_facts;
    const struct store_key *drop_hits; /* groups, and the rules that are in no other */
    size_t n_drop_hits;
    bool drop_unreferenced; /* listings, facts and hits that no checkpoint leads to */
};

/*
 * Write STORE, which is open to write and has no reader or writer, anew: without free pages, every
 * value compressed with one dictionary.  Takes as much disk again while it runs.  Whether it
 * succeeds or not STORE can then only be closed.  ERR_BUSY when others are reading it, ERR_DAMAGED
 * when something in it is.
 */
int store_compact(struct store *store, const struct store_compact_options *options,
                  struct store_copied *out, struct err *err);
/*
 * Put all of SOURCE into TARGET, which is open to write and has no writer.  Where both have a
 * trajectory the fuller one stays: by status, then by number of checkpoints, then by content; so
 * any order of merging gives the same.  ERR_DAMAGED when something in SOURCE is.
 */
int
store_merge(struct store *target, struct store *source, struct store_copied *out, struct err *err);

#endif
