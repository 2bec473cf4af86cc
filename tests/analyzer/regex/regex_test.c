#include "analyzer/regex/regex.h"

#include <stdio.h>

#include "base/buf.h"
#include "cmocka_all.h"

/* Everything one pattern needs. */
struct compiled {
    struct arena arena;
    struct regex regex;
    struct err err;
    int rc;
};

static void
compiled_init(struct compiled *c, const char *pattern)
{
    arena_init(&c->arena, 0);
    c->rc = regex_compile(bytes_of_text(pattern), &c->arena, &c->regex, &c->err);
}

static void
compiled_clear(struct compiled *c)
{
    arena_clear(&c->arena);
}

static enum regex_outcome
search(const char *pattern, const char *text, uint64_t steps)
{
    struct compiled c;
    compiled_init(&c, pattern);
    if (c.rc < 0)
        fail_msg("%s: %s", pattern, c.err.text);
    struct regex_cache *cache = regex_cache_create(&c.regex);
    assert_non_null(cache);
    enum regex_outcome outcome = regex_search(cache, bytes_of_text(text), &steps);
    regex_cache_destroy(cache);
    compiled_clear(&c);
    return outcome;
}

static void
assert_answers(const char *const cases[][2], size_t n, enum regex_outcome wanted)
{
    for (size_t i = 0; i < n; i++)
        if (search(cases[i][0], cases[i][1], 1000000) != wanted)
            fail_msg("%s on \"%s\"", cases[i][0], cases[i][1]);
}

#define ASSERT_ANSWERS(cases, wanted) \
    assert_answers((cases), sizeof(cases) / sizeof((cases)[0]), (wanted))

static void
test_regex_search__finds_what_rust_finds(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"b", "abc"},
        {"^a", "abc"},
        {"c$", "abc"},
        {"^$", ""},
        {"", ""},
        {"a|b|", "x"},
        {"a{2,3}", "xaay"},
        {"(ab){2}", "abab"},
        {"a{ 2 }", "aa"},
        {"a**", ""},
        {"(?:a+)+$", "baaa"},
        {"[]a]", "]"},
        {"[-a]", "-"},
        {"[a-]", "-"},
        {"[^\\s\\S]|x", "x"},
        {"[a-c&&[^b]]$", "bc"},
        {"[a-z--m]", "n"},
        {"[ab~~bc]", "c"},
        {"[[:digit:]x]", "7"},
        {"[[:^digit:]]", "x"},
        {"\\w", "\xc3\xa9"},
        {"\\d", "\xd9\xa3"},
        {"\\s", "\xc2\xa0"},
        {"\\pL", "\xc3\xa9"},
        {"\\p{Greek}", "\xce\xb1"},
        {"\\p{gc=Lu}", "A"},
        {"\\P{L}", "1"},
        {"(?i)\xc3\x89", "\xc3\xa9"},
        {"(?i)k", "\xe2\x84\xaa"},
        {"(?i)[x\xc3\x89]y", "\xc3\xa9Y"},
        {"(?s)a.b", "a\nb"},
        {"a.b", "a\rb"},
        {"(?m)^b$", "a\nb\nc"},
        {"(?mR)^b$", "a\r\nb\r\n"},
        {"a(?i)b|c", "C"},
        {"(?x) a b # c", "ab"},
        {"(?i:a)b", "Ab"},
        {"(?P<x>a)(?<y>b)", "ab"},
        {"\\bgo\\b", "a go b"},
        {"\\bgo\\b", "go"},
        {"\\Bo", "go"},
        {"\\b{start}go", "x go"},
        {"\\<go\\>", "(go)"},
        {"(?-u:\\b)a", "\xc3\xa9"
                       "a"},
        {"\\Aa\\z", "a"},
        {"\\x41\\u0042\\x{43}", "ABC"},
        {"\\/\\-\\'\\\"\\_", "/-'\"_"},
        {"}", "}"},
        {"]", "]"},
        {"a|^b", "ca"},
        {"x$|^y", "yz"},
        {"(a|ab)(c|bcd)$", "abcd"},
        {"\xe6\x97\xa5+", "x\xe6\x97\xa5\xe6\x97\xa5"},
    };
    ASSERT_ANSWERS(cases, REGEX_MATCH);
}

static void
test_regex_search__misses_what_rust_misses(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"a$", "a\n"},
        {"a.b", "a\nb"},
        {"^b", "a\nb"},
        {"a{3}", "aa"},
        {"[^\\s\\S]", "x"},
        {"[[:alpha:]]", "\xc3\xa9"},
        {"(?-u:\\w)", "\xc3\xa9"},
        {"(?-u:\\d)", "\xd9\xa3"},
        {"\\bgo\\b", "\xc3\xa9go"},
        {"(?m)^b$", "a\rb\rc"},
        {"(?i)(?-i:A)", "a"},
        {"(?i:a)b", "AB"},
        {"\\p{Lu}", "a"},
        {"(?i)(?-u:s)", "\xc5\xbf"},
        {"\\b{end}go", "x go"},
        {"^a|^b", "ca"},
        {"(?:ab){2,3}$", "ab"},
        {"\\z.", "x"},
    };
    ASSERT_ANSWERS(cases, REGEX_NO_MATCH);
}

static void
test_regex_compile__refuses_what_rust_refuses(void **state)
{
    (void)state;
    static const char *const patterns[] = {
        "(?=a)",     "(?!a)",       "(?<=a)",  "(?<!a)",
        "\\1",       "\\0",         "(a",      "a)",
        "[a",        "*",           "a|*",     "(?i)*",
        "{",         "a{",          "a{,2}",   "x{a}",
        "a{3,2}",    "\\e",         "\\h",     "\\y",
        "\\Z",       "\\R",         "\\X",     "\\N",
        "\\Qa\\E",   "(?>a)",       "(?#a)",   "(?P<a>x)(?P<a>y)",
        "(?P<>x)",   "(?ii)a",      "(?i",     "(?-)",
        "(?z)",      "[b-a]",       "[a-\\d]", "[\\b]",
        "\\x{d800}", "\\x{110000}", "\\x4",    "\\p{Nope}",
        "(?-u)\\pL", "(?-u)[^a]",   "(?-u).",  "(?-u)\\xff",
        "\\w{2000}", "a\\",         "(?)",     "\\b{middle}",
    };
    for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
        struct compiled c;
        compiled_init(&c, patterns[i]);
        if (c.rc == 0)
            fail_msg("%s was accepted", patterns[i]);
        assert_int_equal(c.err.code, ERR_INPUT);
        compiled_clear(&c);
    }
}

static void
test_regex_search__counted_lines_stay_linear(void **state)
{
    (void)state;
    struct buf text = {0};
    buf_append_text(&text, "def f():\n");
    for (int i = 0; i < 30; i++)
        buf_append_text(&text, "        x = 1\n    if a:\n        return b\n");
    buf_append_byte(&text, '\0');
    static const char pattern[] =
        "^def [^\\n]*:\\n(?:    [^\\n]*\\n|        [^\\n]*\\n){0,80}    if [^\\n]*:\\n        "
        "return "
        "[^\\n]*\\n(?:    [^\\n]*\\n|        [^\\n]*\\n){0,80}    if [^\\n]*:\\n        raise";
    assert_int_equal(search(pattern, (const char *)text.data, 2000000), REGEX_NO_MATCH);
    assert_int_equal(search("(a|a)*(a|a)*(a|a)*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 10000),
                     REGEX_NO_MATCH);
    buf_clear(&text);
}

static void
test_regex_search__gives_up_when_steps_run_out(void **state)
{
    (void)state;
    assert_int_equal(search("a*b", "aaaa", 0), REGEX_GAVE_UP);
}

/* A small automaton cache is flushed many times on the way. */
static void
test_regex_search__a_flushed_cache_changes_nothing(void **state)
{
    (void)state;
    struct buf text = {0};
    uint32_t random = 1;
    for (int i = 0; i < 20000; i++) {
        random = random * 1664525 + 1013904223;
        buf_append_byte(&text, random >> 31 ? 'a' : 'b');
    }
    buf_append_text(&text, "c");
    buf_append_byte(&text, '\0');
    assert_int_equal(search("a[ab]{400}c", (const char *)text.data, UINT64_MAX),
                     text.data[text.len - 403] == 'a' ? REGEX_MATCH : REGEX_NO_MATCH);
    buf_clear(&text);
}

static void
assert_need(const char *pattern, const char *literals)
{
    struct compiled c;
    compiled_init(&c, pattern);
    assert_int_equal(c.rc, 0);
    struct buf found = {0};
    for (uint32_t i = 0; i < c.regex.n_needs; i++) {
        for (uint32_t j = 0; j < c.regex.needs[i].n_literals; j++) {
            buf_append_text(&found, j ? "|" : i ? " " : "");
            buf_append_bytes(&found, c.regex.needs[i].literals[j]);
        }
    }
    buf_append_byte(&found, '\0');
    assert_string_equal((const char *)found.data, literals);
    buf_clear(&found);
    compiled_clear(&c);
}

static void
test_regex_needs__name_the_literals_a_match_holds(void **state)
{
    (void)state;
    assert_need("Exception", "Exception");
    assert_need("^\\.get$", ".get");
    assert_need("error|Error", "error|Error");
    assert_need("(?i)ab", "AB|Ab|aB|ab");
    assert_need("x*", "");
    assert_need("return None\\s*,\\s*(?:err|problem)", "return None err|problem");
    assert_need("(?:ab){2,}c*", "abab");
    assert_need("foo|\\w+", "");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_regex_search__finds_what_rust_finds),
        cmocka_unit_test(test_regex_search__misses_what_rust_misses),
        cmocka_unit_test(test_regex_compile__refuses_what_rust_refuses),
        cmocka_unit_test(test_regex_search__counted_lines_stay_linear),
        cmocka_unit_test(test_regex_search__gives_up_when_steps_run_out),
        cmocka_unit_test(test_regex_search__a_flushed_cache_changes_nothing),
        cmocka_unit_test(test_regex_needs__name_the_literals_a_match_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
