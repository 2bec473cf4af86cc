#include "cmocka_all.h"

#include "git/odb_box.h"

/* Deltas: the sizes of base and result, then instructions. */
#define INSERT_Y BYTES("\x06\x06\x06y = 1\n")
#define COPY_ALL BYTES("\x06\x06\x90\x06")

enum { N_FLIPS = 8 };

static struct odb *
open_with(const struct odb_box *box, struct odb_options options)
{
    struct odb *odb = NULL;
    struct err err;
    if (odb_open(box->path, &options, &odb, &err) < 0)
        fail_msg("%s", err.text);
    return odb;
}

static void
expect_blob(struct odb *odb, const struct oid *id, struct bytes content)
{
    struct odb_object object;
    enum odb_kind kind;
    uint64_t size;
    if (odb_read_header(odb, id, &kind, &size) != ODB_OK ||
        odb_read(odb, id, SIZE_MAX, &object) != ODB_OK)
        fail_msg("%s", odb_reason(odb));
    assert_int_equal(kind, ODB_BLOB);
    assert_int_equal(size, content.len);
    assert_int_equal(object.kind, ODB_BLOB);
    assert_true(bytes_equal(object.data, content));
    odb_object_clear(&object);
}

static void
expect_refusal_with(const struct odb_box *box, struct odb_options options, enum odb_outcome outcome,
                    const char *reason)
{
    struct odb *odb = open_with(box, options);
    struct oid id = box_id(1, 1);
    struct odb_object object;
    assert_int_equal(odb_read(odb, &id, SIZE_MAX, &object), outcome);
    if (!strstr(odb_reason(odb), reason))
        fail_msg("\"%s\" is not in \"%s\"", reason, odb_reason(odb));
    odb_close(odb);
}

static void
expect_refusal(const struct odb_box *box, const char *reason)
{
    expect_refusal_with(box, (struct odb_options){0}, ODB_DAMAGED, reason);
}

/*  base <- ofs <- ref, and one that stands alone */
static void
write_sound(struct odb_box *box, unsigned version, uint64_t large_from)
{
    struct oid base = box_id(9, 1), ofs = box_id(9, 2), ref = box_id(200, 3), alone = box_id(0, 4);
    box_pack_begin(box, 4);
    uint64_t at = box_blob(box, &base, BYTES("x = 1\n"));
    box_ofs_delta(box, &ofs, at, INSERT_Y);
    box_ref_delta(box, &ref, &ofs, COPY_ALL);
    box_blob(box, &alone, BYTES(""));
    box_pack_end(box, version, large_from);
}

static void
test_odb_pack__objects_and_deltas_by_every_index(void **state)
{
    static const struct {
        unsigned version;
        uint64_t large_from;
    } cases[] = {{1, UINT64_MAX}, {2, UINT64_MAX}, {2, 0}, {2, 40}};
    struct odb_box *box = *state;
    struct oid base = box_id(9, 1), ofs = box_id(9, 2), ref = box_id(200, 3), alone = box_id(0, 4);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        write_sound(box, cases[i].version, cases[i].large_from);
        struct odb *odb = open_with(box, (struct odb_options){0});
        for (int again = 0; again < 2; again++) {
            expect_blob(odb, &ref, BYTES("y = 1\n"));
            expect_blob(odb, &ofs, BYTES("y = 1\n"));
            expect_blob(odb, &base, BYTES("x = 1\n"));
            expect_blob(odb, &alone, BYTES(""));
        }
        assert_null(odb_problem(odb));
        odb_close(odb);
    }
}

static void
test_odb_pack__one_cache_byte_is_enough(void **state)
{
    struct odb_box *box = *state;
    struct oid ref = box_id(200, 3);
    write_sound(box, 2, UINT64_MAX);
    struct odb *odb = open_with(box, (struct odb_options){.cache_bytes = 1, .window_bytes = 1});
    expect_blob(odb, &ref, BYTES("y = 1\n"));
    odb_close(odb);
}

static void
test_odb_pack__large_objects_need_more_than_a_window(void **state)
{
    struct odb_box *box = *state;
    struct oid id = box_id(1, 1);
    struct buf noise = {0}, text = {0};
    for (uint32_t i = 0; i < 50000; i++) {
        buf_append_be32(&noise, i * 2654435761U ^ i << 13);
        buf_printf(&text, "line %u\n", i * 7919);
    }
    const struct bytes contents[] = {buf_bytes(&noise), buf_bytes(&text)};
    for (size_t i = 0; i < 2; i++) {
        box_pack_begin(box, 1);
        box_blob(box, &id, contents[i]);
        box_pack_end(box, 2, UINT64_MAX);
        struct odb *odb = open_with(box, (struct odb_options){0});
        expect_blob(odb, &id, contents[i]);
        odb_close(odb);
    }
    buf_clear(&noise);
    buf_clear(&text);
}

/* ---- Damage -------------------------------------------------------------------------------- */

static void
test_odb_pack__entries_that_cannot_be_are_refused(void **state)
{
    static const struct {
        unsigned kind;
        uint64_t size;
        struct bytes content;
        const char *reason;
    } cases[] = {
        {0, 6, {(const uint8_t *)"x = 1\n", 6}, "no known kind 0"},
        {5, 6, {(const uint8_t *)"x = 1\n", 6}, "no known kind 5"},
        {3, 7, {(const uint8_t *)"x = 1\n", 6}, "6 bytes follow, 7 announced"},
        {3, 5, {(const uint8_t *)"x = 1\n", 6}, "6 bytes follow, 5 announced"},
        {3, 4000000, {(const uint8_t *)"x = 1\n", 6}, "6 bytes follow, 4000000 announced"},
    };
    struct odb_box *box = *state;
    struct oid id = box_id(1, 1);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        box_pack_begin(box, 1);
        box_entry(box, &id, cases[i].kind, cases[i].size);
        box_deflate(cases[i].content, &box->pack);
        box_pack_end(box, 2, UINT64_MAX);
        expect_refusal(box, cases[i].reason);
    }
    box_pack_begin(box, 1);
    box_entry(box, &id, ODB_BLOB, (uint64_t)1 << 59);
    box_pack_end(box, 2, UINT64_MAX);
    expect_refusal_with(box, (struct odb_options){0}, ODB_DAMAGED, "cut short");
    box_pack_begin(box, 1);
    box_entry(box, &id, ODB_BLOB, (uint64_t)1 << 59);
    box_deflate(BYTES("x"), &box->pack);
    box_pack_end(box, 2, UINT64_MAX);
    expect_refusal_with(box, (struct odb_options){0}, ODB_TOO_LARGE, "at most");
}

static void
test_odb_pack__deltas_that_cannot_be_are_refused(void **state)
{
    static const struct {
        struct bytes delta;
        const char *reason;
    } cases[] = {
        {{(const uint8_t *)"", 0}, "sizes at the beginning of a delta"},
        {{(const uint8_t *)"\x86", 1}, "sizes at the beginning of a delta"},
        {{(const uint8_t *)"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f\x06", 11},
         "sizes at the beginning of a delta"},
        {{(const uint8_t *)"\x07\x06\x90\x06", 4}, "for a base of 7 bytes, it has 6"},
        {{(const uint8_t *)"\x06\x06\x90\x07", 4}, "copies from outside its base"},
        {{(const uint8_t *)"\x06\x06\x9f\xff\xff\xff\xff\x01", 8}, "copies from outside"},
        {{(const uint8_t *)"\x06\x06\x90", 3}, "is cut short"},
        {{(const uint8_t *)"\x06\x06\x06y", 4}, "is cut short"},
        {{(const uint8_t *)"\x06\x06\x00", 3}, "of no known kind"},
        {{(const uint8_t *)"\x06\x05\x90\x06", 4}, "makes more than was announced"},
        {{(const uint8_t *)"\x06\x07\x90\x06", 4}, "makes 6 bytes, 7 announced"},
        {{(const uint8_t *)"\x06\x80\x80\x80\x80\x80\x01\x90\x06", 9}, "bytes, at most"},
    };
    struct odb_box *box = *state;
    struct oid id = box_id(1, 1), base = box_id(1, 2);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        box_pack_begin(box, 2);
        uint64_t at = box_blob(box, &base, BYTES("x = 1\n"));
        box_ofs_delta(box, &id, at, cases[i].delta);
        box_pack_end(box, 2, UINT64_MAX);
        bool is_large = strstr(cases[i].reason, "at most") != NULL;
        expect_refusal_with(box, (struct odb_options){0}, is_large ? ODB_TOO_LARGE : ODB_DAMAGED,
                            cases[i].reason);
    }
}

static void
test_odb_pack__bases_outside_of_the_pack_are_refused(void **state)
{
    struct odb_box *box = *state;
    struct oid id = box_id(1, 1), other = box_id(1, 2);
    for (uint64_t distance = 0; distance < 16384; distance = distance * 3 + 1) {
        box_pack_begin(box, 1);
        box_entry(box, &id, 6, INSERT_Y.len);
        box_distance(box, distance);
        box_deflate(INSERT_Y, &box->pack);
        box_pack_end(box, 2, UINT64_MAX);
        expect_refusal(box, "has its base outside of what is before it");
    }
    box_pack_begin(box, 1);
    box_ref_delta(box, &id, &other, INSERT_Y);
    box_pack_end(box, 2, UINT64_MAX);
    expect_refusal(box, "is not in the pack");
}

/* Rings of one to five, some with a tail that leads into them. */
static void
test_odb_pack__chains_that_come_back_are_refused(void **state)
{
    struct odb_box *box = *state;
    for (uint8_t ring = 1; ring <= 5; ring++)
        for (uint8_t tail = 0; tail <= 3; tail++) {
            uint8_t n = ring + tail;
            struct odb_object object;
            struct oid last = box_id(1, n);
            enum odb_kind kind;
            uint64_t size;
            box_pack_begin(box, n);
            for (uint8_t i = 1; i <= n; i++) {
                struct oid id = box_id(1, i), base = box_id(1, i > 1 ? i - 1 : ring);
                box_ref_delta(box, &id, &base, COPY_ALL);
            }
            box_pack_end(box, 2, UINT64_MAX);
            struct odb *odb = open_with(box, (struct odb_options){0});
            assert_int_equal(odb_read(odb, &last, SIZE_MAX, &object), ODB_DAMAGED);
            assert_non_null(strstr(odb_reason(odb), "comes back to itself"));
            assert_int_equal(odb_read_header(odb, &last, &kind, &size), ODB_DAMAGED);
            assert_non_null(strstr(odb_reason(odb), "comes back to itself"));
            odb_close(odb);
        }
}

/* A delta that copies its base of 64 KiB N times. */
static void
append_bomb(struct buf *delta, size_t n)
{
    buf_append_varint(delta, 0x10000);
    buf_append_varint(delta, 0x10000 * n);
    for (size_t i = 0; i < n; i++)
        buf_append_byte(delta, 0x80);
}

/* 64 KiB <- 64 MiB <- 6 bytes */
static void
write_bomb(struct odb_box *box, size_t n)
{
    struct oid base = box_id(2, 1), middle = box_id(2, 2), id = box_id(1, 1), next = box_id(1, 2);
    struct buf zeros = {0}, bomb = {0}, last = {0};
    memset(buf_reserve(&zeros, 0x10000), 0, 0x10000);
    zeros.len = 0x10000;
    append_bomb(&bomb, n);
    buf_append_varint(&last, 0x10000 * n);
    buf_append(&last, "\x06\x06y = 1\n", 8);
    box_pack_begin(box, 4);
    uint64_t at = box_blob(box, &base, buf_bytes(&zeros));
    at = box_ofs_delta(box, &middle, at, buf_bytes(&bomb));
    box_ofs_delta(box, &id, at, buf_bytes(&last));
    box_ofs_delta(box, &next, at, buf_bytes(&last));
    box_pack_end(box, 2, UINT64_MAX);
    buf_clear(&zeros);
    buf_clear(&bomb);
    buf_clear(&last);
}

static void
test_odb_pack__intermediate_results_are_bounded(void **state)
{
    struct odb_box *box = *state;
    struct oid id = box_id(1, 1);
    write_bomb(box, 16);
    struct odb *odb = open_with(box, (struct odb_options){0});
    expect_blob(odb, &id, BYTES("y = 1\n"));
    odb_close(odb);
    expect_refusal_with(box, (struct odb_options){.object_bytes_max = 15 << 16}, ODB_DAMAGED,
                        "a base has 1048576 bytes, at most 983040 are expanded");
    write_bomb(box, 1 << 17);
    expect_refusal(box, "a base has 8589934592 bytes");
}

/* The second costs what is left, whether or not its base is at hand. */
static void
test_odb_pack__the_budget_of_a_repository_ends(void **state)
{
    struct odb_box *box = *state;
    struct oid id = box_id(1, 1), next = box_id(1, 2), base = box_id(2, 1);
    struct odb_budget budget;
    struct odb_object object;
    write_bomb(box, 64);
    for (size_t cache_bytes = 1; cache_bytes <= 64 << 20; cache_bytes <<= 26) {
        odb_budget_init(&budget, 6 << 20);
        struct odb *odb =
            open_with(box, (struct odb_options){.cache_bytes = cache_bytes, .budget = &budget});
        expect_blob(odb, &id, BYTES("y = 1\n"));
        assert_false(odb_budget_is_spent(&budget));
        assert_int_equal(odb_read(odb, &next, SIZE_MAX, &object), ODB_SPENT);
        assert_true(odb_budget_is_spent(&budget));
        assert_int_equal(odb_read(odb, &base, SIZE_MAX, &object), ODB_SPENT);
        assert_non_null(strstr(odb_reason(odb), "more work"));
        odb_close(odb);
    }
}

/* ---- Files that do not fit together -------------------------------------------------------- */

static void
test_odb_pack__packs_and_indexes_that_do_not_fit_are_passed_over(void **state)
{
    struct odb_box *box = *state;
    struct oid id = box_id(9, 1);
    struct odb_object object;
    write_sound(box, 2, UINT64_MAX);
    struct buf pack = {0};
    buf_append_bytes(&pack, buf_bytes(&box->pack));
    static const struct {
        size_t at;
        const char *reason;
    } cases[] = {{0, "it is not a pack"},
                 {7, "its version"},
                 {11, "its index 4"},
                 {SIZE_MAX, "is not the one its index is of"}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        size_t at = cases[i].at == SIZE_MAX ? pack.len - 1 : cases[i].at;
        pack.data[at] ^= 0x40;
        box_write(box, "pack/pack-a.pack", buf_bytes(&pack));
        pack.data[at] ^= 0x40;
        struct odb *odb = open_with(box, (struct odb_options){0});
        assert_int_equal(odb_read(odb, &id, SIZE_MAX, &object), ODB_DAMAGED);
        if (!strstr(odb_reason(odb), cases[i].reason))
            fail_msg("%s: %s", cases[i].reason, odb_reason(odb));
        assert_non_null(odb_problem(odb));
        odb_close(odb);
    }
    for (size_t len = 0; len < pack.len; len++) {
        box_write(box, "pack/pack-a.pack", (struct bytes){pack.data, len});
        struct odb *odb = open_with(box, (struct odb_options){0});
        assert_int_equal(odb_read(odb, &id, SIZE_MAX, &object), ODB_DAMAGED);
        odb_close(odb);
    }
    buf_clear(&pack);
}

static void
read_file(const struct odb_box *box, const char *name, struct buf *out)
{
    char path[256];
    struct err err;
    snprintf(path, sizeof(path), "%s/%s", box->path, name);
    buf_reset(out);
    if (fs_read(path, SIZE_MAX / 2, out, &err) < 0)
        fail_msg("%s", err.text);
}

/* Read everything there is; whatever comes out under verification is right. */
static void
read_all(const struct odb_box *box)
{
    const struct oid ids[] = {box_id(9, 1), box_id(9, 2), box_id(200, 3), box_id(0, 4)};
    struct odb_budget budget;
    odb_budget_init(&budget, 1 << 20);
    struct odb *odb = open_with(box, (struct odb_options){.budget = &budget});
    for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++) {
        struct odb_object object;
        struct oid found;
        enum odb_kind kind;
        uint64_t size;
        if (odb_read(odb, &ids[i], SIZE_MAX, &object) != ODB_OK)
            assert_true(odb_reason(odb)[0] != 0);
        odb_object_clear(&object);
        (void)odb_read_header(odb, &ids[i], &kind, &size);
        (void)odb_find_prefix(odb, &ids[i], 5, &found);
    }
    (void)odb_problem(odb);
    odb_close(odb);
}

/* Each byte changed in several ways, and each length. */
static void
damage_everywhere(const struct odb_box *box, const char *name)
{
    struct buf file = {0};
    read_file(box, name, &file);
    for (size_t at = 0; at < file.len; at++)
        for (unsigned flip = 0; flip < N_FLIPS; flip++) {
            uint8_t before = file.data[at];
            file.data[at] ^= (uint8_t)(1U << flip);
            if (at % 4 == flip % 4) {
                box_write(box, name, buf_bytes(&file));
                read_all(box);
            }
            file.data[at] = before;
        }
    for (size_t len = 0; len < file.len; len++) {
        box_write(box, name, (struct bytes){file.data, len});
        read_all(box);
    }
    box_write(box, name, buf_bytes(&file));
    buf_clear(&file);
}

static void
test_odb_pack__every_byte_of_pack_and_index_damaged(void **state)
{
    struct odb_box *box = *state;
    write_sound(box, 1, UINT64_MAX);
    damage_everywhere(box, "pack/pack-a.idx");
    write_sound(box, 2, 40);
    damage_everywhere(box, "pack/pack-a.idx");
    damage_everywhere(box, "pack/pack-a.pack");
}

static void
test_odb_pack__indexes_that_lie_are_refused(void **state)
{
    struct odb_box *box = *state;
    struct oid id = box_id(1, 1);
    struct buf index = {0};
    static const uint64_t offsets[] = {0, 4, 11, 20, 0x7fffffff, 0x80000000, UINT64_MAX, INT64_MAX};
    for (size_t i = 0; i < sizeof(offsets) / sizeof(*offsets); i++) {
        box_pack_begin(box, 1);
        box_blob(box, &id, BYTES("x = 1\n"));
        box->entries[0].offset = offsets[i];
        box_pack_end(box, 2, 0x80000000);
        expect_refusal(box, "pack-a.pack: ");
    }
    box_pack_begin(box, 1);
    box_blob(box, &id, BYTES("x = 1\n"));
    box_pack_end(box, 2, 0);
    read_file(box, "pack/pack-a.idx", &index);
    index.data[8 + 1024 + 20 + 4 + 3] = 1; /* the second of one 64-bit offset */
    box_write(box, "pack/pack-a.idx", buf_bytes(&index));
    expect_refusal(box, "pack-a.idx: it has no 64-bit offset 1");
    read_file(box, "pack/pack-a.idx", &index);
    index.data[8 + 4 * 100] = 1;
    box_write(box, "pack/pack-a.idx", buf_bytes(&index));
    expect_refusal_with(box, (struct odb_options){0}, ODB_MISSING, "its fan-out goes down at 65");
    buf_clear(&index);
}

/* A sound copy elsewhere is found. */
static void
test_odb_pack__a_damaged_copy_does_not_hide_a_sound_one(void **state)
{
    struct odb_box *box = *state;
    struct oid id = box_id(1, 1);
    box_pack_begin(box, 1);
    box_entry(box, &id, ODB_BLOB, 7);
    box_deflate(BYTES("x = 1\n"), &box->pack);
    box_pack_end(box, 2, UINT64_MAX);
    box_loose(box, &id, (struct bytes){(const uint8_t *)"blob 6\0x = 1\n", 13});
    struct odb *odb = open_with(box, (struct odb_options){0});
    struct odb_object object;
    assert_int_equal(odb_read(odb, &id, SIZE_MAX, &object), ODB_OK);
    assert_true(bytes_equal(object.data, BYTES("x = 1\n")));
    odb_object_clear(&object);
    odb_close(odb);
}

static void
test_odb_pack__what_is_not_a_regular_file_is_passed_over(void **state)
{
    static const char *const names[] = {"pack/pack-a.pack", "pack/pack-a.idx",
                                        "pack/multi-pack-index", "info/alternates"};
    struct odb_box *box = *state;
    char path[256];
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        write_sound(box, 2, UINT64_MAX);
        box_write_text(box, names[i], "");
        snprintf(path, sizeof(path), "%s/%s", box->path, names[i]);
        if (i < 2)
            write_sound(box, 2, UINT64_MAX);
        unlink(path);
        assert_int_equal(mkfifo(path, 0666), 0);
        read_all(box);
        struct odb *odb = open_with(box, (struct odb_options){0});
        const char *problem = odb_problem(odb);
        assert_non_null(problem);
        assert_non_null(strstr(problem, "it is not a regular file"));
        odb_close(odb);
        unlink(path);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, box_create, box_destroy)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_odb_pack__objects_and_deltas_by_every_index),
        TEST(test_odb_pack__one_cache_byte_is_enough),
        TEST(test_odb_pack__large_objects_need_more_than_a_window),
        TEST(test_odb_pack__entries_that_cannot_be_are_refused),
        TEST(test_odb_pack__deltas_that_cannot_be_are_refused),
        TEST(test_odb_pack__bases_outside_of_the_pack_are_refused),
        TEST(test_odb_pack__chains_that_come_back_are_refused),
        TEST(test_odb_pack__intermediate_results_are_bounded),
        TEST(test_odb_pack__the_budget_of_a_repository_ends),
        TEST(test_odb_pack__packs_and_indexes_that_do_not_fit_are_passed_over),
        TEST(test_odb_pack__every_byte_of_pack_and_index_damaged),
        TEST(test_odb_pack__indexes_that_lie_are_refused),
        TEST(test_odb_pack__a_damaged_copy_does_not_hide_a_sound_one),
        TEST(test_odb_pack__what_is_not_a_regular_file_is_passed_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
