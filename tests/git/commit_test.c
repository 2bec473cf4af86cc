#include "cmocka_all.h"

#include "base/base.h"
#include "git/commit.h"

#define TREE "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n"
#define PARENT "parent 1111111111111111111111111111111111111111\n"
#define PARENT2 "parent 2222222222222222222222222222222222222222\n"

static void
assert_bytes(struct bytes b, const char *text)
{
    assert_int_equal(b.len, strlen(text));
    assert_memory_equal(b.len ? b.data : (const uint8_t *)"", text, b.len);
}

static void
test_commit_parse__headers_and_message(void **state)
{
    (void)state;
    struct commit commit;
    const char *why;
    struct bytes raw = BYTES(TREE PARENT PARENT2
                             "author A <a@x> 1 +0000\n"
                             "committer C <c@x> 1600000000 +0200\ngpgsig x\n author no\n\nword\n");

    assert_int_equal(commit_parse(raw, &commit, &why), 0);
    assert_int_equal(commit.n_parents, 2);
    struct oid second = commit_parent(&commit, 1);
    char hex[OID_HEX_SIZE];
    assert_string_equal(oid_to_hex(&second, hex), "2222222222222222222222222222222222222222");
    assert_bytes(commit.author, "A <a@x>");
    assert_bytes(commit.author_date, "1 +0000");
    assert_bytes(commit.committer, "C <c@x>");
    assert_bytes(commit.date, "1600000000 +0200");
    assert_bytes(commit.message, "word\n");
}

/* What a real history holds and libgit2 may refuse: the walk goes on past it. */
static void
test_commit_parse__lacking_headers_are_absent(void **state)
{
    (void)state;
    static const char *const raws[] = {TREE,
                                       TREE "\n",
                                       TREE "author A\ncommitter C <c@x>\n\n",
                                       TREE "committer C <c@x> \n",
                                       TREE "parent",
                                       TREE "committer <<>> x +0000\n\n",
                                       TREE "\nparent 11\n"};
    for (size_t i = 0; i < sizeof(raws) / sizeof(raws[0]); i++) {
        struct commit commit;
        const char *why;
        assert_int_equal(commit_parse(bytes_of_text(raws[i]), &commit, &why), 0);
        assert_int_equal(commit.n_parents, 0);
        int64_t time_s;
        assert_int_equal(commit_date(commit.date, INT64_MAX, &time_s), DATE_UNREADABLE);
    }
}

static void
test_commit_parse__no_tree_or_a_bad_parent_is_refused(void **state)
{
    (void)state;
    static const char *const raws[] = {"",
                                       "\n",
                                       "parent x\n",
                                       "tree 4b825dc6\n",
                                       "tree 4b825dc642cb6eb9a060e54bf8d69288fbee490g\n",
                                       TREE "parent 1111\n",
                                       TREE PARENT
                                       "parent 2222222222222222222222222222222222222222x\n"};
    for (size_t i = 0; i < sizeof(raws) / sizeof(raws[0]); i++) {
        struct commit commit;
        const char *why = NULL;
        assert_int_equal(commit_parse(bytes_of_text(raws[i]), &commit, &why), -1);
        assert_non_null(why);
    }
}

static void
test_commit_date__impossible_dates_are_told_apart(void **state)
{
    (void)state;
    const struct {
        const char *date;
        enum date_state state;
    } cases[] = {
        {"1600000000 +0000", DATE_GOOD},
        {"1600000000 -0000", DATE_GOOD},
        {"1600000000 +0545", DATE_GOOD},
        {"1600000000 -1200", DATE_GOOD},
        {"1600000000 +1400", DATE_GOOD},
        {"1600000000 +1401", DATE_BAD_ZONE},
        {"1600000000", DATE_BAD_ZONE},
        {"1600000000 ", DATE_BAD_ZONE},
        {"1600000000 -51800", DATE_BAD_ZONE},
        {"1600000000 +9999", DATE_BAD_ZONE},
        {"0 +0000", DATE_TOO_EARLY},
        {"-5 +0000", DATE_TOO_EARLY},
        {"2000000000 +0000", DATE_AHEAD},
        {"9223372036854775807 +0000", DATE_AHEAD},
        {"9223372036854775808 +0000", DATE_UNREADABLE},
        {"soon +0000", DATE_UNREADABLE},
        {"", DATE_UNREADABLE},
        {" +0000", DATE_UNREADABLE},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int64_t time_s;
        assert_int_equal(commit_date(bytes_of_text(cases[i].date), 1900000000, &time_s),
                         cases[i].state);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commit_parse__headers_and_message),
        cmocka_unit_test(test_commit_parse__lacking_headers_are_absent),
        cmocka_unit_test(test_commit_parse__no_tree_or_a_bad_parent_is_refused),
        cmocka_unit_test(test_commit_date__impossible_dates_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
