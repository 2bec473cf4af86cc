#include "cmocka_all.h"

#include "miner/sample.h"
#include "miner/sandbox.h"

#define PARENTS(...) ((const unsigned[]){__VA_ARGS__, 0})
#define ROOT ((const unsigned[]){0})

/* Values computed with an implementation in Python of the header's description. */
static void
test_sample_random__the_documented_generator(void **state)
{
    (void)state;
    struct sample_random random = {0};
    assert_true(sample_random_next(&random) == 0xe220a8397b1dcdaf);
    assert_true(sample_random_next(&random) == 0x6e789e6aa1b965f4);
    random = (struct sample_random){42};
    const uint64_t expected[] = {3, 1, 8, 4, 0, 2, 5, 8};
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(sample_random_below(&random, 10), expected[i]);
}

/* Forty commits: every second touches a source file, the twentieth only its mode. */
static void
make_history(struct sandbox *box)
{
    unsigned last = 0;
    sandbox_begin(box, "history.git");
    for (unsigned i = 1; i <= 40; i++) {
        char files[160];
        snprintf(files, sizeof(files), "M %s inline %s\ndata 4\n%04u\n", i == 20 ? "755" : "644",
                 i % 2 ? "notes.txt" : "app.py", i == 20 ? 18 : i);
        last = sandbox_commit(box, PARENTS(last), files);
    }
    sandbox_end(box);
}

struct fixture {
    struct repo repo;
    struct objects *objects;
    struct history history;
    struct compare compare;
    struct arena arena;
    struct notes notes;
    struct sample sample;
};

static void
choose(struct fixture *f, const char *path, const struct sample_options *options)
{
    struct err err;
    arena_init(&f->arena, 0);
    notes_init(&f->notes, &f->arena);
    assert_int_equal(git_library_begin(&err), 0);
    if (repo_open(path, BYTES(""), &f->repo, &err) < 0 ||
        objects_open(f->repo.objects_dir, &(struct objects_options){.verify = true}, &f->objects,
                     &err) < 0 ||
        history_walk(&f->repo, f->objects, &f->repo.head, HISTORY_CHAIN, &f->history, &err) < 0)
        fail_msg("%s", err.text);
    compare_init(&f->compare, f->objects, source_filter_default());
    if (sample_choose(options, &f->history, NULL, &f->compare, &f->notes, &f->sample, &err) < 0)
        fail_msg("%s", err.text);
}

static void
release(struct fixture *f)
{
    sample_clear(&f->sample);
    compare_clear(&f->compare);
    history_clear(&f->history);
    objects_close(f->objects);
    repo_clear(&f->repo);
    arena_clear(&f->arena);
    git_library_end();
}

/* Where pick I stands in the history, counted from the newest commit. */
static size_t
place_of_pick(const struct fixture *f, size_t i)
{
    struct history_commit commit;
    struct err err;
    for (size_t place = 0; place < f->history.n_commits; place++) {
        if (history_get(&f->history, place, &commit, &err) < 0)
            fail_msg("%s", err.text);
        if (oid_equal(&commit.id, &f->sample.picks[i]))
            return place;
    }
    fail_msg("pick %zu is not in the history", i);
    return 0;
}

static void
assert_places(const struct fixture *f, const size_t *expected, size_t n)
{
    assert_int_equal(f->sample.n_picks, n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(place_of_pick(f, i), expected[i]);
}

static void
test_sample_choose__all_takes_every_commit_that_touches_source(void **state)
{
    struct sandbox *box = *state;
    struct fixture f = {0};
    struct sample_options options = {.sampling = sampling_default()};
    options.sampling.strategy = SAMPLING_ALL;
    make_history(box);
    choose(&f, box->repo, &options);
    assert_int_equal(f.sample.n_picks, 20);
    assert_int_equal(f.sample.n_mode_only, 1);
    for (size_t i = 0; i < 20; i++) /* oldest first: commits 2, 4, ... 40 of 40 */
        assert_int_equal(place_of_pick(&f, i), 38 - 2 * i);
    release(&f);
}

static void
test_sample_choose__a_mode_alone_can_be_left_out(void **state)
{
    struct sandbox *box = *state;
    struct fixture f = {0};
    struct sample_options options = {.sampling = sampling_default(), .content_only = true};
    options.sampling.strategy = SAMPLING_ALL;
    make_history(box);
    choose(&f, box->repo, &options);
    assert_int_equal(f.sample.n_picks, 19);
    assert_int_equal(f.sample.n_mode_only, 0);
    release(&f);
}

static void
test_sample_choose__even_keeps_the_first_and_the_last(void **state)
{
    struct sandbox *box = *state;
    struct fixture f = {0};
    struct sample_options options = {.sampling = sampling_default()};
    options.sampling.strategy = SAMPLING_EVEN;
    options.sampling.n_commits = 4;
    make_history(box);
    choose(&f, box->repo, &options);
    assert_places(&f, (const size_t[]){38, 26, 14, 0}, 4); /* L[i * 19 / 3] */
    release(&f);
}

/* The answer of a script that follows the header: tested in order of the permutation until five
 * are found. */
static void
test_sample_choose__random_follows_the_permutation(void **state)
{
    struct sandbox *box = *state;
    struct fixture f = {0};
    struct sample_options options = {.sampling = sampling_default()};
    options.sampling.n_commits = 5;
    options.sampling.seed = 42;
    make_history(box);
    choose(&f, box->repo, &options);
    assert_int_equal(f.sample.n_tested, 13);
    assert_places(&f, (const size_t[]){38, 34, 6, 4, 2}, 5);
    release(&f);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, sandbox_create, sandbox_destroy)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sample_random__the_documented_generator),
        TEST(test_sample_choose__all_takes_every_commit_that_touches_source),
        TEST(test_sample_choose__a_mode_alone_can_be_left_out),
        TEST(test_sample_choose__even_keeps_the_first_and_the_last),
        TEST(test_sample_choose__random_follows_the_permutation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
