/*
 * Page file: LMDB's data.mdb read as untrusted pages.
 *
 * LMDB follows page numbers, offsets and sizes in the file without checking them, so one flipped
 * bit is a wild pointer.  Every page is therefore checked here before LMDB reads it.  FORMAT.md,
 * "Pages", describes the layout.
 */
#ifndef STRATA_STORE_PAGES_FILE_H
#define STRATA_STORE_PAGES_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/err.h"

enum { PAGE_HEAD_BYTES = 16, PAGE_N_METAS = 2 };

enum page_flag { PAGE_BRANCH = 1, PAGE_LEAF = 2, PAGE_OVERFLOW = 4, PAGE_META = 8 };

#define PAGE_NONE UINT64_MAX /* the root of an empty tree */

/* What a meta page or the record of a table says about a tree. */
struct page_tree {
    uint32_t pad;
    uint16_t flags;
    uint16_t depth;
    uint64_t n_branches;
    uint64_t n_leaves;
    uint64_t n_overflow; /* pages of large values */
    uint64_t n_entries;
    uint64_t root;
};

enum { PAGE_TREE_BYTES = 48 };

struct page_meta {
    size_t page_bytes;
    struct page_tree free_pages;
    struct page_tree tables;
    uint64_t last_page;
    uint64_t txn_id; /* of the transaction that wrote it */
};

/* Read the tree in the PAGE_TREE_BYTES at FROM. */
struct page_tree page_tree_read(const uint8_t *from);

/*
 * Read and check both meta pages of the file FD.  *OUT is the one that LMDB will use; its
 * page_bytes is 0 when the file is empty.  0, or -1: ERR_INPUT (not an LMDB file), ERR_UNSUPPORTED
 * (another version of LMDB's format), ERR_DAMAGED, ERR_IO.
 */
int page_meta_read(int fd, struct page_meta *out, struct err *err);
/* Make *OUT the newest meta page that can be used, for repair; false when neither can. */
bool page_meta_read_any(int fd, struct page_meta *out);

/*
 * Where a map of data.mdb begins, computed from AT, a place in it: the page of AT starts with its
 * number, as all pages do except those after the first of a large value.  NULL when PAGE_BYTES is
 * not the size of the system's pages, to which maps are aligned.  LMDB does not tell where its map
 * is, but the values that it finds point into it.
 */
const uint8_t *page_map_start(const uint8_t *at, size_t page_bytes);

struct page_file {
    int fd; /* borrowed */
    const uint8_t *map;
    size_t map_bytes;
    uint64_t n_pages; /* pages of the snapshot that are in the file */
    struct page_meta meta;
};

/* Map FD, which must stay open, to read the snapshot META.  0, or -1 with ERR_IO; page_file_close
 * ends it. */
int page_file_open(int fd, const struct page_meta *meta, struct page_file *out, struct err *err);
/* Unmap FILE; its descriptor stays open. */
void page_file_close(struct page_file *file);
/* The N_PAGES pages from NUMBER on, or NULL when they are not all in the snapshot and the file. */
const uint8_t *page_file_at(const struct page_file *file, uint64_t number, uint64_t n_pages);

/*
 * The first N bytes of page NUMBER; NULL when it is not in the snapshot and the file.  If the file
 * is too large to stay mapped (resident.h) they are read into BUFFER: touching each page through
 * the map took four times as long.  Otherwise they are borrowed from the map.
 */
const uint8_t *
page_file_look(const struct page_file *file, uint64_t number, uint8_t *buffer, size_t n);

/* The number at AT, which need not be aligned, in the byte order of the machine. */
static inline uint16_t
page_u16(const uint8_t *at)
{
    uint16_t value;
    memcpy(&value, at, sizeof(value));
    return value;
}

static inline uint32_t
page_u32(const uint8_t *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof(value));
    return value;
}

static inline uint64_t
page_u64(const uint8_t *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof(value));
    return value;
}

#endif
