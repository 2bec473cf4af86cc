#include <stdatomic.h>
#include <stdio.h>

#include "base/base.h"
#include "base/decoder.h"
#include "cmocka_all.h"

static void
test_arena__aligned_zeroed_and_bounded_after_reset(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena, 1 << 20);
    for (int round = 0; round < 3; round++) {
        for (size_t i = 1; i < 2000; i++) {
            uint64_t *p = ARENA_ARRAY(&arena, i, uint64_t);
            assert_non_null(p);
            assert_int_equal((uintptr_t)p % _Alignof(uint64_t), 0);
            for (size_t k = 0; k < i; k++)
                assert_true(p[k] == 0);
            memset(p, 0xff, i * sizeof(*p));
        }
        arena_reset(&arena);
        assert_int_equal(arena.used_bytes, 0);
    }
    assert_null(arena_alloc(&arena, SIZE_MAX, 2, 1));
    assert_string_equal(arena_format(&arena, "%d-%s", 5, "x"), "5-x");
    arena_clear(&arena);
}

static void
test_bytes_take_line__each_line_once_the_last_without_an_end_too(void **state)
{
    (void)state;
    struct bytes rest = BYTES("a\n\n \t\r\nb"), line;
    const struct {
        struct bytes line;
        bool is_blank;
    } expected[] = {
        {BYTES("a"), false}, {BYTES(""), true}, {BYTES(" \t\r"), true}, {BYTES("b"), false}};
    for (size_t i = 0; i < 4; i++) {
        assert_true(bytes_take_line(&rest, &line));
        assert_true(bytes_equal(line, expected[i].line));
        assert_int_equal(bytes_is_blank(line), expected[i].is_blank);
    }
    assert_false(bytes_take_line(&rest, &line));
    rest = BYTES("end\n");
    assert_true(bytes_take_line(&rest, &line));
    assert_false(bytes_take_line(&rest, &line)); /* nothing stands behind the last end */
}

static void
test_map__keeps_order_and_finds_every_key(void **state)
{
    (void)state;
    struct map map;
    map_init(&map);
    char key[16];
    for (uint64_t i = 0; i < 5000; i++) {
        int n = snprintf(key, sizeof(key), "k%llu", (unsigned long long)i);
        bool is_new;
        uint64_t *value = map_put(&map, (struct bytes){(uint8_t *)key, (size_t)n}, &is_new);
        assert_true(is_new);
        *value = i;
    }
    assert_int_equal(map.n_entries, 5000);
    assert_true(bytes_equal(map.entries[4999].key, BYTES("k4999")));
    assert_int_equal(*map_get(&map, BYTES("k77")), 77);
    assert_null(map_get(&map, BYTES("k5000")));
    assert_int_equal(*map_put(&map, BYTES("k12"), NULL), 12);
    map_reset(&map);
    assert_null(map_get(&map, BYTES("k77")));
    map_clear(&map);
}

static void
test_decoder__never_reads_past_the_end(void **state)
{
    (void)state;
    struct buf buf = {0};
    buf_append_varint(&buf, 300);
    buf_append_varint(&buf, UINT64_MAX);
    buf_append_be64(&buf, 0x0102030405060708u);
    struct decoder decoder = decoder_init(buf_bytes(&buf));
    assert_int_equal(decoder_varint(&decoder), 300);
    assert_true(decoder_varint(&decoder) == UINT64_MAX);
    assert_true(decoder_be64(&decoder) == 0x0102030405060708u);
    assert_true(decoder_done(&decoder));
    assert_int_equal(decoder_byte(&decoder), 0);
    assert_true(decoder.failed);
    for (size_t len = 0; len < buf.len; len++) {
        decoder = decoder_init(bytes_slice(buf_bytes(&buf), 0, len));
        decoder_varint(&decoder);
        decoder_varint(&decoder);
        decoder_be64(&decoder);
        assert_true(decoder.failed);
    }
    buf_clear(&buf);
}

struct relay {
    struct queue queue;
    atomic_uint sum;
};

static void
relay_work(void *shared, size_t index)
{
    struct relay *relay = shared;
    static unsigned items[1000];
    if (index == 0) {
        for (unsigned i = 0; i < 1000; i++) {
            items[i] = i;
            assert_true(queue_put(&relay->queue, &items[i]));
        }
        queue_close(&relay->queue);
    }
    unsigned *item;
    while ((item = queue_take(&relay->queue)) != NULL)
        atomic_fetch_add(&relay->sum, *item);
}

static void
test_queue__every_item_is_taken_once(void **state)
{
    (void)state;
    struct relay relay = {0};
    /* Room for all: where the system grants no second thread the first one puts them alone. */
    assert_int_equal(queue_init(&relay.queue, 1000), 0);
    thread_pool_run(4, relay_work, &relay);
    assert_int_equal(relay.sum, 999 * 1000 / 2);
    assert_false(queue_put(&relay.queue, &relay));
    queue_clear(&relay.queue);
}

static void
test_oid__hex_both_ways(void **state)
{
    (void)state;
    struct oid oid;
    char hex[OID_HEX_SIZE];
    assert_int_equal(oid_from_hex(BYTES("E69de29bb2d1d6434b8b29ae775ad8c2e48c5391"), &oid), 0);
    assert_string_equal(oid_to_hex(&oid, hex), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
    assert_int_equal(oid_from_hex(BYTES("e69de29bb2d1d6434b8b29ae775ad8c2e48c539"), &oid), -1);
    assert_int_equal(oid_from_hex(BYTES("g69de29bb2d1d6434b8b29ae775ad8c2e48c5391"), &oid), -1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arena__aligned_zeroed_and_bounded_after_reset),
        cmocka_unit_test(test_bytes_take_line__each_line_once_the_last_without_an_end_too),
        cmocka_unit_test(test_map__keeps_order_and_finds_every_key),
        cmocka_unit_test(test_decoder__never_reads_past_the_end),
        cmocka_unit_test(test_queue__every_item_is_taken_once),
        cmocka_unit_test(test_oid__hex_both_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
