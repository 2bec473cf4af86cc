#include "box.h"
#include "store/listing_codec.h"

enum { FILES_MAX = 400 };

struct files {
    struct store_file items[FILES_MAX];
    char paths[FILES_MAX][24];
    size_t n;
};

/* N files "dir/0000.py" and on, of which every STEP-th is left out. */
static void
make_files(struct files *files, uint32_t n, uint32_t step)
{
    files->n = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (step && i % step == 0)
            continue;
        char *path = files->paths[files->n];
        snprintf(path, sizeof(files->paths[0]), "dir/%04u.py", i);
        files->items[files->n++] = (struct store_file){
            .path = bytes_of_text(path), .blob = box_oid(i), .mode = i % 9 ? 0100644 : 0100755};
    }
}

static void
assert_listing(struct box *box, const struct store_key *name, const struct files *files)
{
    struct store_file *back;
    size_t n_back;
    assert_ok(box, store_get_listing(box->reader, name, &box->arena, &back, &n_back, &box->err));
    assert_int_equal(n_back, files->n);
    for (size_t i = 0; i < n_back; i++) {
        assert_true(bytes_equal(back[i].path, files->items[i].path));
        assert_true(oid_equal(&back[i].blob, &files->items[i].blob));
        assert_int_equal(back[i].mode, files->items[i].mode);
    }
}

static void
test_store_get_listing__whole_and_changed_ones_come_back(void **state)
{
    struct box *box = *state;
    static struct files whole, fewer, changed, other, empty;
    struct store_key names[5];
    make_files(&whole, 300, 0);
    make_files(&fewer, 310, 11); /* some gone, some new at the end */
    make_files(&changed, 300, 0);
    for (size_t i = 0; i < changed.n; i += 7)
        changed.items[i].blob = box_oid(1000 + (uint32_t)i);
    changed.items[299].mode = 0100755;
    make_files(&other, 400, 2);
    struct files *all[5] = {&whole, &fewer, &changed, &other, &empty};

    box_open(box, STORE_WRITE);
    for (size_t i = 0; i < 5; i++)
        assert_ok(box,
                  store_put_listing(box->writer, all[i]->items, all[i]->n, &names[i], &box->err));
    box_commit(box);
    for (size_t i = 0; i < 5; i++)
        assert_listing(box, &names[i], all[i]);
    for (size_t i = 5; i-- > 0;)
        assert_listing(box, &names[i], all[i]);
}

static void
test_store_put_listing__name_does_not_depend_on_what_came_before(void **state)
{
    struct box *box = *state;
    static struct files whole, changed;
    struct store_key first, again, alone;
    make_files(&whole, 300, 0);
    make_files(&changed, 300, 0);
    changed.items[5].blob = box_oid(999);
    box_open(box, STORE_WRITE);
    assert_ok(box, store_put_listing(box->writer, whole.items, whole.n, &first, &box->err));
    assert_ok(box, store_put_listing(box->writer, changed.items, changed.n, &again, &box->err));
    box_close(box);
    box_open(box, STORE_WRITE);
    assert_ok(box, store_put_listing(box->writer, changed.items, changed.n, &alone, &box->err));
    assert_memory_equal(&again, &alone, sizeof(alone));
    assert_memory_not_equal(&first, &alone, sizeof(alone));
}

static void
test_store_put_listing__refuses_files_out_of_order(void **state)
{
    struct box *box = *state;
    static struct files files;
    struct store_key name;
    make_files(&files, 3, 0);
    struct store_file swapped = files.items[1];
    files.items[1] = files.items[2];
    files.items[2] = swapped;
    box_open(box, STORE_WRITE);
    assert_int_equal(store_put_listing(box->writer, files.items, 3, &name, &box->err), -1);
    files.items[2] = files.items[1];
    assert_int_equal(store_put_listing(box->writer, files.items, 3, &name, &box->err), -1);
    assert_int_equal(box->err.code, ERR_INTERNAL);
}

static void
test_store_get_listing__paths_that_are_no_text(void **state)
{
    struct box *box = *state;
    struct store_file files[] = {
        {.path = BYTES("\x01\0.py"), .blob = box_oid(0), .mode = 0100644},
        {.path = BYTES("a"), .blob = box_oid(1), .mode = 0100664},
        {.path = BYTES("\xff\xfe.py"), .blob = box_oid(2), .mode = 0100644},
    };
    struct store_key name;
    struct store_file *back;
    size_t n_back;
    box_open(box, STORE_WRITE);
    assert_ok(box, store_put_listing(box->writer, files, 3, &name, &box->err));
    box_commit(box);
    assert_ok(box, store_get_listing(box->reader, &name, &box->arena, &back, &n_back, &box->err));
    for (size_t i = 0; i < 3; i++)
        assert_true(bytes_equal(back[i].path, files[i].path));
    assert_int_equal(back[1].mode, 0100664);
}

/* Each bit of MASK says whether one of eight files is there. */
static void
make_base(struct listing_base *base, unsigned mask)
{
    struct store_file files[8];
    char paths[8][2] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    struct store_key key = box_key(1);
    size_t n = 0;
    for (unsigned i = 0; i < 8; i++)
        if (mask >> i & 1)
            files[n++] = (struct store_file){
                .path = bytes_of_text(paths[i]), .blob = box_oid(i + mask), .mode = 0100644};
    listing_base_init(base);
    assert_int_equal(listing_base_copy(base, &key, files, n), 0);
}

/* As in a store whose listings were mixed up: what comes out is in order, or refused. */
static void
test_listing_get__changes_of_another_base_are_in_order_or_refused(void **state)
{
    struct box *box = *state;
    unsigned n_refused = 0, n_taken = 0;
    for (unsigned seed = 1; seed < 4000; seed++) {
        struct listing_base from, to, other;
        struct store_file *files;
        struct buf encoded = {0};
        size_t n_files;
        make_base(&from, seed * 2654435761u >> 24);
        make_base(&to, seed * 2246822519u >> 24);
        make_base(&other, seed * 3266489917u >> 24);
        listing_put_changes(&encoded, &from, to.files, to.n_files);
        enum record_outcome outcome =
            listing_get(buf_bytes(&encoded), &other, &box->arena, &files, &n_files);
        if (outcome == RECORD_OK)
            assert_true(listing_is_ordered(files, n_files));
        n_taken += outcome == RECORD_OK;
        n_refused += outcome == RECORD_DAMAGED;
        assert_int_equal(n_taken + n_refused, seed);
        arena_reset(&box->arena);
        buf_clear(&encoded);
        listing_base_clear(&from);
        listing_base_clear(&to);
        listing_base_clear(&other);
    }
    assert_true(n_taken > 0 && n_refused > 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        box_test(test_store_get_listing__whole_and_changed_ones_come_back),
        box_test(test_store_put_listing__name_does_not_depend_on_what_came_before),
        box_test(test_store_put_listing__refuses_files_out_of_order),
        box_test(test_store_get_listing__paths_that_are_no_text),
        box_test(test_listing_get__changes_of_another_base_are_in_order_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
