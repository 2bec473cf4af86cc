/*
 * store: facts, hits, listings and trajectories on disk.
 *
 * A blob that is in a thousand commits is analysed once; its facts are found here by blob id and
 * fingerprint.  A store is an LMDB environment whose values are zstd frames with a checksum.  May
 * include base.  The store knows nothing about Python, rules or git: facts, hits and the texts of
 * rules are bytes to it.  FORMAT.md describes every byte.
 *
 * Threads: one process writes and many read.  In the writing process one thread writes, through a
 * struct store_writer; any number of threads read, each through a struct store_reader of its own.
 * Trust: everything that is read is checked before it is used.  Damage is ERR_DAMAGED with a
 * message that names table and key.
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
    STORE_SCHEMA = 3,        /* that this program writes */
    STORE_SCHEMA_OLDEST = 2, /* that it reads; opening to write makes it STORE_SCHEMA */
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
    bool no_sync; /* faster, but not durable: for benchmarks and temporary stores */
    bool repair;  /* STORE_WRITE: if the structure of the data file is damaged, rebuild it from its
                     intact parts (the old file is kept as data.mdb.damaged); drop damaged values.
                     Mining again brings back what is missing. */
};

/* Open a store after checking every page of its data file, so that LMDB never follows a damaged
 * one.  A process may have a store open only once at a time.  *OUT is the caller's, to store_close.
 * 0, or -1: ERR_INPUT (missing, a file, not a store), ERR_UNSUPPORTED (another schema),
 * ERR_DAMAGED, ERR_BUSY, ERR_FULL, ERR_IO, ERR_NOMEM. */
int store_open(const struct store_options *options, struct store **out, struct err *err);
/* Close STORE, whose readers and writer are closed.  NULL does nothing. */
void store_close(struct store *store);

/* What a repair did. */
struct store_repaired {
    bool is_rebuilt; /* there is a new data file */
    uint64_t
        n_bad_places;   /* pages and nodes that could not be used; values in them are not counted */
    uint64_t n_dropped; /* values whose check was wrong */
};

/* Was anything repaired when STORE was opened?  *OUT says what. */
bool store_was_repaired(const struct store *store, struct store_repaired *out);

/* What a look-up found. */
enum store_outcome { STORE_FAILED = -1, STORE_FOUND = 0, STORE_MISSING = 1 };

/* ---- Values -------------------------------------------------------------------------------- */

enum {
    STORE_KEY_BYTES = 16,
    STORE_RULE_HIT_BYTES = 8, /* the first half of a rule's key, which its hits depend on */
    STORE_BLOB_BYTES_MAX = 32 * 1024 * 1024 /* of the facts, or the hits, of one blob */
};

/* The 128-bit name of a fingerprint, a rule, a group of rules or a listing. */
struct store_key {
    uint8_t bytes[STORE_KEY_BYTES];
};

/* The part of a rule's KEY that its hits depend on, borrowed from KEY. */
static inline struct bytes
store_rule_hit_bytes(const struct store_key *key)
{
    return (struct bytes){key->bytes, STORE_RULE_HIT_BYTES};
}

struct store_rule {
    /* The first half is a hash of what its hits depend on, the second a hash of the rest.  Hits are
     * therefore reused when only the description of a rule changes, and different texts have
     * different keys. */
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

/* What was left out or unusual, and why. */
struct store_note {
    struct bytes what;   /* path or commit */
    struct bytes reason; /* one line */
};

enum store_status {
    STORE_STATUS_UNFINISHED, /* stopped before its end; mining again continues it */
    STORE_STATUS_DONE,
    STORE_STATUS_PARTIAL, /* something is missing; notes say what */
    STORE_STATUS_SKIPPED, /* not mined at all; notes say why */
    STORE_N_STATUSES
};

/* "unfinished", "done", "partial", "skipped", as messages, reports and exports spell it.  Static.
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
    struct bytes ref; /* branch or tag that was requested */
    struct oid head;  /* commit the sampling started from */
    struct bytes
        params; /* JSON object: sampling and source filter, or the setup of the agent run */
    enum store_status status;
    uint32_t n_checkpoints; /* in the table of checkpoints under ordinals 0, 1, ... */
    uint64_t n_commits;     /* walked; 0 when unknown */
    struct store_note *notes;
    uint32_t n_notes;
};

/* What is known about the author date of a commit. */
enum store_author_date {
    STORE_AUTHOR_UNRECORDED, /* mined by schema 2, or no commit */
    STORE_AUTHOR_NO_DATE,    /* there is no date, or it cannot be real */
    STORE_AUTHOR_DATE
};

struct store_checkpoint {
    uint32_t ordinal;          /* from 0, in order of the trajectory */
    struct bytes name;         /* commit id in hex, or the checkpoint's name */
    bool has_time;             /* false: no date, or one that cannot be real */
    int64_t time_s;            /* committer date, seconds since 1970 */
    struct bytes date_problem; /* why has_time is false; {NULL, 0} otherwise */
    enum store_author_date author_date;
    int64_t author_time_s; /* seconds since 1970; 0 without a date */
    struct store_key listing;
    uint32_t n_parents;
    struct bytes markers; /* JSON array of machine co-authorship marks, or {NULL, 0} */
    struct bytes record; /* JSON object of an agent checkpoint: tests, cost, tokens; or {NULL, 0} */
    struct store_note *notes; /* files of this checkpoint that could not be read */
    uint32_t n_notes;
};

/* ---- Read ---------------------------------------------------------------------------------- */

struct store_reader; /* a snapshot of the store and the buffers to read it with */

/* Open a reader of the newest snapshot of STORE.  *OUT is the caller's, to store_reader_close.  0,
 * or -1: ERR_BUSY (too many readers), ERR_IO, ERR_NOMEM. */
int store_reader_open(struct store *store, struct store_reader **out, struct err *err);
/* NULL does nothing. */
void store_reader_close(struct store_reader *reader);
/* Open N readers of the same snapshot, one for each of N threads, into OUT.  On failure
 * none is open. */
int store_readers_open(struct store *store, size_t n, struct store_reader **out, struct err *err);
void store_readers_close(struct store_reader **readers, size_t n); /* close those N */
/* Move READER to the newest snapshot.  What was borrowed from it is no longer valid. */
int store_reader_refresh(struct store_reader *reader, struct err *err);

/* Are there facts of BLOB with FINGERPRINT?  They are not decoded.  Facts that cannot be used,
 * because they are damaged or their dictionary is lost, count as missing. */
enum store_outcome store_has_facts(struct store_reader *reader, const struct oid *blob,
                                   const struct store_key *fingerprint, struct err *err);
/* Make *OUT the encoded facts of BLOB, decompressed into ARENA. */
enum store_outcome store_get_facts(struct store_reader *reader, const struct oid *blob,
                                   const struct store_key *fingerprint, struct arena *arena,
                                   struct bytes *out, struct err *err);
/* The same for the hits of BLOB under GROUP. */
enum store_outcome store_has_hits(struct store_reader *reader, const struct oid *blob,
                                  const struct store_key *group, struct err *err);
enum store_outcome
store_get_hits(struct store_reader *reader, const struct oid *blob, const struct store_key *group,
               struct arena *arena, struct bytes *out, struct err *err);
/* An index in memory of where facts and hits are, for callers that read most blobs: it takes a few
 * dozen bytes per blob and saves a search in the store for each. */
struct store_index;
/* Index the facts with FINGERPRINT and the hits under GROUP (NULL: no hits) that READER sees.  *OUT
 * is the caller's, to store_index_destroy; it is valid while READER is open and not refreshed.  0,
 * or -1: ERR_NOMEM, ERR_DAMAGED, ERR_IO. */
int store_index_create(struct store_reader *reader, const struct store_key *fingerprint,
                       const struct store_key *group, struct store_index **out, struct err *err);
void store_index_destroy(struct store_index *index); /* NULL is fine */
/* Let READER look in INDEX, an index of the same store, first.  INDEX is borrowed; readers of
 * several threads may share it. */
void store_reader_use_index(struct store_reader *reader, const struct store_index *index);
/* READER will soon be asked for the facts and hits of these N BLOBS (about a dozen): prefetch what
 * its index has of them. */
void
store_reader_expect(const struct store_reader *reader, const struct oid *const *blobs, size_t n);

/* Make *OUT the *N_OUT files of the listing KEY, in bytewise order of paths, in ARENA. */
enum store_outcome
store_get_listing(struct store_reader *reader, const struct store_key *key, struct arena *arena,
                  struct store_file **out, size_t *n_out, struct err *err);
/* Make *OUT the trajectory ID, in ARENA. */
enum store_outcome
store_get_trajectory(struct store_reader *reader, struct bytes id, struct arena *arena,
                     struct store_trajectory *out, struct err *err);
/* List the ids of all trajectories, in bytewise order, in ARENA. */
int store_list_trajectories(struct store_reader *reader, struct arena *arena, struct bytes **out,
                            size_t *n_out, struct err *err);
/* List the checkpoints of the trajectory ID by ordinal, in ARENA.  ERR_DAMAGED when one of them is
 * damaged. */
int store_get_checkpoints(struct store_reader *reader, struct bytes id, struct arena *arena,
                          struct store_checkpoint **out, size_t *n_out, struct err *err);
/* Make *OUT the rule KEY, in ARENA. */
enum store_outcome store_get_rule(struct store_reader *reader, const struct store_key *key,
                                  struct arena *arena, struct store_rule *out, struct err *err);
/* Make *OUT the keys of the rules of GROUP, which ran together, in order, in ARENA. */
enum store_outcome
store_get_group(struct store_reader *reader, const struct store_key *group, struct arena *arena,
                struct store_key **out, size_t *n_out, struct err *err);
/* List the groups of rules in ARENA. */
int store_list_groups(struct store_reader *reader, struct arena *arena, struct store_key **out,
                      size_t *n_out, struct err *err);
/* Make *OUT the group that store_put_rules put last. */
enum store_outcome store_get_newest_group(struct store_reader *reader, struct arena *arena,
                                          struct store_key *out, struct err *err);
/* List the fingerprints with which the store has facts, in ARENA. */
int store_list_fingerprints(struct store_reader *reader, struct arena *arena,
                            struct store_key **out, size_t *n_out, struct err *err);
/* Make *OUT the value NAME of the table meta ("created", ...), in ARENA. */
enum store_outcome store_get_meta(struct store_reader *reader, const char *name,
                                  struct arena *arena, struct bytes *out, struct err *err);

/* ---- Write --------------------------------------------------------------------------------- */

struct store_writer; /* one open batch; what it holds is durable after store_writer_commit */

/* Open the writer of STORE, which is open to write and has none yet.  *OUT is the caller's, to
 * store_writer_close.  0, or -1: ERR_DAMAGED, ERR_IO, ERR_NOMEM. */
int store_writer_open(struct store *store, struct store_writer **out, struct err *err);
/* Close without committing what was put after the last commit.  NULL does nothing. */
void store_writer_close(struct store_writer *writer);
/* Make everything that was put durable and start the next batch. */
int store_writer_commit(struct store_writer *writer, struct err *err);
/* How many bytes the open batch has, for callers that commit by size. */
uint64_t store_writer_pending_bytes(const struct store_writer *writer);

/*
 * All puts copy what they are given.  After a failure (ERR_FULL, ERR_IO, ERR_NOMEM) the batch is
 * lost and the writer can only be closed.
 *
 * Put the facts of BLOB.  Facts and hits that are there already stay as they are, because they
 * follow from their key.  The last TAIL_BYTES of ENCODED are not compressed: hashes.
 */
int store_put_facts(struct store_writer *writer, const struct oid *blob,
                    const struct store_key *fingerprint, struct bytes encoded, size_t tail_bytes,
                    struct err *err);
/* Put the hits of BLOB under GROUP. */
int store_put_hits(struct store_writer *writer, const struct oid *blob,
                   const struct store_key *group, struct bytes encoded, struct err *err);
/* Put FILES, which are in bytewise order of paths, as a listing.  *KEY is its name. */
int store_put_listing(struct store_writer *writer, const struct store_file *files, size_t n_files,
                      struct store_key *key, struct err *err);
/* Put TRAJECTORY in place of the one with its id; if CHECKPOINTS is not NULL, they take the place
 * of all its checkpoints. */
int store_put_trajectory(struct store_writer *writer, const struct store_trajectory *trajectory,
                         const struct store_checkpoint *checkpoints, size_t n_checkpoints,
                         struct err *err);
/* Put RULES and the group of them in this order, *GROUP, which becomes the newest group. */
int store_put_rules(struct store_writer *writer, const struct store_rule *rules, size_t n_rules,
                    struct store_key *group, struct err *err);
/* Put one rule. */
int store_put_rule(struct store_writer *writer, const struct store_rule *rule, struct err *err);
/* Put the group of RULES in this order; *GROUP is its key. */
int store_put_group(struct store_writer *writer, const struct store_key *rules, size_t n_rules,
                    struct store_key *group, struct err *err);
/* Put VALUE as NAME of the table meta. */
int
store_put_meta(struct store_writer *writer, const char *name, struct bytes value, struct err *err);

/* ---- Hits of rules that have changed ------------------------------------------------------- */

/* Under which group the hits of some rules are stored, and which earlier hits can be reused. */
struct store_hit_groups {
    bool are_wanted;        /* false: no rules are run, and nothing below is set */
    struct store_key group; /* of the rules */
    bool has_base;
    struct store_key base;        /* the other group that shares most rules with it */
    struct store_key *base_rules; /* the rules of the base, in order */
    size_t n_base_rules;
};

/* Put RULES as store_put_rules does, and look for a base in STORE.  What *OUT points to is in
 * ARENA. */
int store_begin_rules(struct store *store, struct store_writer *writer,
                      const struct store_rule *rules, size_t n_rules, struct arena *arena,
                      struct store_hit_groups *out, struct err *err);

enum store_want {
    STORE_WANT_FACTS = 1 << 0,
    STORE_WANT_HITS = 1 << 1,
    STORE_WANT_FRESH_HITS = 1 << 2 /* only of the rules that the base lacks */
};

/* What READER lacks of BLOB, as a set of enum store_want; -1 with ERR. */
int store_wants(struct store_reader *reader, const struct oid *blob,
                const struct store_key *fingerprint, const struct store_hit_groups *groups,
                struct err *err);
/* Make *OUT the hits of BLOB under the base, decompressed into ARENA.  Damaged ones count as
 * missing. */
enum store_outcome store_get_base_hits(struct store_reader *reader, const struct oid *blob,
                                       const struct store_hit_groups *groups, struct arena *arena,
                                       struct bytes *out, struct err *err);

/* ---- Care ---------------------------------------------------------------------------------- */

/* Something wrong in a store. */
struct store_finding {
    const char *table;   /* "facts", ... */
    const char *key;     /* in words: "blob 1f2e..., fingerprint 00aa..." */
    const char *problem; /* "its check is wrong" */
};

/*
 * How to check values that are only bytes to the store, and where findings go.  A check
 * decodes ENCODED and returns -1 with ERR saying what is wrong with it; ERR_UNSUPPORTED means that
 * another schema wrote it, which is reported once for all values of a fingerprint or group.  NULL:
 * not checked.
 */
struct store_verify_options {
    int (*check_facts)(void *context, struct bytes encoded, struct err *err);
    /* The group of the hits has N_RULES rules. */
    int (*check_hits)(void *context, uint32_t n_rules, struct bytes encoded, struct err *err);
    void (*report)(void *context, const struct store_finding *finding);
    void *context;
};

struct store_verified {
    uint64_t n_values;   /* looked at */
    uint64_t n_findings; /* 0: the store is whole */
};

/*
 * Decode every value and follow every name in it: from trajectories to their checkpoints, to
 * listings, to the facts of every blob, and from hits to groups to rules.  What is wrong is
 * reported and counted. -1 only when the store cannot be read at all or a stop was requested.
 */
int store_verify(struct store *store, const struct store_verify_options *options,
                 struct store_verified *out, struct err *err);

enum { STORE_N_TABLES = 8 };

struct store_table_info {
    const char *name;
    uint64_t n_values;
    uint64_t plain_bytes;  /* before compression */
    uint64_t stored_bytes; /* after it, checks included */
    uint64_t page_bytes;   /* of the pages they are in, with keys and gaps */
};

/* Values of one fingerprint (facts) or one group of rules (hits). */
struct store_set_info {
    struct store_key key;
    uint64_t n_values;
    uint64_t n_listed; /* of blobs that checkpoints lead to */
    uint64_t plain_bytes;
    uint64_t stored_bytes;
};

/* Values that no checkpoint refers to. */
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

/* Count what is in STORE; what *OUT points to is in ARENA.  Reads every listing, decodes no facts.
 */
int
store_get_info(struct store *store, struct arena *arena, struct store_info *out, struct err *err);

/* What the dictionary of a table saves. */
struct store_measured {
    const char *table; /* "facts" or "hits" */
    uint64_t n_values;
    uint64_t n_with_dictionary; /* of these: their frames need it */
    uint64_t plain_bytes;
    uint64_t tail_bytes;    /* of these: not compressed */
    uint64_t stored_bytes;  /* as they are in the store */
    uint64_t without_bytes; /* as they would be without a dictionary */
};

enum { STORE_N_MEASURED = 2 };

/* Decode every value of facts and hits and compress it again without a dictionary.  Nothing is
 * written. 0, or -1 with ERR_DAMAGED, ERR_STOPPED, ERR_IO, ERR_NOMEM. */
int
store_measure(struct store *store, struct store_measured out[STORE_N_MEASURED], struct err *err);

/* What a copy did. */
struct store_copied {
    uint64_t n_trajectories, n_listings, n_facts, n_hits; /* copied */
    uint64_t n_dropped_listings, n_dropped_facts, n_dropped_hits, n_dropped_rules;
    uint64_t n_replaced; /* of the target, replaced by a fuller one of the source */
    uint64_t n_kept;     /* of the target, at least as full as that of the source */
};

/* What to leave out. */
struct store_compact_options {
    const struct store_key *drop_facts; /* fingerprints */
    size_t n_drop_facts;
    const struct store_key *drop_hits; /* groups, and the rules that are in no other */
    size_t n_drop_hits;
    bool drop_unreferenced; /* listings, facts and hits that no checkpoint leads to */
};

/*
 * Write the data file of STORE again, without free pages and with every value compressed with one
 * dictionary.  STORE is open to write and has no reader or writer.  While it runs there are two
 * data files.  Afterwards, also after a failure, STORE can only be closed.  0, or -1: ERR_BUSY when
 * others have the store open, ERR_DAMAGED when a value is damaged, ERR_FULL, ERR_IO, ERR_NOMEM.
 */
int store_compact(struct store *store, const struct store_compact_options *options,
                  struct store_copied *out, struct err *err);
/*
 * Put everything of SOURCE into TARGET, which is open to write and has no writer.  Of a trajectory
 * that both have, the fuller one stays: by status, then by number of checkpoints, then by content;
 * merging in any order therefore gives the same store.  0, or -1: ERR_DAMAGED when a value
 * of SOURCE is damaged, and as puts fail.
 */
int
store_merge(struct store *target, struct store *source, struct store_copied *out, struct err *err);

#endif
