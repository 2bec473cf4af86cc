/* Source lines within spans, counted against a plain count line by line, for short and long files.
 */
#include "aggregate/score/source_lines.h"
#include "base/arena.h"
#include "cmocka_all.h"

enum { LINES_MAX = 20000, SPANS_MAX = 40 };

static uint64_t random_state;

/* A number below N, the same sequence in every run. */
static uint32_t
draw(uint32_t n)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random_state >> 33) % n);
}

/* Runs of source lines up to line N. */
static struct line_set
draw_set(struct arena *arena, uint32_t n)
{
    struct line_set set = {ARENA_ARRAY(arena, n, struct line_run), 0, 0};
    for (uint32_t line = 1 + draw(4); line < n;) {
        struct line_run run = {line, 1 + draw(9)};
        if (run.first + run.n > n)
            break;
        set.runs[set.n_runs++] = run;
        set.n_lines += run.n;
        line = run.first + run.n + 1 + draw(5);
    }
    return set;
}

static struct found_lines
count_plainly(const struct line_set *set, const struct span *spans, size_t n_spans)
{
    static bool is_source[LINES_MAX], is_found[LINES_MAX];
    struct found_lines found = {0};
    memset(is_source, 0, sizeof(is_source));
    memset(is_found, 0, sizeof(is_found));
    for (uint32_t i = 0; i < set->n_runs; i++)
        for (uint32_t k = 0; k < set->runs[i].n; k++)
            is_source[set->runs[i].first + k] = true;
    for (size_t i = 0; i < n_spans; i++)
        for (uint32_t line = spans[i].first; line <= spans[i].last; line++)
            is_found[line] = true;
    for (size_t line = 0; line < LINES_MAX; line++) {
        found.n_lines += is_found[line];
        found.n_source += is_found[line] && is_source[line];
    }
    return found;
}

/* Files of up to N_LINES lines with spans up to line LAST. */
static void
compare(uint32_t n_lines, uint32_t last)
{
    for (int round = 0; round < 50; round++) {
        struct arena arena;
        struct source_lines source;
        struct span spans[SPANS_MAX];
        arena_init(&arena, 0);
        struct line_set set = draw_set(&arena, n_lines);
        size_t n_spans = draw(SPANS_MAX);
        for (size_t i = 0; i < n_spans; i++) {
            uint32_t first = 1 + draw(last - 1), length = draw(last / 8);
            spans[i] = (struct span){first, first + length > last ? last : first + length};
            if (i % 7 == 6)
                spans[i].last = spans[i].first - 1; /* empty */
        }
        assert_int_equal(source_lines_keep(&set, &arena, &source), 0);
        struct found_lines expected = count_plainly(&set, spans, n_spans);
        struct found_lines found = source_lines_count(&source, spans, n_spans);
        assert_int_equal(found.n_lines, expected.n_lines);
        assert_int_equal(found.n_source, expected.n_source);
        arena_clear(&arena);
    }
}

static void
test_source_lines__short_files(void **state)
{
    (void)state;
    compare(70, 64);
    compare(500, 600);
    compare(8000, 8191);
}

/* From 8192 lines on there is not a bit per line; spans past a short file's end need sorting as
 * well. */
static void
test_source_lines__long_files_and_long_spans(void **state)
{
    (void)state;
    compare(9000, 9000);
    compare(19000, 19999);
    compare(100, 12000);
}

static void
test_source_lines__nothing(void **state)
{
    (void)state;
    struct arena arena;
    struct source_lines source;
    struct line_set empty = {NULL, 0, 0};
    struct span span = {3, 9};
    arena_init(&arena, 0);
    assert_int_equal(source_lines_keep(&empty, &arena, &source), 0);
    assert_int_equal(source_lines_count(&source, &span, 0).n_lines, 0);
    assert_int_equal(source_lines_count(&source, &span, 1).n_lines, 7);
    assert_int_equal(source_lines_count(&source, &span, 1).n_source, 0);
    arena_clear(&arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_source_lines__short_files),
        cmocka_unit_test(test_source_lines__long_files_and_long_spans),
        cmocka_unit_test(test_source_lines__nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
