/* Flips bytes of the data file.  Whatever byte it is: no crash; the file is refused, or verify
 * finds something, or everything reads as before; and mining again makes it whole. */
#include <fcntl.h>

#include "sample.h"

/* How much is tried: all of it, or with the argument "quick" a part that takes a few seconds. */
static struct {
    int n_flips;
    size_t bit_step, n_nodes_max, tenths_step;
} effort = {.n_flips = 1000, .bit_step = 1, .n_nodes_max = 500, .tenths_step = 1};

struct whole {
    struct buf data; /* the data file before anything was flipped */
    uint64_t digest;
};

static uint64_t
next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static const char *
data_path(const struct box *box, char out[128])
{
    snprintf(out, 128, "%s/data.mdb", box->path);
    return out;
}

static void
make_whole(struct box *box, struct whole *whole)
{
    char path[128];
    box_open(box, STORE_WRITE);
    sample_mine(box);
    sample_mine(box); /* replaces checkpoints, so that there are free pages */
    assert_int_equal(sample_findings(box, true), 0);
    whole->digest = sample_digest(box);
    box_close(box);
    *whole = (struct whole){.digest = whole->digest};
    assert_ok(box, fs_read(data_path(box, path), 1 << 30, &whole->data, &box->err));
}

/* Put the file back as it was but for one byte. */
static void
flip(struct box *box, const struct whole *whole, size_t at, uint8_t mask)
{
    char path[128];
    int fd = open(data_path(box, path), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, whole->data.data, whole->data.len), whole->data.len);
    uint8_t flipped = whole->data.data[at] ^ mask;
    assert_int_equal(pwrite(fd, &flipped, 1, (off_t)at), 1);
    close(fd);
}

enum seen { SEEN_REFUSED, SEEN_NAMED, SEEN_HARMLESS, SEEN_N };

/* What a reader makes of it. */
static enum seen
look(struct box *box, const struct whole *whole)
{
    struct store_options options = {.path = box->path, .mode = STORE_READ};
    if (store_open(&options, &box->store, &box->err) < 0) {
        assert_true(box->err.code == ERR_DAMAGED || box->err.code == ERR_UNSUPPORTED ||
                    box->err.code == ERR_INPUT);
        return SEEN_REFUSED;
    }
    assert_ok(box, store_reader_open(box->store, &box->reader, &box->err));
    uint64_t n_findings = sample_findings(box, false);
    bool same = sample_digest(box) == whole->digest;
    box_close(box);
    assert_true(n_findings > 0 || same);
    return n_findings ? SEEN_NAMED : SEEN_HARMLESS;
}

/* Mine again, as a miner that repairs does. */
static void
repair(struct box *box, const struct whole *whole)
{
    struct store_options options = {
        .path = box->path, .mode = STORE_WRITE, .repair = true, .no_sync = true};
    assert_ok(box, store_open(&options, &box->store, &box->err));
    assert_ok(box, store_writer_open(box->store, &box->writer, &box->err));
    assert_ok(box, store_reader_open(box->store, &box->reader, &box->err));
    sample_mine(box);
    uint64_t n_findings = sample_findings(box, true);
    assert_int_equal(n_findings, 0);
    assert_true(sample_digest(box) == whole->digest);
    box_close(box);
}

static void
test_store_damage__random_flips(void **state)
{
    struct box *box = *state;
    struct whole whole;
    uint64_t random = 88172645463325252u;
    size_t count[SEEN_N] = {0};
    make_whole(box, &whole);
    for (int i = 0; i < effort.n_flips; i++) {
        size_t at = next_random(&random) % whole.data.len;
        uint8_t mask = (uint8_t)(1u << next_random(&random) % 8);
        flip(box, &whole, at, mask);
        count[look(box, &whole)]++;
        repair(box, &whole);
    }
    print_message("%d flips in %zu bytes: %zu refused, %zu named, %zu without effect\n",
                  effort.n_flips, whole.data.len, count[SEEN_REFUSED], count[SEEN_NAMED],
                  count[SEEN_HARMLESS]);
    assert_true(count[SEEN_NAMED] > 0);
    assert_true(count[SEEN_REFUSED] > 0 || effort.n_flips < 100); /* few bytes are of structure */
    buf_clear(&whole.data);
}

/* Both meta pages, bit by bit: they decide which state is read. */
static void
test_store_damage__every_bit_of_the_meta_pages(void **state)
{
    struct box *box = *state;
    struct whole whole;
    enum { META_BYTES = 152, PAGE_BYTES = 4096 };
    make_whole(box, &whole);
    for (size_t page = 0; page < 2; page++) {
        for (size_t bit = 0; bit < META_BYTES * 8; bit += effort.bit_step) {
            flip(box, &whole, page * PAGE_BYTES + bit / 8, (uint8_t)(1u << bit % 8));
            look(box, &whole);
        }
    }
    buf_clear(&whole.data);
}

static uint16_t
read_u16(const uint8_t *at)
{
    uint16_t value;
    memcpy(&value, at, sizeof(value));
    return value;
}

static int
compare_u16(const void *a, const void *b)
{
    return *(const uint16_t *)a - *(const uint16_t *)b;
}

/* The offsets of the nodes of PAGE in ascending order; 0 when it is not a leaf. */
static size_t
nodes_of(const uint8_t *page, uint16_t offsets[2048])
{
    enum { HEAD_BYTES = 16, FLAGS_AT = 10, LOWER_AT = 12, LEAF = 2 };
    if (read_u16(page + FLAGS_AT) != LEAF)
        return 0;
    size_t n = (read_u16(page + LOWER_AT) - (size_t)HEAD_BYTES) / 2;
    for (size_t i = 0; i < n; i++)
        offsets[i] = read_u16(page + HEAD_BYTES + 2 * i);
    qsort(offsets, n, sizeof(*offsets), compare_u16);
    return n;
}

/* A value whose length says that it ends where one of the nodes after it does: everything is still
 * where a node begins, but LMDB would move the wrong bytes when it deletes one. */
static void
test_store_damage__a_node_that_swallows_others(void **state)
{
    struct box *box = *state;
    struct whole whole;
    enum { PAGE_BYTES = 4096 };
    size_t n_tried = 0;
    make_whole(box, &whole);
    for (size_t page = 2; page < whole.data.len / PAGE_BYTES && n_tried < effort.n_nodes_max;
         page++) {
        uint8_t *at = whole.data.data + page * PAGE_BYTES;
        uint16_t offsets[2048];
        size_t n = nodes_of(at, offsets);
        for (size_t i = 0; i + 2 < n; i++) {
            uint16_t before = read_u16(at + offsets[i]);
            uint16_t after = (uint16_t)(before + offsets[i + 2] - offsets[i + 1]);
            memcpy(at + offsets[i], &after, sizeof(after));
            flip(box, &whole, page * PAGE_BYTES, 0);
            memcpy(at + offsets[i], &before, sizeof(before));
            enum seen seen = look(box, &whole); /* harmless: the page is free */
            assert_int_not_equal(seen, SEEN_NAMED);
            n_tried += seen == SEEN_REFUSED;
        }
    }
    print_message("%zu nodes\n", n_tried);
    assert_true(n_tried > effort.n_nodes_max / 5);
    buf_clear(&whole.data);
}

/* A file that was cut off is refused, and what is left of it is kept by a repair. */
static void
test_store_damage__cut_off_file(void **state)
{
    struct box *box = *state;
    struct whole whole;
    char path[128];
    make_whole(box, &whole);
    for (size_t tenths = 1; tenths < 10; tenths += effort.tenths_step) {
        flip(box, &whole, 3000, 1);
        size_t len = whole.data.len / 10 * tenths;
        assert_int_equal(truncate(data_path(box, path), (off_t)len), 0);
        assert_int_equal(look(box, &whole), SEEN_REFUSED);
        repair(box, &whole);
    }
    buf_clear(&whole.data);
}

int
main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "quick") == 0) {
        effort.n_flips = 20;
        effort.bit_step = 61;
        effort.n_nodes_max = 20;
        effort.tenths_step = 4;
    }
    const struct CMUnitTest tests[] = {
        box_test(test_store_damage__random_flips),
        box_test(test_store_damage__every_bit_of_the_meta_pages),
        box_test(test_store_damage__a_node_that_swallows_others),
        box_test(test_store_damage__cut_off_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
