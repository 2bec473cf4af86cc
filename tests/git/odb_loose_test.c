#include "cmocka_all.h"

#include "git/odb_box.h"

static struct odb *
open_box(const struct odb_box *box, struct odb_options options)
{
    struct odb *odb = NULL;
    struct err err;
    if (odb_open(box->path, &options, &odb, &err) < 0)
        fail_msg("%s", err.text);
    return odb;
}

static void
test_odb_loose__each_kind_is_read(void **state)
{
    static const struct {
        const char *raw;
        enum odb_kind kind;
        size_t header;
    } cases[] = {{"blob 6\0x = 1\n", ODB_BLOB, 7},
                 {"tree 6\0x = 1\n", ODB_TREE, 7},
                 {"commit 6\0x = 1\n", ODB_COMMIT, 9},
                 {"tag 6\0x = 1\n", ODB_TAG, 6}};
    struct odb_box *box = *state;
    struct oid id = box_id(1, 1);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct odb_object object;
        enum odb_kind kind;
        uint64_t size;
        box_loose(box, &id, (struct bytes){(const uint8_t *)cases[i].raw, cases[i].header + 6});
        struct odb *odb = open_box(box, (struct odb_options){0});
        assert_int_equal(odb_read(odb, &id, SIZE_MAX, &object), ODB_OK);
        assert_int_equal(object.kind, cases[i].kind);
        assert_true(bytes_equal(object.data, BYTES("x = 1\n")));
        odb_object_clear(&object);
        assert_int_equal(odb_read_header(odb, &id, &kind, &size), ODB_OK);
        assert_int_equal(kind, cases[i].kind);
        assert_int_equal(size, 6);
        assert_int_equal(odb_exists(odb, &id), ODB_OK);
        odb_close(odb);
    }
}

static void
expect_refusal(const struct odb_box *box, enum odb_outcome outcome, const char *reason)
{
    struct oid id = box_id(1, 1);
    struct odb_object object;
    struct odb *odb = open_box(box, (struct odb_options){0});
    assert_int_equal(odb_read(odb, &id, SIZE_MAX, &object), outcome);
    if (!strstr(odb_reason(odb), reason))
        fail_msg("\"%s\" is not in \"%s\"", reason, odb_reason(odb));
    assert_null(object.data.data);
    odb_close(odb);
}

static void
test_odb_loose__what_is_damaged_is_refused_with_its_reason(void **state)
{
    static const struct {
        struct bytes raw;
        const char *reason;
    } cases[] = {
        {{(const uint8_t *)"blob 1\0AAAA", 11}, ": 4 bytes follow, 1 announced"},
        {{(const uint8_t *)"blob 400\0AAAA", 13}, ": 4 bytes follow, 400 announced"},
        {{(const uint8_t *)"blob -1\0AAAA", 12}, "its size is not a number"},
        {{(const uint8_t *)"blob 04\0AAAA", 12}, "its size is not a number"},
        {{(const uint8_t *)"blob \0AAAA", 10}, "its size is not a number"},
        {{(const uint8_t *)"blob 18446744073709551620\0AAAA", 30}, "its size is not a number"},
        {{(const uint8_t *)"blob\0AAAA", 9}, "does not begin with a kind and a size"},
        {{(const uint8_t *)"blob 4AAAA", 10}, "does not begin with a kind and a size"},
        {{(const uint8_t *)"blob 000000000000000000000000000000000000000004\0AAAA", 52},
         "does not begin with a kind and a size"},
        {{(const uint8_t *)"blop 4\0AAAA", 11}, "no known kind"},
        {{(const uint8_t *)"\0\0", 2}, "does not begin with a kind and a size"},
        {{(const uint8_t *)"", 0}, "does not begin with a kind and a size"},
    };
    struct odb_box *box = *state;
    struct oid id = box_id(1, 1);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        box_loose(box, &id, cases[i].raw);
        expect_refusal(box, ODB_DAMAGED, cases[i].reason);
    }
}

static void
test_odb_loose__streams_that_are_cut_or_followed_are_refused(void **state)
{
    struct odb_box *box = *state;
    struct oid id = box_id(1, 1);
    struct buf raw = {0}, file = {0};
    buf_append(&raw, "blob 4000", 10);
    for (unsigned i = 0; i < 1000; i++)
        buf_append_be32(&raw, i * 2654435761U);
    box_deflate(buf_bytes(&raw), &file);
    for (size_t len = 0; len < file.len; len += 97) {
        box_loose_file(box, &id, (struct bytes){file.data, len});
        expect_refusal(box, ODB_DAMAGED, "loose object 01");
    }
    buf_append_text(&file, "tail");
    box_loose_file(box, &id, buf_bytes(&file));
    expect_refusal(box, ODB_DAMAGED, ": 4 bytes follow its end");
    box_loose_file(box, &id, BYTES("not a stream"));
    expect_refusal(box, ODB_DAMAGED, "not a zlib stream");
    box_loose_file(box, &id, BYTES(""));
    expect_refusal(box, ODB_DAMAGED, "it is empty");
    buf_clear(&raw);
    buf_clear(&file);
}

static void
test_odb_loose__more_than_is_allowed_is_not_inflated(void **state)
{
    struct odb_box *box = *state;
    struct oid id = box_id(1, 1);
    struct odb_object object;
    box_loose(box, &id, (struct bytes){(const uint8_t *)"blob 4000000000\0A", 17});
    expect_refusal(box, ODB_TOO_LARGE, "it has 4000000000 bytes, at most 67108864 are read");
    box_loose(box, &id, (struct bytes){(const uint8_t *)"blob 6\0x = 1\n", 13});
    struct odb *odb = open_box(box, (struct odb_options){0});
    assert_int_equal(odb_read(odb, &id, 5, &object), ODB_TOO_LARGE);
    assert_int_equal(object.data.len, 6);
    assert_int_equal(object.kind, ODB_BLOB);
    odb_close(odb);
}

static void
test_odb_loose__what_is_not_a_regular_file_is_refused(void **state)
{
    struct odb_box *box = *state;
    struct oid id = box_id(1, 1);
    char path[256];
    box_loose(box, &id, BYTES("blob 0"));
    snprintf(path, sizeof(path), "%s/01/%.36s01", box->path,
             "000000000000000000000000000000000000");
    unlink(path);
    assert_int_equal(mkfifo(path, 0666), 0);
    expect_refusal(box, ODB_DAMAGED, "it is not a regular file");
    unlink(path);
    assert_int_equal(symlink("/dev/zero", path), 0);
    expect_refusal(box, ODB_DAMAGED, "it is not a regular file");
    unlink(path);
    assert_int_equal(mkdir(path, 0777), 0);
    expect_refusal(box, ODB_DAMAGED, "it is not a regular file");
    rmdir(path);
    assert_int_equal(symlink(path, path), 0);
    expect_refusal(box, ODB_DAMAGED, "symbolic links");
    unlink(path);
    expect_refusal(box, ODB_MISSING, "is missing");
}

static void
test_odb_loose__verification_compares_the_content_with_the_name(void **state)
{
    struct odb_box *box = *state;
    struct odb_object object;
    struct oid right = {.len = OID_SHA1_BYTES}, wrong = box_id(1, 1);
    struct bytes raw = {(const uint8_t *)"blob 6\0x = 1\n", 13};
    sha1_of(raw, BYTES(""), right.id);
    box_loose(box, &right, raw);
    box_loose(box, &wrong, raw);
    struct odb *odb = open_box(box, (struct odb_options){.verify = true});
    assert_int_equal(odb_read(odb, &right, SIZE_MAX, &object), ODB_OK);
    odb_object_clear(&object);
    assert_int_equal(odb_read(odb, &wrong, SIZE_MAX, &object), ODB_DAMAGED);
    assert_non_null(strstr(odb_reason(odb), "its content has the id"));
    odb_close(odb);
}

static void
test_sha1__known_digests(void **state)
{
    static const struct {
        const char *text, *hex;
    } cases[] = {
        {"", "da39a3ee5e6b4b0d3255bfef95601890afd80709"},
        {"abc", "a9993e364706816aba3e25717850c26c9cd0d89d"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "84983e441c3bd26ebaae4aa1f95129e5e54670f1"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct bytes text = bytes_of_text(cases[i].text);
        struct oid found = {.len = OID_SHA1_BYTES};
        char hex[OID_HEX_SIZE];
        for (size_t cut = 0; cut <= text.len; cut++) {
            sha1_of(bytes_slice(text, 0, cut), bytes_slice(text, cut, text.len), found.id);
            assert_string_equal(oid_to_hex(&found, hex), cases[i].hex);
        }
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, box_create, box_destroy)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_odb_loose__each_kind_is_read),
        TEST(test_odb_loose__what_is_damaged_is_refused_with_its_reason),
        TEST(test_odb_loose__streams_that_are_cut_or_followed_are_refused),
        TEST(test_odb_loose__more_than_is_allowed_is_not_inflated),
        TEST(test_odb_loose__what_is_not_a_regular_file_is_refused),
        TEST(test_odb_loose__verification_compares_the_content_with_the_name),
        cmocka_unit_test(test_sha1__known_digests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
