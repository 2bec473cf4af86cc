#include "cmocka_all.h"

#include <dirent.h>
#include <malloc.h>

#include "miner/miner.h"
#include "miner/sandbox.h"

#define ROOT ((const unsigned[]){0})

static void
make_repository(struct sandbox *box)
{
    sandbox_begin(box, "r.git");
    sandbox_commit(box, ROOT,
                   "M 644 inline a.py\ndata 6\nx = 1\n\n"
                   "M 644 inline pkg/b.py\ndata 18\ndef f():\n  pass\n\n\n"
                   "M 644 inline pkg/same.py\ndata 6\nx = 1\n\n"
                   "M 644 inline pkg/nul.py\ndata 2\n\\0\n"
                   "M 644 inline build/c.py\ndata 2\n1\n\n"
                   "M 644 inline pkg/notes.txt\ndata 2\n1\n\n");
    sandbox_end(box);
}

static struct miner_tree *
read_tree(const struct miner_tree_options *options)
{
    struct miner_tree *tree;
    struct err err;
    struct miner_tree_options with_limits = *options;
    with_limits.analyzer.limits = analyzer_limits_default();
    if (miner_read_tree(&with_limits, &tree, &err) < 0)
        fail_msg("%s", err.text);
    return tree;
}

static void
assert_paths(const struct miner_tree *tree, const char *const *paths)
{
    size_t n = 0;
    for (; paths[n]; n++) {
        assert_true(n < tree->n_files);
        assert_int_equal(tree->files[n].path.len, strlen(paths[n]));
        assert_memory_equal(tree->files[n].path.data, paths[n], strlen(paths[n]));
    }
    assert_int_equal(tree->n_files, n);
}

static void
test_read_tree__a_revision(void **state)
{
    struct sandbox *box = *state;
    make_repository(box);
    struct miner_tree *tree = read_tree(
        &(struct miner_tree_options){.repository = box->repo, .n_jobs = 3, .keep_sources = true});
    assert_paths(tree,
                 (const char *const[]){"a.py", "pkg/b.py", "pkg/nul.py", "pkg/same.py", NULL});
    assert_int_equal(tree->files[1].facts.n_callables, 1);
    assert_int_equal(tree->files[3].facts.physical_lines, tree->files[0].facts.physical_lines);
    assert_memory_equal(tree->files[0].source.data, "x = 1\n", 6);
    assert_int_equal(tree->commit.len, OID_SHA1_BYTES);
    miner_tree_destroy(tree);
}

static void
test_read_tree__a_folder_of_a_revision(void **state)
{
    struct sandbox *box = *state;
    make_repository(box);
    struct miner_tree_options options = {
        .repository = box->repo, .revision = BYTES("main"), .prefix = BYTES("pkg/"), .n_jobs = 1};
    struct miner_tree *tree = read_tree(&options);
    assert_paths(tree, (const char *const[]){"b.py", "nul.py", "same.py", NULL});
    miner_tree_destroy(tree);

    struct err err;
    options.prefix = BYTES("a.py");
    assert_int_equal(miner_read_tree(&options, &tree, &err), -1);
    assert_int_equal(err.code, ERR_INPUT);
    options.prefix = BYTES("");
    options.revision = BYTES("nowhere");
    assert_int_equal(miner_read_tree(&options, &tree, &err), -1);
    assert_int_equal(err.code, ERR_INPUT);
}

static void
test_read_tree__folders_and_files_on_disk(void **state)
{
    struct sandbox *box = *state;
    char folder[96], file[96], expected[4][112];
    snprintf(folder, sizeof(folder), "%s/src", box->path);
    snprintf(file, sizeof(file), "%s/script", box->path);
    sandbox_run(
        "mkdir -p '%s/build' '%s/d' && cd '%s' && echo 'x = 1' > a.py && echo 1 > d/b.py && "
        "echo 1 > build/c.py && ln -s a.py l.py && echo 'y = 2' > '%s'",
        folder, folder, folder, file);
    const char *one[] = {folder};
    struct miner_tree *tree =
        read_tree(&(struct miner_tree_options){.paths = one, .n_paths = 1, .n_jobs = 2});
    assert_paths(tree, (const char *const[]){"a.py", "d/b.py", NULL});
    miner_tree_destroy(tree);

    /* However a file is named, it is there once. */
    char with_slash[112], with_dots[112], inside[128];
    snprintf(with_slash, sizeof(with_slash), "%s/", folder);
    snprintf(with_dots, sizeof(with_dots), "%s/.//./d/.", folder);
    snprintf(inside, sizeof(inside), "%s/./d//b.py", folder);
    const char *several[] = {folder, file, with_slash, with_dots, inside};
    tree = read_tree(&(struct miner_tree_options){.paths = several, .n_paths = 5, .n_jobs = 2});
    snprintf(expected[0], sizeof(expected[0]), "%s", file);
    snprintf(expected[1], sizeof(expected[1]), "%s/a.py", folder);
    snprintf(expected[2], sizeof(expected[2]), "%s/d/b.py", folder);
    assert_paths(tree, (const char *const[]){expected[0], expected[1], expected[2], NULL});
    miner_tree_destroy(tree);
}

static size_t
count_open_files(void)
{
    DIR *dir = opendir("/proc/self/fd");
    size_t n = 0;
    assert_non_null(dir);
    while (readdir(dir))
        n++;
    closedir(dir);
    return n;
}

/* Five hundred opens of one repository leave no descriptor and no memory behind. */
static void
test_read_tree__opening_leaks_nothing(void **state)
{
    struct sandbox *box = *state;
    make_repository(box);
    struct miner_tree_options options = {.repository = box->repo, .n_jobs = 2};
    for (int i = 0; i < 20; i++)
        miner_tree_destroy(read_tree(&options));
    size_t n_files = count_open_files();
    size_t n_bytes = mallinfo2().uordblks;
    for (int i = 0; i < 500; i++)
        miner_tree_destroy(read_tree(&options));
    assert_int_equal(count_open_files(), n_files);
    assert_true(mallinfo2().uordblks < n_bytes + 64 * 1024);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, sandbox_create, sandbox_destroy)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_read_tree__a_revision),
        TEST(test_read_tree__a_folder_of_a_revision),
        TEST(test_read_tree__folders_and_files_on_disk),
        TEST(test_read_tree__opening_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
