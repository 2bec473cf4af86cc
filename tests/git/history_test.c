#include "cmocka_all.h"

#include "git/history.h"
#include "miner/sandbox.h"

#define PARENTS(...) ((const unsigned[]){__VA_ARGS__, 0})
#define ROOT ((const unsigned[]){0})

struct fixture {
    struct repo repo;
    struct objects *objects;
    struct history history;
};

static void
walk(struct fixture *f, const char *path, enum history_extent extent)
{
    struct err err;
    assert_int_equal(git_library_begin(&err), 0);
    if (repo_open(path, BYTES(""), &f->repo, &err) < 0 ||
        objects_open(f->repo.objects_dir, &(struct objects_options){.verify = true}, &f->objects,
                     &err) < 0 ||
        history_walk(&f->repo, f->objects, &f->repo.head, extent, &f->history, &err) < 0)
        fail_msg("%s", err.text);
}

static void
release(struct fixture *f)
{
    history_clear(&f->history);
    objects_close(f->objects);
    repo_clear(&f->repo);
    git_library_end();
}

static struct history_commit
commit_at(const struct history *history, size_t i)
{
    struct history_commit commit;
    struct err err;
    if (history_get(history, i, &commit, &err) < 0)
        fail_msg("%s", err.text);
    return commit;
}

/* Each commit's tree holds a file "name" that says which one it is. */
static void
assert_order(const struct sandbox *box, const struct history *history, const char *const *names)
{
    size_t n = 0;
    for (; names[n]; n++) {
        char command[512], line[64] = "", hex[OID_HEX_SIZE];
        struct history_commit commit = commit_at(history, n);
        snprintf(command, sizeof(command), "git --git-dir='%s' show '%s:name'", box->repo,
                 oid_to_hex(&commit.id, hex));
        FILE *pipe = popen(command, "r");
        assert_non_null(pipe);
        assert_non_null(fgets(line, sizeof(line), pipe));
        pclose(pipe);
        assert_string_equal(line, names[n]);
    }
    assert_int_equal(history->n_commits, n);
}

#define NAME(letter) "M 644 inline name\ndata 1\n" letter "\n"

/*    c---d---f     f merges d and e, d merges b and c
 *   /   /   /
 *  a---b   /
 *   \-----e
 */
static void
make_merges(struct sandbox *box)
{
    sandbox_begin(box, "merges.git");
    unsigned a = sandbox_commit(box, ROOT, NAME("a"));
    unsigned b = sandbox_commit(box, PARENTS(a), NAME("b"));
    unsigned c = sandbox_commit(box, PARENTS(a), NAME("c"));
    unsigned d = sandbox_commit(box, PARENTS(c, b), NAME("d"));
    unsigned e = sandbox_commit(box, PARENTS(a), NAME("e"));
    sandbox_commit(box, PARENTS(d, e), NAME("f"));
    sandbox_end(box);
}

static void
test_history_walk__each_commit_once_before_its_parents(void **state)
{
    struct sandbox *box = *state;
    struct fixture f = {0};
    make_merges(box);
    walk(&f, box->repo, HISTORY_WHOLE);
    assert_order(box, &f.history, (const char *const[]){"f", "e", "d", "b", "c", "a", NULL});
    assert_int_equal(f.history.n_single, 4);
    assert_int_equal(commit_at(&f.history, 0).first_parent, 2);
    assert_int_equal(commit_at(&f.history, 5).first_parent, HISTORY_NO_PARENT);
    release(&f);
}

static void
test_history_walk__first_parents_are_the_chain(void **state)
{
    struct sandbox *box = *state;
    struct fixture f = {0};
    make_merges(box);
    walk(&f, box->repo, HISTORY_CHAIN);
    assert_order(box, &f.history, (const char *const[]){"f", "d", "c", "a", NULL});
    assert_int_equal(commit_at(&f.history, 0).n_parents, 2);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(commit_at(&f.history, i).first_parent, i + 1);
    release(&f);
}

/* A long history must not need a deep stack. */
static void
test_history_walk__twenty_thousand_commits_in_a_row(void **state)
{
    struct sandbox *box = *state;
    struct fixture f = {0};
    sandbox_begin(box, "long.git");
    unsigned last = sandbox_commit(box, ROOT, "");
    for (int i = 1; i < 20000; i++)
        last = sandbox_commit(box, PARENTS(last), "");
    sandbox_end(box);
    walk(&f, box->repo, HISTORY_WHOLE);
    assert_int_equal(f.history.n_commits, 20000);
    release(&f);
}

static void
test_history_walk__shallow_ends_where_the_clone_does(void **state)
{
    struct sandbox *box = *state;
    struct fixture f = {0};
    char shallow[160];
    make_merges(box);
    snprintf(shallow, sizeof(shallow), "%s/shallow.git", box->path);
    sandbox_run("git clone -q --bare --depth 2 'file://%s' '%s'", box->repo, shallow);
    walk(&f, shallow, HISTORY_WHOLE);
    assert_int_equal(f.history.n_commits, 3);
    assert_int_equal(f.history.n_cut, 2);
    assert_int_equal(commit_at(&f.history, 2).first_parent, HISTORY_NO_PARENT);
    release(&f);
}

static void
test_history_walk__missing_parent_is_damage(void **state)
{
    struct sandbox *box = *state;
    struct repo repo;
    struct objects *objects;
    struct history history;
    struct err err;
    make_merges(box);
    sandbox_run("cd '%s' && c=$(git rev-parse main~1^2) && "
                "rm objects/$(echo $c | cut -c1-2)/$(echo $c | cut -c3-)",
                box->repo);
    assert_int_equal(git_library_begin(&err), 0);
    assert_int_equal(repo_open(box->repo, BYTES(""), &repo, &err), 0);
    assert_int_equal(
        objects_open(repo.objects_dir, &(struct objects_options){.verify = true}, &objects, &err),
        0);
    assert_int_equal(history_walk(&repo, objects, &repo.head, HISTORY_WHOLE, &history, &err), -1);
    assert_int_equal(err.code, ERR_DAMAGED);
    assert_non_null(strstr(err.text, "is missing"));
    assert_int_equal(history_walk(&repo, objects, &repo.head, HISTORY_CHAIN, &history, &err), 0);
    history_clear(&history);
    objects_close(objects);
    repo_clear(&repo);
    git_library_end();
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, sandbox_create, sandbox_destroy)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_history_walk__each_commit_once_before_its_parents),
        TEST(test_history_walk__first_parents_are_the_chain),
        TEST(test_history_walk__twenty_thousand_commits_in_a_row),
        TEST(test_history_walk__shallow_ends_where_the_clone_does),
        TEST(test_history_walk__missing_parent_is_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
