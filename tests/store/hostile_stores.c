/*
 * Writes stores that no mine would write: DIR/NAME for each name below.  Their pages are LMDB's own
 * and every check fits, so all of them get as far as the decoders and whoever believes what these
 * say.
 *
 * Each starts from the same small store: trajectory "t", two checkpoints, two files, one rule.
 */
#include <lmdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "analyzer/analyzer.h"
#include "intake/intake.h"
#include "base/base.h"
#include "store/env.h"
#include "store/frame.h"
#include "store/keys.h"
#include "store/listing_codec.h"
#include "store/record.h"

struct box {
    const char *name;
    struct store *store;
    struct arena arena;
    struct store_key facts, group, rule, listing;
    struct oid blobs[2];
    struct err err;
};

static void
must(struct box *box, int outcome)
{
    if (outcome == 0)
        return;
    fprintf(stderr, "%s: %s\n", box->name, box->err.text);
    exit(1);
}

/* ---- The small store ----------------------------------------------------------------------- */

static const char source[] = "def f(a):\n    if a:\n        print(a)\n    return a\n";

static void
put_blobs(struct box *box, struct store_writer *writer, struct ruleset *rules)
{
    struct blob_encoder_options options = {.limits = analyzer_limits_default(), .rules = rules};
    struct blob_encoder *encoder;
    struct buf encoded = {0};
    struct encode_result made;
    const struct encode_request request = {.facts = true, .hits = true};
    must(box, blob_encoder_create(&options, &encoder, &box->err));
    must(box,
         blob_encoder_run(encoder, bytes_of_text(source), &request, &encoded, &made, &box->err));
    struct bytes facts = bytes_slice(buf_bytes(&encoded), 0, made.facts_len);
    struct bytes hits = bytes_slice(buf_bytes(&encoded), made.facts_len, encoded.len);
    for (uint8_t i = 0; i < 2; i++) {
        uint8_t raw[OID_SHA1_BYTES] = {i, 1, 2};
        box->blobs[i] = oid_from_raw(raw, sizeof(raw));
        must(box, store_put_facts(writer, &box->blobs[i], &box->facts, facts,
                                  facts_hash_bytes(facts), &box->err));
        must(box, store_put_hits(writer, &box->blobs[i], &box->group, hits, &box->err));
    }
    buf_clear(&encoded);
    blob_encoder_destroy(encoder);
}

static const struct store_trajectory a_trajectory = {.kind = {(const uint8_t *)"human", 5},
                                                     .stars = 5,
                                                     .status = STORE_STATUS_DONE,
                                                     .n_checkpoints = 2};

static struct store_checkpoint
a_checkpoint(const struct box *box, uint32_t ordinal)
{
    return (struct store_checkpoint){.ordinal = ordinal,
                                     .name = BYTES("0123456789012345678901234567890123456789"),
                                     .has_time = true,
                                     .time_s = 1700000000 + ordinal,
                                     .listing = box->listing};
}

static void
box_begin(struct box *box, const char *folder, const char *name)
{
    static const char rule[] =
        "id: r\nlanguage: python\nseverity: warning\nrule:\n  pattern: print($A)\n";
    const struct rule_source rule_source = {"r.yml", bytes_of_text(rule)};
    struct analyzer_limits limits = analyzer_limits_default();
    struct fingerprint facts = analyzer_fingerprint(&limits);
    struct store_writer *writer;
    struct ruleset *rules;
    *box = (struct box){.name = name};
    arena_init(&box->arena, 0);
    memcpy(box->facts.bytes, facts.bytes, sizeof(box->facts.bytes));
    const struct store_options options = {.path = arena_format(&box->arena, "%s/%s", folder, name),
                                          .mode = STORE_WRITE,
                                          .no_sync = true};
    must(box, store_open(&options, &box->store, &box->err));
    must(box, store_writer_open(box->store, &writer, &box->err));
    must(box, ruleset_load(&rule_source, 1, &rules, &box->err));
    const struct store_rule *texts = ruleset_store_rules(rules, &limits, &box->arena);
    must(box, store_put_rules(writer, texts, 1, &box->group, &box->err));
    box->rule = texts[0].key;
    put_blobs(box, writer, rules);
    struct store_file files[2] = {{BYTES("a.py"), box->blobs[0], 0100644},
                                  {BYTES("b.py"), box->blobs[1], 0100644}};
    must(box, store_put_listing(writer, files, 2, &box->listing, &box->err));
    struct store_trajectory trajectory = a_trajectory;
    trajectory.id = BYTES("t");
    struct store_checkpoint checkpoints[2] = {a_checkpoint(box, 0), a_checkpoint(box, 1)};
    must(box, store_put_trajectory(writer, &trajectory, checkpoints, 2, &box->err));
    must(box, store_writer_commit(writer, &box->err));
    store_writer_close(writer);
    ruleset_destroy(rules);
}

/* ---- Raw values ---------------------------------------------------------------------------- */

static void
put_stored(struct box *box, enum store_table table, struct bytes key, struct bytes stored)
{
    MDB_txn *txn;
    MDB_val key_val = {key.len, (void *)(uintptr_t)key.data};
    MDB_val value = {stored.len, (void *)(uintptr_t)stored.data};
    int rc = mdb_txn_begin(box->store->env, NULL, 0, &txn);
    if (rc == 0)
        rc = mdb_put(txn, box->store->tables[table], &key_val, &value, 0);
    if (rc == 0)
        rc = mdb_txn_commit(txn);
    if (rc != 0)
        must(box, err_set(&box->err, ERR_IO, "%s", mdb_strerror(rc)));
}

/* FRAME as the value under KEY, with the check that fits it. */
static void
put_framed(struct box *box, enum store_table table, struct bytes key, struct bytes frame)
{
    struct buf stored = {0};
    XXH64_hash_t seed = XXH3_64bits_withSeed(key.data, key.len, (XXH64_hash_t)table);
    buf_append_be32(&stored, (uint32_t)XXH3_64bits_withSeed(frame.data, frame.len, seed));
    buf_append_bytes(&stored, frame);
    put_stored(box, table, key, buf_bytes(&stored));
    buf_clear(&stored);
}

static void
put_plain(struct box *box, enum store_table table, struct bytes key, struct bytes plain)
{
    struct frame_encoder encoder;
    struct buf stored = {0};
    must(box, frame_encoder_init(&encoder, &box->err));
    must(box, frame_encode(&encoder, table, key, plain, 0, &stored, &box->err));
    put_stored(box, table, key, buf_bytes(&stored));
    frame_encoder_clear(&encoder);
    buf_clear(&stored);
}

static void
put_facts(struct box *box, struct bytes plain)
{
    struct key key;
    key_of_blob(&box->blobs[0], &box->facts, &key);
    put_plain(box, TABLE_FACTS, key_bytes(&key), plain);
}

static void
put_hits(struct box *box, struct bytes plain)
{
    struct key key;
    key_of_blob(&box->blobs[0], &box->group, &key);
    put_plain(box, TABLE_HITS, key_bytes(&key), plain);
}

static void
put_named(struct box *box, enum store_table table, const struct store_key *name, struct bytes plain)
{
    struct key key;
    key_of_name(name, &key);
    put_plain(box, table, key_bytes(&key), plain);
}

static void
put_meta(struct box *box, const char *name, struct bytes plain)
{
    put_plain(box, TABLE_META, bytes_of_text(name), plain);
}

static void
put_checkpoint(struct box *box, struct bytes id, const struct store_checkpoint *checkpoint)
{
    struct key key;
    struct buf plain = {0};
    must(box, key_of_checkpoint(id, checkpoint->ordinal, &key, &box->err));
    record_put_checkpoint(&plain, checkpoint);
    put_plain(box, TABLE_CHECKPOINTS, key_bytes(&key), buf_bytes(&plain));
    buf_clear(&plain);
}

static void
put_trajectory(struct box *box, struct bytes id, const struct store_trajectory *trajectory)
{
    struct buf plain = {0};
    record_put_trajectory(&plain, trajectory);
    put_plain(box, TABLE_TRAJECTORIES, id, buf_bytes(&plain));
    buf_clear(&plain);
}

/* N times TEXT. */
static struct bytes
repeated(struct box *box, const char *text, size_t n)
{
    size_t len = strlen(text);
    uint8_t *data = arena_alloc_raw(&box->arena, n * len, 1);
    for (size_t i = 0; data && i < n; i++)
        memcpy(data + i * len, text, len);
    if (!data)
        must(box, err_nomem(&box->err, "text"));
    return (struct bytes){data, n * len};
}

/* ---- Facts and hits ------------------------------------------------------------------------ */

enum { HUGE_BYTES = 200 * 1024 * 1024, HITS_VERSION = 1 };

static void
facts_of_zeros(struct box *box)
{
    const void *zeros = arena_alloc(&box->arena, HUGE_BYTES, 1, 1);
    size_t room = ZSTD_compressBound(HUGE_BYTES);
    uint8_t *frame = arena_alloc_raw(&box->arena, room, 1);
    struct key key;
    if (!zeros || !frame)
        must(box, err_nomem(&box->err, "zeros"));
    key_of_blob(&box->blobs[0], &box->facts, &key);
    put_framed(box, TABLE_FACTS, key_bytes(&key),
               (struct bytes){frame, ZSTD_compress(frame, room, zeros, HUGE_BYTES, 1)});
}

/* Everything before the callables of a file, then how many there are. */
static void
begin_facts(struct buf *out, uint64_t n_lines, uint64_t n_callables)
{
    const uint64_t fields[] = {0 /* clones */,
                               0 /* reason */,
                               10 /* bytes */,
                               0 /* encoding */,
                               0 /* refusal */,
                               4 /* both line sets the same */,
                               n_lines,
                               0,
                               0,
                               0,
                               0,
                               0,
                               /* up to statements */ 1 /* run */,
                               1,
                               n_lines,
                               n_callables};
    buf_append_byte(out, FACTS_SCHEMA);
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
        buf_append_varint(out, fields[i]);
}

static void
facts_claim_callables(struct box *box)
{
    struct buf facts = {0};
    begin_facts(&facts, 10, UINT64_MAX / 2);
    put_facts(box, buf_bytes(&facts));
    buf_clear(&facts);
}

/* N of the smallest callable there is, then TAIL. */
static void
put_callables(struct box *box, size_t n, struct bytes tail)
{
    struct buf facts = {0};
    begin_facts(&facts, 10, n);
    for (size_t i = 0; i < n; i++)
        buf_append(&facts, (const uint8_t[]){0, 0, i == 0, 0, 0, 0, 0, 0, 0}, 9);
    buf_append_bytes(&facts, tail);
    put_facts(box, buf_bytes(&facts));
    buf_clear(&facts);
}

static void
facts_of_many_callables(struct box *box)
{
    put_callables(box, 300000, BYTES(""));
}

/* As many as there can be, and something behind them that does not belong there. */
static void
facts_of_all_callables(struct box *box)
{
    put_callables(box, (STORE_BLOB_BYTES_MAX - 100) / 9, BYTES("x"));
}

static void
facts_of_endless_lines(struct box *box)
{
    struct buf facts = {0};
    begin_facts(&facts, INT32_MAX - 9, 0);
    put_facts(box, buf_bytes(&facts));
    buf_clear(&facts);
}

/* One hit from the first line to the last that a number can name. */
static void
hits_over_endless_lines(struct box *box)
{
    struct buf hits = {0};
    buf_append_byte(&hits, HITS_VERSION);
    const uint64_t fields[] = {0 /* gave up */, 1 /* hits */, 0 /* rule */, 1, UINT32_MAX - 2};
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
        buf_append_varint(&hits, fields[i]);
    put_hits(box, buf_bytes(&hits));
    buf_reset(&hits);
    begin_facts(&hits, INT32_MAX - 9, 0);
    put_facts(box, buf_bytes(&hits));
    buf_clear(&hits);
}

static void
hits_of_one_line(struct box *box)
{
    struct buf hits = {0};
    size_t n = 4000000;
    buf_append_byte(&hits, HITS_VERSION);
    buf_append_varint(&hits, 0);
    buf_append_varint(&hits, n);
    for (size_t i = 0; i < n; i++)
        buf_append(&hits, (const uint8_t[]){0, i == 0, 0}, 3);
    put_hits(box, buf_bytes(&hits));
    buf_clear(&hits);
}

static void
hits_of_no_rule(struct box *box)
{
    put_hits(box, BYTES("\1\0\1\7\1\0"));
}

/* Content sizes that are too small, far too large, unknown; a frame to be skipped; a huge window.
 */
static void
frames_that_lie(struct box *box)
{
    static const uint8_t frames[][20] = {
        {0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x01, 0x41, 0, 0, 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'},
        {0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0xff, 0xff, 0xff, 0x0f, 0x03, 0, 0, 'a'},
        {0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x03},
        {0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58, 0x01, 0, 0},
        {0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4},
        {0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xff, 0x01, 0, 0}};
    for (uint8_t i = 0; i < sizeof(frames) / sizeof(frames[0]); i++) {
        struct key key;
        uint8_t raw[OID_SHA1_BYTES] = {i, 99};
        struct oid blob = oid_from_raw(raw, sizeof(raw));
        key_of_blob(i == 0 ? &box->blobs[0] : &blob, &box->facts, &key);
        put_framed(box, TABLE_FACTS, key_bytes(&key), (struct bytes){frames[i], sizeof(frames[i])});
        put_framed(box, TABLE_META, bytes_of_text(i ? "created" : "dictionary/facts"),
                   (struct bytes){frames[i], sizeof(frames[i])});
    }
}

/* ---- Listings ------------------------------------------------------------------------------ */

/* Changes against BASE: nothing changed, removed or added. */
static void
put_changes(struct box *box, const struct store_key *name, const struct store_key *base)
{
    struct buf plain = {0};
    buf_append_byte(&plain, 1);
    buf_append(&plain, base->bytes, sizeof(base->bytes));
    buf_append(&plain, (const uint8_t[]){OID_SHA1_BYTES, 0, 0, 0}, 4);
    put_named(box, TABLE_LISTINGS, name, buf_bytes(&plain));
    buf_clear(&plain);
}

static void
listing_of_itself(struct box *box)
{
    put_changes(box, &box->listing, &box->listing);
}

static void
listings_in_a_circle(struct box *box)
{
    const struct store_key other = {{7}};
    put_changes(box, &box->listing, &other);
    put_changes(box, &other, &box->listing);
}

static void
listings_in_a_long_row(struct box *box)
{
    for (uint8_t i = 0; i < 200; i++) {
        const struct store_key name = {{9, i}}, base = {{9, (uint8_t)(i + 1)}};
        put_changes(box, i ? &name : &box->listing, &base);
    }
}

static void
listing_of_nothing_known(struct box *box)
{
    const struct store_key nowhere = {{7}};
    put_changes(box, &box->listing, &nowhere);
}

/* The listing of both checkpoints: N files of PATHS and MODE. */
static void
put_listing(struct box *box, const struct bytes *paths, size_t n, uint8_t id_len)
{
    struct buf plain = {0};
    buf_append_byte(&plain, 0);
    buf_append_byte(&plain, id_len);
    buf_append_varint(&plain, n);
    for (size_t i = 0; i < n; i++) {
        buf_append_varint(&plain, paths[i].len);
        buf_append_varint(&plain, i % 2 ? UINT32_MAX : 0100644);
    }
    for (size_t i = 0; i < n; i++)
        buf_append_bytes(&plain, paths[i]);
    for (size_t i = 0; i < n; i++) {
        struct oid blob = box->blobs[i % 2];
        buf_append(&plain, blob.id, id_len);
    }
    box->listing = name_of_content(buf_bytes(&plain));
    put_named(box, TABLE_LISTINGS, &box->listing, buf_bytes(&plain));
    for (uint32_t i = 0; i < 2; i++) {
        struct store_checkpoint checkpoint = a_checkpoint(box, i);
        put_checkpoint(box, BYTES("t"), &checkpoint);
    }
    buf_clear(&plain);
}

static void
listing_out_of_order(struct box *box)
{
    put_listing(box, (const struct bytes[]){BYTES("b.py"), BYTES("a.py")}, 2, OID_SHA1_BYTES);
}

static void
listing_names_a_file_twice(struct box *box)
{
    put_listing(box, (const struct bytes[]){BYTES("a.py"), BYTES("a.py")}, 2, OID_SHA1_BYTES);
}

static void
listing_of_short_ids(struct box *box)
{
    put_listing(box, (const struct bytes[]){BYTES("a.py"), BYTES("b.py")}, 2, 5);
}

static void
listing_of_odd_paths(struct box *box)
{
    const struct bytes paths[] = {BYTES(""),
                                  BYTES("\0.py"),
                                  BYTES("\n\033[31m.py"),
                                  BYTES("../../etc/passwd.py"),
                                  BYTES("/abs.py"),
                                  repeated(box, "long/", 40000),
                                  BYTES("\xff\xfe\xc3.py")};
    put_listing(box, paths, sizeof(paths) / sizeof(paths[0]), OID_SHA1_BYTES);
}

static void
listing_claims_files(struct box *box)
{
    struct buf plain = {0};
    buf_append(&plain, (const uint8_t[]){0, OID_SHA1_BYTES}, 2);
    buf_append_varint(&plain, UINT64_MAX / 3);
    put_named(box, TABLE_LISTINGS, &box->listing, buf_bytes(&plain));
    buf_clear(&plain);
}

static void
listing_of_missing_blobs(struct box *box)
{
    box->blobs[0].id[5] = 77;
    put_listing(box, (const struct bytes[]){BYTES("a.py"), BYTES("b.py")}, 2, OID_SHA1_BYTES);
}

/* ---- Trajectories and checkpoints ---------------------------------------------------------- */

static void
ordinals_with_gaps(struct box *box)
{
    struct store_checkpoint checkpoint = a_checkpoint(box, UINT32_MAX);
    put_checkpoint(box, BYTES("t"), &checkpoint);
    checkpoint.ordinal = 1000;
    put_checkpoint(box, BYTES("t"), &checkpoint);
}

static void
checkpoints_of_nobody(struct box *box)
{
    struct store_checkpoint checkpoint = a_checkpoint(box, 0);
    put_checkpoint(box, BYTES("nobody"), &checkpoint);
    checkpoint.listing = (struct store_key){{1, 2, 3}};
    put_checkpoint(box, BYTES("t"), &checkpoint);
}

static void
trajectory_claims_checkpoints(struct box *box)
{
    struct store_trajectory trajectory = a_trajectory;
    trajectory.n_checkpoints = UINT32_MAX;
    trajectory.n_commits = UINT64_MAX;
    trajectory.stars = INT64_MAX;
    put_trajectory(box, BYTES("t"), &trajectory);
}

static void
times_that_cannot_be(struct box *box)
{
    struct store_checkpoint checkpoint = a_checkpoint(box, 0);
    checkpoint.time_s = INT64_MAX;
    put_checkpoint(box, BYTES("t"), &checkpoint);
    checkpoint.ordinal = 1;
    checkpoint.time_s = INT64_MIN;
    put_checkpoint(box, BYTES("t"), &checkpoint);
}

static void
texts_that_are_odd(struct box *box)
{
    struct store_trajectory trajectory = a_trajectory;
    struct store_checkpoint checkpoint = a_checkpoint(box, 0);
    struct bytes id = BYTES("\xff\n\033[31m");
    trajectory.kind = BYTES("no such kind");
    trajectory.as_of = BYTES("never");
    trajectory.origin = repeated(box, "\xc3", 1000000);
    put_trajectory(box, id, &trajectory);
    checkpoint.name = BYTES("\0\xff");
    put_checkpoint(box, id, &checkpoint);
    checkpoint.ordinal = 1;
    put_checkpoint(box, id, &checkpoint);
}

/* JSON as deep as it can be, no JSON, and numbers that are none, wherever JSON is kept. */
static void
json_that_is_odd(struct box *box)
{
    const struct bytes texts[] = {
        repeated(box, "[", 1000000), repeated(box, "{\"a\":", 1000000), BYTES("{\"model\": 7"),
        BYTES("{\"model\": [1e999, -1e999, NaN], \"sampling\": 3, \"core_pass_rate\": {}}")};
    for (uint8_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct store_trajectory trajectory = a_trajectory;
        uint8_t name = (uint8_t)('u' + i);
        struct bytes id = {&name, 1};
        trajectory.kind = BYTES("agent");
        trajectory.params = texts[i];
        put_trajectory(box, id, &trajectory);
        for (uint32_t k = 0; k < 2; k++) {
            struct store_checkpoint checkpoint = a_checkpoint(box, k);
            checkpoint.markers = checkpoint.record = texts[i];
            put_checkpoint(box, id, &checkpoint);
        }
    }
}

static void
skips_without_end(struct box *box)
{
    struct buf plain = {0};
    record_put_trajectory(&plain, &a_trajectory);
    plain.len--; /* the number of skips */
    buf_append_varint(&plain, UINT64_MAX / 5);
    put_plain(box, TABLE_TRAJECTORIES, BYTES("t"), buf_bytes(&plain));
    buf_clear(&plain);
}

/* ---- Rules and meta ------------------------------------------------------------------------ */

static void
rules_that_are_odd(struct box *box)
{
    struct store_rule rule = {.id = BYTES("\xff\n"),
                              .severity = BYTES("catastrophe"),
                              .metadata = BYTES("{\"min_file_count\": -1e300, \"advice\": []}"),
                              .source = repeated(box, "- [", 100000)};
    struct buf plain = {0};
    record_put_rule(&plain, &rule);
    put_named(box, TABLE_RULES, &box->rule, buf_bytes(&plain));
    buf_clear(&plain);
}

static void
group_of_a_million_rules(struct box *box)
{
    struct bytes keys = repeated(box, "sixteen bytes...", 1000000);
    put_named(box, TABLE_GROUPS, &box->group, keys);
}

static void
group_of_half_a_rule(struct box *box)
{
    put_named(box, TABLE_GROUPS, &box->group, BYTES("eight..."));
}

static void
meta_that_is_odd(struct box *box)
{
    put_meta(box, "dictionary/facts", repeated(box, "no dictionary ", 5000));
    put_meta(box, "dictionary/hits", BYTES("\x37\xa4\x30\xec\1\1\0\0 and no more of one"));
    put_meta(box, "newest_group", BYTES("short"));
    put_meta(box, "fingerprint/", BYTES(""));
    put_meta(box, "fingerprint/of more bytes than there are in one", BYTES("x"));
    put_meta(box, "created", BYTES("yesterday"));
}

static void
keys_of_other_lengths(struct box *box)
{
    for (int table = TABLE_FACTS; table < TABLE_N; table++) {
        put_plain(box, (enum store_table)table, BYTES("k"), BYTES("x"));
        put_plain(box, (enum store_table)table, repeated(box, "k", KEY_MAX_BYTES), BYTES(""));
        put_plain(box, (enum store_table)table, BYTES("\x14nearly twenty byte"), BYTES("x"));
    }
}

/* ---- All of them --------------------------------------------------------------------------- */

static const struct {
    const char *name;
    void (*make)(struct box *box);
} stores[] = {{"facts_of_zeros", facts_of_zeros},
              {"facts_claim_callables", facts_claim_callables},
              {"facts_of_many_callables", facts_of_many_callables},
              {"facts_of_all_callables", facts_of_all_callables},
              {"facts_of_endless_lines", facts_of_endless_lines},
              {"hits_over_endless_lines", hits_over_endless_lines},
              {"hits_of_one_line", hits_of_one_line},
              {"hits_of_no_rule", hits_of_no_rule},
              {"frames_that_lie", frames_that_lie},
              {"listing_of_itself", listing_of_itself},
              {"listings_in_a_circle", listings_in_a_circle},
              {"listings_in_a_long_row", listings_in_a_long_row},
              {"listing_of_nothing_known", listing_of_nothing_known},
              {"listing_out_of_order", listing_out_of_order},
              {"listing_names_a_file_twice", listing_names_a_file_twice},
              {"listing_of_short_ids", listing_of_short_ids},
              {"listing_of_odd_paths", listing_of_odd_paths},
              {"listing_claims_files", listing_claims_files},
              {"listing_of_missing_blobs", listing_of_missing_blobs},
              {"ordinals_with_gaps", ordinals_with_gaps},
              {"checkpoints_of_nobody", checkpoints_of_nobody},
              {"trajectory_claims_checkpoints", trajectory_claims_checkpoints},
              {"times_that_cannot_be", times_that_cannot_be},
              {"texts_that_are_odd", texts_that_are_odd},
              {"json_that_is_odd", json_that_is_odd},
              {"skips_without_end", skips_without_end},
              {"rules_that_are_odd", rules_that_are_odd},
              {"group_of_a_million_rules", group_of_a_million_rules},
              {"group_of_half_a_rule", group_of_half_a_rule},
              {"meta_that_is_odd", meta_that_is_odd},
              {"keys_of_other_lengths", keys_of_other_lengths}};

int
main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: hostile_stores DIR\n", stderr);
        return 2;
    }
    for (size_t i = 0; i < sizeof(stores) / sizeof(stores[0]); i++) {
        struct box box;
        box_begin(&box, argv[1], stores[i].name);
        stores[i].make(&box);
        store_close(box.store);
        arena_clear(&box.arena);
        puts(stores[i].name);
    }
    return 0;
}
