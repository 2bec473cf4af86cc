#include "cmocka_all.h"

#include "base/base.h"
#include "miner/markers.h"

static void
test_markers_find__identities_trailers_and_lines(void **state)
{
    (void)state;
    const struct {
        const char *author, *committer, *message, *expected;
    } cases[] = {
        {"A <a@example.invalid>", "GitHub <noreply@github.com>", "plain\n", ""},
        {"A <a@example.invalid>", "A <a@example.invalid>",
         "fix\n\nCo-Authored-By: Claude Opus 4 <noreply@anthropic.com>\n",
         "[{\"id\":\"claude\",\"kind\":\"assistant\",\"where\":\"trailer\"}]"},
        {"A <a@example.invalid>", "A <a@example.invalid>",
         "fix\n\nco-authored-by:  Copilot <175728472+Copilot@users.noreply.github.com>",
         "[{\"id\":\"copilot\",\"kind\":\"assistant\",\"where\":\"trailer\"}]"},
        {"A Writer (aider) <a@example.invalid>", "A <a@example.invalid>", "",
         "[{\"id\":\"aider\",\"kind\":\"assistant\",\"where\":\"author\"}]"},
        {"dependabot[bot] <49699333+dependabot[bot]@users.noreply.github.com>",
         "GitHub <noreply@github.com>", "bump\n",
         "[{\"id\":\"dependabot\",\"kind\":\"bot\",\"where\":\"author\"}]"},
        {"some-app[bot] <1+some-app[bot]@users.noreply.github.com>",
         "some-app[bot] <1+some-app[bot]@users.noreply.github.com>", "",
         "[{\"id\":\"other-bot\",\"kind\":\"bot\",\"where\":\"author\"},"
         "{\"id\":\"other-bot\",\"kind\":\"bot\",\"where\":\"committer\"}]"},
        {"A <a@example.invalid>", "", "x\n\n\xf0\x9f\xa4\x96 Generated with [Claude Code](u)\n",
         "[{\"id\":\"claude\",\"kind\":\"assistant\",\"where\":\"message\"}]"},
        {"Abbott <abbott@example.invalid>", "Claude Monet <claude@example.invalid>",
         "Claude and Copilot are named\n", ""},
    };
    struct markers *markers;
    struct arena arena;
    struct err err;
    arena_init(&arena, 0);
    assert_int_equal(markers_open(&markers, &err), 0);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct commit commit = {.author = bytes_of_text(cases[i].author),
                                .committer = bytes_of_text(cases[i].committer),
                                .message = bytes_of_text(cases[i].message)};
        struct bytes found;
        assert_int_equal(markers_find(markers, &commit, &arena, &found, &err), 0);
        assert_int_equal(found.len, strlen(cases[i].expected));
        if (found.len)
            assert_memory_equal(found.data, cases[i].expected, found.len);
    }
    markers_close(markers);
    arena_clear(&arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_markers_find__identities_trailers_and_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
