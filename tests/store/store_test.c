#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>

#include "box.h"
#include "store/env.h"

static void
test_store_get__facts_and_hits_come_back(void **state)
{
    struct box *box = *state;
    struct oid blob = box_oid(1), other = box_oid(2);
    struct store_key fingerprint = box_key(1), stale = box_key(2);
    struct bytes out;
    box_open(box, STORE_WRITE);
    assert_ok(box,
              store_put_facts(box->writer, &blob, &fingerprint, BYTES("f\0acts"), 0, &box->err));
    assert_ok(box, store_put_hits(box->writer, &blob, &stale, BYTES(""), &box->err));
    assert_int_equal(store_has_facts(box->reader, &blob, &fingerprint, &box->err), STORE_MISSING);
    box_commit(box);

    assert_ok(box, store_has_facts(box->reader, &blob, &fingerprint, &box->err));
    assert_ok(box, store_get_facts(box->reader, &blob, &fingerprint, &box->arena, &out, &box->err));
    assert_true(bytes_equal(out, BYTES("f\0acts")));
    assert_ok(box, store_get_hits(box->reader, &blob, &stale, &box->arena, &out, &box->err));
    assert_int_equal(out.len, 0);
    assert_int_equal(store_has_facts(box->reader, &blob, &stale, &box->err), STORE_MISSING);
    assert_int_equal(store_has_facts(box->reader, &other, &fingerprint, &box->err), STORE_MISSING);
    assert_int_equal(store_has_hits(box->reader, &blob, &fingerprint, &box->err), STORE_MISSING);
}

static void
test_store_get__a_tail_and_a_value_that_does_not_compress_come_back(void **state)
{
    struct box *box = *state;
    struct store_key fingerprint = box_key(1);
    uint8_t value[4096] = {0};
    const size_t tails[] = {0, 1, 1000, sizeof(value)};
    for (size_t i = sizeof(value) - 1000; i < sizeof(value); i++)
        value[i] = (uint8_t)(i * i >> 3);
    const struct bytes all = {value, sizeof(value)};
    box_open(box, STORE_WRITE);
    for (uint32_t n = 0; n < 4; n++) {
        struct oid blob = box_oid(n);
        assert_ok(box, store_put_facts(box->writer, &blob, &fingerprint, all, tails[n], &box->err));
    }
    box_commit(box);
    for (uint32_t n = 0; n < 4; n++) {
        struct oid blob = box_oid(n);
        struct bytes out;
        assert_ok(box,
                  store_get_facts(box->reader, &blob, &fingerprint, &box->arena, &out, &box->err));
        assert_true(bytes_equal(out, all));
    }
}

static void
test_store_get__values_from_before_and_after_the_dictionary(void **state)
{
    struct box *box = *state;
    struct store_key fingerprint = box_key(1);
    enum { N_BLOBS = 3000 };
    box_open(box, STORE_WRITE);
    for (uint32_t n = 0; n < N_BLOBS; n++) {
        struct oid blob = box_oid(n);
        assert_ok(box, store_put_facts(box->writer, &blob, &fingerprint, box_facts(box, n), 0,
                                       &box->err));
    }
    box_commit(box);
    for (int reopened = 0; reopened < 2; reopened++) {
        struct bytes dictionary;
        assert_ok(box, store_get_meta(box->reader, "dictionary/facts", &box->arena, &dictionary,
                                      &box->err));
        for (uint32_t n = 0; n < N_BLOBS; n++) {
            struct oid blob = box_oid(n);
            struct bytes out;
            assert_ok(box, store_get_facts(box->reader, &blob, &fingerprint, &box->arena, &out,
                                           &box->err));
            assert_true(bytes_equal(out, box_facts(box, n)));
        }
        box_close(box);
        box_open(box, STORE_READ);
    }
}

static void
test_store_list_fingerprints__each_once(void **state)
{
    struct box *box = *state;
    box_open(box, STORE_WRITE);
    for (uint32_t n = 0; n < 20; n++) {
        struct oid blob = box_oid(n);
        struct store_key fingerprint = box_key((uint8_t)(n % 2));
        assert_ok(box, store_put_facts(box->writer, &blob, &fingerprint, BYTES("x"), 0, &box->err));
    }
    box_commit(box);
    struct store_key *found;
    size_t n_found;
    assert_ok(box, store_list_fingerprints(box->reader, &box->arena, &found, &n_found, &box->err));
    assert_int_equal(n_found, 2);
    assert_int_equal(found[0].bytes[0], 0);
    assert_int_equal(found[1].bytes[0], 1);
}

static void
test_store_get__rules_and_groups(void **state)
{
    struct box *box = *state;
    struct store_rule rule = {.key = box_key(7),
                              .id = BYTES("no-bare-except"),
                              .severity = BYTES("warning"),
                              .source = BYTES("id: no-bare-except\n")};
    struct store_key rules[2] = {box_key(9), box_key(7)}, group, *found;
    struct store_rule back;
    size_t n_found;
    box_open(box, STORE_WRITE);
    assert_ok(box, store_put_rule(box->writer, &rule, &box->err));
    assert_ok(box, store_put_group(box->writer, rules, 2, &group, &box->err));
    box_commit(box);

    assert_ok(box, store_get_rule(box->reader, &rule.key, &box->arena, &back, &box->err));
    assert_true(bytes_equal(back.source, rule.source));
    assert_null(back.metadata.data);
    assert_ok(box, store_list_groups(box->reader, &box->arena, &found, &n_found, &box->err));
    assert_int_equal(n_found, 1);
    assert_memory_equal(&found[0], &group, sizeof(group));
    assert_ok(box, store_get_group(box->reader, &group, &box->arena, &found, &n_found, &box->err));
    assert_int_equal(n_found, 2);
    assert_memory_equal(found, rules, sizeof(rules));
    assert_int_equal(store_get_rule(box->reader, &rules[0], &box->arena, &back, &box->err),
                     STORE_MISSING);
}

static struct store_checkpoint
checkpoint(uint32_t ordinal)
{
    return (struct store_checkpoint){.ordinal = ordinal,
                                     .name = BYTES("c0ffee"),
                                     .has_time = ordinal % 2 == 0,
                                     .time_s = -(int64_t)ordinal * 1000,
                                     .author_date = (enum store_author_date)(ordinal % 3),
                                     .author_time_s = ordinal % 3 ? -(int64_t)ordinal : 0,
                                     .listing = box_key((uint8_t)ordinal),
                                     .n_parents = 2,
                                     .markers = BYTES("[\"x\"]")};
}

static void
put_trajectory(struct box *box, const char *id, uint32_t n_checkpoints)
{
    struct store_note note = {BYTES("a/b.py"), BYTES("missing object")};
    struct store_trajectory trajectory = {.id = bytes_of_text(id),
                                          .kind = BYTES("human"),
                                          .origin = BYTES(""),
                                          .stars = -1,
                                          .head = box_oid(3),
                                          .status = STORE_STATUS_PARTIAL,
                                          .n_checkpoints = n_checkpoints,
                                          .n_commits = 1u << 31,
                                          .notes = &note,
                                          .n_notes = 1};
    struct store_checkpoint checkpoints[300];
    for (uint32_t i = 0; i < n_checkpoints; i++)
        checkpoints[i] = checkpoint(i);
    assert_ok(
        box, store_put_trajectory(box->writer, &trajectory, checkpoints, n_checkpoints, &box->err));
}

static void
test_store_get_trajectory__every_field_comes_back(void **state)
{
    struct box *box = *state;
    struct store_trajectory back;
    box_open(box, STORE_WRITE);
    put_trajectory(box, "a/b", 3);
    box_commit(box);
    assert_ok(box, store_get_trajectory(box->reader, BYTES("a/b"), &box->arena, &back, &box->err));
    assert_true(bytes_equal(back.id, BYTES("a/b")));
    assert_true(bytes_equal(back.kind, BYTES("human")));
    assert_non_null(back.origin.data); /* known to be empty is not unknown */
    assert_null(back.license.data);
    assert_int_equal(back.stars, -1);
    struct oid head = box_oid(3);
    assert_true(oid_equal(&back.head, &head));
    assert_int_equal(back.status, STORE_STATUS_PARTIAL);
    assert_int_equal(back.n_checkpoints, 3);
    assert_int_equal(back.n_commits, 1u << 31);
    assert_int_equal(back.n_notes, 1);
    assert_true(bytes_equal(back.notes[0].reason, BYTES("missing object")));
    assert_int_equal(store_get_trajectory(box->reader, BYTES("a"), &box->arena, &back, &box->err),
                     STORE_MISSING);
}

static void
test_store_get_checkpoints__by_ordinal_and_of_one_trajectory(void **state)
{
    struct box *box = *state;
    struct store_checkpoint *found;
    size_t n_found;
    box_open(box, STORE_WRITE);
    put_trajectory(box, "a", 300);
    put_trajectory(box, "a\x01", 2);
    put_trajectory(box, "ab", 1);
    box_commit(box);
    assert_ok(box, store_get_checkpoints(box->reader, BYTES("a"), &box->arena, &found, &n_found,
                                         &box->err));
    assert_int_equal(n_found, 300);
    for (uint32_t i = 0; i < 300; i++) {
        assert_int_equal(found[i].ordinal, i);
        assert_int_equal(found[i].has_time, i % 2 == 0);
        assert_int_equal(found[i].time_s, -(int64_t)i * 1000);
        assert_int_equal(found[i].author_date, i % 3);
        assert_int_equal(found[i].author_time_s, i % 3 ? -(int64_t)i : 0);
        assert_int_equal(found[i].listing.bytes[5], (uint8_t)i);
    }
    assert_null(found[0].record.data);
    assert_true(bytes_equal(found[0].markers, BYTES("[\"x\"]")));

    put_trajectory(box, "a", 2); /* fewer than before: the rest must go */
    put_trajectory(box, "ab", 0);
    box_commit(box);
    assert_ok(box, store_get_checkpoints(box->reader, BYTES("a"), &box->arena, &found, &n_found,
                                         &box->err));
    assert_int_equal(n_found, 2);
    assert_ok(box, store_get_checkpoints(box->reader, BYTES("a\x01"), &box->arena, &found, &n_found,
                                         &box->err));
    assert_int_equal(n_found, 2);
    assert_ok(box, store_get_checkpoints(box->reader, BYTES("ab"), &box->arena, &found, &n_found,
                                         &box->err));
    assert_int_equal(n_found, 0);
}

static void
test_store_list_trajectories__in_order_of_bytes(void **state)
{
    struct box *box = *state;
    struct bytes *ids;
    size_t n_ids;
    box_open(box, STORE_WRITE);
    put_trajectory(box, "b", 0);
    put_trajectory(box, "a\xff", 0);
    put_trajectory(box, "a", 0);
    box_commit(box);
    assert_ok(box, store_list_trajectories(box->reader, &box->arena, &ids, &n_ids, &box->err));
    assert_int_equal(n_ids, 3);
    assert_true(bytes_equal(ids[0], BYTES("a")));
    assert_true(bytes_equal(ids[1], BYTES("a\xff")));
    assert_true(bytes_equal(ids[2], BYTES("b")));
}

static void
test_store_put_trajectory__refuses_ids_that_cannot_be_keys(void **state)
{
    struct box *box = *state;
    char longest[STORE_ID_MAX + 2];
    memset(longest, 'x', sizeof(longest));
    struct store_trajectory trajectory = {.id = {(uint8_t *)longest, STORE_ID_MAX}};
    struct store_checkpoint first = checkpoint(0);
    box_open(box, STORE_WRITE);
    assert_ok(box, store_put_trajectory(box->writer, &trajectory, &first, 1, &box->err));
    struct bytes refused[] = {{(uint8_t *)longest, STORE_ID_MAX + 1}, BYTES(""), BYTES("a\0b")};
    for (size_t i = 0; i < 3; i++) {
        trajectory.id = refused[i];
        assert_int_equal(store_put_trajectory(box->writer, &trajectory, &first, 1, &box->err), -1);
        assert_int_equal(box->err.code, ERR_INPUT);
    }
    box_commit(box);
}

/* ---- Opening ------------------------------------------------------------------------------- */

static enum err_code
open_code(struct box *box, enum store_mode mode)
{
    struct store_options options = {.path = box->path, .mode = mode};
    struct store *store = NULL;
    if (store_open(&options, &store, &box->err) == 0) {
        store_close(store);
        return ERR_NONE;
    }
    assert_non_null(strstr(box->err.text, box->path));
    return box->err.code;
}

static void
write_file(struct box *box, const char *name, struct bytes content)
{
    char path[160];
    snprintf(path, sizeof(path), "%s/%s", box->path, name);
    assert_ok(box, fs_write(path, content, &box->err));
}

static void
test_store_open__refuses_what_is_no_store(void **state)
{
    struct box *box = *state;
    assert_int_equal(open_code(box, STORE_READ), ERR_INPUT); /* nothing there */
    assert_int_equal(mkdir(box->path, 0777), 0);
    assert_int_equal(open_code(box, STORE_READ), ERR_INPUT); /* an empty folder */
    write_file(box, "notes.txt", BYTES("mine"));
    assert_int_equal(open_code(box, STORE_WRITE), ERR_INPUT); /* somebody's folder */
    write_file(box, "data.mdb", BYTES("not a database"));
    assert_int_equal(open_code(box, STORE_READ), ERR_INPUT);
    assert_int_equal(open_code(box, STORE_WRITE), ERR_INPUT);
    snprintf(box->path, sizeof(box->path), "%s/s/notes.txt", box->root);
    assert_int_equal(open_code(box, STORE_READ), ERR_INPUT); /* a file */
}

/* Each refusal says what the path is, or what to do. */
static void
test_store_open__says_what_a_path_is(void **state)
{
    struct box *box = *state;
    char links[2][sizeof(box->path)], target[sizeof(box->path)];
    const struct {
        const char *path, *says;
        enum store_mode mode;
    } cases[] = {{"", "it has no name", STORE_READ},
                 {"", "it has no name", STORE_WRITE},
                 {"/dev/null", "it is not a folder", STORE_READ},
                 {"/dev/null", "it is not a folder", STORE_WRITE},
                 {"/nowhere/to/be/found", "mine or ingest into it first", STORE_READ},
                 {"/nowhere/to/be/found", "is to be in does not exist", STORE_WRITE},
                 {links[0], "a symbolic link to nothing", STORE_READ},
                 {links[0], "a symbolic link to nothing", STORE_WRITE}};
    snprintf(links[0], sizeof(links[0]), "%s/nothing", box->root);
    snprintf(links[1], sizeof(links[1]), "%s/link", box->root);
    memcpy(target, box->path, sizeof(target));
    assert_int_equal(symlink("nowhere", links[0]) + symlink(target, links[1]), 0);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        snprintf(box->path, sizeof(box->path), "%s", cases[i].path);
        assert_int_equal(open_code(box, cases[i].mode), ERR_INPUT);
        assert_non_null(strstr(box->err.text, cases[i].says));
    }
    memcpy(box->path, target, sizeof(target));
    box_open(box, STORE_WRITE);
    box_close(box);
    char data[2][160];
    snprintf(data[0], sizeof(data[0]), "%s/data.mdb", target);
    snprintf(data[1], sizeof(data[1]), "%s/other/data.mdb", box->root);
    snprintf(box->path, sizeof(box->path), "%s/other", box->root);
    assert_int_equal(mkdir(box->path, 0777) + symlink(data[0], data[1]), 0);
    assert_int_equal(open_code(box, STORE_READ), ERR_INPUT); /* a link to its file is none */
    assert_int_equal(open_code(box, STORE_WRITE), ERR_INPUT);
    memcpy(box->path, links[1], sizeof(links[1]));
    assert_int_equal(open_code(box, STORE_READ), ERR_NONE); /* a link to a store is one */
    assert_int_equal(open_code(box, STORE_WRITE), ERR_NONE);
}

/* Links in a store that somebody else made lead nowhere: what they point to stays as it is. */
static void
test_store_open__writes_through_no_link(void **state)
{
    struct box *box = *state;
    static const char *const files[] = {"writer.lock", "lock.mdb", "data.mdb"};
    char victim[96], link[160], command[256];
    struct buf content = {0};
    snprintf(victim, sizeof(victim), "%s/victim", box->root);
    assert_int_equal(mkdir(victim, 0777), 0);
    for (size_t i = 0; i < 3; i++) {
        snprintf(link, sizeof(link), "%s/%s", victim, files[i]);
        assert_ok(box, fs_write(link, BYTES("precious"), &box->err));
    }
    for (size_t i = 0; i < 3; i++) {
        box_open(box, STORE_WRITE);
        box_close(box);
        snprintf(command, sizeof(command), "ln -sf ../victim/%s %s/%s", files[i], box->path,
                 files[i]);
        assert_int_equal(system(command), 0);
        assert_int_equal(open_code(box, STORE_READ), ERR_INPUT);
        assert_int_equal(open_code(box, STORE_WRITE), ERR_INPUT);
        snprintf(command, sizeof(command), "rm -r %s", box->path);
        assert_int_equal(system(command), 0);
    }
    /* The room that a crash may have left is cleared before it is used. */
    box_open(box, STORE_WRITE);
    store_writer_close(box->writer);
    store_reader_close(box->reader);
    box->writer = NULL;
    box->reader = NULL;
    snprintf(link, sizeof(link), "%s/rewrite.tmp", box->path);
    assert_int_equal(symlink("../victim", link), 0);
    struct store_copied copied;
    assert_int_equal(
        store_compact(box->store, &(struct store_compact_options){0}, &copied, &box->err), -1);
    for (size_t i = 0; i < 3; i++) {
        snprintf(link, sizeof(link), "%s/%s", victim, files[i]);
        buf_reset(&content);
        assert_ok(box, fs_read(link, 100, &content, &box->err));
        assert_true(bytes_equal(buf_bytes(&content), BYTES("precious")));
    }
    buf_clear(&content);
}

/* Both meta pages say what the file is: another program's, or another version of LMDB's. */
static void
test_store_open__tells_other_files_from_damaged_ones(void **state)
{
    struct box *box = *state;
    enum { MAGIC_AT = 16, VERSION_AT = 20, PAGE_BYTES = 4096 };
    const struct {
        size_t at[3]; /* bytes that are changed, 0 ends */
        enum err_code code;
    } cases[] = {{{VERSION_AT, PAGE_BYTES + VERSION_AT}, ERR_UNSUPPORTED},
                 {{VERSION_AT}, ERR_DAMAGED},
                 {{MAGIC_AT, PAGE_BYTES + MAGIC_AT}, ERR_DAMAGED},
                 {{MAGIC_AT, PAGE_BYTES + VERSION_AT}, ERR_DAMAGED}};
    struct buf whole = {0};
    char path[160];
    snprintf(path, sizeof(path), "%s/data.mdb", box->path);
    box_open(box, STORE_WRITE);
    box_close(box);
    assert_ok(box, fs_read(path, 1 << 20, &whole, &box->err));
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        for (size_t k = 0; k < 3 && cases[i].at[k]; k++)
            whole.data[cases[i].at[k]] ^= 6;
        assert_ok(box, fs_write(path, buf_bytes(&whole), &box->err));
        assert_int_equal(open_code(box, STORE_READ), cases[i].code);
        for (size_t k = 0; k < 3 && cases[i].at[k]; k++)
            whole.data[cases[i].at[k]] ^= 6;
    }
    memset(whole.data, 'x', whole.len);
    assert_ok(box, fs_write(path, buf_bytes(&whole), &box->err));
    assert_int_equal(open_code(box, STORE_WRITE), ERR_INPUT);
    buf_clear(&whole);
}

static void
test_store_open__says_that_a_data_file_is_empty(void **state)
{
    struct box *box = *state;
    struct store_options options = {.path = box->path, .mode = STORE_READ};
    char path[128];
    snprintf(path, sizeof(path), "%s/data.mdb", box->path);
    box_open(box, STORE_WRITE);
    box_close(box);
    assert_int_equal(truncate(path, 0), 0);
    assert_int_equal(store_open(&options, &box->store, &box->err), -1);
    assert_int_equal(box->err.code, ERR_INPUT);
    assert_non_null(strstr(box->err.text, "data.mdb is empty"));
}

static void
test_store_open__refuses_another_schema(void **state)
{
    struct box *box = *state;
    const char *versions[] = {"4", "1", "one"};
    enum err_code codes[] = {ERR_UNSUPPORTED, ERR_UNSUPPORTED, ERR_DAMAGED};
    box_open(box, STORE_WRITE);
    box_close(box);
    assert_int_equal(open_code(box, STORE_READ), ERR_NONE);
    for (size_t i = 0; i < 3; i++) {
        struct store_options options = {.path = box->path, .mode = STORE_WRITE};
        /* Written through a store that is open already. */
        if (i == 0)
            assert_ok(box, store_open(&options, &box->store, &box->err));
        assert_ok(box, store_writer_open(box->store, &box->writer, &box->err));
        assert_ok(box,
                  store_put_meta(box->writer, "schema", bytes_of_text(versions[i]), &box->err));
        assert_ok(box, store_writer_commit(box->writer, &box->err));
        store_writer_close(box->writer);
        box->writer = NULL;
        struct store_options again = {.path = box->path, .mode = STORE_READ};
        struct store *store;
        assert_int_equal(store_open(&again, &store, &box->err), -1);
        assert_int_equal(box->err.code, codes[i]);
    }
}

static void
put_schema(struct box *box, const char *version)
{
    assert_ok(box, store_writer_open(box->store, &box->writer, &box->err));
    assert_ok(box, store_put_meta(box->writer, "schema", bytes_of_text(version), &box->err));
    assert_ok(box, store_writer_commit(box->writer, &box->err));
    store_writer_close(box->writer);
    box->writer = NULL;
}

static void
assert_schema(struct box *box, enum store_mode mode, const char *version)
{
    struct store_options options = {.path = box->path, .mode = mode};
    struct bytes found;
    assert_ok(box, store_open(&options, &box->store, &box->err));
    assert_ok(box, store_reader_open(box->store, &box->reader, &box->err));
    assert_ok(box, store_get_meta(box->reader, "schema", &box->arena, &found, &box->err));
    assert_true(bytes_equal(found, bytes_of_text(version)));
    box_close(box);
}

static void
test_store_open__schema_2_is_read_and_a_writer_makes_it_3(void **state)
{
    struct box *box = *state;
    struct store_options options = {.path = box->path, .mode = STORE_WRITE};
    assert_ok(box, store_open(&options, &box->store, &box->err));
    put_schema(box, "2");
    box_close(box);
    assert_schema(box, STORE_READ, "2");
    assert_schema(box, STORE_WRITE, "3");
    assert_schema(box, STORE_READ, "3");
}

static void
test_store_open__second_writer_is_refused_readers_go_on(void **state)
{
    struct box *box = *state;
    box_open(box, STORE_WRITE);
    put_trajectory(box, "a", 1);
    box_commit(box);
    /* flock belongs to the open file, so a second open here is as a second process. */
    assert_int_equal(open_code(box, STORE_WRITE), ERR_BUSY);
    char pid[24];
    snprintf(pid, sizeof(pid), "process %ld ", (long)getpid());
    assert_non_null(strstr(box->err.text, pid));
    assert_int_equal(open_code(box, STORE_READ), ERR_NONE);
    box_close(box);
    assert_int_equal(open_code(box, STORE_WRITE), ERR_NONE);
}

static void
test_store_reader__sees_its_snapshot_until_refreshed(void **state)
{
    struct box *box = *state;
    struct store_trajectory back;
    box_open(box, STORE_WRITE);
    put_trajectory(box, "a", 1);
    assert_ok(box, store_writer_commit(box->writer, &box->err));
    assert_int_equal(store_get_trajectory(box->reader, BYTES("a"), &box->arena, &back, &box->err),
                     STORE_MISSING);
    assert_ok(box, store_reader_refresh(box->reader, &box->err));
    assert_ok(box, store_get_trajectory(box->reader, BYTES("a"), &box->arena, &back, &box->err));
}

static void
test_store_writer__what_was_not_committed_is_lost(void **state)
{
    struct box *box = *state;
    struct bytes *ids;
    size_t n_ids;
    box_open(box, STORE_WRITE);
    put_trajectory(box, "kept", 1);
    box_commit(box);
    put_trajectory(box, "lost", 1);
    assert_true(store_writer_pending_bytes(box->writer) > 0);
    box_close(box);
    box_open(box, STORE_READ);
    assert_ok(box, store_list_trajectories(box->reader, &box->arena, &ids, &n_ids, &box->err));
    assert_int_equal(n_ids, 1);
    assert_true(bytes_equal(ids[0], BYTES("kept")));
}

static void
test_store_put_rules__the_group_put_last_is_the_newest(void **state)
{
    struct box *box = *state;
    const struct store_rule rules[] = {{.key = box_key(1), .id = BYTES("a")},
                                       {.key = box_key(2), .id = BYTES("b")}};
    struct store_key both, one, newest;
    box_open(box, STORE_WRITE);
    assert_int_equal(store_get_newest_group(box->reader, &box->arena, &newest, &box->err),
                     STORE_MISSING);
    assert_ok(box, store_put_rules(box->writer, rules, 2, &both, &box->err));
    assert_ok(box, store_put_rules(box->writer, rules, 1, &one, &box->err));
    box_commit(box);
    assert_ok(box, store_get_newest_group(box->reader, &box->arena, &newest, &box->err));
    assert_memory_equal(&newest, &one, sizeof(one));
    box_close(box);
    box_open(box, STORE_WRITE);
    assert_ok(box, store_put_rules(box->writer, rules, 2, &both, &box->err));
    box_commit(box);
    assert_ok(box, store_get_newest_group(box->reader, &box->arena, &newest, &box->err));
    assert_memory_equal(&newest, &both, sizeof(both));
}

static void
test_env_error__says_what_to_do(void **state)
{
    static const struct {
        int rc;
        enum err_code code;
        const char *hint;
    } cases[] = {{ENOMEM, ERR_NOMEM, "ulimit -v"},
                 {MDB_MAP_FULL, ERR_FULL, "ulimit -v"},
                 {ENOSPC, ERR_FULL, "free some space"},
                 {MDB_READERS_FULL, ERR_BUSY, "wait until"}};
    struct store store = {.folder = {.path = (char[]){"s"}, .fd = -1}};
    struct err err;
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        assert_int_equal(env_error(&store, cases[i].rc, "map data.mdb", &err), -1);
        assert_int_equal(err.code, cases[i].code);
        assert_non_null(strstr(err.text, "map data.mdb in store s: "));
        assert_non_null(strstr(err.text, cases[i].hint));
    }
}

/* ---- Several readers ----------------------------------------------------------------------- */

struct writing {
    struct box *box;
    atomic_bool may_end;
};

/* Commit a new value of "round" for as long as somebody looks. */
static void *
write_rounds(void *context)
{
    struct writing *writing = context;
    struct store_writer *writer = writing->box->writer;
    struct err err;
    char text[24];
    for (uint32_t round = 1; !atomic_load(&writing->may_end); round++) {
        snprintf(text, sizeof(text), "%u", round);
        if (store_put_meta(writer, "round", bytes_of_text(text), &err) < 0 ||
            store_writer_commit(writer, &err) < 0)
            return writing;
    }
    return NULL;
}

/* Opened one by one while a writer commits, some would see more than others. */
static void
test_store_readers__are_of_one_snapshot(void **state)
{
    enum { N_READERS = 8, N_TIMES = 200 };
    struct box *box = *state;
    struct writing writing = {.box = box};
    pthread_t thread;
    void *failed;
    box_open(box, STORE_WRITE);
    assert_ok(box, store_put_meta(box->writer, "round", BYTES("0"), &box->err));
    box_commit(box);
    assert_int_equal(pthread_create(&thread, NULL, write_rounds, &writing), 0);
    for (int i = 0; i < N_TIMES; i++) {
        struct store_reader *readers[N_READERS];
        struct bytes first, other;
        assert_ok(box, store_readers_open(box->store, N_READERS, readers, &box->err));
        assert_ok(box, store_get_meta(readers[0], "round", &box->arena, &first, &box->err));
        for (int k = 1; k < N_READERS; k++) {
            assert_ok(box, store_get_meta(readers[k], "round", &box->arena, &other, &box->err));
            assert_true(bytes_equal(other, first));
        }
        store_readers_close(readers, N_READERS);
    }
    atomic_store(&writing.may_end, true);
    assert_int_equal(pthread_join(thread, &failed), 0);
    assert_null(failed);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        box_test(test_store_get__facts_and_hits_come_back),
        box_test(test_store_get__a_tail_and_a_value_that_does_not_compress_come_back),
        box_test(test_store_get__values_from_before_and_after_the_dictionary),
        box_test(test_store_list_fingerprints__each_once),
        box_test(test_store_get__rules_and_groups),
        box_test(test_store_get_trajectory__every_field_comes_back),
        box_test(test_store_get_checkpoints__by_ordinal_and_of_one_trajectory),
        box_test(test_store_list_trajectories__in_order_of_bytes),
        box_test(test_store_put_trajectory__refuses_ids_that_cannot_be_keys),
        box_test(test_store_open__refuses_what_is_no_store),
        box_test(test_store_open__says_what_a_path_is),
        box_test(test_store_open__writes_through_no_link),
        box_test(test_store_open__tells_other_files_from_damaged_ones),
        box_test(test_store_open__says_that_a_data_file_is_empty),
        box_test(test_store_open__refuses_another_schema),
        box_test(test_store_open__schema_2_is_read_and_a_writer_makes_it_3),
        box_test(test_store_open__second_writer_is_refused_readers_go_on),
        box_test(test_store_reader__sees_its_snapshot_until_refreshed),
        box_test(test_store_writer__what_was_not_committed_is_lost),
        box_test(test_store_put_rules__the_group_put_last_is_the_newest),
        cmocka_unit_test(test_env_error__says_what_to_do),
        box_test(test_store_readers__are_of_one_snapshot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
