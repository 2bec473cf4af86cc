/* A folder of its own for each test, and the few calls every store test makes. */
#ifndef STRATA_TESTS_STORE_BOX_H
#define STRATA_TESTS_STORE_BOX_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "cmocka_all.h"
#include "store/store.h"

struct box {
    char root[64];
    char path[96]; /* of the store in it */
    struct store *store;
    struct store_writer *writer;
    struct store_reader *reader;
    struct arena arena;
    struct err err;
};

static inline int
box_remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st;
    (void)type;
    (void)ftw;
    return remove(path);
}

static inline int
box_setup(void **state)
{
    struct box *box = calloc(1, sizeof(*box));
    snprintf(box->root, sizeof(box->root), "/tmp/strata-store-XXXXXX");
    if (!mkdtemp(box->root))
        return -1;
    snprintf(box->path, sizeof(box->path), "%s/s", box->root);
    arena_init(&box->arena, 0);
    *state = box;
    return 0;
}

static inline void
box_close(struct box *box)
{
    store_reader_close(box->reader);
    store_writer_close(box->writer);
    store_close(box->store);
    box->reader = NULL;
    box->writer = NULL;
    box->store = NULL;
}

static inline int
box_teardown(void **state)
{
    struct box *box = *state;
    box_close(box);
    arena_clear(&box->arena);
    nftw(box->root, box_remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    free(box);
    return 0;
}

/* Fail the test with the error's own words. */
#define assert_ok(box, call)                            \
    do {                                                \
        (box)->err = (struct err){0};                   \
        if ((int)(call) != 0)                           \
            fail_msg("%s: %s", #call, (box)->err.text); \
    } while (0)

static inline void
box_open(struct box *box, enum store_mode mode)
{
    struct store_options options = {.path = box->path, .mode = mode, .no_sync = true};
    assert_ok(box, store_open(&options, &box->store, &box->err));
    if (mode == STORE_WRITE)
        assert_ok(box, store_writer_open(box->store, &box->writer, &box->err));
    assert_ok(box, store_reader_open(box->store, &box->reader, &box->err));
}

/* What was put so far can be read from here on. */
static inline void
box_commit(struct box *box)
{
    assert_ok(box, store_writer_commit(box->writer, &box->err));
    assert_ok(box, store_reader_refresh(box->reader, &box->err));
}

/* An object id and a name that follow from N. */
static inline struct oid
box_oid(uint32_t n)
{
    uint8_t raw[OID_SHA1_BYTES] = {0};
    for (size_t i = 0; i < sizeof(raw); i++)
        raw[i] = (uint8_t)((n + 1) * 2654435761u >> (i % 4 * 8)) ^ (uint8_t)(i * 37);
    memcpy(raw + 4, &n, sizeof(n));
    return oid_from_raw(raw, sizeof(raw));
}

static inline struct store_key
box_key(uint8_t n)
{
    struct store_key key;
    memset(key.bytes, n, sizeof(key.bytes));
    return key;
}

/* The facts of blob N: text with much in common between blobs, as real facts have. */
static inline struct bytes
box_facts(struct box *box, uint32_t n)
{
    struct buf buf = {0};
    for (uint32_t i = 0; i < 6 + n % 9; i++)
        buf_printf(&buf, "callable %u lines %u..%u complexity %u;", i, i * n % 91, i * 7 + n % 13,
                   n * i % 17);
    struct bytes facts = arena_copy(&box->arena, buf_bytes(&buf));
    buf_clear(&buf);
    return facts;
}

#define box_test(name) cmocka_unit_test_setup_teardown(name, box_setup, box_teardown)

#endif
