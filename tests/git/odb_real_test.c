/* Repositories as git makes them, and its own word on what is in them. */
#include "cmocka_all.h"

#include "git/odb/backend.h"
#include "git/odb_box.h"
#include <git2.h>

enum { N_VERSIONS = 60 };

static struct odb *
open_path(const char *objects_dir, bool verify)
{
    const struct odb_options options = {.verify = verify};
    struct odb *odb = NULL;
    struct err err;
    if (odb_open(objects_dir, &options, &odb, &err) < 0)
        fail_msg("%s", err.text);
    return odb;
}

/* N_VERSIONS commits, each changing one of several files; "real.git" in the box. */
static void
make_history(const struct odb_box *box)
{
    struct buf script = {0};
    for (unsigned v = 1; v <= N_VERSIONS; v++) {
        struct buf text = {0};
        for (unsigned line = 0; line < 200; line++)
            buf_printf(&text, "value_%u = %u\n", line, line % 17 == v % 17 ? v * 7919 : line);
        buf_printf(&script,
                   "commit refs/heads/main\ncommitter A <a@example.invalid> %u +0000\n"
                   "data 1\nm\nM 644 inline d%u/f%u.py\ndata %zu\n%.*s\n",
                   1500000000 + v, v % 3, v % 5, text.len, (int)text.len, (char *)text.data);
        buf_clear(&text);
    }
    box_write(box, "script", buf_bytes(&script));
    buf_clear(&script);
    box_run("cd '%s' && git init -q --bare real.git && git --git-dir=real.git fast-import --quiet"
            " < script && git --git-dir=real.git -c user.name=a -c user.email=a@example.invalid"
            " tag -a -m t v1 refs/heads/main",
            box->path);
}

static void
git_in(const struct odb_box *box, const char *words)
{
    box_run("cd '%s/real.git' && { git %s; } >/dev/null 2>&1", box->path, words);
}

/* Compare all that git lists (id, kind, size) with what we read, hashes verified.  Returns how
 * many. */
static size_t
compare_with_git(const struct odb_box *box, const char *name)
{
    char path[256], command[600], line[256];
    snprintf(path, sizeof(path), "%s/%s", box->path, name);
    snprintf(command, sizeof(command),
             "cd '%s/..' && git cat-file --batch-all-objects --batch-check", path);
    struct odb *odb = open_path(path, true);
    FILE *listed = popen(command, "r");
    size_t n = 0;
    while (listed && fgets(line, sizeof(line), listed)) {
        static const char *const kinds[] = {"", "commit", "tree", "blob", "tag"};
        char hex[80], kind[16];
        unsigned long long size;
        struct oid id, found;
        struct odb_object object;
        enum odb_kind header_kind;
        uint64_t header_size;
        assert_int_equal(sscanf(line, "%79s %15s %llu", hex, kind, &size), 3);
        assert_int_equal(oid_from_hex(bytes_of_text(hex), &id), 0);
        if (odb_read_header(odb, &id, &header_kind, &header_size) != ODB_OK ||
            odb_read(odb, &id, SIZE_MAX, &object) != ODB_OK)
            fail_msg("%s", odb_reason(odb));
        assert_string_equal(kinds[object.kind], kind);
        assert_int_equal(object.data.len, size);
        assert_int_equal(header_kind, object.kind);
        assert_int_equal(header_size, size);
        assert_int_equal(odb_find_prefix(odb, &id, 16, &found), ODB_OK);
        assert_true(oid_equal(&found, &id));
        odb_object_clear(&object);
        n++;
    }
    assert_true(listed && pclose(listed) == 0);
    assert_null(odb_problem(odb));
    odb_close(odb);
    return n;
}

static void
test_odb_real__loose_packed_and_indexed_in_every_way(void **state)
{
    static const char *const ways[] = {
        "repack -adq --depth=50 --window=50",
        "repack -adfq --depth=2",
        "-c pack.indexVersion=1 repack -adfq",
        "-c core.compression=0 repack -adFq",
        "-c repack.useDeltaBaseOffset=false repack -adFq",
        "multi-pack-index write",
        "commit-graph write --reachable",
    };
    struct odb_box *box = *state;
    make_history(box);
    size_t n = compare_with_git(box, "real.git/objects");
    assert_true(n > 3 * N_VERSIONS);
    for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
        git_in(box, ways[i]);
        assert_int_equal(compare_with_git(box, "real.git/objects"), n);
    }
    git_in(box, "count-objects; mkdir x; mv objects/pack/*.pack x;"
                " rm -f objects/pack/*; for p in x/*.pack; do git unpack-objects -q < $p; done");
    assert_int_equal(compare_with_git(box, "real.git/objects"), n);
}

/* Many packs, of which a multi-pack index covers the first. */
static void
test_odb_real__packs_beside_a_multi_pack_index(void **state)
{
    struct odb_box *box = *state;
    make_history(box);
    git_in(box, "repack -adq");
    for (int i = 0; i < 40; i++) {
        char words[300];
        snprintf(words, sizeof(words),
                 "hash-object -w --stdin < HEAD; echo %d > x; git hash-object -w x > y;"
                 " git pack-objects -q objects/pack/pack < y; git prune-packed -q",
                 i);
        git_in(box, words);
        if (i == 20)
            git_in(box, "multi-pack-index write");
    }
    assert_true(compare_with_git(box, "real.git/objects") > 3 * N_VERSIONS + 40);
}

static void
test_odb_real__new_packs_are_found_and_replaced_ones_still_read(void **state)
{
    struct odb_box *box = *state;
    char path[256], hex[80] = "";
    struct oid id;
    make_history(box);
    snprintf(path, sizeof(path), "%s/real.git/objects", box->path);
    struct odb *odb = open_path(path, true);
    git_in(box, "repack -adFq");
    git_in(box, "prune-packed");
    char name[300];
    snprintf(name, sizeof(name), "cd '%s/real.git' && git rev-parse 'v1^{tree}'", box->path);
    FILE *out = popen(name, "r");
    assert_true(out && fscanf(out, "%79s", hex) == 1);
    pclose(out);
    assert_int_equal(oid_from_hex(bytes_of_text(hex), &id), 0);
    for (int i = 0; i < 3; i++) {
        struct odb_object object;
        if (odb_read(odb, &id, SIZE_MAX, &object) != ODB_OK)
            fail_msg("%s", odb_reason(odb));
        odb_object_clear(&object);
        git_in(box, i ? "repack -adFq --depth=1" : "repack -adFq --depth=7");
    }
    odb_close(odb);
}

/* A borrows from B by a relative path, B from C by a quoted one, C from A. */
static void
test_odb_real__alternates_nested_quoted_and_in_a_circle(void **state)
{
    struct odb_box *box = *state;
    struct oid id = box_id(7, 7);
    struct odb_object object;
    char path[256], quoted[300];
    box_write_text(box, "a/info/alternates", "# borrowed\n\n../b\n../gone\n");
    snprintf(quoted, sizeof(quoted), "\"%s/\\143\"\n", box->path);
    box_write_text(box, "b/info/alternates", quoted);
    box_write_text(box, "c/info/alternates", "../a\n../c\n.\n");
    box_write_text(box, "c/07/00000000000000000000000000000000000007", "");
    struct odb_box c = {0};
    snprintf(c.path, sizeof(c.path), "%.50s/c", box->path);
    box_loose(&c, &id, (struct bytes){(const uint8_t *)"blob 6\0x = 1\n", 13});
    snprintf(path, sizeof(path), "%s/a", box->path);
    struct odb *odb = open_path(path, false);
    if (odb_read(odb, &id, SIZE_MAX, &object) != ODB_OK)
        fail_msg("%s", odb_reason(odb));
    odb_object_clear(&object);
    assert_non_null(strstr(odb_problem(odb), "gone: No such file"));
    id = box_id(8, 8);
    assert_int_equal(odb_read(odb, &id, SIZE_MAX, &object), ODB_MISSING);
    assert_non_null(strstr(odb_reason(odb), "gone"));
    odb_close(odb);
}

static int
count_visit(const git_oid *id, void *payload)
{
    (void)id;
    ++*(size_t *)payload;
    return 0;
}

/* Through libgit2, which opens nothing itself. */
static void
test_odb_backend__all_of_its_calls(void **state)
{
    struct odb_box *box = *state;
    char path[256];
    struct err err;
    git_odb *database;
    git_oid id, found;
    git_odb_object *object;
    git_object_t kind;
    size_t len, n = 0;
    make_history(box);
    git_in(box, "repack -adq");
    snprintf(path, sizeof(path), "%s/real.git/objects", box->path);
    git_libgit2_init();
    assert_int_equal(odb_backend_create(open_path(path, false), &database, &err), 0);
    assert_int_equal(git_odb_foreach(database, count_visit, &n), 0);
    assert_true(n > 3 * N_VERSIONS);
    git_odb_hash(&id, "blob", 4, GIT_OBJECT_BLOB);
    assert_int_equal(git_odb_exists(database, &id), 0);
    assert_int_equal(git_odb_read(&object, database, &id), GIT_ENOTFOUND);
    box_run("cd '%s/real.git' && printf blob | git hash-object -w --stdin >/dev/null", box->path);
    assert_int_equal(git_odb_refresh(database), 0);
    assert_int_equal(git_odb_exists(database, &id), 1);
    assert_int_equal(git_odb_read_header(&len, &kind, database, &id), 0);
    assert_int_equal(len, 4);
    assert_int_equal(kind, GIT_OBJECT_BLOB);
    assert_int_equal(git_odb_exists_prefix(&found, database, &id, 10), 0);
    assert_true(git_oid_equal(&found, &id));
    assert_int_equal(git_odb_read_prefix(&object, database, &id, 10), 0);
    assert_memory_equal(git_odb_object_data(object), "blob", 4);
    git_odb_object_free(object);
    assert_int_equal(git_odb_read(&object, database, &id), 0);
    git_odb_object_free(object);
    git_odb_free(database);
    git_libgit2_shutdown();
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, box_create, box_destroy)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_odb_real__loose_packed_and_indexed_in_every_way),
        TEST(test_odb_real__packs_beside_a_multi_pack_index),
        TEST(test_odb_real__new_packs_are_found_and_replaced_ones_still_read),
        TEST(test_odb_real__alternates_nested_quoted_and_in_a_circle),
        TEST(test_odb_backend__all_of_its_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
