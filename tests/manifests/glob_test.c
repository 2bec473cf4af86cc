#include "cmocka_all.h"
#include "manifests/manifests.h"

struct glob_case {
    const char *glob;
    const char *path;
    bool matches;
};

static void
check(const struct glob_case *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bool got = glob_matches(bytes_of_text(cases[i].glob), bytes_of_text(cases[i].path));
        if (got != cases[i].matches)
            fail_msg("%s on %s: %s", cases[i].glob, cases[i].path, got ? "taken" : "not taken");
    }
}

static void
test_glob_matches__one_component_and_whole_paths(void **state)
{
    (void)state;
    static const struct glob_case cases[] = {
        {"*.py", "a.py", true},
        {"*.py", "deep/er/a.py", true},
        {"a.py", "b/a.py", true},
        {"a/*.py", "a/b.py", true},
        {"a/*.py", "a/b/c.py", false},
        {"a/*.py", "x/a/b.py", false},
        {"?.py", "a.py", true},
        {"?.py", "ab.py", false},
        {"a/?b", "a/xb", true},
        {"a?b", "a/b", false},
        {"test_*.py", "t/test_.py", true},
        {"*", "", true},
        {"a*b*c", "aXbYbZc", true},
        {"a*b*c", "aXbYbZ", false},
    };
    check(cases, sizeof(cases) / sizeof(*cases));
}

static void
test_glob_matches__double_star_crosses_folders(void **state)
{
    (void)state;
    static const struct glob_case cases[] = {
        {"a/**", "a/b", true},
        {"a/**", "a/b/c.py", true},
        {"a/**", "a", false},
        {"a/**/b", "a/b", true},
        {"a/**/b", "a/x/y/b", true},
        {"a/**/b", "a/xb", false},
        {"**/tests/**", "tests/a", true},
        {"**/tests/**", "x/y/tests/a/b", true},
        {"**/tests/**", "xtests/a", false},
        {"a**b/c", "a/x/b/c", true},
        {"**/**/a/**/**/b", "a/b", true},
        {"**/**/a/**/**/b", "b/a", false},
        {"**/*.py", "a.py", true},
        {"**/*.py", "b/a.py", true},
        {"x/**/*_pb2.py", "x/y/z_pb2.py", true},
    };
    check(cases, sizeof(cases) / sizeof(*cases));
}

static void
test_glob_matches__sets(void **state)
{
    (void)state;
    static const struct glob_case cases[] = {
        {"[a-c].py", "b.py", true},  {"[a-c].py", "d.py", false},
        {"[!a-c].py", "d.py", true}, {"[!a-c].py", "a.py", false},
        {"[]]", "]", true},          {"[!]]", "]", false},
        {"[a-]", "-", true},         {"a[!b]c/d", "a/c/d", false},
        {"[ac-e]x", "cx", true},     {"[", "[", true},
        {"[ab", "[ab", true},
    };
    check(cases, sizeof(cases) / sizeof(*cases));
}

/* What a glob means, by trying every way; FRONT is where the glob begins. */
static bool
means(const char *front, const char *glob, const char *path)
{
    if (!*glob)
        return !*path;
    bool is_double = glob[0] == '*' && glob[1] == '*';
    if (is_double && glob[2] == '/' && (glob == front || glob[-1] == '/')) {
        if (means(front, glob + 3, path))
            return true;
        for (const char *p = path; *p; p++)
            if (*p == '/' && means(front, glob + 3, p + 1))
                return true;
    }
    if (*glob == '*') {
        for (;; path++) {
            if (means(front, glob + 1 + is_double, path))
                return true;
            if (!*path || (*path == '/' && !is_double))
                return false;
        }
    }
    return *path && (*glob == '?' ? *path != '/' : *glob == *path) &&
           means(front, glob + 1, path + 1);
}

/* The word number N over LETTERS: "", then those of one letter, of two and so on. */
static void
spell(unsigned n, const char *letters, char word[8])
{
    size_t base = strlen(letters), len = 0;
    for (; n > 0; n = (n - 1) / (unsigned)base)
        word[len++] = letters[(n - 1) % base];
    word[len] = '\0';
}

static void
test_glob_matches__short_globs_mean_what_trying_every_way_finds(void **state)
{
    (void)state;
    for (unsigned g = 1; g < 5461; g++) { /* up to six letters */
        char glob[8];
        spell(g, "*a/?", glob);
        if (!strchr(glob, '/'))
            continue;                        /* about the last component alone */
        for (unsigned p = 0; p < 364; p++) { /* up to five letters */
            char path[8];
            spell(p, "a/b", path);
            if (glob_matches(bytes_of_text(glob), bytes_of_text(path)) != means(glob, glob, path))
                fail_msg("%s on %s", glob, path);
        }
    }
}

/* The shape on which a matcher that goes back never returns. */
static void
test_glob_matches__many_stars_on_a_long_path_end(void **state)
{
    (void)state;
    char path[4096];
    memset(path, 'a', sizeof(path));
    char glob[GLOB_MAX_BYTES];
    for (size_t i = 0; i < sizeof(glob); i++)
        glob[i] = "a*"[i % 2];
    struct bytes g = {(const uint8_t *)glob, sizeof(glob) - 1};
    assert_true(glob_matches(g, (struct bytes){(const uint8_t *)path, sizeof(path)}));
    path[sizeof(path) - 1] = 'b';
    assert_false(glob_matches(g, (struct bytes){(const uint8_t *)path, sizeof(path)}));
}

static void
test_glob_fault__names_what_cannot_mean_anything(void **state)
{
    (void)state;
    assert_null(glob_fault(BYTES("**/tests/[a-z]*.py")));
    assert_non_null(glob_fault(BYTES("")));
    assert_non_null(glob_fault(BYTES("/a")));
    assert_non_null(glob_fault(BYTES("tests/")));
    assert_non_null(strstr(glob_fault(BYTES("a[b")), "'['"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_glob_matches__one_component_and_whole_paths),
        cmocka_unit_test(test_glob_matches__double_star_crosses_folders),
        cmocka_unit_test(test_glob_matches__sets),
        cmocka_unit_test(test_glob_matches__short_globs_mean_what_trying_every_way_finds),
        cmocka_unit_test(test_glob_matches__many_stars_on_a_long_path_end),
        cmocka_unit_test(test_glob_fault__names_what_cannot_mean_anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
