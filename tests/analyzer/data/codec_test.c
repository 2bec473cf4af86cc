#include "../run.h"

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

/* A number of zero to WIDTH bits, all widths being as likely. */
static uint32_t
number(uint64_t *seed, uint32_t width)
{
    *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407;
    uint32_t bits = (uint32_t)(*seed >> 58) % (width + 1);
    return bits ? (uint32_t)(*seed >> 20) >> (32 - bits) : 0;
}

/* Short forms, long ones, and every number of counters, as no real file has them. */
static struct callable
any_callable(uint64_t *seed)
{
    struct callable out = {.name = BYTES("f")};
    out.start_line = number(seed, 20);
    out.end_line = out.start_line + number(seed, 20);
    out.sloc[FSTRING_PARTS] = number(seed, 32);
    out.sloc[FSTRING_ONE] = number(seed, 1) ? out.sloc[FSTRING_PARTS] : number(seed, 32);
    out.text_lines = number(seed, 1) ? out.sloc[FSTRING_PARTS] : number(seed, 8);
    uint32_t mask = number(seed, COUNT_N);
    for (int i = 0; i < COUNT_N; i++)
        out.all[i] = out.own[i] = mask >> i & 1 ? number(seed, number(seed, 6) % 33) : 0;
    if (number(seed, 2) > 1)
        out.own[number(seed, 4)] = number(seed, 9);
    out.cognitive = number(seed, 2) > 1 ? number(seed, 32) : 0;
    out.max_nesting = out.cognitive ? number(seed, 8) : 0;
    out.n_statements = number(seed, 9);
    out.n_parameters = number(seed, 7);
    out.flags = number(seed, 7);
    return out;
}

static void
test_analyzer_facts__numbers_of_any_size_come_back(void **state)
{
    (void)state;
    struct arena arena;
    struct err err;
    struct buf encoded = {0};
    arena_init(&arena, 0);
    for (uint64_t seed = 1, round = 0; round < 2000; round++) {
        struct callable callable = any_callable(&seed);
        struct clone_candidate clone = {.hash = {seed, ~seed},
                                        .kind = CLONE_KIND_BODY,
                                        .definition = CLONE_FUNCTION_BODY,
                                        .start_line = callable.start_line,
                                        .end_line = callable.end_line,
                                        .sloc = {callable.sloc[0], callable.sloc[1]},
                                        .n_statements = callable.n_statements};
        struct facts facts = {
            .callables = &callable, .n_callables = 1, .clones = &clone, .n_clones = round % 2};
        struct facts back;
        buf_reset(&encoded);
        arena_reset(&arena);
        facts_encode(&facts, &encoded);
        assert_int_equal(facts_decode(buf_bytes(&encoded), &arena, &back, &err), 0);
        callable.name.data = back.callables->name.data;
        assert_memory_equal(back.callables, &callable, sizeof(callable));
        if (facts.n_clones)
            assert_memory_equal(back.clones, &clone, offsetof(struct clone_candidate, kind) + 1);
    }
    buf_clear(&encoded);
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
        cmocka_unit_test(test_analyzer_facts__numbers_of_any_size_come_back),
        cmocka_unit_test(test_analyzer_facts__skipped_ones_keep_reason_and_size),
        cmocka_unit_test(test_analyzer_facts__damaged_bytes_are_refused_or_decode_bounded),
    };
    return cmocka_run_group_tests(tests, setup_analyzer, teardown_analyzer);
}
