#include "analyzer/analyzer.h"

#include <stdio.h>
#include <stdlib.h>

#include "analyzer/engine/ruleset.h"
#include "cmocka_all.h"

static struct ruleset *
load(const char *text)
{
    struct rule_source source = {"dir/set.yaml", bytes_of_text(text)};
    struct ruleset *set;
    struct err err;
    if (ruleset_load(&source, 1, &set, &err) < 0)
        fail_msg("%s", err.text);
    return set;
}

static void
assert_refused(const char *text, const char *words)
{
    struct rule_source source = {"set.yaml", bytes_of_text(text)};
    struct ruleset *set;
    struct err err;
    if (ruleset_load(&source, 1, &set, &err) == 0)
        fail_msg("accepted: %s", text);
    assert_int_equal(err.code, ERR_INPUT);
    if (!strstr(err.text, words))
        fail_msg("no \"%s\" in \"%s\"", words, err.text);
}

static void
assert_text(struct bytes actual, const char *expected)
{
    assert_true(bytes_equal(actual, bytes_of_text(expected)));
}

/* Any other word or type under `selection` is as none: the rule is somebody else's. */
static void
test_ruleset_load__knows_the_selection_and_the_extent_of_a_rule(void **state)
{
    static const struct {
        const char *metadata;
        enum rule_selection selection;
        bool is_of_function;
    } cases[] = {
        {"{selection: strict}", SELECTION_STRICT, false},
        {"{selection: calibrated, extent: function}", SELECTION_CALIBRATED, true},
        {"{selection: both, extent: class}", SELECTION_BOTH, false},
        {"{selection: \"strict\"}", SELECTION_STRICT, false},
        {"{selection: lenient}", SELECTION_NONE, false},
        {"{selection: [strict], extent: [function]}", SELECTION_NONE, false},
        {"{selection: 1, extent: true}", SELECTION_NONE, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        char text[200];
        snprintf(text, sizeof(text), "id: a\nlanguage: python\nmetadata: %s\nrule: {kind: call}\n",
                 cases[i].metadata);
        struct ruleset *set = load(text);
        assert_int_equal(ruleset_rule(set, 0)->selection, cases[i].selection);
        assert_true(ruleset_rule(set, 0)->is_of_function == cases[i].is_of_function);
        ruleset_destroy(set);
    }
}

static void
test_ruleset_load__keeps_what_a_rule_says_of_itself(void **state)
{
    (void)state;
    struct ruleset *set =
        load("id: a\nlanguage: python\nseverity: warning\nmessage: m\n"
             "note: n\nurl: u\nmetadata: {min_file_count: 3, w: [1, 0x1F, .5], advice: true}\n"
             "rule: {kind: call}\n---\nlanguage: Py\nrule: {kind: list}\n");
    assert_int_equal(ruleset_count(set), 2);
    const struct rule_info *a = ruleset_rule(set, 0), *b = ruleset_rule(set, 1);
    assert_text(a->id, "a");
    assert_text(a->message, "m");
    assert_text(a->note, "n");
    assert_text(a->url, "u");
    assert_text(a->metadata, "{\"min_file_count\":3,\"w\":[1,\"0x1F\",\".5\"],\"advice\":true}");
    assert_int_equal(a->min_file_count, 3);
    assert_int_equal(a->severity, SEVERITY_WARNING);
    assert_int_equal(a->line, 1);
    assert_text(b->id, "set-1");
    assert_null(b->metadata.data);
    assert_int_equal(b->min_file_count, 1);
    assert_true(a->is_advice && !b->is_advice);
    assert_true(a->selection == SELECTION_NONE && !a->is_of_function);
    assert_text(b->source, "language: Py\nrule: {kind: list}\n");
    assert_true(a->runs && b->runs);
    ruleset_destroy(set);
}

static void
test_ruleset_load__takes_a_byte_order_mark_and_crlf(void **state)
{
    (void)state;
    struct ruleset *set = load("\xef\xbb\xbfid: a\r\nlanguage: python\r\nrule: {kind: call}\r\n");
    assert_text(ruleset_rule(set, 0)->id, "a");
    ruleset_destroy(set);
}

static void
test_ruleset_load__names_file_line_and_rule_when_it_refuses(void **state)
{
    (void)state;
    assert_refused("id: a\nlanguage: python\nrule:\n  kind: nope\n",
                   "rule \"a\": set.yaml:4: \"nope\" is no node kind");
    assert_refused("id: a\nlanguage: python\nrule: {kind: call}\nfoo: 1\n",
                   "rule \"a\": set.yaml:4: a rule has no key `foo`");
    assert_refused("id: a\nlanguage: python\nrule:\n  kind: call\n  regex: 'x(?=y)'\n",
                   "set.yaml:5: regex: look-around does not exist here");
    assert_refused("id: a\nid: b\n", "set.yaml:2: the key \"id\" is there twice");
    assert_refused("id: a\nlanguage: python\nrule: {regex: x}\n", "could start at any kind");
    assert_refused("id: a\nlanguage: klingon\nrule: {kind: call}\n", "unknown `language`");
    assert_refused("id: a\nlanguage: python\nutils: {u: {matches: v}, v: {not: {matches: u}}}\n"
                   "rule: {kind: call}\n",
                   "refers to itself");
    assert_refused("id: a\nlanguage: python\nrule: {kind: call, matches: u}\n", "names a util");
    assert_refused("id: a\nlanguage: python\nrule: {pattern: f($A)}\nfix: g($B)\n",
                   "`fix` uses $B");
}

static void
test_ruleset_load__one_refused_rule_refuses_all(void **state)
{
    (void)state;
    struct rule_source sources[] = {
        {"a.yaml", BYTES("id: a\nlanguage: python\nrule: {kind: call}\n")},
        {"b.yaml", BYTES("id: b\nlanguage: python\nrule: {kind: nope}\n")}};
    struct ruleset *set;
    struct err err;
    assert_int_equal(ruleset_load(sources, 2, &set, &err), -1);
    assert_non_null(strstr(err.text, "b.yaml:3"));
}

static bool
same_fingerprint(const char *a, const char *b)
{
    struct ruleset *x = load(a), *y = load(b);
    bool same = memcmp(&ruleset_rule(x, 0)->fingerprint, &ruleset_rule(y, 0)->fingerprint,
                       sizeof(struct fingerprint)) == 0;
    ruleset_destroy(x);
    ruleset_destroy(y);
    return same;
}

static void
test_ruleset_fingerprint__covers_what_changes_hits_and_no_more(void **state)
{
    (void)state;
    const char *rule = "id: a\nlanguage: python\nrule: {kind: call, regex: x}\n";
    assert_true(same_fingerprint(rule, "# hi\nid: 'a'\nmessage: m\nseverity: error\n"
                                       "language: py\nrule:\n  regex: \"x\"\n  kind: call\n"));
    assert_false(same_fingerprint(rule, "id: a\nlanguage: python\nrule: {kind: call, regex: y}\n"));
    /* Suppression comments name the id. */
    assert_false(same_fingerprint(rule, "id: b\nlanguage: python\nrule: {kind: call, regex: x}\n"));
    assert_false(same_fingerprint(rule, "id: a\nlanguage: python\nseverity: off\n"
                                        "rule: {kind: call, regex: x}\n"));
}

static void
test_ruleset_concat__has_the_rules_of_both(void **state)
{
    (void)state;
    struct ruleset *a = load("id: a\nlanguage: python\nrule: {kind: call}\n");
    struct ruleset *b = load("id: b\nlanguage: python\nrule: {kind: list}\n");
    struct ruleset *both;
    struct err err;
    assert_int_equal(ruleset_concat(a, b, &both, &err), 0);
    ruleset_destroy(a);
    ruleset_destroy(b);
    assert_int_equal(ruleset_count(both), 2);
    assert_text(ruleset_rule(both, 1)->id, "b");
    ruleset_destroy(both);
}

/* Rules that say the same of different variables share their matchers. */
static void
test_ruleset_intern__equal_parts_are_one(void **state)
{
    (void)state;
    const char *one = "id: a\nlanguage: python\nrule: {kind: block, has: {pattern: '$X = $X'}}\n";
    const char *two =
        "id: a\nlanguage: python\nrule: {kind: block, has: {pattern: '$X = $X'}}\n"
        "---\nid: b\nlanguage: python\nrule: {kind: list, has: {pattern: '$Y = $Y'}}\n";
    struct ruleset *x = load(one), *y = load(two);
    /* Only the outermost part, with the other kind, is new. */
    assert_int_equal(y->program.n_patterns, x->program.n_patterns);
    assert_int_equal(y->program.n_matchers, x->program.n_matchers + 2);
    ruleset_destroy(x);
    ruleset_destroy(y);
}

/* ---- Hostile files ------------------------------------------------------------------------- */

static char *
repeat(const char *head, const char *item, size_t n, const char *tail)
{
    size_t len = strlen(item);
    char *text = malloc(strlen(head) + n * len + strlen(tail) + 1);
    assert_non_null(text);
    strcpy(text, head);
    char *at = text + strlen(head);
    for (size_t i = 0; i < n; i++, at += len)
        memcpy(at, item, len);
    strcpy(at, tail);
    return text;
}

static void
assert_repeat_refused(const char *head, const char *item, size_t n, const char *tail,
                      const char *words)
{
    char *text = repeat(head, item, n, tail);
    assert_refused(text, words);
    free(text);
}

static void
test_ruleset_load__hostile_files_are_refused_with_a_reason(void **state)
{
    (void)state;
    static const char head[] = "id: a\nlanguage: python\nrule: ";
    assert_repeat_refused(head, "{not: ", 10000, "x", "nested more than");
    assert_repeat_refused("id: a\nlanguage: python\nrule: {kind: call, regex: '", "(", 10000, "'}",
                          "nested too deep");
    assert_repeat_refused("id: a\nlanguage: python\nrule: {kind: '", "call,", 10000, "call'}",
                          "too long");
    assert_repeat_refused("id: a\nlanguage: python\nrule: {pattern: '", "(", 1000000, "'}",
                          "cannot be parsed");
    assert_refused(
        "id: a\nlanguage: python\nrule: {kind: call, regex: '((a{1000}){1000}){1000}'}\n",
        "10 MiB");
    assert_refused("id: a\nlanguage: python\nrule: &r {not: *r}\n", "inside its anchor");
}

/* Nine aliases of nine aliases and so on: a billion objects in twelve lines. */
static void
test_ruleset_load__an_alias_bomb_is_refused(void **state)
{
    (void)state;
    struct buf text = {0};
    buf_append_text(&text, "id: a\nlanguage: python\nutils:\n  u0: &u0 {kind: call}\n");
    for (int i = 1; i < 10; i++) {
        buf_printf(&text, "  u%d: &u%d {any: [", i, i);
        for (int k = 0; k < 9; k++)
            buf_printf(&text, "*u%d, ", i - 1);
        buf_append_text(&text, "]}\n");
    }
    buf_append_text(&text, "rule: *u9\n");
    buf_append_byte(&text, '\0');
    assert_refused((const char *)text.data, "too many rule objects");
    buf_clear(&text);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ruleset_load__keeps_what_a_rule_says_of_itself),
        cmocka_unit_test(test_ruleset_load__knows_the_selection_and_the_extent_of_a_rule),
        cmocka_unit_test(test_ruleset_load__takes_a_byte_order_mark_and_crlf),
        cmocka_unit_test(test_ruleset_load__names_file_line_and_rule_when_it_refuses),
        cmocka_unit_test(test_ruleset_load__one_refused_rule_refuses_all),
        cmocka_unit_test(test_ruleset_fingerprint__covers_what_changes_hits_and_no_more),
        cmocka_unit_test(test_ruleset_concat__has_the_rules_of_both),
        cmocka_unit_test(test_ruleset_intern__equal_parts_are_one),
        cmocka_unit_test(test_ruleset_load__hostile_files_are_refused_with_a_reason),
        cmocka_unit_test(test_ruleset_load__an_alias_bomb_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
