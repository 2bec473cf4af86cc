/* Processes that die, disks that fill up, and two at once. */
#include <fcntl.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "sample.h"

/* ---- Killed -------------------------------------------------------------------------------- */

enum { KILLS = 200 };

/* In a process of its own: mine all, durably. */
static void
mine_in_child(struct box *box)
{
    struct store_options options = {.path = box->path, .mode = STORE_WRITE, .repair = true};
    if (store_open(&options, &box->store, &box->err) < 0 ||
        store_writer_open(box->store, &box->writer, &box->err) < 0 ||
        store_reader_open(box->store, &box->reader, &box->err) < 0)
        _exit(1);
    sample_mine(box);
    box_close(box);
    _exit(0);
}

static uint64_t
now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static void
remove_store(const struct box *box)
{
    nftw(box->path, box_remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* The digest of a whole mine, and how long one takes. */
static uint64_t
mine_whole(struct box *box, uint64_t *took_us)
{
    uint64_t start = now_us();
    pid_t child = fork();
    if (child == 0)
        mine_in_child(box);
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    *took_us = now_us() - start;
    box_open(box, STORE_READ);
    uint64_t digest = sample_digest(box);
    box_close(box);
    remove_store(box);
    return digest;
}

static void
test_store_crash__killed_at_any_moment(void **state)
{
    struct box *box = *state;
    uint64_t took_us, random = 2463534242;
    uint64_t digest = mine_whole(box, &took_us);
    int n_killed = 0, n_no_store = 0;
    for (int i = 0; i < KILLS; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        pid_t child = fork();
        if (child == 0)
            mine_in_child(box);
        usleep((useconds_t)((random >> 33) % took_us));
        kill(child, SIGKILL);
        int status;
        waitpid(child, &status, 0);
        n_killed += WIFSIGNALED(status);

        /* Nothing is damaged: at most nothing is there yet. */
        struct store_options options = {.path = box->path, .mode = STORE_READ};
        if (store_open(&options, &box->store, &box->err) == 0) {
            assert_int_equal(sample_findings(box, true), 0);
            box_close(box);
        } else {
            assert_int_equal(box->err.code, ERR_INPUT);
            n_no_store++;
        }
        box_open(box, STORE_WRITE);
        sample_mine(box);
        assert_int_equal(sample_findings(box, true), 0);
        assert_true(sample_digest(box) == digest);
        box_close(box);
        remove_store(box);
    }
    print_message("%d of %d killed on the way, %d of them before there was a store\n", n_killed,
                  KILLS, n_no_store);
    assert_true(n_killed > KILLS / 4);
}

/* ---- Full ---------------------------------------------------------------------------------- */

/* Mine until it fails; the store is closed after. */
static enum err_code
mine_until_full(struct box *box)
{
    struct store_options options = {.path = box->path, .mode = STORE_WRITE};
    struct store_key fingerprint = box_key(1);
    int result = store_open(&options, &box->store, &box->err);
    if (result == 0)
        result = store_writer_open(box->store, &box->writer, &box->err);
    for (uint32_t n = 0; result == 0 && n < 100000; n++) {
        struct oid blob = box_oid(n);
        result = store_put_facts(box->writer, &blob, &fingerprint, box_facts(box, n), 0, &box->err);
        arena_reset(&box->arena);
        if (result == 0 && n % 100 == 99)
            result = store_writer_commit(box->writer, &box->err);
    }
    enum err_code code = result < 0 ? box->err.code : ERR_NONE;
    box_close(box);
    return code;
}

/* What was committed before the disk was full is whole. */
static void
assert_whole(struct box *box)
{
    box_open(box, STORE_READ);
    assert_int_equal(sample_findings(box, true), 0);
    box_close(box);
}

static void
test_store_crash__file_size_limit(void **state)
{
    struct box *box = *state;
    pid_t child = fork();
    if (child == 0) {
        struct rlimit limit = {1 << 20, 1 << 20};
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
        _exit(mine_until_full(box) == ERR_FULL ? 0 : 1);
    }
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    assert_whole(box);
    box_open(box, STORE_WRITE);
    sample_mine(box); /* and it can go on once there is room */
    assert_int_equal(sample_findings(box, true), 0);
}

static void
test_store_crash__disk_full(void **state)
{
    struct box *box = *state;
    snprintf(box->path, sizeof(box->path), "%s/disk", box->root);
    assert_int_equal(mkdir(box->path, 0777), 0);
    if (mount("tmpfs", box->path, "tmpfs", 0, "size=1m") < 0) {
        print_message("not allowed to mount a small disk: skipped\n");
        skip();
    }
    char disk[96];
    memcpy(disk, box->path, sizeof(disk));
    snprintf(box->path, sizeof(box->path), "%s/disk/s", box->root);
    enum err_code first = mine_until_full(box);
    char text[sizeof(box->err.text)];
    memcpy(text, box->err.text, sizeof(text));
    assert_whole(box);
    enum err_code second = mine_until_full(box);
    assert_whole(box);
    umount(disk);
    assert_int_equal(first, ERR_FULL);
    assert_int_equal(second, ERR_FULL);
    assert_non_null(strstr(text, "space"));
}

/* ---- Two at once --------------------------------------------------------------------------- */

/* Start a process that does WORK, which exits when it cannot, says so, and waits to be killed. */
static pid_t
hold(struct box *box, void (*action)(struct box *))
{
    int ends[2];
    char byte = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        action(box);
        byte = 1;
        if (write(ends[1], &byte, 1) == 1)
            pause();
        _exit(1);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &byte, 1), 1);
    assert_int_equal(byte, 1);
    close(ends[0]);
    return child;
}

static void
open_or_exit(struct box *box, enum store_mode mode)
{
    struct store_options options = {.path = box->path, .mode = mode};
    if (store_open(&options, &box->store, &box->err) < 0 ||
        store_reader_open(box->store, &box->reader, &box->err) < 0)
        _exit(1);
}

static void
open_to_read(struct box *box)
{
    open_or_exit(box, STORE_READ);
}

static void
open_to_write(struct box *box)
{
    open_or_exit(box, STORE_WRITE);
}

static void
end(pid_t child)
{
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

static void
make_store(struct box *box)
{
    box_open(box, STORE_WRITE);
    sample_mine_one(box, 0);
    box_commit(box);
    box_close(box);
}

static void
test_store_crash__second_writer_waits_for_the_first(void **state)
{
    struct box *box = *state;
    struct store_options options = {.path = box->path, .mode = STORE_WRITE};
    struct store *store;
    make_store(box);
    pid_t child = hold(box, open_to_write);
    char pid[32];
    snprintf(pid, sizeof(pid), "process %ld ", (long)child);
    assert_int_equal(store_open(&options, &store, &box->err), -1);
    assert_int_equal(box->err.code, ERR_BUSY);
    assert_non_null(strstr(box->err.text, pid));

    box_open(box, STORE_READ); /* readers go on */
    assert_int_equal(sample_findings(box, true), 0);
    box_close(box);

    pid_t killer = fork();
    if (killer == 0) {
        usleep(50000);
        kill(child, SIGKILL);
        _exit(0);
    }
    options.wait = true;
    assert_ok(box, store_open(&options, &store, &box->err));
    store_close(store);
    end(child);
    waitpid(killer, NULL, 0);
}

static off_t
data_bytes(const struct box *box)
{
    char path[128];
    struct stat st;
    snprintf(path, sizeof(path), "%s/data.mdb", box->path);
    assert_int_equal(stat(path, &st), 0);
    return st.st_size;
}

/* A reader that died keeps no pages: replacing the same trajectory does not make the file grow. */
static void
test_store_crash__a_dead_reader_holds_nothing(void **state)
{
    struct box *box = *state;
    make_store(box);
    end(hold(box, open_to_read));
    box_open(box, STORE_WRITE);
    for (int i = 0; i < 10; i++) {
        sample_mine_one(box, 0);
        box_commit(box);
    }
    off_t settled = data_bytes(box);
    for (int i = 0; i < 100; i++) {
        sample_mine_one(box, 0);
        box_commit(box);
    }
    assert_int_equal(data_bytes(box), settled);
}

static void
test_store_crash__too_many_readers_are_refused(void **state)
{
    struct box *box = *state;
    enum { MANY = 1100 };
    static struct store_reader *readers[MANY];
    make_store(box);
    box_open(box, STORE_READ);
    size_t n = 0;
    while (n < MANY && store_reader_open(box->store, &readers[n], &box->err) == 0)
        n++;
    assert_true(n >= 1000 && n < MANY);
    assert_int_equal(box->err.code, ERR_BUSY);
    store_reader_close(readers[--n]);
    assert_ok(box, store_reader_open(box->store, &readers[n], &box->err));
    for (size_t i = 0; i <= n; i++)
        store_reader_close(readers[i]);
}

/* In a process of its own: take every reader there is. */
static void
take_all_readers(struct box *box)
{
    struct store_options options = {.path = box->path, .mode = STORE_READ};
    struct store_reader *reader;
    if (store_open(&options, &box->store, &box->err) < 0)
        _exit(1);
    while (store_reader_open(box->store, &reader, &box->err) == 0)
        ;
    if (box->err.code != ERR_BUSY)
        _exit(1);
}

/* While one process has all readers others are told so; once it is dead they are free again. */
static void
test_store_crash__readers_of_a_dead_process_are_free(void **state)
{
    struct box *box = *state;
    make_store(box);
    pid_t child = hold(box, take_all_readers);
    for (int mode = STORE_READ; mode <= STORE_WRITE; mode++) {
        struct store_options options = {.path = box->path, .mode = (enum store_mode)mode};
        assert_int_equal(store_open(&options, &box->store, &box->err), -1);
        assert_int_equal(box->err.code, ERR_BUSY);
        assert_non_null(strstr(box->err.text, "wait until some of its readers are done"));
    }
    end(child);
    box_open(box, STORE_READ);
    assert_int_equal(sample_findings(box, true), 0);
}

enum { GROWN_BYTES = 4 << 20 };

/* In a process of its own: write until the data file has grown by so much. */
static void
grow(struct box *box)
{
    struct store_options options = {.path = box->path, .mode = STORE_WRITE, .no_sync = true};
    struct store_key fingerprint = box_key(9);
    off_t before = data_bytes(box);
    if (store_open(&options, &box->store, &box->err) < 0 ||
        store_writer_open(box->store, &box->writer, &box->err) < 0)
        _exit(1);
    for (uint32_t n = 0; data_bytes(box) < before + GROWN_BYTES; n++) {
        struct oid blob = box_oid(n);
        if (store_put_facts(box->writer, &blob, &fingerprint, box_facts(box, n), 0, &box->err) <
                0 ||
            (n % 1000 == 999 && store_writer_commit(box->writer, &box->err) < 0))
            _exit(1);
        arena_reset(&box->arena);
    }
}

/* A snapshot that was taken before another process made the file grow reads as before, and the
 * next one sees what came. */
static void
test_store_crash__a_reader_goes_on_while_the_file_grows(void **state)
{
    struct box *box = *state;
    struct store_key fingerprint = box_key(9);
    struct oid blob = box_oid(0);
    make_store(box);
    box_open(box, STORE_READ);
    uint64_t digest = sample_digest(box);
    off_t before = data_bytes(box);
    pid_t child = hold(box, grow);
    assert_true(data_bytes(box) >= before + GROWN_BYTES);
    assert_true(sample_digest(box) == digest);
    assert_int_equal(store_has_facts(box->reader, &blob, &fingerprint, &box->err), STORE_MISSING);
    assert_ok(box, store_reader_refresh(box->reader, &box->err));
    assert_ok(box, store_has_facts(box->reader, &blob, &fingerprint, &box->err));
    assert_true(sample_digest(box) == digest);
    end(child);
}

/* ---- Little room --------------------------------------------------------------------------- */

static void
test_store_open__with_little_address_space(void **state)
{
    struct box *box = *state;
    make_store(box);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    print_message("a sanitizer needs address space of its own: skipped\n");
    skip();
#endif
    pid_t child = fork();
    if (child == 0) {
        struct rlimit limit = {(rlim_t)1 << 31, (rlim_t)1 << 31};
        setrlimit(RLIMIT_AS, &limit);
        mine_in_child(box);
    }
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    assert_whole(box);
}

/* Somebody who may not write can read when nobody writes, and changes nothing. */
static void
test_store_open__to_read_without_permission_to_write(void **state)
{
    struct box *box = *state;
    char path[128];
    struct buf before = {0}, after = {0};
    make_store(box);
    if (geteuid() != 0) {
        print_message("only root can become somebody else: skipped\n");
        skip();
    }
    assert_int_equal(chmod(box->root, 0755) + chmod(box->path, 0555), 0);
    static const char *const FILES[] = {"data.mdb", "lock.mdb", "writer.lock"};
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof(path), "%s/%s", box->path, FILES[i]);
        assert_int_equal(chmod(path, 0444), 0);
    }
    snprintf(path, sizeof(path), "%s/data.mdb", box->path);
    assert_ok(box, fs_read(path, 1 << 30, &before, &box->err));
    pid_t child = fork();
    if (child == 0) {
        struct store_options options = {.path = box->path, .mode = STORE_READ};
        if (setuid(65534) < 0 || store_open(&options, &box->store, &box->err) < 0)
            _exit(1);
        _exit(sample_findings(box, true) == 0 ? 0 : 2);
    }
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    assert_ok(box, fs_read(path, 1 << 30, &after, &box->err));
    assert_true(bytes_equal(buf_bytes(&before), buf_bytes(&after)));
    buf_clear(&before);
    buf_clear(&after);
}

/* With the argument "quick" without what takes longer than a second. */
int
main(int argc, char **argv)
{
    const struct CMUnitTest long_tests[] = {box_test(test_store_crash__killed_at_any_moment)};
    const struct CMUnitTest tests[] = {
        box_test(test_store_crash__file_size_limit),
        box_test(test_store_crash__disk_full),
        box_test(test_store_crash__second_writer_waits_for_the_first),
        box_test(test_store_crash__a_dead_reader_holds_nothing),
        box_test(test_store_crash__too_many_readers_are_refused),
        box_test(test_store_crash__readers_of_a_dead_process_are_free),
        box_test(test_store_crash__a_reader_goes_on_while_the_file_grows),
        box_test(test_store_open__with_little_address_space),
        box_test(test_store_open__to_read_without_permission_to_write),
    };
    bool is_quick = argc == 2 && strcmp(argv[1], "quick") == 0;
    int n_failed = cmocka_run_group_tests(tests, NULL, NULL);
    return n_failed + (is_quick ? 0 : cmocka_run_group_tests(long_tests, NULL, NULL));
}
