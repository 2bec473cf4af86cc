/* What `files` and `ignores` let a rule apply to; every line was tried with ast-grep 0.51.1. */
#include "analyzer/analyzer.h"

#include <stdio.h>

#include "base/buf.h"
#include "cmocka_all.h"

static int
load(const char *keys, struct ruleset **out, struct err *err)
{
    struct buf text = {0};
    buf_printf(&text, "id: a\nlanguage: python\nrule: {kind: call}\n%s\n", keys);
    struct rule_source source = {"set.yaml", buf_bytes(&text)};
    int rc = ruleset_load(&source, 1, out, err);
    buf_clear(&text);
    return rc;
}

static bool
applies(const char *keys, const char *path)
{
    struct ruleset *set;
    struct err err;
    if (load(keys, &set, &err) < 0)
        fail_msg("%s: %s", keys, err.text);
    bool result = ruleset_applies(set, 0, bytes_of_text(path));
    assert_true(ruleset_rule(set, 0)->is_scoped);
    ruleset_destroy(set);
    return result;
}

static void
test_rule_scope__globs_mean_what_globset_makes_of_them(void **state)
{
    (void)state;
    static const struct {
        const char *glob, *path;
        bool matches;
    } cases[] = {
        {"src/**", "src/b.py", true},       {"src/**", "src/sub/c.py", true},
        {"src/**", "src", false},           {"src/**", "a/src/b.py", false},
        {"./src/**", "src/b.py", false},    {"b.py", "src/b.py", false},
        {"*.py", "src/sub/c.py", true},     {"**/b.py", "b.py", true},
        {"**/b.py", "src/b.py", true},      {"**/b.py", "src/ab.py", false},
        {"src/sub", "src/sub/c.py", false}, {"src/*", "src/sub/c.py", true},
        {"a/**/x.py", "a/x.py", true},      {"a/**/x.py", "a/b/c/x.py", true},
        {"a/**/x.py", "abx.py", false},     {"src**", "src/sub/c.py", true},
        {"src/?.py", "src/b.py", true},     {"src/[!b].py", "src/b.py", false},
        {"src/[!b].py", "src/c.py", true},  {"[]a].py", "].py", true},
        {"{a,src/b}.py", "src/b.py", true}, {"{a,src/b}.py", "b.py", false},
        {"{,a}b.py", "b.py", false},        {"{a/**,b}", "a/x.py", true},
        {"**", "any/thing.py", true},       {"**/", "any/thing.py", true},
        {"**/**", "any.py", true},          {"\\\\*.py", "*.py", true},
        {"\\\\*.py", "a.py", false},        {"[a-]{,a}-*.py", "a-b.py", false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char keys[100];
        snprintf(keys, sizeof(keys), "files: [\"%s\"]", cases[i].glob);
        if (applies(keys, cases[i].path) != cases[i].matches)
            fail_msg("%s on %s", cases[i].glob, cases[i].path);
    }
}

static void
test_rule_scope__ignores_win_and_no_files_means_none(void **state)
{
    (void)state;
    const char *both = "files: ['src/**']\nignores: ['**/c.py']";
    assert_true(applies(both, "src/b.py"));
    assert_false(applies(both, "src/c.py"));
    assert_false(applies(both, "b.py"));
    assert_false(applies("files: []", "b.py"));
    assert_true(applies("ignores: [b.py]", "B.py"));
    assert_false(applies("ignores: [{glob: b.py, caseInsensitive: true}]", "B.py"));
}

static void
test_rule_scope__what_is_no_glob_is_refused(void **state)
{
    (void)state;
    static const char *const keys[][2] = {
        {"files: ['[a']", "set.yaml:4: \"[a\" is not a glob: a [ without ]"},
        {"files: ['{a']", "\"{a\" is not a glob: a { without }"},
        {"ignores: ['a}']", "is not a glob: a } without {"},
        {"files: ['[b-a]']", "a range that ends before it starts"},
        {"files: ['a\\']", "a \\ at the end"},
        {"files: src", "`files` must be a list of globs, not a text"},
        {"files: [1]", "`files` must be a list of globs"},
        {"files: [{caseInsensitive: true}]", "`files` must be a list of globs"}};
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        struct ruleset *set;
        struct err err;
        assert_int_equal(load(keys[i][0], &set, &err), -1);
        if (!strstr(err.text, keys[i][1]))
            fail_msg("no \"%s\" in \"%s\"", keys[i][1], err.text);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rule_scope__globs_mean_what_globset_makes_of_them),
        cmocka_unit_test(test_rule_scope__ignores_win_and_no_files_means_none),
        cmocka_unit_test(test_rule_scope__what_is_no_glob_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
