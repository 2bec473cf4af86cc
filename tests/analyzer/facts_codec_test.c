#include "run.h"

static const char source[] = "# coding: utf-8\n"
                             "import os\n"
                             "class C:\n"
                             "    @deco\n"
                             "    def f(self, a):\n"
                             "        if a:\n"
                             "            x = f'''{a}\n"
                             "            '''\n"
                             "            return x\n"
                             "        for b in a:\n"
                             "            print(b)\n"
                             "            continue\n";

static void
encode_sample(void **state, struct buf *out)
{
    struct facts facts = FACTS("");
    facts = facts_of(state, bytes_of_text(source));
    assert_int_equal(facts.n_callables, 1);
    assert_true(facts.n_clones > 0);
    assert_true(facts.sloc[FSTRING_ONE].n_lines < facts.sloc[FSTRING_PARTS].n_lines);
    facts_encode(&facts, out);
}

static void
test_analyzer_facts__decoded_and_encoded_again_are_the_same_bytes(void **state)
{
    struct buf first = {0};
    struct buf second = {0};
    struct arena arena;
    struct facts facts;
    struct err err;
    arena_init(&arena, 0);
    encode_sample(state, &first);
    assert_int_equal(facts_decode(buf_bytes(&first), &arena, &facts, &err), 0);
    assert_int_equal(facts.callables[0].flags,
                     CALLABLE_METHOD | CALLABLE_DECORATED | CALLABLE_REACHABLE);
    assert_int_equal(facts.callables[0].all[COUNT_CONTINUE], 1);
    facts_encode(&facts, &second);
    assert_true(bytes_equal(buf_bytes(&first), buf_bytes(&second)));
    buf_clear(&first);
    buf_clear(&second);
    arena_clear(&arena);
}

static void
test_analyzer_facts__skipped_ones_keep_reason_and_size(void **state)
{
    struct buf encoded = {0};
    struct arena arena;
    struct facts facts = FACTS("x = '\0'");
    struct err err;
    arena_init(&arena, 0);
    facts_encode(&facts, &encoded);
    assert_int_equal(facts_decode(buf_bytes(&encoded), &arena, &facts, &err), 0);
    assert_int_equal(facts.skipped, SKIP_NUL);
    assert_int_equal(facts.n_bytes, 7);

    facts = (struct facts){.skipped = SKIP_TOO_LARGE, .n_bytes = 5000000}; /* never read */
    buf_reset(&encoded);
    facts_encode(&facts, &encoded);
    assert_int_equal(facts_decode(buf_bytes(&encoded), &arena, &facts, &err), 0);
    assert_int_equal(facts.skipped, SKIP_TOO_LARGE);
    assert_string_equal(facts.encoding, "");
    buf_clear(&encoded);
    arena_clear(&arena);
}

static void
test_analyzer_facts__damaged_bytes_are_refused_or_decode_bounded(void **state)
{
    struct buf encoded = {0};
    struct arena arena;
    struct facts facts;
    struct err err;
    arena_init(&arena, 0);
    encode_sample(state, &encoded);
    for (size_t len = 0; len < encoded.len; len++) {
        arena_reset(&arena);
        struct bytes cut = bytes_slice(buf_bytes(&encoded), 0, len);
        assert_int_equal(facts_decode(cut, &arena, &facts, &err), -1);
        assert_int_equal(err.code, ERR_DAMAGED);
    }
    for (size_t at = 0; at < encoded.len; at++) {
        for (int bit = 0; bit < 8; bit++) {
            arena_reset(&arena);
            encoded.data[at] ^= (uint8_t)(1 << bit);
            facts_decode(buf_bytes(&encoded), &arena, &facts, &err);
            assert_true(arena.used_bytes < 1 << 20);
            encoded.data[at] ^= (uint8_t)(1 << bit);
        }
    }
    buf_clear(&encoded);
    arena_clear(&arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_analyzer_facts__decoded_and_encoded_again_are_the_same_bytes),
        cmocka_unit_test(test_analyzer_facts__skipped_ones_keep_reason_and_size),
        cmocka_unit_test(test_analyzer_facts__damaged_bytes_are_refused_or_decode_bounded),
    };
    return cmocka_run_group_tests(tests, setup_analyzer, teardown_analyzer);
}
