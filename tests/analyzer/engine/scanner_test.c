#include "analyzer/analyzer.h"

#include <stdlib.h>

#include "base/buf.h"
#include "cmocka_all.h"

struct fixture {
    struct ruleset *set;
    struct scanner *scanner;
    struct hit_list hits;
    enum skip_reason skipped;
};

static void
fixture_init(struct fixture *f, const char *rules)
{
    struct rule_source source = {"set.yaml", bytes_of_text(rules)};
    struct analyzer_limits limits = analyzer_limits_default();
    struct err err;
    if (ruleset_load(&source, 1, &f->set, &err) < 0 ||
        scanner_create(f->set, &limits, &f->scanner, &err) < 0)
        fail_msg("%s", err.text);
}

static void
fixture_clear(struct fixture *f)
{
    scanner_destroy(f->scanner);
    ruleset_destroy(f->set);
}

static void
scan(struct fixture *f, struct bytes source)
{
    struct err err;
    if (scanner_run(f->scanner, source, &f->hits, &f->skipped, &err) < 0)
        fail_msg("%s", err.text);
}

/* Hits as "rule:line:column-line:column", in order. */
static void
assert_hits(struct fixture *f, const char *expected)
{
    struct buf text = {0};
    for (uint32_t i = 0; i < f->hits.n_hits; i++) {
        const struct hit *hit = &f->hits.hits[i];
        buf_printf(&text, "%s%u:%u:%u-%u:%u", i ? " " : "", hit->rule, hit->start_line,
                   hit->start_column, hit->end_line, hit->end_column);
    }
    buf_append_byte(&text, '\0');
    assert_string_equal((const char *)text.data, expected);
    buf_clear(&text);
}

static void
test_scanner_run__hits_are_sorted_by_rule_start_and_end(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f, "id: b\nlanguage: python\nrule: {any: [{kind: expression_statement}, "
                     "{kind: call}, {kind: identifier}]}\n"
                     "---\nid: a\nlanguage: python\nrule: {kind: integer}\n");
    scan(&f, BYTES("f(g)\n\"\xc3\xa9\"; h(1)\n"));
    assert_hits(&f, "0:1:0-1:1 0:1:0-1:4 0:1:0-1:4 0:1:2-1:3 0:2:0-2:3 0:2:5-2:6 0:2:5-2:9 "
                    "0:2:5-2:9 1:2:7-2:8");
    fixture_clear(&f);
}

static void
test_scanner_run__says_what_it_passes_over(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f, "id: a\nlanguage: python\nrule: {kind: module}\n");
    scan(&f, BYTES("x = '\xff'\n"));
    assert_int_equal(f.skipped, SKIP_ENCODING);
    assert_int_equal(f.hits.n_hits, 0);
    scan(&f, BYTES(""));
    assert_int_equal(f.skipped, SKIP_NONE);
    assert_int_equal(f.hits.n_hits, 0);
    scan(&f, BYTES("x\n"));
    assert_hits(&f, "0:1:0-2:0");
    fixture_clear(&f);
}

/* The runner keeps nothing of a file that changes the next. */
static void
test_scanner_run__a_file_does_not_depend_on_those_before(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f, "id: a\nlanguage: python\nrule: {pattern: 'f($A, $A)', regex: '\\w\\)$'}\n");
    for (int i = 0; i < 3; i++) {
        scan(&f, BYTES("f(x, x)\nf(x, y)\n"));
        assert_hits(&f, "0:1:0-1:7");
        scan(&f, BYTES("f(\xe6\x97\xa5, \xe6\x97\xa5)\n"));
        assert_hits(&f, "0:1:0-1:7");
        scan(&f, BYTES("g = (1,"));
        assert_hits(&f, "");
    }
    fixture_clear(&f);
}

static void
test_scanner_run__suppressed_matches_are_no_hits(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f, "id: a\nlanguage: python\nrule: {kind: call}\n"
                     "---\nid: b\nlanguage: python\nrule: {kind: integer}\n");
    scan(&f, BYTES("f(1)  # ast-grep-ignore\n# ast-grep-ignore: b\nf(2)\nf(3)\n"));
    assert_hits(&f, "0:3:0-3:4 0:4:0-4:4 1:4:2-4:3");
    fixture_clear(&f);
}

/* Four searches of all descendants within each other, on a deep tree: its depth to the fourth. */
static void
test_scanner_run__a_rule_that_explodes_gives_up_and_is_named(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f, "id: calm\nlanguage: python\nrule: {kind: integer}\n"
                     "---\nid: nasty\nlanguage: python\nrule: {kind: list, has: {stopBy: end, has: "
                     "{stopBy: end, has: {stopBy: end, has: {stopBy: end, regex: '^[xyz]$'}}}}}\n");
    struct buf text = {0};
    for (int i = 0; i < 400; i++)
        buf_append_text(&text, "[");
    buf_append_text(&text, "1");
    for (int i = 0; i < 400; i++)
        buf_append_text(&text, "]");
    scan(&f, buf_bytes(&text));
    assert_int_equal(f.hits.n_gave_up, 1);
    assert_int_equal(f.hits.gave_up[0], 1);
    assert_int_equal(f.hits.n_hits, 1);
    fixture_clear(&f);
    buf_clear(&text);
}

/* Walks over what cannot match are steps too: each of many nodes looks through all the others. */
static void
test_scanner_run__walks_over_many_siblings_and_children_are_bounded(void **state)
{
    (void)state;
    struct fixture f;
    struct buf text = {0};
    fixture_init(&f, "id: siblings\nlanguage: python\n"
                     "rule: {kind: integer, not: {follows: {stopBy: end, kind: list}}}\n---\n"
                     "id: children\nlanguage: python\n"
                     "rule: {kind: integer, inside: {kind: argument_list, has: {field: name, kind: "
                     "call}}}\n");
    buf_append_text(&text, "f([], g()");
    for (int i = 0; i < 30000; i++)
        buf_append_text(&text, ", 1");
    buf_append_text(&text, ")\n");
    scan(&f, buf_bytes(&text));
    assert_int_equal(f.hits.n_hits, 0);
    assert_int_equal(f.hits.n_gave_up, 2);
    buf_clear(&text);
    fixture_clear(&f);
}

static void
test_scanner_explain__shows_the_step_that_failed(void **state)
{
    (void)state;
    struct fixture f;
    struct err err;
    struct buf out = {0};
    fixture_init(&f, "id: a\nlanguage: python\n"
                     "rule: {kind: call, has: {kind: argument_list, regex: '\\d'}}\n");
    assert_int_equal(scanner_explain(f.scanner, BYTES("f(x)\nf(1)\n"), 0, 1, &out, &err), 0);
    buf_append_byte(&out, '\0');
    assert_string_equal((const char *)out.data,
                        "call at 1:1 `f(x)`\n"
                        "  no   has a child of kind argument_list: 1 to ask\n"
                        "    argument_list at 1:2 `(x)`\n"
                        "      no   regex: `\\d`\n"
                        "=> no match\n");
    buf_reset(&out);
    assert_int_equal(scanner_explain(f.scanner, BYTES("f(x)\nf(1)\n"), 0, 2, &out, &err), 0);
    buf_append_byte(&out, '\0');
    assert_string_equal((const char *)out.data, "call at 2:1 `f(1)`\n"
                                                "  yes  has a child: argument_list at 2:2 `(1)`\n"
                                                "=> match\n");
    buf_clear(&out);
    fixture_clear(&f);
}

/* ---- Hits as bytes ------------------------------------------------------------------------- */

static void
test_hits_codec__gives_back_rules_and_lines(void **state)
{
    (void)state;
    struct hit hits[] = {{.rule = 0, .start_line = 1, .end_line = 900},
                         {.rule = 0, .start_line = 7, .end_line = 7},
                         {.rule = 300, .start_line = 2, .end_line = 4}};
    uint32_t gave_up[] = {1, 200};
    struct hit_list list = {hits, 3, gave_up, 2}, back;
    struct arena arena;
    struct buf encoded = {0};
    struct err err;
    arena_init(&arena, 0);
    hits_encode(&list, &encoded);
    assert_int_equal(hits_decode(buf_bytes(&encoded), 301, &arena, &back, &err), 0);
    assert_int_equal(back.n_hits, 3);
    assert_memory_equal(back.hits, hits, sizeof(hits));
    assert_int_equal(back.n_gave_up, 2);
    assert_memory_equal(back.gave_up, gave_up, sizeof(gave_up));
    /* A set without the last rule, and every cut, are damage. */
    assert_int_equal(hits_decode(buf_bytes(&encoded), 300, &arena, &back, &err), -1);
    assert_int_equal(err.code, ERR_DAMAGED);
    for (size_t n = 0; n < encoded.len; n++)
        assert_int_equal(
            hits_decode(bytes_slice(buf_bytes(&encoded), 0, n), 301, &arena, &back, &err), -1);
    arena_clear(&arena);
    buf_clear(&encoded);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scanner_run__hits_are_sorted_by_rule_start_and_end),
        cmocka_unit_test(test_scanner_run__says_what_it_passes_over),
        cmocka_unit_test(test_scanner_run__a_file_does_not_depend_on_those_before),
        cmocka_unit_test(test_scanner_run__suppressed_matches_are_no_hits),
        cmocka_unit_test(test_scanner_run__a_rule_that_explodes_gives_up_and_is_named),
        cmocka_unit_test(test_scanner_run__walks_over_many_siblings_and_children_are_bounded),
        cmocka_unit_test(test_scanner_explain__shows_the_step_that_failed),
        cmocka_unit_test(test_hits_codec__gives_back_rules_and_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
