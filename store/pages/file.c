/*
 * Meta pages and maps of a data file.
 *
 * 1. The two meta pages are written in turn, transaction N to page N % 2, so their transaction
 * numbers differ by one and the older one is the state before the last commit.  This is the only
 * redundancy in the file: without the check a flipped bit in a transaction number would bring the
 * older state back.
 * 2. Numbers are in the byte order of the machine; an LMDB file cannot be moved between byte
 * orders.
 */
#include "store/pages/file.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/fs.h"
#include "store/pages/resident.h"

enum {
    DATA_VERSION = 1,
    INTEGER_KEYS = 8, /* the flags of the free pages' tree, and all we ever set */
    PAGE_LEAST = 512,
    PAGE_MOST = 65536,
    DEPTH_MOST = 32,
    META_BYTES = PAGE_HEAD_BYTES + 24 + 2 * PAGE_TREE_BYTES + 16,
    READ_TRIES = 20
};

static const uint32_t MAGIC = 0xBEEFC0DE;
static const uint64_t FILE_MOST_BYTES = (uint64_t)1 << 46;

struct page_tree
page_tree_read(const uint8_t *from)
{
    return (struct page_tree){
        .pad = page_u32(from),
        .flags = page_u16(from + 4),
        .depth = page_u16(from + 6),
        .n_branches = page_u64(from + 8),
        .n_leaves = page_u64(from + 16),
        .n_overflow = page_u64(from + 24),
        .n_entries = page_u64(from + 32),
        .root = page_u64(from + 40),
    };
}

/* A meta page and what is wrong with it. */
struct meta_try {
    struct page_meta meta;
    const char *problem; /* NULL: it can be used */
    bool is_lmdb;        /* its magic or its header is LMDB's */
    uint32_t version;    /* if the magic is right; else 0 */
};

static struct meta_try
refused(struct meta_try found, const char *problem)
{
    found.problem = problem;
    return found;
}

static struct meta_try
parse_meta(const uint8_t *page, uint64_t number)
{
    const uint8_t *head = page + PAGE_HEAD_BYTES, *trees = head + 24;
    bool has_magic = page_u32(head) == MAGIC;
    bool has_head = page_u64(page) == number && page_u16(page + 10) == PAGE_META;
    struct meta_try found = {.is_lmdb = has_magic || has_head,
                             .version = has_magic ? page_u32(head + 4) : 0};
    struct page_meta *meta = &found.meta;
    if (!has_magic)
        return refused(found, "it is not an LMDB file of this machine's byte order");
    if (found.version != DATA_VERSION)
        return refused(found, "it is of another version of LMDB's format");
    if (!has_head)
        return refused(found, "a meta page is not where it should be");
    if (page_u64(head + 8) != 0)
        return refused(found, "it asks to be mapped at a fixed address");
    meta->free_pages = page_tree_read(trees);
    meta->tables = page_tree_read(trees + PAGE_TREE_BYTES);
    meta->last_page = page_u64(trees + 2 * (size_t)PAGE_TREE_BYTES);
    meta->txn_id = page_u64(trees + 2 * (size_t)PAGE_TREE_BYTES + 8);
    meta->page_bytes = meta->free_pages.pad;
    if (meta->page_bytes < PAGE_LEAST || meta->page_bytes > PAGE_MOST ||
        (meta->page_bytes & (meta->page_bytes - 1)) != 0)
        return refused(found, "its page size is impossible");
    if (meta->last_page < PAGE_N_METAS - 1 || meta->last_page >= FILE_MOST_BYTES / meta->page_bytes)
        return refused(found, "its number of pages is impossible");
    if (meta->free_pages.flags != INTEGER_KEYS || meta->tables.flags != 0)
        return refused(found, "it has flags that no store has");
    if (meta->free_pages.depth > DEPTH_MOST || meta->tables.depth > DEPTH_MOST)
        return refused(found, "a tree in it is impossibly deep");
    if (meta->txn_id % PAGE_N_METAS != number && meta->txn_id != 0)
        return refused(found, "a transaction number is on the wrong meta page");
    return found;
}

/* Are the N bytes of PAGE, which was cut off after them, the start of meta page 0? */
static bool
begins_a_meta(const uint8_t *page, size_t n)
{
    size_t n_zero = 0;
    while (n_zero < n && n_zero < sizeof(uint64_t) && page[n_zero] == 0)
        n_zero++;
    return n_zero == (n < sizeof(uint64_t) ? n : sizeof(uint64_t)) &&
           (n < PAGE_HEAD_BYTES || page_u16(page + 10) == PAGE_META);
}

static struct meta_try
try_meta(int fd, size_t at, uint64_t number)
{
    uint8_t page[META_BYTES];
    ssize_t n = fs_read_at(fd, page, sizeof(page), at);
    if (n == (ssize_t)sizeof(page))
        return parse_meta(page, number);
    return (struct meta_try){.problem = "it is too short for a store",
                             .is_lmdb = n > 0 && begins_a_meta(page, (size_t)n)};
}

/* Find the second meta page, which is one page into the file.  If the first does not say how large
 * a page is, every possible place is tried. */
static struct meta_try
find_odd_meta(int fd, const struct meta_try *even)
{
    struct meta_try likely = {.problem = "its second meta page cannot be found"};
    if (!even->problem)
        return try_meta(fd, even->meta.page_bytes, 1);
    for (size_t at = PAGE_LEAST; at <= PAGE_MOST; at *= 2) {
        struct meta_try found = try_meta(fd, at, 1);
        if (!found.problem && found.meta.page_bytes == at)
            return found;
        if (found.version)
            likely = found.problem ? found : refused(found, "its page size is impossible");
    }
    return likely;
}

static void
try_metas(int fd, struct meta_try tries[PAGE_N_METAS])
{
    tries[0] = try_meta(fd, 0, 0);
    tries[1] = find_odd_meta(fd, &tries[0]);
}

static bool
follow_one_another(const struct page_meta *even, const struct page_meta *odd)
{
    if (even->page_bytes != odd->page_bytes)
        return false;
    bool is_new = even->txn_id == 0 && odd->txn_id == 0;
    return is_new || even->txn_id + 1 == odd->txn_id || odd->txn_id + 1 == even->txn_id;
}

/* Both meta pages must be usable.  One that is not is damage; if neither is, it may not be a store
 * at all. */
static enum err_code
judge_metas(const struct meta_try tries[PAGE_N_METAS], const char **problem)
{
    const struct meta_try *even = &tries[0], *odd = &tries[1];
    *problem = even->problem ? even->problem : odd->problem;
    if (!*problem && follow_one_another(&even->meta, &odd->meta))
        return ERR_NONE;
    if (!*problem)
        *problem = "its two meta pages do not follow one another";
    if (!even->is_lmdb && !odd->is_lmdb)
        return ERR_INPUT;
    if (even->version && even->version == odd->version && even->version != DATA_VERSION)
        return ERR_UNSUPPORTED;
    return ERR_DAMAGED;
}

int
page_meta_read(int fd, struct page_meta *out, struct err *err)
{
    struct meta_try tries[PAGE_N_METAS];
    const char *problem;
    struct stat st;
    *out = (struct page_meta){0};
    if (fstat(fd, &st) < 0)
        return err_set_errno(err, "look at data.mdb");
    if (st.st_size == 0)
        return 0;
    /* A writer may commit between the two reads: read again. */
    enum err_code code = ERR_DAMAGED;
    for (int i = 0; i < READ_TRIES && code == ERR_DAMAGED; i++) {
        if (i > 0)
            nanosleep(&(struct timespec){.tv_nsec = 1000 * 1000}, NULL);
        try_metas(fd, tries);
        code = judge_metas(tries, &problem);
    }
    if (code != ERR_NONE)
        return err_set(err, code, "data.mdb cannot be used: %s", problem);
    *out = tries[tries[1].meta.txn_id > tries[0].meta.txn_id].meta;
    return 0;
}

bool
page_meta_read_any(int fd, struct page_meta *out)
{
    struct meta_try tries[PAGE_N_METAS];
    try_metas(fd, tries);
    bool is_usable = false;
    for (size_t i = 0; i < PAGE_N_METAS; i++) {
        if (tries[i].problem || (is_usable && tries[i].meta.txn_id < out->txn_id))
            continue;
        *out = tries[i].meta;
        is_usable = true;
    }
    return is_usable;
}

const uint8_t *
page_map_start(const uint8_t *at, size_t page_bytes)
{
    if (page_bytes != (size_t)sysconf(_SC_PAGESIZE))
        return NULL;
    const uint8_t *page = at - ((uintptr_t)at & (page_bytes - 1));
    return page - page_u64(page) * page_bytes;
}

int
page_file_open(int fd, const struct page_meta *meta, struct page_file *out, struct err *err)
{
    struct stat st;
    if (fstat(fd, &st) < 0)
        return err_set_errno(err, "look at data.mdb");
    void *map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED)
        return err_set_errno(err, "map data.mdb");
    *out = (struct page_file){.fd = fd, .map = map, .map_bytes = (size_t)st.st_size, .meta = *meta};
    out->n_pages = out->map_bytes / meta->page_bytes;
    if (out->n_pages > meta->last_page + 1)
        out->n_pages = meta->last_page + 1;
    return 0;
}

void
page_file_close(struct page_file *file)
{
    if (file->map)
        munmap((void *)(uintptr_t)file->map, file->map_bytes);
    *file = (struct page_file){0};
}

const uint8_t *
page_file_at(const struct page_file *file, uint64_t number, uint64_t n_pages)
{
    if (number < PAGE_N_METAS || number >= file->n_pages || n_pages > file->n_pages - number)
        return NULL;
    return file->map + number * file->meta.page_bytes;
}

const uint8_t *
page_file_look(const struct page_file *file, uint64_t number, uint8_t *buffer, size_t n)
{
    const uint8_t *page = page_file_at(file, number, 1);
    if (!page || resident_fits(file->map_bytes))
        return page;
    uint64_t at = number * file->meta.page_bytes;
    return fs_read_at(file->fd, buffer, n, at) == (ssize_t)n ? buffer : NULL;
}
