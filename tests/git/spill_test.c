#include <stdlib.h>

#include "cmocka_all.h"

#include "git/id_map.h"

/* So many that most are in the file. */
enum { N_ITEMS = 200 * 1000 };

static struct oid
id_of(uint32_t i)
{
    struct oid id = {.len = OID_SHA1_BYTES};
    memcpy(id.id, &i, sizeof(i));
    return id;
}

static void
test_spill__items_in_memory_and_beyond_it(void **state)
{
    (void)state;
    struct spill spill;
    struct err err;
    uint64_t item;
    spill_init(&spill, sizeof(item));
    for (uint64_t i = 0; i < N_ITEMS; i++)
        assert_int_equal(spill_add(&spill, &i, &err), 0);
    for (uint64_t i = 0; i < N_ITEMS; i += 7) {
        item = i * i;
        assert_int_equal(spill_put(&spill, i, &item, &err), 0);
    }
    for (uint64_t i = 0; i < N_ITEMS; i++) {
        assert_int_equal(spill_get(&spill, i, &item, &err), 0);
        assert_true(item == (i % 7 == 0 ? i * i : i));
    }
    assert_true(spill.front_bytes <= SPILL_MEMORY_BYTES);
    assert_true(spill.fd >= 0);
    spill_clear(&spill);
}

static void
test_spill__few_items_make_no_file(void **state)
{
    (void)state;
    struct spill spill;
    struct err err;
    uint64_t item = 1;
    spill_init(&spill, sizeof(item));
    for (int i = 0; i < 1000; i++)
        assert_int_equal(spill_add(&spill, &item, &err), 0);
    assert_true(spill.fd < 0);
    assert_true(spill.front_bytes <= 16 * 1024);
    spill_clear(&spill);
}

static void
test_spill_extend__new_items_are_zero(void **state)
{
    (void)state;
    struct spill spill;
    struct err err;
    uint32_t item = 1;
    spill_init(&spill, sizeof(item));
    assert_int_equal(spill_add(&spill, &item, &err), 0);
    assert_int_equal(spill_extend(&spill, N_ITEMS, &err), 0);
    for (size_t i = 1; i < N_ITEMS; i++) {
        assert_int_equal(spill_get(&spill, i, &item, &err), 0);
        assert_int_equal(item, 0);
    }
    spill_clear(&spill);
}

static void
test_spill__no_folder_for_the_file_is_an_error(void **state)
{
    (void)state;
    struct spill spill;
    struct err err;
    char block[SPILL_MEMORY_BYTES / 2] = {0};
    const char *before = getenv("TMPDIR");
    char *kept = before ? strdup(before) : NULL;
    setenv("TMPDIR", "/nonexistent", 1);
    spill_init(&spill, sizeof(block));
    assert_int_equal(spill_add(&spill, block, &err), 0);
    assert_int_equal(spill_add(&spill, block, &err), 0);
    assert_int_equal(spill_add(&spill, block, &err), -1);
    assert_non_null(strstr(err.text, "/nonexistent"));
    assert_int_equal(spill.n_items, 2);
    spill_clear(&spill);
    if (kept)
        setenv("TMPDIR", kept, 1);
    else
        unsetenv("TMPDIR");
    free(kept);
}

static void
test_id_map__numbers_of_many_ids(void **state)
{
    (void)state;
    enum { N_IDS = 20 * 1000 };
    struct id_map map;
    struct err err;
    uint32_t number;
    id_map_init(&map);
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < N_IDS; i++) {
            struct oid id = id_of(i);
            assert_int_equal(id_map_set(&map, &id, i + (uint32_t)round, &err), 0);
        }
    assert_int_equal(map.n_ids, N_IDS);
    for (uint32_t i = 0; i < 2 * N_IDS; i++) {
        struct oid id = id_of(i);
        int found = id_map_get(&map, &id, &number, &err);
        assert_int_equal(found, i < N_IDS);
        if (found)
            assert_int_equal(number, i + 1);
    }
    id_map_clear(&map);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spill__items_in_memory_and_beyond_it),
        cmocka_unit_test(test_spill__few_items_make_no_file),
        cmocka_unit_test(test_spill_extend__new_items_are_zero),
        cmocka_unit_test(test_spill__no_folder_for_the_file_is_an_error),
        cmocka_unit_test(test_id_map__numbers_of_many_ids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
