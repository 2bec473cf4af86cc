#include "box.h"
#include "store/blob_index.h"

enum { N_BLOBS = 700 };

static struct oid
long_oid(uint32_t n)
{
    uint8_t raw[OID_SHA256_BYTES] = {0};
    struct oid seed = box_oid(n);
    memcpy(raw, seed.id, seed.len);
    return oid_from_raw(raw, sizeof(raw));
}

/* Blob N: every third is named by SHA-256. */
static struct oid
blob_of(uint32_t n)
{
    return n % 3 == 0 ? long_oid(n) : box_oid(n);
}

/* Bytes that do not compress. */
static struct bytes
large_facts(struct box *box, uint32_t n)
{
    enum { N_WORDS = 3000 };
    uint32_t *words = ARENA_ARRAY(&box->arena, N_WORDS, uint32_t);
    for (uint32_t i = 0; i < N_WORDS; i++)
        words[i] = (n * 977 + i) * (2654435761u ^ i << 7);
    return (struct bytes){(const uint8_t *)words, N_WORDS * sizeof(*words)};
}

/* Some have no facts, some no hits, some both twice. */
static void
put_blob(struct box *box, uint32_t n)
{
    struct oid blob = blob_of(n);
    struct bytes facts = box_facts(box, n), stale = box_facts(box, n + 1);
    struct store_key now = box_key(1), before = box_key(2), hits = box_key(3), other = box_key(0);
    char text[16];
    snprintf(text, sizeof(text), "hits %u", n);
    if (n % 50 == 1) /* has pages of its own */
        facts = large_facts(box, n);
    if (n % 5 != 0)
        assert_ok(box, store_put_facts(box->writer, &blob, &now, facts, 0, &box->err));
    if (n % 7 == 0)
        assert_ok(box, store_put_facts(box->writer, &blob, &before, stale, 0, &box->err));
    if (n % 4 != 0)
        assert_ok(box, store_put_hits(box->writer, &blob, &hits, bytes_of_text(text), &box->err));
    if (n % 6 == 0)
        assert_ok(box, store_put_hits(box->writer, &blob, &other, BYTES("old"), &box->err));
}

static void
open_filled(struct box *box)
{
    box_open(box, STORE_WRITE);
    for (uint32_t n = 0; n < N_BLOBS; n++)
        put_blob(box, n);
    box_commit(box);
}

/* Where the index has BLOB it has what the store has; returns whether it does. */
static bool
agrees(struct box *box, const struct store_index *index, enum store_table table,
       const struct oid *blob, const struct store_key *suffix)
{
    struct key key;
    struct bytes in_index, in_store;
    key_of_blob(blob, suffix, &key);
    if (!blob_index_find(index, table, key_bytes(&key), &box->arena, &in_index))
        return false;
    assert_ok(box, reader_find(box->reader, table, key_bytes(&key), &in_store, &box->err));
    assert_ptr_equal(in_index.data, in_store.data);
    assert_int_equal(in_index.len, in_store.len);
    return true;
}

static void
test_blob_index_find__all_facts_and_their_hits_and_no_others(void **state)
{
    struct box *box = *state;
    struct store_key now = box_key(1), before = box_key(2), hits = box_key(3), other = box_key(0);
    struct store_index *index;
    open_filled(box);
    assert_ok(box, store_index_create(box->reader, &now, &hits, &index, &box->err));
    for (uint32_t n = 0; n < 2 * N_BLOBS; n++) {
        struct oid blob = blob_of(n);
        bool has_facts = n < N_BLOBS && n % 5 != 0;
        assert_int_equal(agrees(box, index, TABLE_FACTS, &blob, &now), has_facts);
        assert_int_equal(agrees(box, index, TABLE_HITS, &blob, &hits), has_facts && n % 4 != 0);
        assert_false(agrees(box, index, TABLE_FACTS, &blob, &before));
        assert_false(agrees(box, index, TABLE_HITS, &blob, &other));
    }
    store_index_destroy(index);
}

/* All facts and hits, with and without an index. */
static void
assert_same_with_index(struct box *box, const struct store_index *index)
{
    struct store_key now = box_key(1), hits = box_key(3);
    for (uint32_t n = 0; n < 2 * N_BLOBS; n++) {
        struct oid blob = blob_of(n);
        const struct oid *expected = &blob;
        for (int is_facts = 0; is_facts < 2; is_facts++) {
            struct bytes values[2] = {{NULL, 0}, {NULL, 0}};
            for (int with = 0; with < 2; with++) {
                store_reader_use_index(box->reader, with ? index : NULL);
                store_reader_expect(box->reader, &expected, 1);
                enum store_outcome outcome = (is_facts ? store_get_facts : store_get_hits)(
                    box->reader, &blob, is_facts ? &now : &hits, &box->arena, &values[with],
                    &box->err);
                bool is_there = n < N_BLOBS && n % (is_facts ? 5 : 4) != 0;
                assert_int_equal(outcome, is_there ? STORE_FOUND : STORE_MISSING);
            }
            assert_true(bytes_equal(values[0], values[1]));
        }
    }
    store_reader_use_index(box->reader, NULL);
}

static void
test_store_index__a_reader_gets_the_same_with_it(void **state)
{
    struct box *box = *state;
    struct store_key now = box_key(1), hits = box_key(3);
    struct store_index *index;
    open_filled(box);
    assert_ok(box, store_index_create(box->reader, &now, &hits, &index, &box->err));
    assert_false(blob_index_reads_file(index));
    assert_same_with_index(box, index);
    store_index_destroy(index);
}

static void
test_store_index__values_of_a_large_file_are_read(void **state)
{
    enum { FILE_BYTES = 1 << 30 };
    struct box *box = *state;
    struct store_key now = box_key(1), hits = box_key(3);
    struct store_index *index;
    char path[128];
    open_filled(box);
    box_close(box);
    snprintf(path, sizeof(path), "%s/data.mdb", box->path);
    assert_int_equal(truncate(path, FILE_BYTES), 0);
    box_open(box, STORE_READ);
    assert_ok(box, store_index_create(box->reader, &now, &hits, &index, &box->err));
    assert_true(blob_index_reads_file(index));
    assert_same_with_index(box, index);
    store_index_destroy(index);
}

static void
test_store_index__ids_that_begin_alike_are_told_apart(void **state)
{
    struct box *box = *state;
    struct store_key now = box_key(1);
    struct store_index *index;
    struct oid blobs[40];
    box_open(box, STORE_WRITE);
    for (uint32_t n = 0; n < 40; n++) {
        blobs[n] = box_oid(0);
        blobs[n].id[OID_SHA1_BYTES - 1] = (uint8_t)n;
        assert_ok(box,
                  store_put_facts(box->writer, &blobs[n], &now, box_facts(box, n), 0, &box->err));
    }
    box_commit(box);
    assert_ok(box, store_index_create(box->reader, &now, NULL, &index, &box->err));
    store_reader_use_index(box->reader, index);
    for (uint32_t n = 0; n < 40; n++) {
        struct bytes out;
        assert_ok(box, store_get_facts(box->reader, &blobs[n], &now, &box->arena, &out, &box->err));
        assert_true(bytes_equal(out, box_facts(box, n)));
    }
    store_reader_use_index(box->reader, NULL);
    store_index_destroy(index);
}

static void
test_store_index__what_came_later_is_found_in_the_store(void **state)
{
    struct box *box = *state;
    struct store_key now = box_key(1);
    struct store_reader *later;
    struct store_index *index;
    struct oid blob = box_oid(1);
    struct bytes out;
    box_open(box, STORE_WRITE);
    assert_ok(box, store_index_create(box->reader, &now, NULL, &index, &box->err));
    assert_ok(box, store_put_facts(box->writer, &blob, &now, BYTES("facts"), 0, &box->err));
    assert_ok(box, store_writer_commit(box->writer, &box->err));
    assert_ok(box, store_reader_open(box->store, &later, &box->err));
    store_reader_use_index(later, index);
    assert_ok(box, store_get_facts(later, &blob, &now, &box->arena, &out, &box->err));
    assert_true(bytes_equal(out, BYTES("facts")));
    store_reader_close(later);
    store_index_destroy(index);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        box_test(test_blob_index_find__all_facts_and_their_hits_and_no_others),
        box_test(test_store_index__a_reader_gets_the_same_with_it),
        box_test(test_store_index__values_of_a_large_file_are_read),
        box_test(test_store_index__ids_that_begin_alike_are_told_apart),
        box_test(test_store_index__what_came_later_is_found_in_the_store),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
