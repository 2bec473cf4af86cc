/* The handed sources with known counts: every field of every expected file. */
#include "base/base.h"
#include "../run.h"

#define SOURCES SHARED_DIR "/cases/sources/"

static uint32_t
number_of(const struct json_value *object, const char *name, const char *fallback)
{
    const struct json_value *value = json_member(object, name);
    if (!value && fallback)
        value = json_member(object, fallback);
    assert_non_null(value);
    return (uint32_t)json_number(value);
}

/* Cyclomatic complexity as the cases' README defines it. */
static uint32_t
complexity(const struct callable *callable)
{
    const enum counter counted[] = {
        COUNT_IF,          COUNT_ELIF,   COUNT_FOR,       COUNT_WHILE,    COUNT_EXCEPT,
        COUNT_EXCEPT_STAR, COUNT_ASSERT, COUNT_LIST_COMP, COUNT_SET_COMP, COUNT_DICT_COMP,
        COUNT_GENERATOR,   COUNT_AND_OR, COUNT_TERNARY,   COUNT_COMP_IF,  COUNT_CASE_GUARD,
    };
    uint32_t cc = 1;
    for (size_t i = 0; i < sizeof(counted) / sizeof(*counted); i++)
        cc += callable->all[counted[i]];
    return cc;
}

static bool
callable_agrees(const struct callable *got, const struct json_value *expected)
{
    const struct json_value *under = json_member(expected, "under_statement");
    return bytes_equal(got->name, json_string(json_member(expected, "name"))) &&
           got->start_line == number_of(expected, "start_line", NULL) &&
           got->end_line == number_of(expected, "end_line", NULL) &&
           got->sloc[FSTRING_ONE] == number_of(expected, "sloc", NULL) &&
           got->sloc[FSTRING_PARTS] == number_of(expected, "sloc_parts", "sloc") &&
           complexity(got) == number_of(expected, "cc", NULL) &&
           (!under || json_is_true(under) == !(got->flags & CALLABLE_REACHABLE));
}

static bool
facts_agree(const struct facts *facts, const struct json_value *expected)
{
    const struct json_value *encoding = json_member(expected, "encoding");
    const struct json_value *functions = json_member(expected, "functions");
    if (facts->skipped != SKIP_NONE || facts->refusal != REFUSAL_NONE ||
        (encoding && !bytes_equal(json_string(encoding), bytes_of_text(facts->encoding))) ||
        facts->physical_lines != number_of(expected, "physical_lines", NULL) ||
        facts->sloc[FSTRING_ONE].n_lines != number_of(expected, "sloc", NULL) ||
        facts->sloc[FSTRING_PARTS].n_lines != number_of(expected, "sloc_parts", "sloc") ||
        facts->n_callables != json_count(functions))
        return false;
    const struct json_value *function = json_first(functions);
    for (uint32_t i = 0; i < facts->n_callables; i++, function = json_next(function))
        if (!callable_agrees(&facts->callables[i], function))
            return false;
    return true;
}

static bool
case_agrees(void **state, struct arena *arena, const char *name)
{
    struct err err;
    struct buf source = {0};
    struct buf expected = {0};
    struct json_doc *doc;
    char *source_path = arena_format(arena, SOURCES "%s.py", name);
    char *expected_path = arena_format(arena, SOURCES "%s.expected.json", name);
    assert_int_equal(fs_read(source_path, 1 << 24, &source, &err), 0);
    assert_int_equal(fs_read(expected_path, 1 << 24, &expected, &err), 0);
    assert_int_equal(json_open(buf_bytes(&expected), expected_path, false, &doc, &err), 0);
    struct facts facts = facts_of(state, buf_bytes(&source));
    struct bytes parse = json_string(json_member(json_root(doc), "parse"));
    bool agrees = bytes_equal(parse, BYTES("reject"))
                      ? facts.skipped != SKIP_NONE || facts.refusal != REFUSAL_NONE
                      : facts_agree(&facts, json_root(doc));
    json_close(doc);
    buf_clear(&source);
    buf_clear(&expected);
    return agrees;
}

static void
test_analyzer_sources__every_handed_case_agrees(void **state)
{
    struct fs_entry *entries;
    size_t n_entries;
    struct arena arena;
    struct err err;
    arena_init(&arena, 0);
    if (fs_list(SOURCES, NULL, NULL, &arena, &entries, &n_entries, &err) < 0) {
        print_message("skipped: no handed cases at %s\n", SOURCES);
        skip();
    }
    size_t n_cases = 0;
    size_t n_wrong = 0;
    for (size_t i = 0; i < n_entries; i++) {
        struct bytes suffix = BYTES(".expected.json");
        if (!bytes_ends_with(entries[i].path, suffix))
            continue;
        struct bytes stem = bytes_slice(entries[i].path, 0, entries[i].path.len - suffix.len);
        char *name = arena_format(&arena, "%.*s", BYTES_ARG(stem));
        n_cases++;
        if (!case_agrees(state, &arena, name)) {
            n_wrong++;
            print_error("%s does not agree\n", name);
        }
    }
    assert_true(n_cases > 0);
    assert_int_equal(n_wrong, 0);
    arena_clear(&arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_analyzer_sources__every_handed_case_agrees),
    };
    return cmocka_run_group_tests(tests, setup_analyzer, teardown_analyzer);
}
