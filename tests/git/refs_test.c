#include "cmocka_all.h"

#include "git/config.h"
#include "git/git_dir.h"
#include "git/odb_box.h"
#include "git/refs.h"

#define ID_1 "1111111111111111111111111111111111111111"
#define ID_2 "2222222222222222222222222222222222222222"

static struct refs
refs_in(const struct odb_box *box, char text[72])
{
    snprintf(text, 72, "%s/", box->path);
    return (struct refs){text, text};
}

static void
expect_ref(const struct odb_box *box, const char *name, const char *full_name, const char *hex)
{
    char folder[72], found[REF_NAME_MAX + 1], got[OID_HEX_SIZE];
    struct refs refs = refs_in(box, folder);
    struct oid id;
    struct err err;
    enum ref_outcome outcome = refs_resolve_short(&refs, name, found, &id, &err);
    if (outcome != REF_FOUND)
        fail_msg("%s: %s", name, outcome == REF_DAMAGED ? err.text : "missing");
    assert_string_equal(found, full_name);
    assert_string_equal(oid_to_hex(&id, got), hex);
}

static void
expect_no_ref(const struct odb_box *box, const char *name, enum ref_outcome outcome,
              const char *reason)
{
    char folder[72], found[REF_NAME_MAX + 1];
    struct refs refs = refs_in(box, folder);
    struct oid id;
    struct err err = {0};
    assert_int_equal(refs_resolve_short(&refs, name, found, &id, &err), outcome);
    if (!strstr(err.text, reason))
        fail_msg("\"%s\" is not in \"%s\"", reason, err.text);
}

static void
test_ref_name__what_git_allows(void **state)
{
    static const char *const good[] = {"HEAD", "FETCH_HEAD", "refs/heads/a", "refs/x/\xff",
                                       "refs/heads/a.b"};
    static const char *const bad[] = {"",           "head",         "refs/",        "refs/heads/",
                                      "refs//a",    "refs/a/../b",  "refs/.a",      "refs/a.lock",
                                      "refs/a@{1}", "refs/a\nb",    "refs/a b",     "refs/a~1",
                                      "refs/a*",    "/etc/passwd",  "../HEAD",      "refs/a.",
                                      "refs/a\\b",  "objects/pack", "refs/a.lock/b"};
    (void)state;
    for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
        assert_true(ref_name_is_valid(good[i]));
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        if (ref_name_is_valid(bad[i]))
            fail_msg("%s", bad[i]);
}

static void
test_refs_resolve__loose_before_packed_tags_before_branches(void **state)
{
    struct odb_box *box = *state;
    box_write_text(box, "HEAD", "ref: refs/heads/main\n");
    box_write_text(box, "packed-refs",
                   "# pack-refs with: peeled fully-peeled sorted \n" ID_1 " refs/heads/main\n" ID_1
                   " refs/heads/old\n" ID_1 " refs/tags/v1\n^" ID_2 "\n" ID_2
                   " refs/remotes/o/HEAD");
    expect_ref(box, "HEAD", "refs/heads/main", ID_1);
    box_write_text(box, "refs/heads/main", ID_2 "\n");
    expect_ref(box, "HEAD", "refs/heads/main", ID_2);
    expect_ref(box, "main", "refs/heads/main", ID_2);
    expect_ref(box, "old", "refs/heads/old", ID_1);
    expect_ref(box, "v1", "refs/tags/v1", ID_1);
    expect_ref(box, "tags/v1", "refs/tags/v1", ID_1);
    expect_ref(box, "o", "refs/remotes/o/HEAD", ID_2);
    box_write_text(box, "refs/tags/old", ID_2);
    expect_ref(box, "old", "refs/tags/old", ID_2);
    expect_no_ref(box, "gone", REF_MISSING, "");
    box_write_text(box, "refs/heads/folder/a", ID_2);
    expect_no_ref(box, "folder", REF_MISSING, "");
}

static void
test_refs_resolve__what_is_damaged_has_a_reason(void **state)
{
    static const struct {
        const char *content, *reason;
    } cases[] = {{"", "neither an id nor"},
                 {"ref: ../../etc/passwd\n", "names a ref that cannot be"},
                 {"ref: refs/heads/../../../x\n", "names a ref that cannot be"},
                 {"ref: /etc/passwd", "names a ref that cannot be"},
                 {"ref:", "names a ref that cannot be"},
                 {"111", "neither an id nor"},
                 {ID_1 "1", "neither an id nor"},
                 {"ref: refs/heads/main", "more than 10 times"}};
    struct odb_box *box = *state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        box_write_text(box, "refs/heads/main", cases[i].content);
        expect_no_ref(box, "main", REF_DAMAGED, cases[i].reason);
    }
    struct buf large = {0};
    while (large.len < 800000)
        buf_append_text(&large, "ref: refs/heads/aaaaaaaa/");
    box_write(box, "refs/heads/main", buf_bytes(&large));
    expect_no_ref(box, "main", REF_DAMAGED, "at most 4096 are read");
    box_write(box, "packed-refs", buf_bytes(&large));
    expect_no_ref(box, "other", REF_DAMAGED, "a line is too long");
    buf_clear(&large);
}

static void
test_refs_resolve__only_regular_files_are_read(void **state)
{
    static const char *const names[] = {"refs/heads/main", "packed-refs"};
    struct odb_box *box = *state;
    char path[160];
    for (size_t i = 0; i < 2; i++) {
        box_write_text(box, names[i], "");
        snprintf(path, sizeof(path), "%s/%s", box->path, names[i]);
        unlink(path);
        assert_int_equal(mkfifo(path, 0666), 0);
        expect_no_ref(box, "main", REF_DAMAGED, "it is not a regular file");
        unlink(path);
        assert_int_equal(symlink("/dev/zero", path), 0);
        expect_no_ref(box, "main", REF_DAMAGED, "it is not a regular file");
        unlink(path);
    }
}

/* Lines across the pieces that packed-refs is read in. */
static void
test_refs_resolve__each_of_many_packed_refs(void **state)
{
    struct odb_box *box = *state;
    struct buf packed = {0};
    char name[32], full_name[48];
    for (unsigned i = 0; i < 5000; i++)
        buf_printf(&packed, "%040x refs/heads/b%u\n", i, i);
    box_write(box, "packed-refs", buf_bytes(&packed));
    for (unsigned i = 0; i < 5000; i += 7) {
        char hex[OID_HEX_SIZE];
        snprintf(name, sizeof(name), "b%u", i);
        snprintf(full_name, sizeof(full_name), "refs/heads/b%u", i);
        snprintf(hex, sizeof(hex), "%040x", i);
        expect_ref(box, name, full_name, hex);
    }
    buf_clear(&packed);
}

static void
test_refs_any__loose_nested_or_packed(void **state)
{
    struct odb_box *box = *state;
    char folder[72];
    struct refs refs = refs_in(box, folder);
    assert_false(refs_any(&refs, "refs/"));
    box_write_text(box, "packed-refs", ID_1 " refs/replace/" ID_2 "\n");
    assert_true(refs_any(&refs, "refs/"));
    assert_true(refs_any(&refs, "refs/replace/"));
    box_write_text(box, "packed-refs", "");
    assert_false(refs_any(&refs, "refs/replace/"));
    box_write_text(box, "refs/heads/a/b/c", ID_1);
    assert_true(refs_any(&refs, "refs/"));
    assert_false(refs_any(&refs, "refs/replace/"));
}

/* ---- Configuration ------------------------------------------------------------------------- */

static void
test_config_parse__formats_extensions_and_promises(void **state)
{
    static const struct {
        const char *content;
        enum err_code code; /* 0: it is taken */
        bool is_partial;
    } cases[] = {
        {"", 0, false},
        {"[core]\n\tbare = true\n\trepositoryformatversion = 0\n", 0, false},
        {"[core] repositoryformatversion = 1 ; one\n[Extensions]\n objectFormat = sha1\n", 0,
         false},
        {"[core]\nrepositoryformatversion=1\n[extensions]\npartialClone = o\n", 0, true},
        {"[remote \"o\"]\n\tpromisor\n", 0, true},
        {"[remote \"o]\\\"\"]\n\tpromisor = \"true\" # yes\n", 0, true},
        {"[remote \"o\"]\n\tpromisor = false\n", 0, false},
        {"[include]\n\tpath = config\n\tpath = /dev/zero\n", 0, false},
        {"[alias]\n\tx = !f() { a \\\n [ \\\n }\n[core]\n", 0, false},
        {"\xef\xbb\xbf[core]\r\n\tbare = true\r\n", 0, false},
        {"[core]\nrepositoryformatversion = 2\n", ERR_UNSUPPORTED, false},
        {"[core]\nrepositoryformatversion = 99999999999999999999\n", ERR_DAMAGED, false},
        {"[core]\nrepositoryformatversion=1\n[extensions]\nobjectformat=sha256\n", ERR_UNSUPPORTED,
         false},
        {"[core]\nrepositoryformatversion=1\n[extensions]\nrefstorage=reftable\n", ERR_UNSUPPORTED,
         false},
        {"[core]\nrepositoryformatversion=0\n[extensions]\nnew=1\n", 0, false},
        {"[core\n", ERR_DAMAGED, false},
        {"[]\n", ERR_DAMAGED, false},
        {"key = value\n", ERR_DAMAGED, false},
        {"[core]\n= value\n", ERR_DAMAGED, false},
        {"[core]\na b\n", ERR_DAMAGED, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct config config;
        struct err err = {0};
        int result = config_parse(bytes_of_text(cases[i].content), "config", &config, &err);
        if ((result < 0 ? err.code : 0) != cases[i].code)
            fail_msg("case %zu: %d %s", i, result, err.text);
        if (result == 0)
            assert_int_equal(config.is_partial, cases[i].is_partial);
    }
}

/* ---- Where a repository is ----------------------------------------------------------------- */

static void
make_repository(const struct odb_box *box, const char *name)
{
    char path[128];
    static const char *const files[] = {"HEAD", "objects/x", "refs/x"};
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof(path), "%s/%s", name, files[i]);
        box_write_text(box, path, "");
    }
}

static void
expect_dir(const struct odb_box *box, const char *name, const char *own, const char *common)
{
    struct arena arena;
    struct git_dir dir;
    struct err err;
    char path[128];
    arena_init(&arena, 0);
    snprintf(path, sizeof(path), "%s/%s", box->path, name);
    if (git_dir_find(path, &arena, &dir, &err) < 0)
        fail_msg("%s", err.text);
    assert_string_equal(dir.own + strlen(box->path) + 1, own);
    assert_string_equal(dir.common + strlen(box->path) + 1, common);
    arena_clear(&arena);
}

static void
expect_no_dir(const struct odb_box *box, const char *name, const char *reason)
{
    struct arena arena;
    struct git_dir dir;
    struct err err;
    char path[128];
    arena_init(&arena, 0);
    snprintf(path, sizeof(path), "%s/%s", box->path, name);
    assert_int_equal(git_dir_find(path, &arena, &dir, &err), -1);
    if (!strstr(err.text, reason))
        fail_msg("\"%s\" is not in \"%s\"", reason, err.text);
    arena_clear(&arena);
}

static void
test_git_dir_find__bare_work_tree_gitfile_and_linked(void **state)
{
    struct odb_box *box = *state;
    make_repository(box, "bare");
    make_repository(box, "tree/.git");
    box_write_text(box, "file/.git", "gitdir: ../bare\n");
    box_write_text(box, "linked/.git", "gitdir: ../bare/worktrees/w\n");
    box_write_text(box, "bare/worktrees/w/HEAD", "");
    box_write_text(box, "bare/worktrees/w/commondir", "../..\n");
    expect_dir(box, "bare", "bare/", "bare/");
    expect_dir(box, "tree", "tree/.git/", "tree/.git/");
    expect_dir(box, "file", "file/../bare/", "file/../bare/");
    expect_dir(box, "linked", "linked/../bare/worktrees/w/", "linked/../bare/worktrees/w/../../");
}

static void
test_git_dir_find__what_leads_nowhere_is_refused(void **state)
{
    static const struct {
        const char *content, *reason;
    } cases[] = {{"gitdir: .git\n", "is not a git repository"},
                 {"gitdir: /etc\n", "is not a git repository"},
                 {"gitdir: \n", "does not name a folder"},
                 {"", "does not name a folder"},
                 {"../bare\n", "does not name a folder"}};
    struct odb_box *box = *state;
    char path[128];
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        box_write_text(box, "a/.git", cases[i].content);
        expect_no_dir(box, "a", cases[i].reason);
    }
    struct buf large = {0};
    while (large.len < 100000)
        buf_append_text(&large, "gitdir: aaaaaaaaaa");
    box_write(box, "a/.git", buf_bytes(&large));
    expect_no_dir(box, "a", "are read");
    buf_clear(&large);
    snprintf(path, sizeof(path), "%s/a/.git", box->path);
    unlink(path);
    assert_int_equal(mkfifo(path, 0666), 0);
    expect_no_dir(box, "a", "it is not a regular file");
    unlink(path);
    assert_int_equal(symlink(".git", path), 0);
    expect_no_dir(box, "a", "symbolic links");
    expect_no_dir(box, "nowhere", "No such file");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, box_create, box_destroy)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ref_name__what_git_allows),
        TEST(test_refs_resolve__loose_before_packed_tags_before_branches),
        TEST(test_refs_resolve__what_is_damaged_has_a_reason),
        TEST(test_refs_resolve__only_regular_files_are_read),
        TEST(test_refs_resolve__each_of_many_packed_refs),
        TEST(test_refs_any__loose_nested_or_packed),
        cmocka_unit_test(test_config_parse__formats_extensions_and_promises),
        TEST(test_git_dir_find__bare_work_tree_gitfile_and_linked),
        TEST(test_git_dir_find__what_leads_nowhere_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
