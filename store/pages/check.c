/*
 * Checking a data file: the tree of tables, every table in it, and the tree of free pages.
 *
 * 1. No page is reached twice, within one tree or from two of them.
 * 2. No page is both free and in use; LMDB would write over it.
 * The file is first read through a map of its own, and through LMDB's map as soon as its place is
 * known: a page that was checked is then mapped already for whoever reads it next.
 */
#include "store/pages/check.h"

#include <stdio.h>

#include "store/pages/walk.h"

enum { TABLE_NAME_SIZE = 64 };

struct page_check {
    struct page_file file; /* in the map of OWN, then in LMDB's */
    const struct page_file *own;
    struct page_walk walk;
    MDB_txn *txn; /* or NULL */
};

/* Continue in LMDB's map.  LMDB may look for KEY: all pages from the root to it were checked. */
static void
share_map(struct page_check *check, struct bytes key)
{
    MDB_dbi tables;
    MDB_val name = {key.len, (void *)(uintptr_t)key.data}, found;
    if (mdb_dbi_open(check->txn, NULL, 0, &tables) != 0 ||
        mdb_get(check->txn, tables, &name, &found) != 0)
        return;
    const uint8_t *map = page_map_start(found.mv_data, check->own->meta.page_bytes);
    if (map)
        check->file.map = map;
}

static int
check_table(void *context, struct bytes key, struct bytes value, bool is_table, struct err *err)
{
    struct page_check *check = context;
    struct page_walk *walk = &check->walk;
    char name[TABLE_NAME_SIZE];
    snprintf(name, sizeof(name), "table %.*s", (int)(key.len < 32 ? key.len : 32),
             (const char *)key.data);
    if (!is_table)
        return err_set(err, ERR_DAMAGED, "data.mdb is not a store: %s is a value", name);
    struct page_tree tree = page_tree_read(value.data);
    if (tree.flags != 0 || tree.pad != 0)
        return err_set(err, ERR_DAMAGED, "data.mdb is damaged: %s has flags that no store has",
                       name);
    if (check->txn && check->file.map == check->own->map)
        share_map(check, key);
    return page_walk_tree(walk, name, &tree, PAGE_KEYS_BYTES, NULL, NULL, err);
}

/* Check a list of free pages: their number, then the page numbers from high to low. */
static int
check_free_list(void *context, struct bytes key, struct bytes value, bool is_table, struct err *err)
{
    struct page_walk *walk = context;
    uint64_t n = value.len >= 8 && value.len % 8 == 0 ? page_u64(value.data) : UINT64_MAX;
    if (is_table || page_u64(key.data) > walk->file->meta.txn_id || n > value.len / 8 - 1)
        return err_set(err, ERR_DAMAGED, "data.mdb is damaged: a list of free pages is impossible");
    for (uint64_t i = 1; i <= n; i++) {
        uint64_t number = page_u64(value.data + 8 * i);
        bool in_order = i == 1 || number < page_u64(value.data + 8 * (i - 1));
        bool is_in_file = number >= PAGE_N_METAS && number <= walk->file->meta.last_page;
        /* A free page past the end of the file was never written. */
        bool is_past_end = is_in_file && !page_file_at(walk->file, number, 1);
        if (!in_order || !is_in_file || (!is_past_end && !page_walk_reach(walk, number, 1)))
            return err_set(err, ERR_DAMAGED,
                           "data.mdb is damaged: page %llu is listed as free and is not",
                           (unsigned long long)number);
    }
    return 0;
}

int
page_check(int fd, const struct page_meta *meta, MDB_txn *txn, struct err *err)
{
    struct page_file own;
    if (page_file_open(fd, meta, &own, err) < 0)
        return -1;
    struct page_check check = {.file = own, .own = &own, .txn = txn};
    int rc = page_walk_init(&check.walk, &check.file, true, err);
    if (rc == 0) {
        rc = page_walk_tree(&check.walk, "the list of tables", &meta->tables, PAGE_KEYS_BYTES,
                            check_table, &check, err);
        if (rc == 0)
            rc = page_walk_tree(&check.walk, "the list of free pages", &meta->free_pages,
                                PAGE_KEYS_NUMBERS, check_free_list, &check.walk, err);
        page_walk_clear(&check.walk);
    }
    page_file_close(&own);
    return rc;
}
