#include <stdlib.h>

#include "base/array.h"
#include "cmocka_all.h"

struct item {
    uint64_t a;
    uint32_t b;
};

static void
test_array_reserve__keeps_what_was_there(void **state)
{
    (void)state;
    struct item *items = NULL;
    size_t n = 0, capacity = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        assert_true(ARRAY_RESERVE(items, n, capacity, 1));
        assert_true(n < capacity);
        items[n++] = (struct item){i, i + 1};
    }
    for (uint32_t i = 0; i < 1000; i++)
        assert_true(items[i].a == i && items[i].b == i + 1);
    free(items);
}

static void
test_array_reserve__of_enough_room_does_nothing(void **state)
{
    (void)state;
    uint16_t *items = NULL;
    uint32_t capacity = 0;
    size_t none = 0;
    assert_true(ARRAY_RESERVE(items, 0, capacity, none));
    assert_null(items);
    assert_true(ARRAY_RESERVE(items, 0, capacity, 3000));
    assert_true(capacity >= 3000);
    const uint16_t *before = items;
    uint32_t capacity_before = capacity;
    assert_true(ARRAY_RESERVE(items, 2000, capacity, capacity - 2000));
    assert_ptr_equal(items, before);
    assert_int_equal(capacity, capacity_before);
    assert_true(ARRAY_RESERVE(items, capacity_before, capacity, 1));
    assert_true(capacity >= 2 * capacity_before);
    free(items);
}

static void
test_array_reserve__in_an_arena_is_aligned(void **state)
{
    (void)state;
    struct arena arena;
    struct item *items = NULL;
    uint32_t n = 0, capacity = 0;
    arena_init(&arena, 0);
    for (uint32_t i = 0; i < 100; i++) {
        assert_non_null(arena_alloc_raw(&arena, 1, 1));
        assert_true(ARRAY_RESERVE_IN(&arena, items, n, capacity, 1));
        assert_true((uintptr_t)items % _Alignof(struct item) == 0);
        items[n++] = (struct item){i, 0};
    }
    for (uint32_t i = 0; i < 100; i++)
        assert_true(items[i].a == i);
    arena_clear(&arena);
}

/* Numbers whose bytes or sum cannot be counted are refused before any memory is taken. */
static void
test_array_reserve__refuses_what_cannot_be_counted(void **state)
{
    (void)state;
    struct item *items = NULL;
    size_t capacity = 0;
    uint32_t small = 0;
    assert_false(ARRAY_RESERVE(items, 0, capacity, SIZE_MAX));
    assert_false(ARRAY_RESERVE(items, 0, capacity, PTRDIFF_MAX / sizeof(*items) + 1));
    assert_false(ARRAY_RESERVE(items, 0, small, (size_t)UINT32_MAX + 1));
    assert_true(!items && capacity == 0 && small == 0);
    assert_true(ARRAY_RESERVE(items, 0, small, 5));
    assert_false(ARRAY_RESERVE(items, 5, small, (size_t)UINT32_MAX - 4));
    assert_non_null(items);
    assert_true(small >= 5 && small < 100);
    free(items);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_array_reserve__keeps_what_was_there),
        cmocka_unit_test(test_array_reserve__of_enough_room_does_nothing),
        cmocka_unit_test(test_array_reserve__in_an_arena_is_aligned),
        cmocka_unit_test(test_array_reserve__refuses_what_cannot_be_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
