/* Rows read through the table of their columns: every C type, presence, arrays, rows in rows. */
#include "aggregate/rows/row.h"
#include "aggregate/score.h"
#include "cmocka_all.h"

struct inner {
    double share;
};

struct outer {
    struct bytes text;
    const char *string;
    bool has_number;
    uint32_t number;
    uint64_t large;
    int64_t negative;
    bool yes;
    uint32_t counts[2];
    struct inner inner;
};

static const struct row_presence WITH_NUMBER = {offsetof(struct outer, has_number), "there is one"};

static const char *
name_element(size_t i)
{
    static const char *const names[] = {"one", "two*"};
    return names[i];
}

static const struct row_column inner_columns[] = {
    ROW_COLUMN(struct inner, share, "share", "share", "a share")};
static const struct row_kind inner_kind = ROW_KIND("inner", "An inner row.", inner_columns);

static const struct row_column outer_columns[] = {
    ROW_COLUMN(struct outer, text, "text", "", "a text"),
    {.name = "string", ROW_PLACE(struct outer, string), .flags = ROW_NULL_IN_LINES},
    ROW_COLUMN_IF(struct outer, number, "number", "", WITH_NUMBER, "a number"),
    ROW_COLUMN(struct outer, large, "large", "", "a large number"),
    {.name = "negative", ROW_PLACE(struct outer, negative), .flags = ROW_NOT_ZERO},
    ROW_COLUMN(struct outer, yes, "yes", "", "yes or no"),
    ROW_COLUMNS_OF_ROW(struct outer, inner, inner_kind),
};
static const struct row_kind outer_kind = ROW_KIND("outer", "An outer row.", outer_columns);

static const struct row_column array_columns[] = {
    ROW_COLUMN(struct outer, yes, "yes", "", "yes or no"),
    ROW_COLUMNS_OF_ARRAY(struct outer, counts, "n_", "", name_element, "a count"),
    ROW_COLUMNS_OF_ROW(struct outer, inner, inner_kind),
};
static const struct row_kind array_kind = ROW_KIND("array", "A row with an array.", array_columns);

static void
assert_members(const struct outer *row, const char *expected)
{
    struct buf out = {0};
    struct json_writer json = json_writer_init(&out, 0);
    json_begin_object(&json);
    row_write_members(&outer_kind, row, &json);
    json_end_object(&json);
    buf_append_byte(&out, 0);
    assert_string_equal((const char *)out.data, expected);
    buf_clear(&out);
}

static void
test_row_members__every_type_and_presence(void **state)
{
    (void)state;
    struct outer full = {.text = BYTES("a"),
                         .string = "b",
                         .has_number = true,
                         .number = 1,
                         .large = UINT64_MAX,
                         .negative = -3,
                         .yes = true,
                         .inner = {0.5}};
    assert_members(&full, "{\"text\":\"a\",\"string\":\"b\",\"number\":1,"
                          "\"large\":9223372036854775807,\"negative\":-3,\"yes\":1,\"share\":0.5}");
    struct outer empty = {.number = 1};
    assert_members(&empty, "{\"string\":null,\"large\":0,\"yes\":0,\"share\":0.0}");
}

static void
test_row_layout__spreads_arrays_and_inner_rows(void **state)
{
    (void)state;
    struct arena arena;
    struct row_layout layout;
    struct err err;
    arena_init(&arena, 0);
    assert_int_equal(row_layout_make(&array_kind, &arena, &layout, &err), 0);
    static const char *const names[] = {"yes", "n_one", "n_two_star", "share"};
    struct outer row = {.counts = {7, 8}, .inner = {0.25}};
    assert_int_equal(layout.n_fields, 4);
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(layout.fields[i].name, names[i]);
    assert_int_equal(row_value(&layout.fields[1], &row).integer, 7);
    assert_int_equal(row_value(&layout.fields[2], &row).integer, 8);
    assert_true(row_value(&layout.fields[3], &row).real == 0.25);
    assert_int_equal(layout.fields[3].type, ROW_REAL);
    arena_clear(&arena);
}

/* ---- Scores -------------------------------------------------------------------------------- */

struct span_of_bytes {
    size_t from, size;
};

#define MEMBER(member)                                                         \
    {                                                                          \
        offsetof(struct score, member), sizeof(((struct score *)NULL)->member) \
    }

/* Members that no column shows, and why that is right. */
static const struct span_of_bytes inner_members[] = {
    MEMBER(skipped_by_reason),  /* skipped_reasons writes it */
    MEMBER(cc_sum),             /* cc_mean is made of it */
    MEMBER(clone_physical_loc), /* reports divide it by physical_loc */
    MEMBER(has_clones),
    MEMBER(has_rules),
    MEMBER(has_structural),
    MEMBER(has_verbosity),
};

/* Every member of a score has a column, but for those above: bytes that none covers are padding. */
static void
test_score_columns__cover_the_struct(void **state)
{
    (void)state;
    bool covered[sizeof(struct score)] = {false};
    for (size_t i = 0; i < score_row_kind.n_columns; i++) {
        const struct row_column *column = &score_row_kind.columns[i];
        if (column->member == ROW_MEMBER_FUNCTION)
            continue;
        assert_true(column->member == ROW_MEMBER_U64 || column->member == ROW_MEMBER_DOUBLE);
        memset(covered + column->offset, 1, sizeof(uint64_t));
    }
    for (size_t i = 0; i < sizeof(inner_members) / sizeof(*inner_members); i++)
        memset(covered + inner_members[i].from, 1, inner_members[i].size);
    size_t n_bare = 0;
    for (size_t i = 0; i < sizeof(struct score); i++) {
        n_bare = covered[i] ? 0 : n_bare + 1;
        if (n_bare >= _Alignof(struct score))
            fail_msg("the member of struct score at byte %zu has no column", i + 1 - n_bare);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_row_members__every_type_and_presence),
        cmocka_unit_test(test_row_layout__spreads_arrays_and_inner_rows),
        cmocka_unit_test(test_score_columns__cover_the_struct),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
