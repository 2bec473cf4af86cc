#include "analyzer/engine/literals.h"

#include "base/base.h"
#include "cmocka_all.h"

static const char *const texts[] = {"==",      "get",         "    if ", "\n    if ", "if ",
                                    "return ", "\n\nreturn ", "[]",      "getter",    "aaa"};

enum { N_TEXTS = sizeof(texts) / sizeof(texts[0]) };

static uint32_t
count_one_by_one(struct bytes source, struct bytes text, size_t from, size_t to)
{
    uint32_t n = 0;
    for (size_t i = from; i + text.len <= to; i++)
        n += bytes_equal(bytes_slice(source, i, i + text.len), text);
    return n;
}

static void
assert_counts(const struct literal_set *set, struct bytes source)
{
    struct literal_index index;
    struct arena arena;
    arena_init(&arena, 0);
    assert_int_equal(literal_index_build(set, source, &arena, &index), 0);
    for (uint32_t i = 0; i < N_TEXTS; i++) {
        struct bytes text = bytes_of_text(texts[i]);
        uint32_t from = (uint32_t)source.len / 3, to = (uint32_t)source.len / 3 * 2;
        assert_int_equal(literal_count(&index, i), count_one_by_one(source, text, 0, source.len));
        assert_int_equal(literal_count_within(&index, i, from, to, UINT32_MAX),
                         count_one_by_one(source, text, from, to));
    }
    arena_clear(&arena);
}

static void
test_literals__are_found_wherever_they_are(void **state)
{
    (void)state;
    static const char *const pieces[] = {"==", "get", "ter", "    ", "if ", "\n", "return ",
                                         "[",  "]",   "a",   "aa",   "x",   " ",  "="};
    struct literal_set set;
    struct buf source = {0};
    uint32_t seed = 1;
    bool failed = false;
    literal_set_init(&set);
    for (uint32_t i = 0; i < N_TEXTS; i++)
        assert_int_equal(literal_set_put(&set, bytes_of_text(texts[i]), &failed), i);
    assert_int_equal(literal_set_build(&set), 0);
    for (unsigned round = 0; round < 300; round++) {
        buf_reset(&source);
        for (unsigned i = 0; i < round; i++) {
            seed = seed * 1664525 + 1013904223;
            buf_append_text(&source, pieces[(seed >> 8) % 14]);
        }
        assert_counts(&set, buf_bytes(&source));
    }
    assert_false(failed);
    buf_clear(&source);
    literal_set_clear(&set);
}

static void
test_literals__short_and_blank_ones_are_not_looked_for(void **state)
{
    (void)state;
    struct literal_set set;
    bool failed = false;
    literal_set_init(&set);
    assert_int_equal(literal_set_put(&set, BYTES("in"), &failed), LITERAL_NONE);
    assert_int_equal(literal_set_put(&set, BYTES("    "), &failed), LITERAL_NONE);
    assert_int_equal(literal_set_put(&set, BYTES("    x"), &failed), LITERAL_NONE);
    assert_int_equal(literal_set_put(&set, BYTES("!="), &failed), 0);
    assert_false(failed);
    literal_set_clear(&set);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_literals__are_found_wherever_they_are),
        cmocka_unit_test(test_literals__short_and_blank_ones_are_not_looked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
