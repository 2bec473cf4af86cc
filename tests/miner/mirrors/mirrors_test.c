/*
 * Mirrors made from a local repository by file://, and what a check says of good and broken ones.
 * The faults of a server (redirects, trickles, packs that are cut) are in ../clone_test.py.
 */
#include "cmocka_all.h"

#include "base/stop.h"
#include "miner/mirrors.h"
#include "miner/mirrors/process.h"
#include "miner/sandbox.h"

#define ROOT ((const unsigned[]){0})

/* An upstream with branches main (3 commits) and side, and a tag v1 on the first commit. */
static void
make_upstream(struct sandbox *box)
{
    sandbox_begin(box, "up.git");
    unsigned first = sandbox_commit(box, ROOT, "M 644 inline a.py\ndata 2\n1\n");
    unsigned second = sandbox_commit(box, (unsigned[]){first, 0}, "M 644 inline a.py\ndata 2\n2\n");
    sandbox_commit(box, (unsigned[]){second, 0}, "M 644 inline a.py\ndata 2\n3\n");
    sandbox_end(box);
    sandbox_run("cd '%s' && git branch side main~1 && git tag v1 main~2 && "
                "git config uploadpack.allowFilter true && "
                "git config uploadpack.allowAnySHA1InWant true",
                box->repo);
}

static struct oid
commit_of(const struct sandbox *box, const char *repo, const char *revision)
{
    char path[256];
    struct buf text = {0};
    struct err err;
    struct oid oid;
    sandbox_run("git --git-dir='%s' rev-parse '%s' > '%s/id'", repo, revision, box->path);
    snprintf(path, sizeof(path), "%s/id", box->path);
    assert_int_equal(fs_read(path, 100, &text, &err), 0);
    assert_int_equal(oid_from_hex(bytes_slice(buf_bytes(&text), 0, text.len - 1), &oid), 0);
    buf_clear(&text);
    return oid;
}

/* ---- Cloning ------------------------------------------------------------------------------- */

struct cloning {
    struct manifest_repository repository;
    char url[256], mirrors[160], path[256];
    struct miner_clone_options options;
    struct miner_clone result;
};

/* The upstream as owner/NAME, to be cloned from its file. */
static struct cloning
cloning(const struct sandbox *box, const char *name)
{
    struct cloning c = {
        .options = {.n_jobs = 1, .n_tries = 3, .retry_delay_s = 0.01, .stall_s = 5}};
    snprintf(c.url, sizeof(c.url), "file://%s", box->repo);
    snprintf(c.mirrors, sizeof(c.mirrors), "%s/mirrors", box->path);
    snprintf(c.path, sizeof(c.path), "%s/%s.git", c.mirrors, name);
    c.repository.name = bytes_of_text(name);
    c.repository.stars = -1;
    return c;
}

static void
run_clone(struct cloning *c, enum miner_clone_state state, unsigned n_tries)
{
    struct err err;
    if (!c->repository.url.data)
        c->repository.url = bytes_of_text(c->url);
    c->options.mirrors = c->mirrors;
    if (miner_clone(&c->options, &c->repository, 1, &c->result, &err) < 0)
        fail_msg("%s", err.text);
    if (c->result.state != state || c->result.n_tries != n_tries)
        fail_msg("state %d after %u tries: %s", c->result.state, c->result.n_tries,
                 c->result.reason);
    bool has_mirror = access(c->path, F_OK) == 0;
    assert_int_equal(has_mirror, state != MINER_CLONE_FAILED);
    assert_true((state == MINER_CLONE_FAILED) == (c->result.reason[0] != 0));
}

static void
assert_head(const struct sandbox *box, const struct cloning *c, const char *revision)
{
    struct oid wanted = commit_of(box, box->repo, revision),
               found = commit_of(box, c->path, "HEAD");
    assert_true(oid_equal(&wanted, &found));
    sandbox_run("test $(git --git-dir='%s' for-each-ref | wc -l) = 1", c->path);
    sandbox_run("git --git-dir='%s' fsck --full 2>/dev/null", c->path);
}

static void
test_miner_clone__default_branch_then_present_then_updated(void **state)
{
    struct sandbox *box = *state;
    make_upstream(box);
    struct cloning c = cloning(box, "owner/main");
    run_clone(&c, MINER_CLONE_MADE, 1);
    assert_head(box, &c, "main");
    run_clone(&c, MINER_CLONE_PRESENT, 0);
    sandbox_run("git --git-dir='%s' update-ref refs/heads/main side", box->repo);
    c.options.update = true;
    run_clone(&c, MINER_CLONE_UPDATED, 1);
    assert_head(box, &c, "side");
}

static void
test_miner_clone__branch_tag_and_full_ref(void **state)
{
    struct sandbox *box = *state;
    static const char *const refs[][2] = {
        {"side", "side"}, {"v1", "v1"}, {"refs/heads/side", "side"}};
    make_upstream(box);
    for (size_t i = 0; i < 3; i++) {
        char name[16];
        snprintf(name, sizeof(name), "o/r%zu", i);
        struct cloning c = cloning(box, name);
        c.repository.ref = bytes_of_text(refs[i][0]);
        run_clone(&c, MINER_CLONE_MADE, 1);
        assert_head(box, &c, refs[i][1]);
    }
}

static void
test_miner_clone__a_pinned_commit_off_the_branch_is_fetched(void **state)
{
    struct sandbox *box = *state;
    make_upstream(box);
    struct cloning c = cloning(box, "o/pinned");
    c.repository.ref = BYTES("side");
    c.repository.head = commit_of(box, box->repo, "main");
    run_clone(&c, MINER_CLONE_MADE, 1);
    struct oid pinned = commit_of(box, c.path, "refs/pinned");
    assert_true(oid_equal(&pinned, &c.repository.head));
}

/* What a server will say again is asked once; anything else as often as may be. */
static void
test_miner_clone__failures(void **state)
{
    struct sandbox *box = *state;
    make_upstream(box);
    sandbox_run("git init -q --bare '%s/empty.git'", box->path);
    char empty[256];
    snprintf(empty, sizeof(empty), "file://%s/empty.git", box->path);
    const struct {
        const char *url, *ref, *words;
        unsigned n_tries;
    } cases[] = {
        {"file:///nowhere/at/all", "", "does not appear to be a git repository", 1},
        {empty, "", "no default branch", 1},
        {NULL, "v9", "no branch or tag", 1},
        {"-x", "", "no url that git can clone", 0},
        {"ext::sh -c true", "", "transport 'ext' not allowed", 1},
        {"git://127.0.0.1:1/x.git", "", "Connection refused", 3}, /* nobody listens there */
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct cloning c = cloning(box, "o/no");
        if (cases[i].url)
            snprintf(c.url, sizeof(c.url), "%s", cases[i].url);
        c.repository.ref = bytes_of_text(cases[i].ref);
        run_clone(&c, MINER_CLONE_FAILED, cases[i].n_tries);
        if (!strstr(c.result.reason, cases[i].words))
            fail_msg("wanted \"%s\" in \"%s\"", cases[i].words, c.result.reason);
        sandbox_run("test ! -e '%s.part'", c.path);
    }
}

/* A folder that cannot be made, as something else is in its place. */
static void
test_miner_clone__a_file_where_a_folder_must_be(void **state)
{
    struct sandbox *box = *state;
    make_upstream(box);
    struct cloning c = cloning(box, "o/r");
    sandbox_run("mkdir '%s' && touch '%s/o'", c.mirrors, c.mirrors);
    run_clone(&c, MINER_CLONE_FAILED, 0);
    assert_non_null(strstr(c.result.reason, "Not a directory"));
}

/* What a killed run left whole is kept, what it left damaged is fetched again, locks and half packs
 * go. */
static void
test_miner_clone__goes_on_with_what_was_left(void **state)
{
    struct sandbox *box = *state;
    make_upstream(box);
    for (int damages = 0; damages < 3; damages++) {
        struct cloning c = cloning(box, damages == 0 ? "o/a" : damages == 1 ? "o/b" : "o/c");
        sandbox_run("git init -q --bare '%s.part' && git --git-dir='%s.part' -c "
                    "fetch.unpackLimit=1 fetch -q --no-tags '%s' main:refs/heads/main",
                    c.path, c.path, box->repo);
        sandbox_run("touch '%s.part/objects/pack/tmp_pack_x' '%s.part/refs/heads/main.lock'",
                    c.path, c.path);
        if (damages == 1) /* half a pack */
            sandbox_run("cd '%s.part/objects/pack' && chmod 644 *.pack && truncate -s 100 *.pack",
                        c.path);
        if (damages == 2) /* an object that is missing */
            sandbox_run("cd '%s.part' && mv objects/pack/*.pack p && rm objects/pack/*.idx && git "
                        "unpack-objects -q < p && rm p objects/$(git rev-parse main~1:a.py | sed "
                        "'s,..,&/,')",
                        c.path);
        run_clone(&c, MINER_CLONE_MADE, damages == 2 ? 2 : 1);
        assert_head(box, &c, "main");
        sandbox_run("test -z \"$(find '%s' -name 'tmp_*' -o -name '*.lock')\"", c.path);
    }
}

static void
test_miner_clone__a_stop_leaves_no_mirror(void **state)
{
    struct sandbox *box = *state;
    struct err err;
    make_upstream(box);
    struct cloning c = cloning(box, "o/r");
    c.repository.url = bytes_of_text(c.url);
    c.options.mirrors = c.mirrors;
    stop_request();
    int rc = miner_clone(&c.options, &c.repository, 1, &c.result, &err);
    stop_clear();
    assert_int_equal(rc, -1);
    assert_int_equal(err.code, ERR_STOPPED);
    assert_int_not_equal(access(c.path, F_OK), 0);
}

/* ---- Checking ------------------------------------------------------------------------------ */

static enum miner_mirror_state
check(const struct sandbox *box, const char *name, const struct oid *pinned)
{
    struct manifest_repository repository = {.name = bytes_of_text(name), .stars = -1};
    struct miner_mirror found;
    struct err err;
    char path[256];
    if (pinned)
        repository.head = *pinned;
    snprintf(path, sizeof(path), "%s/%s", box->path, name);
    if (miner_mirror_check(&repository, path, &found, &err) < 0)
        fail_msg("%s", err.text);
    assert_true((found.state == MINER_MIRROR_GOOD) == (found.reason[0] == 0));
    assert_true(found.state != MINER_MIRROR_GOOD || found.n_commits == 3);
    return found.state;
}

static void
test_miner_mirror_check__every_state(void **state)
{
    struct sandbox *box = *state;
    make_upstream(box);
    struct oid head = commit_of(box, box->repo, "main"), older = commit_of(box, box->repo, "v1");
    struct oid unknown = head;
    unknown.id[0] ^= 1;
    sandbox_run("cd '%s' && git clone -q --bare --depth 1 file://%s shallow && "
                "git clone -q --bare --filter=blob:none file://%s partial && "
                "git clone -q --bare file://%s damaged && cd damaged/objects/pack && "
                "chmod 644 *.pack && truncate -s 60 *.pack && mkdir '%s/empty'",
                box->path, box->repo, box->repo, box->repo, box->path);
    assert_int_equal(check(box, "up.git", NULL), MINER_MIRROR_GOOD);
    assert_int_equal(check(box, "up.git", &head), MINER_MIRROR_GOOD);
    assert_int_equal(check(box, "up.git", &older), MINER_MIRROR_MOVED);
    assert_int_equal(check(box, "up.git", &unknown), MINER_MIRROR_LACKS_HEAD);
    assert_int_equal(check(box, "none", NULL), MINER_MIRROR_MISSING);
    assert_int_equal(check(box, "empty", NULL), MINER_MIRROR_DAMAGED);
    assert_int_equal(check(box, "damaged", NULL), MINER_MIRROR_DAMAGED);
    assert_int_equal(check(box, "shallow", NULL), MINER_MIRROR_SHALLOW);
    assert_int_equal(check(box, "partial", NULL), MINER_MIRROR_PARTIAL);
    assert_string_equal(miner_mirror_state_name(MINER_MIRROR_LACKS_HEAD), "lacks head");
    assert_string_equal(miner_mirror_state_name(MINER_MIRROR_MOVED), "moved");
}

static void
test_miner_mirror_path__bare_before_plain(void **state)
{
    struct sandbox *box = *state;
    struct arena arena;
    arena_init(&arena, 0);
    char *path = miner_mirror_path(box->path, BYTES("o/r"), &arena);
    assert_string_equal(path + strlen(box->path), "/o/r.git");
    sandbox_run("mkdir -p '%s/o/r'", box->path);
    path = miner_mirror_path(box->path, BYTES("o/r"), &arena);
    assert_string_equal(path + strlen(box->path), "/o/r");
    sandbox_run("mkdir '%s/o/r.git'", box->path);
    path = miner_mirror_path(box->path, BYTES("o/r"), &arena);
    assert_string_equal(path + strlen(box->path), "/o/r.git");
    arena_clear(&arena);
}

/* ---- Estimates ----------------------------------------------------------------------------- */

static void
test_miner_clone_estimate__the_mean_of_twenty_or_the_constant(void **state)
{
    struct sandbox *box = *state;
    struct manifest_repository repositories[22] = {{.stars = -1}};
    char names[22][8];
    struct miner_clone_estimate out;
    struct err err;
    for (size_t i = 0; i < 22; i++) {
        snprintf(names[i], sizeof(names[i]), "r%zu", i);
        repositories[i].name = bytes_of_text(names[i]);
    }
    sandbox_run("cd '%s' && for i in $(seq 0 19); do mkdir r$i.git && head -c 1000 /dev/zero > "
                "r$i.git/f; done",
                box->path);
    assert_int_equal(miner_clone_estimate(box->path, repositories, 22, &out, &err), 0);
    assert_int_equal(out.n_missing, 2);
    assert_int_equal(out.n_measured, 20);
    assert_int_equal(out.mean_bytes, 1000);
    assert_int_equal(out.wanted_bytes, 2000);
    assert_true(out.free_bytes > 0);
    sandbox_run("rm -r '%s/r3.git'", box->path);
    assert_int_equal(miner_clone_estimate(box->path, repositories, 22, &out, &err), 0);
    assert_int_equal(out.n_measured, 0);
    assert_int_equal(out.wanted_bytes, 3 * (uint64_t)MINER_CLONE_MEAN_BYTES);

    char path[128];
    snprintf(path, sizeof(path), "%s/no/such/parent", box->path);
    assert_int_equal(miner_clone_estimate(path, repositories, 22, &out, &err), -1);
    assert_int_equal(err.code, ERR_INPUT);
}

/* ---- Running programs ---------------------------------------------------------------------- */

static void
run_shell(const char *script, struct process_result *result)
{
    const char *const arguments[] = {"sh", "-c", script, NULL};
    struct err err;
    if (process_run(arguments, result, &err) < 0)
        fail_msg("%s", err.text);
}

static void
test_process_run__output_messages_and_status(void **state)
{
    (void)state;
    struct process_result result = {0};
    run_shell("echo out; echo said >&2; exit 3", &result);
    assert_int_equal(result.status, 3);
    assert_true(bytes_equal(buf_bytes(&result.out), BYTES("out\n")));
    assert_true(bytes_equal(buf_bytes(&result.said), BYTES("said\n")));
    run_shell("kill -9 $$", &result);
    assert_int_equal(result.status, 128 + 9);
    assert_int_equal(result.out.len, 0);
    run_shell("read line || echo closed", &result); /* standard input is */
    assert_true(bytes_equal(buf_bytes(&result.out), BYTES("closed\n")));
    process_result_clear(&result);
}

/* The start of the output and the end of the messages are kept. */
static void
test_process_run__output_is_bounded(void **state)
{
    (void)state;
    struct process_result result = {0};
    run_shell("head -c 1100000 /dev/zero; head -c 100000 /dev/zero | tr '\\0' x >&2; echo end >&2",
              &result);
    assert_int_equal(result.out.len, PROCESS_OUT_MAX);
    assert_int_equal(result.said.len, PROCESS_SAID_MAX);
    assert_true(bytes_ends_with(buf_bytes(&result.said), BYTES("xend\n")));
    process_result_clear(&result);
}

static void
test_process_run__git_is_not_led_astray_and_asks_nobody(void **state)
{
    (void)state;
    struct process_result result = {0};
    setenv("GIT_DIR", "/elsewhere", 1);
    setenv("LC_ALL", "de_DE", 1);
    run_shell("echo ${GIT_DIR-none} $GIT_TERMINAL_PROMPT $LC_ALL $GIT_SSH_COMMAND", &result);
    assert_true(bytes_equal(buf_bytes(&result.out), BYTES("none 0 C ssh -o BatchMode=yes\n")));
    setenv("GIT_SSH_COMMAND", "mine", 1);
    run_shell("echo $GIT_SSH_COMMAND", &result);
    assert_true(bytes_equal(buf_bytes(&result.out), BYTES("mine\n")));
    unsetenv("GIT_SSH_COMMAND");
    unsetenv("GIT_DIR");
    unsetenv("LC_ALL");
    process_result_clear(&result);
}

static void
test_process_run__a_program_that_is_missing_and_a_stop(void **state)
{
    (void)state;
    struct process_result result = {0};
    const char *const missing[] = {"no-such-program-here", NULL}, *const sleeps[] = {"sleep", "60",
                                                                                     NULL};
    struct err err;
    assert_int_equal(process_run(missing, &result, &err), -1);
    assert_int_equal(err.code, ERR_INPUT);
    assert_non_null(strstr(err.text, "is it installed?"));
    stop_request();
    int rc = process_run(sleeps, &result, &err);
    stop_clear();
    assert_int_equal(rc, -1);
    assert_int_equal(err.code, ERR_STOPPED);
    process_result_clear(&result);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, sandbox_create, sandbox_destroy)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_miner_clone__default_branch_then_present_then_updated),
        TEST(test_miner_clone__branch_tag_and_full_ref),
        TEST(test_miner_clone__a_pinned_commit_off_the_branch_is_fetched),
        TEST(test_miner_clone__failures),
        TEST(test_miner_clone__a_file_where_a_folder_must_be),
        TEST(test_miner_clone__goes_on_with_what_was_left),
        TEST(test_miner_clone__a_stop_leaves_no_mirror),
        TEST(test_miner_mirror_check__every_state),
        TEST(test_miner_mirror_path__bare_before_plain),
        TEST(test_miner_clone_estimate__the_mean_of_twenty_or_the_constant),
        TEST(test_process_run__output_messages_and_status),
        TEST(test_process_run__output_is_bounded),
        TEST(test_process_run__git_is_not_led_astray_and_asks_nobody),
        TEST(test_process_run__a_program_that_is_missing_and_a_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
