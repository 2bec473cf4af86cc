#include "cmocka_all.h"

#include "miner/rules.h"
#include "miner/sandbox.h"

#define RULE(id, pattern) \
    "id: " id "\nlanguage: python\nseverity: warning\nrule:\n  pattern: " pattern "\n"

static const char *const rule_print = RULE("print", "print($$$A)");
static const char *const rule_none = RULE("none", "$A == None");
static const char *const rule_open = RULE("open", "open($A)");
static const char *const rule_open_changed = RULE("open", "open($A, $B)");

static struct ruleset *
load(const char *const *texts, size_t n)
{
    struct rule_source sources[4];
    struct ruleset *set;
    struct err err;
    for (size_t i = 0; i < n; i++)
        sources[i] = (struct rule_source){"test.yml", bytes_of_text(texts[i])};
    if (ruleset_load(sources, n, &set, &err) < 0)
        fail_msg("%s", err.text);
    return set;
}

static void
scan(const struct ruleset *set, const char *source, struct buf *encoded)
{
    struct analyzer_limits limits = analyzer_limits_default();
    struct scanner *scanner;
    struct hit_list hits = {0};
    enum skip_reason skipped;
    struct err err;
    if (set) {
        assert_int_equal(scanner_create(set, &limits, &scanner, &err), 0);
        assert_int_equal(scanner_run(scanner, bytes_of_text(source), &hits, &skipped, &err), 0);
        hits_encode(&hits, encoded);
        scanner_destroy(scanner);
    }
}

struct fixture {
    struct sandbox *box;
    struct store *store;
    struct store_writer *writer;
    struct mine_rules rules;
};

static void
open_store(struct fixture *f, struct sandbox *box)
{
    char path[96];
    struct err err;
    snprintf(path, sizeof(path), "%s/store", box->path);
    struct store_options options = {.path = path, .mode = STORE_WRITE, .no_sync = true};
    f->box = box;
    assert_int_equal(store_open(&options, &f->store, &err), 0);
    assert_int_equal(store_writer_open(f->store, &f->writer, &err), 0);
}

static void
close_store(struct fixture *f)
{
    mine_rules_close(&f->rules);
    store_writer_close(f->writer);
    store_close(f->store);
}

static void
open_rules(struct fixture *f, const struct ruleset *set)
{
    struct err err;
    mine_rules_close(&f->rules);
    if (mine_rules_open(set, f->store, f->writer, &f->rules, &err) < 0 ||
        store_writer_commit(f->writer, &err) < 0)
        fail_msg("%s", err.text);
}

/* One rule changed, one removed, one added: what is taken over and what is run anew give the bytes
 * that running all would. */
static void
test_mine_rules_merge__gives_what_running_all_would(void **state)
{
    static const char source[] = "print(1)\nif x == None:\n    open(f, 'r')\n    print(open(f))\n";
    const char *const old_texts[] = {rule_print, rule_none, rule_open};
    const char *const new_texts[] = {rule_open_changed, rule_print};
    struct ruleset *old_set = load(old_texts, 3), *new_set = load(new_texts, 2);
    struct fixture f = {0};
    struct buf before = {0}, fresh = {0}, whole = {0}, merged = {0};
    struct arena scratch;
    struct hit_list fresh_hits = {0};
    struct err err;
    arena_init(&scratch, 0);
    open_store(&f, *state);
    open_rules(&f, old_set);
    assert_false(f.rules.has_base);
    open_rules(&f, new_set);
    assert_true(f.rules.has_base);
    assert_int_equal(f.rules.n_base, 3);
    assert_int_equal(ruleset_count(f.rules.fresh), 1);

    scan(old_set, source, &before);
    scan(f.rules.fresh, source, &fresh);
    scan(new_set, source, &whole);
    assert_int_equal(hits_decode(buf_bytes(&fresh), 1, &scratch, &fresh_hits, &err), 0);
    assert_int_equal(mine_rules_merge(&f.rules, buf_bytes(&before), &fresh_hits, &scratch, &merged,
                                      &err),
                     0);
    assert_int_equal(fresh_hits.n_hits, 1);
    assert_int_equal(merged.len, whole.len);
    assert_memory_equal(merged.data, whole.data, whole.len);

    close_store(&f);
    ruleset_destroy(old_set);
    ruleset_destroy(new_set);
    buf_clear(&before);
    buf_clear(&fresh);
    buf_clear(&whole);
    buf_clear(&merged);
    arena_clear(&scratch);
}

static void
test_mine_rules_open__a_removed_rule_leaves_nothing_to_run(void **state)
{
    const char *const old_texts[] = {rule_print, rule_none};
    struct ruleset *old_set = load(old_texts, 2), *new_set = load(old_texts, 1);
    struct fixture f = {0};
    open_store(&f, *state);
    open_rules(&f, old_set);
    open_rules(&f, new_set);
    assert_true(f.rules.has_base);
    assert_null(f.rules.fresh);
    close_store(&f);
    ruleset_destroy(old_set);
    ruleset_destroy(new_set);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, sandbox_create, sandbox_destroy)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_mine_rules_merge__gives_what_running_all_would),
        TEST(test_mine_rules_open__a_removed_rule_leaves_nothing_to_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
