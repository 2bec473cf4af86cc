/*
 * The bytes of records.  A store lives longer than a program, so these bytes may never change: a
 * field that is added needs a new schema, and the bytes of every schema that is still read stay
 * here.
 */
#include <stdio.h>

#include "cmocka_all.h"
#include "store/record.h"

#define TEXT(literal)                                   \
    {                                                   \
        (const uint8_t *)(literal), sizeof(literal) - 1 \
    }
static struct store_note notes[] = {{TEXT("a.py"), TEXT("why")}};

/* ---- Golden bytes -------------------------------------------------------------------------- */

static const char trajectory_hex[] = "0668756d616e0275010100056d61696e14abcd00000000000000000000000"
                                     "0000000000000037b7d02ac02050105612e707904776879";
static const char checkpoint_2_hex[] =
    "0363300103005a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a02035b5d000105612e707904776879";
static const char checkpoint_3_hex[] =
    "0363300103005a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a02035b5d000105612e707904776879028001";
static const char rule_hex[] = "02720568696e74000669643a2072";

static struct bytes
from_hex(const char *hex, uint8_t out[512])
{
    size_t n = strlen(hex) / 2;
    assert_true(n <= 512);
    for (size_t i = 0; i < n; i++) {
        unsigned byte;
        assert_int_equal(sscanf(hex + 2 * i, "%2x", &byte), 1);
        out[i] = (uint8_t)byte;
    }
    return (struct bytes){out, n};
}

/* Is OUT, which it clears, what HEX says? */
static void
assert_bytes(struct buf *out, const char *hex)
{
    char found[1024] = "";
    assert_true(!buf_failed(out) && out->len < sizeof(found) / 2);
    for (size_t i = 0; i < out->len; i++)
        snprintf(found + 2 * i, 3, "%02x", out->data[i]);
    assert_string_equal(found, hex);
    buf_clear(out);
}

static struct store_trajectory
trajectory(void)
{
    static const uint8_t head[OID_SHA1_BYTES] = {0xab, 0xcd};
    return (struct store_trajectory){.kind = BYTES("human"),
                                     .origin = BYTES("u"),
                                     .stars = -1,
                                     .as_of = BYTES(""),
                                     .ref = BYTES("main"),
                                     .head = oid_from_raw(head, sizeof(head)),
                                     .params = BYTES("{}"),
                                     .status = STORE_STATUS_PARTIAL,
                                     .n_checkpoints = 300,
                                     .n_commits = 5,
                                     .notes = notes,
                                     .n_notes = 1};
}

static struct store_checkpoint
checkpoint(enum store_author_date author_date)
{
    struct store_checkpoint c = {.name = BYTES("c0"),
                                 .has_time = true,
                                 .time_s = -2,
                                 .n_parents = 2,
                                 .markers = BYTES("[]"),
                                 .author_date = author_date,
                                 .author_time_s = author_date == STORE_AUTHOR_DATE ? 64 : 0,
                                 .notes = notes,
                                 .n_notes = 1};
    memset(c.listing.bytes, 0x5a, sizeof(c.listing.bytes));
    return c;
}

static void
test_record_put__bytes_stay_what_they_are(void **state)
{
    (void)state;
    struct store_trajectory t = trajectory();
    struct store_checkpoint c2 = checkpoint(STORE_AUTHOR_UNRECORDED);
    struct store_checkpoint c3 = checkpoint(STORE_AUTHOR_DATE);
    struct store_rule rule = {
        .id = BYTES("r"), .severity = BYTES("hint"), .source = BYTES("id: r")};
    struct buf out = {0};
    record_put_trajectory(&out, &t);
    assert_bytes(&out, trajectory_hex);
    record_put_checkpoint(&out, &c2);
    assert_bytes(&out, checkpoint_2_hex);
    record_put_checkpoint(&out, &c3);
    assert_bytes(&out, checkpoint_3_hex);
    record_put_rule(&out, &rule);
    assert_bytes(&out, rule_hex);
}

static void
test_record_get__every_schema_is_read(void **state)
{
    struct arena *arena = *state;
    uint8_t raw[512];
    struct store_trajectory t;
    struct store_checkpoint c;
    struct store_rule rule;
    assert_int_equal(record_get_trajectory(from_hex(trajectory_hex, raw), arena, &t), RECORD_OK);
    struct store_trajectory expected = trajectory();
    assert_true(bytes_equal(t.ref, expected.ref) && oid_equal(&t.head, &expected.head));
    assert_true(t.as_of.data && t.as_of.len == 0);
    assert_null(t.license.data);
    assert_true(t.stars == -1 && t.n_checkpoints == 300 && t.status == STORE_STATUS_PARTIAL);
    assert_true(t.n_notes == 1 && bytes_equal(t.notes[0].reason, BYTES("why")));

    assert_int_equal(record_get_checkpoint(from_hex(checkpoint_2_hex, raw), arena, &c), RECORD_OK);
    assert_true(c.has_time && c.time_s == -2 && c.author_date == STORE_AUTHOR_UNRECORDED);
    assert_int_equal(record_get_checkpoint(from_hex(checkpoint_3_hex, raw), arena, &c), RECORD_OK);
    assert_true(c.author_date == STORE_AUTHOR_DATE && c.author_time_s == 64);
    assert_int_equal(c.listing.bytes[15], 0x5a);

    assert_int_equal(record_get_rule(from_hex(rule_hex, raw), &rule), RECORD_OK);
    assert_true(bytes_equal(rule.severity, BYTES("hint")) && !rule.metadata.data);
}

/* ---- Damage -------------------------------------------------------------------------------- */

/* Cut anywhere, or with a byte more, no record decodes. */
static void
test_record_get__a_byte_less_or_more_is_damage(void **state)
{
    struct arena *arena = *state;
    uint8_t raw[512];
    struct store_trajectory t;
    struct store_checkpoint c;
    struct store_rule rule;
    struct bytes whole = from_hex(trajectory_hex, raw);
    for (size_t len = 0; len <= whole.len + 1; len++)
        assert_int_equal(record_get_trajectory((struct bytes){raw, len}, arena, &t),
                         len == whole.len ? RECORD_OK : RECORD_DAMAGED);
    whole = from_hex(checkpoint_3_hex, raw);
    size_t len_2 = strlen(checkpoint_2_hex) / 2;
    for (size_t len = 0; len <= whole.len + 1; len++)
        assert_int_equal(record_get_checkpoint((struct bytes){raw, len}, arena, &c),
                         len == whole.len || len == len_2 ? RECORD_OK : RECORD_DAMAGED);
    whole = from_hex(rule_hex, raw);
    for (size_t len = 0; len <= whole.len + 1; len++)
        assert_int_equal(record_get_rule((struct bytes){raw, len}, &rule),
                         len == whole.len ? RECORD_OK : RECORD_DAMAGED);
}

static void
test_record_get__values_out_of_range_are_damage(void **state)
{
    struct arena *arena = *state;
    uint8_t raw[512];
    struct store_checkpoint c;
    struct store_trajectory t;
    struct bytes whole = from_hex(checkpoint_3_hex, raw);
    raw[3] = 2; /* has a time: 0 or 1 */
    assert_int_equal(record_get_checkpoint(whole, arena, &c), RECORD_DAMAGED);
    whole = from_hex(checkpoint_3_hex, raw);
    raw[whole.len - 3] = 3; /* the author's date: 1 or 2 */
    assert_int_equal(record_get_checkpoint(whole, arena, &c), RECORD_DAMAGED);
    for (size_t i = 0; i < strlen(trajectory_hex) / 2; i++) {
        whole = from_hex(trajectory_hex, raw);
        raw[i] = 0xff; /* whatever that is, it decodes to something or is refused */
        enum record_outcome outcome = record_get_trajectory(whole, arena, &t);
        assert_true(outcome == RECORD_OK || outcome == RECORD_DAMAGED);
    }
}

static void
test_record_get_group__whole_keys_only(void **state)
{
    struct arena *arena = *state;
    struct store_key keys[2] = {{{1}}, {{2}}}, *found;
    struct buf out = {0};
    size_t n;
    record_put_group(&out, keys, 2);
    assert_int_equal(record_get_group(buf_bytes(&out), arena, &found, &n), RECORD_OK);
    assert_int_equal(n, 2);
    assert_memory_equal(found, keys, sizeof(keys));
    out.len--;
    assert_int_equal(record_get_group(buf_bytes(&out), arena, &found, &n), RECORD_DAMAGED);
    buf_clear(&out);
}

static void
test_store_status_name__each_has_its_own(void **state)
{
    (void)state;
    for (unsigned i = 0; i < STORE_N_STATUSES; i++)
        for (unsigned k = 0; k < i; k++)
            assert_string_not_equal(store_status_name(i), store_status_name(k));
    assert_string_equal(store_status_name(STORE_STATUS_PARTIAL), "partial");
}

static int
set_up(void **state)
{
    static struct arena arena;
    arena_init(&arena, 0);
    *state = &arena;
    return 0;
}

static int
tear_down(void **state)
{
    arena_clear(*state);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_record_put__bytes_stay_what_they_are),
        TEST(test_record_get__every_schema_is_read),
        TEST(test_record_get__a_byte_less_or_more_is_damage),
        TEST(test_record_get__values_out_of_range_are_damage),
        TEST(test_record_get_group__whole_keys_only),
        TEST(test_store_status_name__each_has_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
