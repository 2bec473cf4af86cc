/* The manifests that the repository ships. */
#include <unistd.h>

#include "base/fs.h"
#include "cmocka_all.h"
#include "manifests/manifests.h"

#define SHIPPED TESTS_SOURCE_DIR "/../manifests/"

static struct manifest
shipped(const char *path, struct arena *arena)
{
    struct manifest m;
    struct err err;
    if (manifest_read(path, arena, &m, &err) < 0)
        fail_msg("%s", err.text);
    return m;
}

static void
test_bundled_panel__has_two_pinned_repositories_of_each_tier(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena, 0);
    struct manifest m = shipped(SHIPPED "bundled/panel.json", &arena);
    int counts[TIER_N] = {0};
    for (size_t i = 0; i < m.n_repositories; i++) {
        counts[tier_of_stars(m.repositories[i].stars)]++;
        assert_int_equal(m.repositories[i].head.len, OID_SHA1_BYTES);
    }
    for (unsigned tier = 0; tier < TIER_N; tier++)
        assert_int_equal(counts[tier], 2);
    arena_clear(&arena);
}

static void
test_calibration_panel__has_the_papers_tiers_and_its_five_names(void **state)
{
    (void)state;
    static const char *const named[] = {"fastapi/fastapi", "huggingface/transformers",
                                        "pallets/flask", "scikit-learn/scikit-learn",
                                        "scipy/scipy"};
    static const uint32_t wanted[TIER_N] = {114, 124, 120, 115};
    struct arena arena;
    arena_init(&arena, 0);
    struct manifest m = shipped(SHIPPED "calibration-473.json", &arena);
    uint32_t counts[TIER_N] = {0};
    size_t n_named = 0;
    for (size_t i = 0; i < m.n_repositories; i++) {
        counts[tier_of_stars(m.repositories[i].stars)]++;
        for (size_t k = 0; k < 5; k++)
            n_named += bytes_equal(m.repositories[i].name, bytes_of_text(named[k]));
    }
    assert_memory_equal(counts, wanted, sizeof(wanted));
    assert_int_equal(n_named, 5);
    arena_clear(&arena);
}

/* The command is the one that manifests/README.md gives. */
static void
test_calibration_panel__is_what_its_command_draws(void **state)
{
    (void)state;
    const char *path = SHARED_DIR "/data/candidates.csv";
    if (access(path, R_OK) != 0) {
        print_message("%s is not here: skipped\n", path);
        skip();
    }
    struct arena arena;
    arena_init(&arena, 0);
    struct buf table = {0}, drawn = {0}, file = {0};
    struct manifest m;
    struct err err;
    const struct bytes include[] = {BYTES("huggingface/transformers"), BYTES("fastapi/fastapi"),
                                    BYTES("pallets/flask@stable"),
                                    BYTES("scikit-learn/scikit-learn"), BYTES("scipy/scipy")};
    const struct bytes exclude = BYTES("cursor-study");
    struct panel_draw draw = panel_draw_default();
    draw.name = BYTES("calibration-473");
    draw.created_before = BYTES("2023-01-01");
    draw.pushed_since = BYTES("2024-01-01");
    draw.exclude_sources = (struct text_list){&exclude, 1};
    draw.include = (struct text_list){include, 5};
    assert_int_equal(fs_read(path, 1 << 30, &table, &err), 0);
    assert_int_equal(fs_read(SHIPPED "calibration-473.json", 1 << 30, &file, &err), 0);
    assert_int_equal(panel_draw(&draw, buf_bytes(&table), path, &arena, &m, &err), 0);
    manifest_write(&m, &drawn);
    assert_true(bytes_equal(buf_bytes(&drawn), buf_bytes(&file)));
    buf_clear(&table);
    buf_clear(&drawn);
    buf_clear(&file);
    arena_clear(&arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bundled_panel__has_two_pinned_repositories_of_each_tier),
        cmocka_unit_test(test_calibration_panel__has_the_papers_tiers_and_its_five_names),
        cmocka_unit_test(test_calibration_panel__is_what_its_command_draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
