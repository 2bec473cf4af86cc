/*
 * Properties and folding out of the generated table.
 *
 * The digests were taken when the table gave the same sets as PCRE2 10.42 itself, asked about every
 * property by each of its names and about the folding of every code point.
 */
#include "analyzer/regex/unicode.h"

#include "analyzer/regex/unicode_table.h"
#include "cmocka_all.h"

#define PROPERTIES_DIGEST UINT64_C(0x4367182449e59521)
#define FOLDS_DIGEST UINT64_C(0xd95e80f95fa5dc3d)

/* FNV-1a, 64 bits: http://www.isthe.com/chongo/tech/comp/fnv/ */
static uint64_t
digest_bytes(uint64_t digest, const void *data, size_t n)
{
    const uint8_t *at = data;
    for (size_t i = 0; i < n; i++)
        digest = (digest ^ at[i]) * UINT64_C(0x100000001b3);
    return digest;
}

static uint64_t
digest_number(uint64_t digest, uint32_t number)
{
    const uint8_t bytes[] = {(uint8_t)(number >> 24), (uint8_t)(number >> 16),
                             (uint8_t)(number >> 8), (uint8_t)number};
    return digest_bytes(digest, bytes, sizeof(bytes));
}

static uint64_t
digest_class(uint64_t digest, const struct regex_class *set)
{
    assert_false(set->failed);
    for (uint32_t i = 0; i < set->n_ranges; i++) {
        digest = digest_number(digest, set->ranges[i].first);
        digest = digest_number(digest, set->ranges[i].last);
    }
    return digest;
}

static struct regex_class
property(struct arena *arena, const char *name, const char *value)
{
    struct regex_class set = class_init(arena);
    if (!unicode_add_property(bytes_of_text(name), bytes_of_text(value), &set))
        fail_msg("%s=%s is not known", name, value);
    class_normalise(&set);
    return set;
}

static uint64_t
digest_names(uint64_t digest, const char *key, const struct unicode_name *names, size_t n)
{
    struct arena arena;
    arena_init(&arena, 0);
    for (size_t i = 0; i < n; i++) {
        struct regex_class set =
            key ? property(&arena, key, names[i].name) : property(&arena, names[i].name, "");
        digest = digest_bytes(digest, names[i].name, strlen(names[i].name));
        digest = digest_class(digest, &set);
        arena_reset(&arena);
    }
    arena_clear(&arena);
    return digest;
}

static void
test_unicode_table__has_the_sets_of_unicode_14(void **state)
{
    (void)state;
    uint64_t digest = UINT64_C(0xcbf29ce484222325);
    assert_string_equal(unicode_version, "14.0.0");
    digest = digest_names(digest, "gc", unicode_categories, unicode_categories_n);
    digest = digest_names(digest, "sc", unicode_scripts, unicode_scripts_n);
    digest = digest_names(digest, "scx", unicode_script_extensions, unicode_script_extensions_n);
    digest = digest_names(digest, NULL, unicode_properties, unicode_properties_n);
    if (digest != PROPERTIES_DIGEST)
        fail_msg("the digest is %#llx", (unsigned long long)digest);
}

static void
test_unicode_table__folds_as_unicode_14(void **state)
{
    (void)state;
    uint64_t digest = UINT64_C(0xcbf29ce484222325);
    struct arena arena;
    arena_init(&arena, 0);
    for (uint32_t c = 0; c < 0x20000; c++) {
        struct regex_class set = class_init(&arena);
        class_add(&set, c, c);
        class_normalise(&set);
        unicode_fold(&set);
        digest = digest_class(digest, &set);
        arena_reset(&arena);
    }
    arena_clear(&arena);
    if (digest != FOLDS_DIGEST)
        fail_msg("the digest is %#llx", (unsigned long long)digest);
}

static void
test_unicode_property__names_are_loose(void **state)
{
    (void)state;
    static const char *const same[][2] = {{"Greek", ""},  {"greek", ""},       {"IsGreek", ""},
                                          {"sc", "Grek"}, {"Script", "greek"}, {"G-r_e e k", ""}};
    struct arena arena;
    arena_init(&arena, 0);
    struct regex_class greek = property(&arena, "Greek", "");
    assert_true(class_has(&greek, 0x3b1) && !class_has(&greek, 'a'));
    for (size_t i = 0; i < sizeof(same) / sizeof(*same); i++) {
        struct regex_class set = property(&arena, same[i][0], same[i][1]);
        assert_true(digest_class(0, &set) == digest_class(0, &greek));
    }
    arena_clear(&arena);
}

static void
test_unicode_property__unknown_names_are_refused(void **state)
{
    (void)state;
    static const char *const unknown[][2] = {
        {"", ""},   {"Klingon", ""}, {"gc", "Greek"}, {"sc", "Lu"},  {"age", "6.0"},
        {"L&", ""}, {"xan", ""},     {"is", ""},      {"gc", "a=b"},
    };
    struct arena arena;
    arena_init(&arena, 0);
    for (size_t i = 0; i < sizeof(unknown) / sizeof(*unknown); i++) {
        struct regex_class set = class_init(&arena);
        if (unicode_add_property(bytes_of_text(unknown[i][0]), bytes_of_text(unknown[i][1]), &set))
            fail_msg("%s=%s is known", unknown[i][0], unknown[i][1]);
    }
    char longest[200];
    memset(longest, 'a', sizeof(longest));
    struct regex_class set = class_init(&arena);
    assert_false(unicode_add_property((struct bytes){(const uint8_t *)longest, sizeof(longest)},
                                      BYTES(""), &set));
    arena_clear(&arena);
}

/* One question gives what the whole set says. */
static void
test_unicode_alphabetic__is_the_property(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena, 0);
    struct regex_class set = property(&arena, "Alphabetic", "");
    for (uint32_t c = 0; c <= CODE_POINT_MAX; c += c < 0x3000 ? 1 : 97)
        if (unicode_is_alphabetic(c) != class_has(&set, c))
            fail_msg("%#x", c);
    assert_false(unicode_is_alphabetic(UINT32_MAX));
    arena_clear(&arena);
}

static void
test_unicode_fold__joins_what_differs_in_case_only(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena, 0);
    struct regex_class set = class_init(&arena);
    class_add(&set, 'k', 'k');
    class_add(&set, 0x3c2, 0x3c2); /* final sigma */
    class_normalise(&set);
    unicode_fold(&set);
    static const uint32_t members[] = {'K', 'k', 0x3a3, 0x3c2, 0x3c3, 0x212a};
    for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
        assert_true(class_has(&set, members[i]));
    assert_false(class_has(&set, 'l'));
    arena_clear(&arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unicode_table__has_the_sets_of_unicode_14),
        cmocka_unit_test(test_unicode_table__folds_as_unicode_14),
        cmocka_unit_test(test_unicode_property__names_are_loose),
        cmocka_unit_test(test_unicode_property__unknown_names_are_refused),
        cmocka_unit_test(test_unicode_alphabetic__is_the_property),
        cmocka_unit_test(test_unicode_fold__joins_what_differs_in_case_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
