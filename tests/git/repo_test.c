#include <dirent.h>
#include <malloc.h>

#include "cmocka_all.h"

#include "git/history.h"
#include "miner/miner.h"
#include "git/objects.h"
#include "git/repo.h"
#include "miner/sandbox.h"

enum { N_COMMITS = 3, N_OPENS = 500, N_WARM = 20, SLACK_BYTES = 64 * 1024 };

static size_t
count_descriptors(void)
{
    size_t n = 0;
    DIR *folder = opendir("/proc/self/fd");
    if (!folder)
        return 0;
    while (readdir(folder))
        n++;
    closedir(folder);
    return n;
}

static void
make_packed(struct sandbox *box)
{
    unsigned last = 0;
    sandbox_begin(box, "opened.git");
    for (int i = 0; i < N_COMMITS; i++)
        last = sandbox_commit(box, (const unsigned[]){last, 0}, "M 644 inline a.py\ndata 1\nx\n");
    sandbox_end(box);
    sandbox_run("git --git-dir='%s' repack -adq && git --git-dir='%s' config remote.o.url x",
                box->repo, box->repo);
}

/* What a mine does with a repository, but for the analysis. */
static void
open_and_walk(const char *path)
{
    struct repo repo;
    struct objects *objects;
    struct history history;
    struct err err;
    if (repo_open(path, BYTES(""), &repo, &err) < 0 ||
        objects_open(repo.objects_dir, NULL, &objects, &err) < 0 ||
        history_walk(&repo, objects, &repo.head, HISTORY_WHOLE, &history, &err) < 0)
        fail_msg("%s", err.text);
    assert_int_equal(history.n_commits, N_COMMITS);
    history_clear(&history);
    objects_close(objects);
    repo_clear(&repo);
}

static void
test_repo_open__five_hundred_times_leaks_nothing(void **state)
{
    struct sandbox *box = *state;
    struct err err;
    make_packed(box);
    assert_int_equal(git_library_begin(&err), 0);
    for (int i = 0; i < N_WARM; i++)
        open_and_walk(box->repo);
    size_t descriptors = count_descriptors();
    size_t bytes = mallinfo2().uordblks;
    for (int i = 0; i < N_OPENS; i++)
        open_and_walk(box->repo);
    assert_int_equal(count_descriptors(), descriptors);
    assert_true(mallinfo2().uordblks <= bytes + SLACK_BYTES);
    git_library_end();
}

/* The public way in, the library started and ended each time. */
static void
test_miner_count__five_hundred_times_leaks_nothing(void **state)
{
    struct sandbox *box = *state;
    size_t descriptors = 0, bytes = 0;
    make_packed(box);
    for (int i = 0; i < N_WARM + N_OPENS; i++) {
        struct miner_counts counts;
        struct err err;
        if (i == N_WARM) {
            descriptors = count_descriptors();
            bytes = mallinfo2().uordblks;
        }
        assert_int_equal(miner_count(box->repo, BYTES(""), NULL, &counts, &err), 0);
        assert_int_equal(counts.n_commits, N_COMMITS);
    }
    assert_int_equal(count_descriptors(), descriptors);
    assert_true(mallinfo2().uordblks <= bytes + SLACK_BYTES);
}

/* A failure half-way must not keep what was opened before it. */
static void
test_repo_open__failures_leak_nothing(void **state)
{
    struct sandbox *box = *state;
    struct repo repo;
    struct err err;
    make_packed(box);
    sandbox_run("cp -r '%s' '%s/broken.git' && chmod -R u+w '%s/broken.git' && "
                "truncate -s 40 '%s'/broken.git/objects/pack/*.pack",
                box->repo, box->path, box->path, box->path);
    char broken[160];
    snprintf(broken, sizeof(broken), "%s/broken.git", box->path);
    assert_int_equal(git_library_begin(&err), 0);
    size_t descriptors = 0, bytes = 0;
    for (int i = 0; i < N_WARM + N_OPENS; i++) {
        if (i == N_WARM) {
            descriptors = count_descriptors();
            bytes = mallinfo2().uordblks;
        }
        assert_int_equal(repo_open(broken, BYTES(""), &repo, &err), -1);
        assert_int_equal(repo_open(box->repo, BYTES("gone"), &repo, &err), -1);
        assert_int_equal(repo_open(box->path, BYTES(""), &repo, &err), -1);
    }
    assert_int_equal(count_descriptors(), descriptors);
    assert_true(mallinfo2().uordblks <= bytes + SLACK_BYTES);
    git_library_end();
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, sandbox_create, sandbox_destroy)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_repo_open__five_hundred_times_leaks_nothing),
        TEST(test_miner_count__five_hundred_times_leaks_nothing),
        TEST(test_repo_open__failures_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
