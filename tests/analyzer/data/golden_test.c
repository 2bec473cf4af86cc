/*
 * The bytes that stores hold, for each schema of facts that is still read and for hits.
 *
 * Bytes are in hex.  They were printed by the program that first wrote the schema and never change:
 * a test that differs has found facts of stores that are read wrongly.
 */
#include <stdio.h>

#include "../run.h"
#include "analyzer/counters.h"

/* A callable "f" on lines 3 to 9 in which counter I is I + 1 and its own count is I, nothing else.
 */
static const char *const every_counter[] = {
    [4] = "040000000000040000000000000001040166030600ffffffff011718191a1b1c1d010203040506070809"
          "0a0b0c0d0e0f10111213141516ffffffff01161718191a1b1c000102030405060708090a0b0c0d0e0f10"
          "1112131415000000",
};

/* The facts of SOURCE. */
static const char *const whole_file[] = {
    [4] = "040400df01057574662d3800000c000b01010901020b02020601040109016605070807e1898801010101"
          "01010101030102021610050708073f0106070602120003040304040203abc227fdb1a3cf712e7344ccd5"
          "cd1f2e39f28dcd2880e706956ff89f664d763ba03ba803b266f0d711cf100403d4cc84e5c089ca2131df"
          "39fbda689d6bdd6947",
};

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
                             "            print(b, [c for c in b if c])\n"
                             "            continue\n";

/* XXH3-128 of what facts depend on, with the default limits: parsed without and with a heap. */
static const char *const fingerprints[][2] = {
    [4] = {"b55ee0b91f049a620e167848bcd5f890", "2620f8cd9f97fdb6d2b6e1ab9b6e3976"},
};

/* A schema without bytes here does not compile: an initialiser of schema N makes N + 1 elements. */
#define HAS_GOLDEN_BYTES(schema, n_counters)                                  \
    _Static_assert(sizeof(every_counter) / sizeof(*every_counter) > schema && \
                       sizeof(whole_file) / sizeof(*whole_file) > schema &&   \
                       sizeof(fingerprints) / sizeof(*fingerprints) > schema, \
                   "add the bytes of schema " #schema);
FACTS_SCHEMAS(HAS_GOLDEN_BYTES)

static const struct {
    uint8_t schema;
    int n_counters;
} schemas[] = {
#define SCHEMA(schema, n_counters) {schema, n_counters},
    FACTS_SCHEMAS(SCHEMA)
#undef SCHEMA
};

enum { N_SCHEMAS = sizeof(schemas) / sizeof(*schemas) };

struct box {
    struct arena arena;
    struct buf bytes;
    struct buf hex;
};

static void
box_clear(struct box *box)
{
    arena_clear(&box->arena);
    buf_clear(&box->bytes);
    buf_clear(&box->hex);
}

/* The bytes in HEX, good until the next call. */
static struct bytes
from_hex(struct box *box, const char *hex)
{
    assert_non_null(hex);
    assert_true(strlen(hex) > 0 && strlen(hex) % 2 == 0);
    buf_reset(&box->bytes);
    for (; *hex; hex += 2) {
        unsigned byte;
        assert_int_equal(sscanf(hex, "%2x", &byte), 1);
        buf_append_byte(&box->bytes, (uint8_t)byte);
    }
    return buf_bytes(&box->bytes);
}

static void
assert_hex(struct box *box, struct bytes actual, const char *expected)
{
    buf_reset(&box->hex);
    for (size_t i = 0; i < actual.len; i++)
        buf_printf(&box->hex, "%02x", actual.data[i]);
    buf_append_byte(&box->hex, 0);
    assert_string_equal((const char *)box->hex.data, expected);
}

static struct facts
decode(struct box *box, const char *hex)
{
    struct facts facts;
    struct err err;
    if (facts_decode(from_hex(box, hex), &box->arena, &facts, &err) < 0)
        fail_msg("%s", err.text);
    return facts;
}

/* Every schema that is read gives each counter its own value; those it does not know are 0. */
static void
test_golden_facts__counters_of_every_schema_keep_their_places(void **state)
{
    (void)state;
    struct box box = {0};
    for (size_t s = 0; s < N_SCHEMAS; s++) {
        struct facts facts = decode(&box, every_counter[schemas[s].schema]);
        assert_int_equal(box.bytes.data[0], schemas[s].schema);
        assert_int_equal(facts.n_callables, 1);
        const struct callable *f = facts.callables;
        assert_int_equal(f->start_line, 3);
        assert_int_equal(f->end_line, 9);
        for (int i = 0; i < COUNT_N; i++) {
            bool is_known = i < schemas[s].n_counters;
            if (f->all[i] != (is_known ? (uint32_t)i + 1 : 0) ||
                f->own[i] != (is_known ? (uint32_t)i : 0))
                fail_msg("schema %d: %s is %u, %u", schemas[s].schema,
                         counter_name((enum counter)i), f->all[i], f->own[i]);
        }
    }
    box_clear(&box);
}

static void
test_golden_facts__counters_are_written_as_ever(void **state)
{
    (void)state;
    struct box box = {0};
    struct buf out = {0};
    struct callable f = {.name = BYTES("f"), .start_line = 3, .end_line = 9};
    for (uint32_t i = 0; i < COUNT_N; i++) {
        f.all[i] = i + 1;
        f.own[i] = i;
    }
    const struct facts facts = {.callables = &f, .n_callables = 1};
    facts_encode(&facts, &out);
    assert_hex(&box, buf_bytes(&out), every_counter[FACTS_SCHEMA]);
    buf_clear(&out);
    box_clear(&box);
}

/* From the text of a file to bytes; facts of older schemas are read as what they were. */
static void
test_golden_facts__a_file_is_written_as_ever_and_read(void **state)
{
    struct box box = {0};
    struct buf out = {0};
    struct facts facts = facts_of(state, bytes_of_text(source));
    facts_encode(&facts, &out);
    assert_hex(&box, buf_bytes(&out), whole_file[FACTS_SCHEMA]);
    for (size_t s = 0; s < N_SCHEMAS; s++) {
        facts = decode(&box, whole_file[schemas[s].schema]);
        assert_string_equal(facts.encoding, "utf-8");
        assert_int_equal(facts.physical_lines, 12);
        assert_int_equal(facts.n_callables, 1);
        assert_int_equal(facts.callables[0].all[COUNT_COMP_IF], 1);
        assert_int_equal(facts.callables[0].all[COUNT_CALL], 1);
        assert_int_equal(facts.callables[0].all[COUNT_WHILE], 0);
    }
    buf_clear(&out);
    box_clear(&box);
}

static void
test_golden_facts__another_schema_is_refused_by_its_number(void **state)
{
    (void)state;
    struct box box = {0};
    for (unsigned schema = 0; schema < 256; schema++) {
        struct facts facts;
        struct err err;
        char number[24];
        bool is_read = false;
        for (size_t s = 0; s < N_SCHEMAS; s++)
            is_read |= schemas[s].schema == schema;
        if (is_read)
            continue;
        struct bytes bytes = from_hex(&box, every_counter[FACTS_SCHEMA]);
        box.bytes.data[0] = (uint8_t)schema;
        assert_int_equal(facts_decode(bytes, &box.arena, &facts, &err), -1);
        assert_int_equal(err.code, ERR_UNSUPPORTED);
        snprintf(number, sizeof(number), "facts of version %u,", schema);
        assert_non_null(strstr(err.text, number));
    }
    box_clear(&box);
}

/* A counter that the schema does not have is damage, not a count of something else. */
static void
test_golden_facts__a_counter_unknown_to_the_schema_is_damage(void **state)
{
    (void)state;
    struct box box = {0};
    struct buf out = {0};
    for (size_t s = 0; s < N_SCHEMAS; s++) {
        struct facts facts;
        struct err err;
        const struct bytes before = BYTES("\0\0\5\0\0\0\0\0\0\0\0\0\0\0\1\3\1f\3\6\0");
        buf_reset(&out);
        buf_append_byte(&out, schemas[s].schema);
        buf_append_bytes(&out, before);
        buf_append_varint(&out, UINT64_C(1) << schemas[s].n_counters);
        buf_append_bytes(&out, BYTES("\1\0\0\0"));
        assert_int_equal(facts_decode(buf_bytes(&out), &box.arena, &facts, &err), -1);
        assert_int_equal(err.code, ERR_DAMAGED);
    }
    buf_clear(&out);
    box_clear(&box);
}

static void
test_golden_fingerprint__facts_of_stores_are_found_again(void **state)
{
    (void)state;
    struct box box = {0};
    const struct analyzer_limits limits = analyzer_limits_default();
    struct fingerprint print = analyzer_fingerprint(&limits);
    struct buf hex = {0};
    for (size_t i = 0; i < sizeof(print.bytes); i++)
        buf_printf(&hex, "%02x", print.bytes[i]);
    buf_append_byte(&hex, 0);
    const char *const *expected = fingerprints[FACTS_SCHEMA];
    if (strcmp((char *)hex.data, expected[0]) != 0)
        assert_string_equal((char *)hex.data, expected[1]);
    buf_clear(&hex);
    box_clear(&box);
}

static void
test_golden_hits__are_written_as_ever_and_read(void **state)
{
    (void)state;
    static const char golden[] = "010200020301050000c30102ab020700";
    static const struct hit hits[] = {
        {.rule = 1, .start_line = 5, .end_line = 5},
        {.rule = 1, .start_line = 200, .end_line = 202},
        {.rule = 300, .start_line = 7, .end_line = 7},
    };
    static const uint32_t gave_up[] = {0, 2};
    const struct hit_list list = {hits, 3, gave_up, 2};
    struct box box = {0};
    struct buf out = {0};
    struct hit_list back;
    struct err err;
    hits_encode(&list, &out);
    assert_hex(&box, buf_bytes(&out), golden);
    assert_int_equal(hits_decode(from_hex(&box, golden), 301, &box.arena, &back, &err), 0);
    assert_int_equal(back.n_hits, 3);
    assert_int_equal(back.n_gave_up, 2);
    assert_int_equal(back.gave_up[1], 2);
    for (uint32_t i = 0; i < back.n_hits; i++) {
        assert_int_equal(back.hits[i].rule, hits[i].rule);
        assert_int_equal(back.hits[i].start_line, hits[i].start_line);
        assert_int_equal(back.hits[i].end_line, hits[i].end_line);
    }
    out.data[0]++;
    assert_int_equal(hits_decode(buf_bytes(&out), 301, &box.arena, &back, &err), -1);
    assert_int_equal(err.code, ERR_UNSUPPORTED);
    buf_clear(&out);
    box_clear(&box);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden_facts__counters_of_every_schema_keep_their_places),
        cmocka_unit_test(test_golden_facts__counters_are_written_as_ever),
        cmocka_unit_test(test_golden_facts__a_file_is_written_as_ever_and_read),
        cmocka_unit_test(test_golden_facts__another_schema_is_refused_by_its_number),
        cmocka_unit_test(test_golden_facts__a_counter_unknown_to_the_schema_is_damage),
        cmocka_unit_test(test_golden_fingerprint__facts_of_stores_are_found_again),
        cmocka_unit_test(test_golden_hits__are_written_as_ever_and_read),
    };
    return cmocka_run_group_tests(tests, setup_analyzer, teardown_analyzer);
}
