/* The built-in rules load, say why they are there, and find what their examples say. */
#include <stdlib.h>

#include "cmocka_all.h"

#include "analyzer/analyzer.h"
#include "rules/rule_files.h"
#include "base/arena.h"
#include "base/yaml_read.h"

/* The built-in rules loaded, a scanner for them, and their examples as read. */
struct fixture {
    struct arena arena;
    struct ruleset *rules;
    struct scanner *scanner;
    struct yaml_document **files; /* one array of documents per file of examples */
    uint32_t *n_documents;
    size_t n_files;
};

static size_t
count_files(const struct embedded_file *files)
{
    size_t n = 0;
    while (files[n].name)
        n++;
    return n;
}

static void
load_rules(struct fixture *fixture)
{
    struct err err;
    size_t n = count_files(builtin_rule_files);
    struct rule_source *sources = ARENA_ARRAY(&fixture->arena, n, struct rule_source);
    assert_non_null(sources);
    for (size_t i = 0; i < n; i++)
        sources[i] = (struct rule_source){builtin_rule_files[i].name,
                                          {builtin_rule_files[i].data, builtin_rule_files[i].len}};
    if (ruleset_load(sources, n, &fixture->rules, &err) < 0)
        fail_msg("%s", err.text);
    struct analyzer_limits limits = analyzer_limits_default();
    assert_int_equal(scanner_create(fixture->rules, &limits, &fixture->scanner, &err), 0);
}

static void
read_examples(struct fixture *fixture)
{
    struct err err;
    fixture->n_files = count_files(builtin_rule_tests);
    fixture->files = ARENA_ARRAY(&fixture->arena, fixture->n_files, struct yaml_document *);
    fixture->n_documents = ARENA_ARRAY(&fixture->arena, fixture->n_files, uint32_t);
    assert_true(fixture->files && fixture->n_documents);
    for (size_t i = 0; i < fixture->n_files; i++) {
        const struct embedded_file *file = &builtin_rule_tests[i];
        if (yaml_read((struct bytes){file->data, file->len}, file->name, &fixture->arena,
                      &fixture->files[i], &fixture->n_documents[i], &err) < 0)
            fail_msg("%s", err.text);
    }
}

static int
set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof(*fixture));
    assert_non_null(fixture);
    arena_init(&fixture->arena, 0);
    load_rules(fixture);
    read_examples(fixture);
    *state = fixture;
    return 0;
}

static int
tear_down(void **state)
{
    struct fixture *fixture = *state;
    scanner_destroy(fixture->scanner);
    ruleset_destroy(fixture->rules);
    arena_clear(&fixture->arena);
    free(fixture);
    return 0;
}

static void
test_builtin_rules__enough_count_and_each_says_why(void **state)
{
    const struct fixture *fixture = *state;
    uint32_t n_counting[SELECTION_BOTH + 1] = {0}, n_functions = 0;
    for (uint32_t i = 0; i < ruleset_count(fixture->rules); i++) {
        const struct rule_info *rule = ruleset_rule(fixture->rules, i);
        if (!rule->runs || !rule->message.len || !rule->note.len || rule->metadata.len <= 2)
            fail_msg("%.*s does not run or lacks message, note or metadata", BYTES_ARG(rule->id));
        for (uint32_t j = 0; j < i; j++)
            if (bytes_equal(ruleset_rule(fixture->rules, j)->id, rule->id))
                fail_msg("%.*s stands twice", BYTES_ARG(rule->id));
        if (rule->is_advice != (rule->severity == SEVERITY_HINT))
            fail_msg("%.*s: hints, and nothing else, say `advice: true`", BYTES_ARG(rule->id));
        if (rule->selection == SELECTION_NONE)
            fail_msg("%.*s: of which selection is it?", BYTES_ARG(rule->id));
        if (strncmp(rule->file, "strict/", 7) == 0 && rule->selection == SELECTION_CALIBRATED)
            fail_msg("%.*s is in the other folder", BYTES_ARG(rule->id));
        n_counting[rule->selection] += !rule->is_advice;
        n_functions += rule->is_of_function;
        assert_true(!rule->is_of_function || rule->selection == SELECTION_CALIBRATED);
    }
    assert_true(n_counting[SELECTION_STRICT] >= 137);
    assert_int_equal(n_counting[SELECTION_CALIBRATED], 112);
    assert_int_equal(n_functions, 10);
}

static bool
is_hit(struct fixture *fixture, struct bytes rule, struct bytes source)
{
    struct err err;
    struct hit_list found;
    enum skip_reason skipped;
    if (scanner_run(fixture->scanner, source, &found, &skipped, &err) < 0)
        fail_msg("%s", err.text);
    assert_int_equal(skipped, SKIP_NONE);
    assert_int_equal(found.n_gave_up, 0);
    for (uint32_t i = 0; i < found.n_hits; i++)
        if (bytes_equal(ruleset_rule(fixture->rules, found.hits[i].rule)->id, rule))
            return true;
    return false;
}

/* At least two examples under KEY ("valid", "invalid"), and each is a hit or not as EXPECTED. */
static void
check_list(struct fixture *fixture, const struct yaml_value *test, const char *key, bool expected)
{
    const struct yaml_value *id = yaml_member(test, "id");
    const struct yaml_value *list = yaml_member(test, key);
    assert_non_null(id);
    if (!list || list->type != YAML_LIST || list->n_items < 2)
        fail_msg("%.*s: fewer than two %s examples", BYTES_ARG(id->text), key);
    for (uint32_t i = 0; i < list->n_items; i++) {
        struct bytes source = list->items[i].value->text;
        if (is_hit(fixture, id->text, source) != expected)
            fail_msg("%.*s: the %s example is %s:\n%.*s", BYTES_ARG(id->text), key,
                     expected ? "no hit" : "a hit", BYTES_ARG(source));
    }
}

static void
test_builtin_rules__examples_hold(void **state)
{
    struct fixture *fixture = *state;
    uint32_t n_tests = 0;
    for (size_t i = 0; i < fixture->n_files; i++) {
        for (uint32_t j = 0; j < fixture->n_documents[i]; j++) {
            const struct yaml_value *test = fixture->files[i][j].root;
            check_list(fixture, test, "invalid", true);
            check_list(fixture, test, "valid", false);
            n_tests++;
        }
    }
    assert_int_equal(n_tests, ruleset_count(fixture->rules));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_builtin_rules__enough_count_and_each_says_why),
        cmocka_unit_test(test_builtin_rules__examples_hold),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
