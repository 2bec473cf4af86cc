/*
 * Page file: LMDB's data.mdb seen as untrusted pages.
 *
 * LMDB follows page numbers, offsets and sizes out of the file without asking whether they are
 * possible: one flipped bit is a wild pointer.  These pages are therefore checked by us before LMDB
 * is let at them.  store/FORMAT.md, "pages", says what they look like.
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

/* What a meta page or a table's record says of one tree. */
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

/* The tree in the PAGE_TREE_BYTES at FROM. */
struct page_tree page_tree_read(const uint8_t *from);

/*
 * Read and check both meta pages of the file FD.  *OUT is the one that LMDB will take, and has
 * page_bytes 0 when the file is empty.  ERR_INPUT (no LMDB file), ERR_UNSUPPORTED (another version
 * of it), ERR_DAMAGED.
 */
int page_meta_read(int fd, struct page_meta *out, struct err *err);
/* The newest meta page that can be used at all, for repair; false when neither can. */
bool page_meta_read_any(int fd, struct page_meta *out);

/*
 * Where data.mdb begins in memory, told from AT, a place in a map of it: in a page that starts with
 * its number, as all do but those behind the first of a large value.  NULL where PAGE_BYTES are not
 * those of the system's pages, which is what maps are aligned to.  LMDB does not say where its map
 * is, but what it finds stands there.
 */
const uint8_t *page_map_start(const uint8_t *at, size_t page_bytes);

struct page_file {
    int fd; /* borrowed */
    const uint8_t *map;
    size_t map_bytes;
    uint64_t n_pages; /* of the snapshot that are in the file */
    struct page_meta meta;
};

/* Map FD, which must stay open, to look at the snapshot of META. */
int page_file_open(int fd, const struct page_meta *meta, struct page_file *out, struct err *err);
void page_file_close(struct page_file *file);
/* The N_PAGES pages from NUMBER on, or NULL when they are not all in the snapshot and the file. */
const uint8_t *page_file_at(const struct page_file *file, uint64_t number, uint64_t n_pages);

/*
 * Look at the first N bytes of page NUMBER; NULL when it is not in the snapshot and the file. Where
 * the file is too large for all of it to stay mapped (resident.h) they are read to ROOM: mapping
 * each page for one look took four times as long there.  Else a look takes no call into the system.
 */
const uint8_t *
page_file_look(const struct page_file *file, uint64_t number, uint8_t *room, size_t n);

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
