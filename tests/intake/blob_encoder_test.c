#include "analyzer/analyzer.h"
#include "intake/intake.h"
#include "cmocka_all.h"

#define RULE(id, more, pattern) \
    "id: " id "\nlanguage: python\nseverity: warning\n" more "rule:\n  pattern: " pattern "\n"

static const char *const rule_print = RULE("print", "", "print($$$A)");
static const char *const rule_print_advice =
    RULE("print", "metadata:\n  advice: true\n", "print($$$A)");
static const char *const rule_none = RULE("none", "", "$A == None");
static const char *const rule_open = RULE("open", "", "open($A)");
static const char *const rule_open_changed = RULE("open", "", "open($A, $B)");

static const char source[] = "print(1)\nif x == None:\n    open(f, 'r')\n    print(open(f))\n";

/* A set of rules and an encoder that runs them, perhaps after another set. */
struct rules {
    struct ruleset *set;
    struct store_rule *texts;
    struct hit_reuse *reuse;
    struct blob_encoder *encoder;
    struct arena arena;
};

static void
rules_open(struct rules *rules, const char *const *texts, size_t n, const struct rules *earlier)
{
    struct rule_source sources[4];
    struct store_key base[4];
    struct blob_encoder_options options = {.limits = analyzer_limits_default()};
    struct err err;
    *rules = (struct rules){0};
    arena_init(&rules->arena, 0);
    for (size_t i = 0; i < n; i++)
        sources[i] = (struct rule_source){"test.yml", bytes_of_text(texts[i])};
    if (ruleset_load(sources, n, &rules->set, &err) < 0)
        fail_msg("%s", err.text);
    rules->texts = ruleset_store_rules(rules->set, &options.limits, &rules->arena);
    assert_non_null(rules->texts);
    if (earlier) {
        uint32_t n_base = ruleset_count(earlier->set);
        for (uint32_t i = 0; i < n_base; i++)
            base[i] = earlier->texts[i].key;
        assert_int_equal(
            hit_reuse_create(rules->set, rules->texts, base, n_base, &rules->reuse, &err), 0);
    }
    options.rules = rules->set;
    options.reuse = rules->reuse;
    assert_int_equal(blob_encoder_create(&options, &rules->encoder, &err), 0);
}

static void
rules_close(struct rules *rules)
{
    blob_encoder_destroy(rules->encoder);
    hit_reuse_destroy(rules->reuse);
    ruleset_destroy(rules->set);
    arena_clear(&rules->arena);
}

/* The hits of SOURCE, those of BASE taken over unless it is NULL. */
static struct encode_result
hits_of(const struct rules *rules, const struct buf *base, struct buf *out)
{
    struct encode_request request = {.hits = true};
    struct encode_result result;
    struct err err;
    if (base)
        request.base_hits = buf_bytes(base);
    assert_int_equal(
        blob_encoder_run(rules->encoder, bytes_of_text(source), &request, out, &result, &err), 0);
    assert_int_equal(result.facts_len, 0);
    assert_int_equal(result.hits_len, out->len);
    return result;
}

struct change {
    const char *old_texts[3], *new_texts[3];
    size_t n_old, n_new;
    uint32_t n_fresh;
};

/* What is taken over and what is run anew give the bytes that running all would. */
static void
test_blob_encoder_run__hits_taken_over_are_those_of_running_all(void **state)
{
    (void)state;
    const struct change changes[] = {
        {{rule_print, rule_none, rule_open}, {rule_open_changed, rule_print}, 3, 2, 1},
        {{rule_print, rule_open}, {rule_print, rule_none, rule_open}, 2, 3, 1}, /* one added */
        {{rule_print, rule_none}, {rule_print}, 2, 1, 0},                       /* one removed */
        {{rule_print, rule_none}, {rule_none, rule_print}, 2, 2, 0},            /* other order */
        {{rule_none, rule_print}, {rule_none, rule_print_advice}, 2, 2, 0},     /* metadata */
        {{rule_open}, {rule_open_changed, rule_none}, 1, 2, 2},                 /* nothing alike */
    };
    for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
        const struct change *change = &changes[i];
        struct rules old, new, fresh;
        struct buf before = {0}, whole = {0}, merged = {0};
        rules_open(&old, change->old_texts, change->n_old, NULL);
        rules_open(&new, change->new_texts, change->n_new, &old);
        rules_open(&fresh, change->new_texts, change->n_new, NULL);
        assert_int_equal(hit_reuse_n_fresh(new.reuse), change->n_fresh);
        assert_true(hits_of(&old, NULL, &before).ran_all);
        assert_true(hits_of(&fresh, NULL, &whole).ran_all);
        assert_false(hits_of(&new, &before, &merged).ran_all);
        assert_int_equal(merged.len, whole.len);
        assert_memory_equal(merged.data, whole.data, whole.len);
        rules_close(&old);
        rules_close(&new);
        rules_close(&fresh);
        buf_clear(&before);
        buf_clear(&whole);
        buf_clear(&merged);
    }
}

static void
test_blob_encoder_run__hits_that_cannot_be_read_are_made_anew(void **state)
{
    (void)state;
    const char *const texts[] = {rule_print, rule_none};
    struct rules old, new;
    struct buf damaged = {0}, whole = {0}, made = {0};
    rules_open(&old, texts, 2, NULL);
    rules_open(&new, texts, 1, &old);
    buf_append_text(&damaged, "\1\0\77nothing of this kind");
    rules_close(&old);
    rules_open(&old, texts, 1, NULL);
    hits_of(&old, NULL, &whole);
    assert_true(hits_of(&new, &damaged, &made).ran_all);
    assert_int_equal(made.len, whole.len);
    assert_memory_equal(made.data, whole.data, whole.len);
    rules_close(&old);
    rules_close(&new);
    buf_clear(&damaged);
    buf_clear(&whole);
    buf_clear(&made);
}

/* Metadata change the second half of a key alone; limits, which decide what is parsed, the first.
 */
static void
test_ruleset_store_rules__keys_tell_what_hits_depend_on(void **state)
{
    (void)state;
    struct rules plain, advice, changed;
    struct analyzer_limits limits = analyzer_limits_default();
    const size_t half = STORE_RULE_HIT_BYTES;
    rules_open(&plain, &rule_print, 1, NULL);
    rules_open(&advice, &rule_print_advice, 1, NULL);
    rules_open(&changed, &rule_open_changed, 1, NULL);
    const uint8_t *key = plain.texts[0].key.bytes;
    assert_memory_equal(key, advice.texts[0].key.bytes, half);
    assert_memory_not_equal(key + half, advice.texts[0].key.bytes + half, half);
    assert_memory_not_equal(key, changed.texts[0].key.bytes, half);
    limits.max_file_bytes /= 2;
    const struct store_rule *limited = ruleset_store_rules(plain.set, &limits, &plain.arena);
    assert_memory_not_equal(key, limited[0].key.bytes, half);
    assert_memory_equal(key + half, limited[0].key.bytes + half, half);
    rules_close(&plain);
    rules_close(&advice);
    rules_close(&changed);
}

/* A file over the limit is not looked at: its size is enough. */
static void
test_blob_encoder_run__a_file_over_the_limit_needs_no_bytes(void **state)
{
    (void)state;
    struct rules rules;
    struct buf out = {0};
    struct facts facts;
    struct encode_result result;
    struct err err;
    rules_open(&rules, &rule_print, 1, NULL);
    struct bytes large = {NULL, (size_t)analyzer_limits_default().max_file_bytes + 1};
    const struct encode_request request = {.facts = true, .hits = true};
    assert_int_equal(blob_encoder_run(rules.encoder, large, &request, &out, &result, &err), 0);
    struct bytes encoded = bytes_slice(buf_bytes(&out), 0, result.facts_len);
    assert_int_equal(facts_decode(encoded, &rules.arena, &facts, &err), 0);
    assert_int_equal(facts.skipped, SKIP_TOO_LARGE);
    assert_int_equal(facts.n_bytes, large.len);
    assert_true(result.hits_len > 0);
    rules_close(&rules);
    buf_clear(&out);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blob_encoder_run__hits_taken_over_are_those_of_running_all),
        cmocka_unit_test(test_blob_encoder_run__hits_that_cannot_be_read_are_made_anew),
        cmocka_unit_test(test_ruleset_store_rules__keys_tell_what_hits_depend_on),
        cmocka_unit_test(test_blob_encoder_run__a_file_over_the_limit_needs_no_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
