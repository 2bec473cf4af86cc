#include "cmocka_all.h"
#include "manifests/manifests.h"

static int
parse(const char *text, struct arena *arena, struct manifest *out, struct err *err)
{
    return manifest_parse(bytes_of_text(text), "panel.json", arena, out, err);
}

static void
test_manifest_parse__every_field(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena, 0);
    struct manifest m;
    struct err err;
    assert_int_equal(
        parse("{\"name\": \"two\", \"as_of\": \"2026-06-25\","
              " \"sampling\": {\"commits\": 12, \"strategy\": \"even\", \"history\": \"all\","
              "  \"seed\": \"18446744073709551615\", \"merges\": false},"
              " \"source\": {\"suffixes\": [\".py\", \".pyw\"], \"exclude_dirs\": [],"
              "  \"include\": [\"src/**\"], \"exclude\": [\"*_pb2.py\"]},"
              " \"repositories\": ["
              "  {\"name\": \"a/b\", \"url\": \"https://example.org/a/b.git\", \"stars\": 12000,"
              "   \"as_of\": \"2024-02-29\", \"license\": \"MIT\", \"ref\": \"stable\","
              "   \"head\": \"0123456789abcdef0123456789abcdef01234567\"},"
              "  {\"name\": \"local\"}]}",
              &arena, &m, &err),
        0);
    assert_int_equal(m.sampling.n_commits, 12);
    assert_int_equal(m.sampling.strategy, SAMPLING_EVEN);
    assert_int_equal(m.sampling.history, HISTORY_ALL);
    assert_true(m.sampling.seed == UINT64_MAX);
    assert_false(m.sampling.merges);
    assert_int_equal(m.source.suffixes.n_items, 2);
    assert_int_equal(m.source.exclude_dirs.n_items, 0);
    assert_int_equal(m.n_repositories, 2);
    assert_true(bytes_equal(m.repositories[0].ref, BYTES("stable")));
    assert_int_equal(m.repositories[0].head.len, OID_SHA1_BYTES);
    assert_true(m.repositories[0].stars == 12000);
    assert_true(m.repositories[1].stars == -1);
    assert_int_equal(m.repositories[1].head.len, 0);
    arena_clear(&arena);
}

static void
test_manifest_parse__what_is_left_out_has_its_default(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena, 0);
    struct manifest m;
    struct err err;
    assert_int_equal(
        parse("{\"name\": \"m\", \"repositories\": [{\"name\": \"a\"}]}", &arena, &m, &err), 0);
    assert_int_equal(m.sampling.n_commits, 30);
    assert_int_equal(m.sampling.strategy, SAMPLING_RANDOM);
    assert_int_equal(m.sampling.history, HISTORY_FIRST_PARENT);
    assert_true(m.sampling.merges);
    assert_int_equal(m.source.exclude_dirs.n_items, source_filter_default()->exclude_dirs.n_items);
    arena_clear(&arena);
}

#define REPOSITORY(members) \
    "{\"name\": \"m\", \"repositories\": [{\"name\": \"a\"}, {" members "}]}"

static void
test_manifest_parse__refusals_name_file_and_place(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *message;
    } cases[] = {
        {"[]", "panel.json: must be an object, is a list"},
        {"{\"name\": \"m\"}", "panel.json: \"repositories\" is missing"},
        {"{\"name\": 3, \"repositories\": []}", "panel.json: name: must be text, is a number"},
        {"{\"name\": \"m\", \"repositories\": []}", "repositories: must name at least one"},
        {"{\"name\": \"m\", \"name\": \"n\"}", "panel.json: name: is given twice"},
        {"{\"title\": \"m\"}", "panel.json: unknown field \"title\"; there are name, description"},
        {"{\"sampling\": {\"commits\": 0}}", "sampling.commits: must be from 1 to"},
        {"{\"sampling\": {\"strategy\": \"best\"}}", "sampling.strategy: must be \"random\""},
        {"{\"sampling\": {\"seed\": -1}}", "sampling.seed: must not be negative"},
        {"{\"sampling\": {\"seed\": 0.5}}", "sampling.seed: must be a whole number"},
        {"{\"source\": {\"exclude\": [\"ok\", \"a[\"]}}", "source.exclude[1]: the glob has a '['"},
        {"{\"source\": {\"suffixes\": []}}", "source.suffixes: must name at least one"},
        {"{\"as_of\": \"2025-02-29\"}", "as_of: must be a day"},
        {REPOSITORY("\"stars\": 1"), "panel.json: repositories[1]: \"name\" is missing"},
        {REPOSITORY("\"name\": \"b\", \"stars\": -5"),
         "panel.json: repositories[1].stars: must not be negative"},
        {REPOSITORY("\"name\": \"b\", \"stars\": \"5\""),
         "repositories[1].stars: must be a number, is text"},
        {REPOSITORY("\"name\": \"A\""),
         "panel.json: repositories[1].name: \"A\" is repositories[0] already"},
        {REPOSITORY("\"name\": \"../etc\""), "repositories[1].name: has a part that starts"},
        {REPOSITORY("\"name\": \"b\", \"url\": \"ext::sh\""), "repositories[1].url: is not"},
        {REPOSITORY("\"name\": \"b\", \"ref\": \"--all\""), "repositories[1].ref: is not"},
        {REPOSITORY("\"name\": \"b\", \"head\": \"abc\""), "repositories[1].head: must be a whole"},
        {REPOSITORY("\"name\": \"a\\u000ab\""), "control characters"},
        {"{\"name\": \"m\",\n \"repositories\": [,]}", "panel.json:2:"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct arena arena;
        arena_init(&arena, 0);
        struct manifest m;
        struct err err = {0};
        assert_int_equal(parse(cases[i].text, &arena, &m, &err), -1);
        assert_int_equal(err.code, ERR_INPUT);
        if (!strstr(err.text, cases[i].message))
            fail_msg("wanted \"%s\" in \"%s\"", cases[i].message, err.text);
        arena_clear(&arena);
    }
}

static void
test_manifest_read__a_missing_file_is_named(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena, 0);
    struct manifest m;
    struct err err;
    assert_int_equal(manifest_read("nowhere/panel.json", &arena, &m, &err), -1);
    assert_int_equal(err.code, ERR_INPUT);
    assert_non_null(strstr(err.text, "nowhere/panel.json"));
    arena_clear(&arena);
}

static void
test_tier_of_stars__inner_bounds_belong_to_the_upper_tier(void **state)
{
    (void)state;
    assert_int_equal(tier_of_stars(0), TIER_HOBBY);
    assert_int_equal(tier_of_stars(99), TIER_HOBBY);
    assert_int_equal(tier_of_stars(100), TIER_NICHE);
    assert_int_equal(tier_of_stars(1000), TIER_ESTABLISHED);
    assert_int_equal(tier_of_stars(9999), TIER_ESTABLISHED);
    assert_int_equal(tier_of_stars(10000), TIER_MAJOR);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_manifest_parse__every_field),
        cmocka_unit_test(test_manifest_parse__what_is_left_out_has_its_default),
        cmocka_unit_test(test_manifest_parse__refusals_name_file_and_place),
        cmocka_unit_test(test_manifest_read__a_missing_file_is_named),
        cmocka_unit_test(test_tier_of_stars__inner_bounds_belong_to_the_upper_tier),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
