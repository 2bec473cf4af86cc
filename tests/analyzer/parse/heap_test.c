/* The heap behind tree-sitter's hooks: blocks are used again, strangers are let be, the end is
 * clean. */
#define TREE_SITTER_REUSE_ALLOCATOR
#include <tree_sitter/alloc.h>

#include "analyzer/parse/heap.h"
#include "base/base.h"
#include "cmocka_all.h"

static int
setup_heap(void **state)
{
    struct err err;
    parse_heap_install();
    return parse_heap_create((struct parse_heap **)state, &err);
}

static int
teardown_heap(void **state)
{
    parse_heap_destroy(*state);
    return 0;
}

static bool
is_filled(const uint8_t *data, size_t size, uint8_t byte)
{
    for (size_t i = 0; i < size; i++)
        if (data[i] != byte)
            return false;
    return true;
}

static void
take_all_sizes(void *context)
{
    uint8_t **blocks = context;
    for (size_t size = 0; size < 3000; size++) {
        blocks[size] = ts_malloc(size);
        assert_int_equal((uintptr_t)blocks[size] % 16, 0);
        memset(blocks[size], (int)(size % 251), size);
    }
    for (size_t size = 0; size < 3000; size++)
        assert_true(is_filled(blocks[size], size, (uint8_t)(size % 251)));
}

static void
test_parse_heap__blocks_do_not_overlap(void **state)
{
    static uint8_t *blocks[3000];
    assert_true(parse_heap_run(*state, take_all_sizes, blocks));
}

/* An array that grows while others come and go, as those of a parser do. */
static void
churn(void *context)
{
    (void)context;
    uint8_t *array = NULL;
    for (size_t size = 1; size < 100000; size += 1 + size / 16) {
        array = ts_realloc(array, size);
        memset(array, 7, size);
        for (size_t i = 0; i < 50; i++) {
            uint8_t *scratch = ts_calloc(1, 40 + i * 30);
            assert_true(is_filled(scratch, 40 + i * 30, 0));
            memset(scratch, 1, 40 + i * 30);
            ts_free(scratch);
        }
        assert_true(is_filled(array, size, 7));
    }
}

static void
test_parse_heap__freed_blocks_are_used_again(void **state)
{
    assert_true(parse_heap_run(*state, churn, NULL));
    size_t peak = parse_heap_peak(*state);
    assert_true(peak < 2 << 20);
    for (int i = 0; i < 10; i++)
        assert_true(parse_heap_run(*state, churn, NULL));
    assert_int_equal(parse_heap_peak(*state), peak);
}

static void
meet_strangers(void *context)
{
    uint8_t **strangers = context;
    ts_free(strangers[0]);
    strangers[1] = ts_realloc(strangers[1], 5000);
    ts_free(NULL);
}

static void
test_parse_heap__memory_from_before_is_freed_and_resized(void **state)
{
    uint8_t *strangers[2] = {ts_malloc(100), ts_malloc(100)};
    memset(strangers[1], 3, 100);
    assert_true(parse_heap_run(*state, meet_strangers, strangers));
    assert_true(is_filled(strangers[1], 100, 3));
    memset(strangers[1], 4, 5000);
    ts_free(strangers[1]);
}

static void
take_too_much(void *context)
{
    size_t *n_taken = context;
    for (;; ++*n_taken)
        ts_malloc(1 << 20);
}

static void
take_one_huge(void *context)
{
    (void)context;
    ts_calloc(SIZE_MAX / 2, 3);
}

static void
test_parse_heap__used_up_ends_the_run_and_no_more(void **state)
{
    size_t n_taken = 0;
    static uint8_t *blocks[3000];
    assert_false(parse_heap_run(*state, take_too_much, &n_taken));
    assert_true(n_taken > PARSE_HEAP_BYTES / (2 << 20));
    assert_true(n_taken <= PARSE_HEAP_BYTES / (1 << 20));
    assert_false(parse_heap_run(*state, take_one_huge, NULL));
    assert_true(parse_heap_run(*state, take_all_sizes, blocks));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_parse_heap__blocks_do_not_overlap, setup_heap,
                                        teardown_heap),
        cmocka_unit_test_setup_teardown(test_parse_heap__freed_blocks_are_used_again, setup_heap,
                                        teardown_heap),
        cmocka_unit_test_setup_teardown(test_parse_heap__memory_from_before_is_freed_and_resized,
                                        setup_heap, teardown_heap),
        cmocka_unit_test_setup_teardown(test_parse_heap__used_up_ends_the_run_and_no_more,
                                        setup_heap, teardown_heap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
