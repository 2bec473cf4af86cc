/*
 * Walking a tree of pages depth first, with a stack instead of recursion.
 *
 * 1. The stack has at most as many levels as LMDB allows, and all leaves are on the level that the
 * record of the tree says.
 * 2. A page is used only after check_page has accepted all of it.
 * 3. A page that was reached is marked, so no page is walked twice.
 * Pages are prefetched ahead of their checks: waiting for memory was most of the time of a walk.
 */
#include "store/pages/walk.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "store/pages/resident.h"

enum {
    DEPTH_MOST = 32,
    NODE_HEAD_BYTES = 8,
    KEY_MOST_BYTES = 511,
    NODE_LIKELY_BYTES = 45, /* head and key of a node of facts */
    NODE_BIG = 1,           /* its value is in overflow pages */
    NODE_TABLE = 2          /* its value is the record of a tree */
};

struct node {
    struct bytes key;
    uint32_t value_len;   /* leaf */
    uint16_t flags;       /* leaf */
    const uint8_t *value; /* leaf: the value, or the number of its first overflow page */
    uint64_t child;       /* branch */
    size_t size;          /* in the page, rounded up to 2 */
};

/* A page on the way from the root to where the walk is. */
struct level {
    const uint8_t *page;
    uint64_t number;
    size_t n_nodes;
    size_t at;              /* the next node */
    bool has_flags;         /* a node of it has flags */
    struct bytes low, high; /* keys are from low up to, not including, high; data NULL: no bound */
};

struct tree_walk {
    struct page_walk *walk;
    const char *name;
    enum page_keys keys;
    page_visit *visit;
    void *context;
    struct page_tree seen; /* counted on the way */
    struct level levels[DEPTH_MOST];
    uint8_t *pages; /* the pages of the levels */
    size_t depth;
};

int
page_walk_init(struct page_walk *walk, const struct page_file *file, bool is_strict,
               struct err *err)
{
    *walk = (struct page_walk){.file = file, .is_strict = is_strict};
    walk->reached = calloc(file->map_bytes / file->meta.page_bytes / 8 + 1, 1);
    walk->node_sizes = calloc(file->meta.page_bytes / 2, sizeof(*walk->node_sizes));
    if (walk->reached && walk->node_sizes)
        return 0;
    page_walk_clear(walk);
    return err_nomem(err, "check of data.mdb");
}

void
page_walk_clear(struct page_walk *walk)
{
    free(walk->reached);
    free(walk->node_sizes);
    *walk = (struct page_walk){0};
}

bool
page_walk_reach(struct page_walk *walk, uint64_t number, uint64_t n)
{
    if (!page_file_at(walk->file, number, n))
        return false;
    for (uint64_t i = number; i < number + n; i++) {
        if (walk->reached[i / 8] & 1 << i % 8)
            return false;
        walk->reached[i / 8] |= (uint8_t)(1 << i % 8);
    }
    if (++walk->n_reached >= RESIDENT_STEP) {
        walk->n_reached = 0;
        resident_trim(walk->file->map, walk->file->map_bytes);
    }
    return true;
}

/* Report a fault in page NUMBER: -1 when strict, else count it and return 0. */
static int
fault(struct tree_walk *tree, uint64_t number, const char *why, struct err *err)
{
    struct page_walk *walk = tree->walk;
    struct err here;
    err_set(&here, ERR_DAMAGED, "data.mdb is damaged in page %" PRIu64 " of %s: %s", number,
            tree->name, why);
    if (walk->n_faults++ == 0)
        walk->fault = here;
    if (!walk->is_strict)
        return 0;
    if (err)
        *err = here;
    return -1;
}

/* ---- One page ------------------------------------------------------------------------------ */

/* Read the node at OFFSET of PAGE; false when it reaches outside the page. */
static bool
read_node(const struct tree_walk *tree, const uint8_t *page, size_t offset, bool is_leaf,
          struct node *out)
{
    size_t page_bytes = tree->walk->file->meta.page_bytes;
    if (offset > page_bytes - NODE_HEAD_BYTES)
        return false;
    const uint8_t *at = page + offset;
    uint64_t low = page_u16(at), high = page_u16(at + 2), flags = page_u16(at + 4);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    uint64_t swapped = low;
    low = high;
    high = swapped;
#endif
    *out = (struct node){.key = {at + NODE_HEAD_BYTES, page_u16(at + 6)}};
    size_t size = NODE_HEAD_BYTES + out->key.len;
    if (is_leaf) {
        out->value_len = (uint32_t)(low | high << 16);
        out->flags = (uint16_t)flags;
        out->value = out->key.data + out->key.len;
        size += flags & NODE_BIG ? sizeof(uint64_t) : out->value_len;
    } else {
        out->child = low | high << 16 | flags << 32;
    }
    if (size > page_bytes - offset)
        return false;
    out->size = (size + 1) & ~(size_t)1;
    return true;
}

static struct node
node_at(const struct tree_walk *tree, const struct level *level, size_t i, bool is_leaf)
{
    struct node node = {0};
    size_t offset = page_u16(level->page + PAGE_HEAD_BYTES + 2 * i);
    bool fits = read_node(tree, level->page, offset, is_leaf, &node);
    assert(fits);
    (void)fits;
    return node;
}

static bool
is_leaf_page(const uint8_t *page)
{
    return page_u16(page + 10) == PAGE_LEAF;
}

/* Is A before B? */
static bool
in_order(const struct tree_walk *tree, struct bytes a, struct bytes b)
{
    if (tree->keys == PAGE_KEYS_NUMBERS)
        return page_u64(a.data) < page_u64(b.data);
    return bytes_compare(a, b) < 0;
}

static bool
key_is_possible(const struct tree_walk *tree, struct bytes key)
{
    if (tree->keys == PAGE_KEYS_NUMBERS)
        return key.len == sizeof(uint64_t);
    return key.len > 0 && key.len <= KEY_MOST_BYTES;
}

/* Check the header of a page.  NULL, or what is wrong with it. */
static const char *
check_head(const struct tree_walk *tree, const uint8_t *page, uint64_t number)
{
    size_t page_bytes = tree->walk->file->meta.page_bytes;
    size_t flags = page_u16(page + 10), lower = page_u16(page + 12), upper = page_u16(page + 14);
    if (page_u64(page) != number)
        return "it has another number";
    if (flags != PAGE_LEAF && flags != PAGE_BRANCH)
        return "it is neither branch nor leaf";
    if (lower < PAGE_HEAD_BYTES + 2 || lower % 2 != 0 || lower > upper || upper % 2 != 0 ||
        upper > page_bytes)
        return "its free space is impossible";
    return NULL;
}

/* Prefetch page NUMBER, if it is in the file. */
static const uint8_t *
fetch_page(const struct tree_walk *tree, uint64_t number)
{
    const uint8_t *page = page_file_at(tree->walk->file, number, 1);
    if (page)
        __builtin_prefetch(page);
    return page;
}

/* Check that the nodes of a page are inside it, start at different places, and have keys in order
 * and within bounds.  Sets SIZES[offset / 2] to the size of each node. */
static const char *
check_nodes(const struct tree_walk *tree, struct level *level, uint16_t *sizes)
{
    size_t upper = page_u16(level->page + 14);
    bool is_leaf = is_leaf_page(level->page);
    struct bytes before = level->low;
    for (size_t i = 0; i < level->n_nodes; i++) {
        struct node node;
        size_t offset = page_u16(level->page + PAGE_HEAD_BYTES + 2 * i);
        if (offset < upper || offset % 2 != 0 ||
            !read_node(tree, level->page, offset, is_leaf, &node))
            return "a node reaches outside it";
        if (sizes[offset / 2])
            return "two nodes are at one place";
        sizes[offset / 2] = (uint16_t)node.size;
        level->has_flags = level->has_flags || node.flags != 0;
        if (node.flags == NODE_BIG)
            fetch_page(tree, page_u64(node.value));
        if (i == 0 && !is_leaf)
            continue; /* the first key of a branch is not used */
        if (!key_is_possible(tree, node.key))
            return "a key has an impossible length";
        /* The first key of a leaf may equal the bound. */
        if (before.data &&
            (i == 0 ? in_order(tree, node.key, before) : !in_order(tree, before, node.key)))
            return "its keys are out of order";
        before = node.key;
    }
    bool has_keys = is_leaf || level->n_nodes > 1;
    if (has_keys && level->high.data && !in_order(tree, before, level->high))
        return "its keys are out of order";
    return NULL;
}

/* Do the nodes fill the page from its upper bound to its end without gaps and overlaps?  (A node
 * that is too long may end where a later one ends.)  Clears the entries of SIZES that it visits. */
static bool
nodes_fill_page(const struct level *level, uint16_t *sizes, size_t page_bytes)
{
    size_t at = page_u16(level->page + 14), n_met = 0;
    for (; at < page_bytes && sizes[at / 2]; n_met++) {
        size_t size = sizes[at / 2];
        sizes[at / 2] = 0;
        at += size;
    }
    return at == page_bytes && n_met == level->n_nodes;
}

/* Check all of a page.  NULL, or what is wrong with it. */
static const char *
check_page(const struct tree_walk *tree, struct level *level)
{
    size_t page_bytes = tree->walk->file->meta.page_bytes;
    uint16_t *sizes = tree->walk->node_sizes;
    const char *problem = check_head(tree, level->page, level->number);
    if (problem)
        return problem;
    level->n_nodes = (page_u16(level->page + 12) - (size_t)PAGE_HEAD_BYTES) / 2;
    problem = check_nodes(tree, level, sizes);
    if (!problem && !nodes_fill_page(level, sizes, page_bytes))
        problem = "its nodes do not fill it";
    if (problem)
        memset(sizes, 0, page_bytes / 2 * sizeof(*sizes));
    return problem;
}

/* Push page NUMBER, whose keys must be from LOW up to, not including, HIGH. */
static int
enter(struct tree_walk *tree, uint64_t number, struct bytes low, struct bytes high, struct err *err)
{
    if (tree->depth == DEPTH_MOST)
        return fault(tree, number, "it is too deep", err);
    size_t page_bytes = tree->walk->file->meta.page_bytes;
    const uint8_t *page = page_file_look(tree->walk->file, number,
                                         tree->pages + tree->depth * page_bytes, page_bytes);
    if (!page)
        return fault(tree, number, "it is outside the file, which may have been cut off", err);
    struct level level = {.page = page, .number = number, .low = low, .high = high};
    const char *problem = check_page(tree, &level);
    if (!problem && is_leaf_page(page) && tree->depth + 1 != tree->seen.depth)
        problem = "it is a leaf on another level than the others";
    if (!problem && !is_leaf_page(page) && level.n_nodes < 2 && tree->keys == PAGE_KEYS_BYTES)
        problem = "it is a branch with only one child";
    if (!problem && !page_walk_reach(tree->walk, number, 1))
        problem = "it is reached twice";
    if (problem)
        return fault(tree, number, problem, err);
    if (!is_leaf_page(page)) {
        tree->seen.n_branches++;
    } else {
        tree->seen.n_leaves++;
        if (!tree->visit && !level.has_flags) { /* there is nothing to do for its nodes */
            tree->seen.n_entries += level.n_nodes;
            return 0;
        }
    }
    assert(tree->depth < DEPTH_MOST && level.n_nodes > 0);
    tree->levels[tree->depth++] = level;
    return 0;
}

/* ---- The walk ------------------------------------------------------------------------------ */

/* The value of a leaf's node.  *PROBLEM is NULL, or what is wrong with it. */
static struct bytes
find_value(struct tree_walk *tree, const struct node *node, const char **problem)
{
    *problem = NULL;
    if (!(node->flags & NODE_BIG))
        return (struct bytes){node->value, node->value_len};
    uint64_t number = page_u64(node->value);
    uint8_t buffer[PAGE_HEAD_BYTES];
    const uint8_t *head = page_file_look(tree->walk->file, number, buffer, sizeof(buffer));
    uint64_t n_pages = head ? page_u32(head + 12) : 0;
    size_t page_bytes = tree->walk->file->meta.page_bytes;
    uint64_t n_needed = (PAGE_HEAD_BYTES - 1 + (uint64_t)node->value_len) / page_bytes + 1;
    if (!head)
        *problem = "a large value is outside the file, which may have been cut off";
    else if (page_u64(head) != number || page_u16(head + 10) != PAGE_OVERFLOW)
        *problem = "a large value is not where it should be";
    else if (n_pages < n_needed)
        *problem = "a large value has too few pages";
    else if (!page_walk_reach(tree->walk, number, n_pages))
        *problem = "a large value is outside the file, or reached twice";
    if (*problem)
        return (struct bytes){NULL, 0};
    tree->seen.n_overflow += n_pages;
    const uint8_t *mapped = page_file_at(tree->walk->file, number, n_pages);
    assert(mapped); /* page_walk_reach saw that they are in the file */
    return (struct bytes){mapped + PAGE_HEAD_BYTES, node->value_len};
}

static int
visit_leaf_node(struct tree_walk *tree, const struct level *level, const struct node *node,
                struct err *err)
{
    const char *problem;
    bool is_table = node->flags == NODE_TABLE;
    tree->seen.n_entries++;
    if (node->flags & ~(NODE_BIG | NODE_TABLE) || node->flags == (NODE_BIG | NODE_TABLE))
        return fault(tree, level->number, "a node has flags that no store has", err);
    if (is_table && node->value_len != PAGE_TREE_BYTES)
        return fault(tree, level->number, "the record of a table has another size", err);
    struct bytes value = find_value(tree, node, &problem);
    if (problem)
        return fault(tree, level->number, problem, err);
    return tree->visit ? tree->visit(tree->context, node->key, value, is_table, err) : 0;
}

static const uint8_t *
fetch_child(const struct tree_walk *tree, const struct level *level, size_t i)
{
    return i < level->n_nodes ? fetch_page(tree, node_at(tree, level, i, false).child) : NULL;
}

/* Prefetch what the checks after that of child I of a branch will read. */
static void
look_ahead(const struct tree_walk *tree, const struct level *level, size_t i)
{
    size_t page_bytes = tree->walk->file->meta.page_bytes;
    if (!resident_fits(tree->walk->file->map_bytes))
        return; /* pages are then not read through the map */
    fetch_child(tree, level, i + 2);
    const uint8_t *next = fetch_child(tree, level, i + 1);
    size_t lower = next ? page_u16(next + 12) : 0;
    for (size_t at = PAGE_HEAD_BYTES; at + 2 <= lower && at + 2 <= page_bytes; at += 2) {
        size_t offset = page_u16(next + at);
        if (offset + NODE_LIKELY_BYTES > page_bytes)
            continue;
        __builtin_prefetch(next + offset);
        __builtin_prefetch(next + offset + NODE_LIKELY_BYTES - 1);
    }
}

/* Handle the next node of the innermost page, or pop the page. */
static int
step(struct tree_walk *tree, struct err *err)
{
    assert(tree->depth > 0);
    struct level *level = &tree->levels[tree->depth - 1];
    assert(level->at <= level->n_nodes);
    if (level->at == level->n_nodes) {
        tree->depth--;
        return 0;
    }
    size_t i = level->at++;
    bool is_leaf = is_leaf_page(level->page);
    struct node node = node_at(tree, level, i, is_leaf);
    if (is_leaf)
        return visit_leaf_node(tree, level, &node, err);
    look_ahead(tree, level, i);
    struct bytes low = i == 0 ? level->low : node.key, high = level->high;
    if (i + 1 < level->n_nodes)
        high = node_at(tree, level, i + 1, false).key;
    return enter(tree, node.child, low, high, err);
}

static bool
counts_agree(const struct page_tree *a, const struct page_tree *b)
{
    return a->n_branches == b->n_branches && a->n_leaves == b->n_leaves &&
           a->n_overflow == b->n_overflow && a->n_entries == b->n_entries;
}

int
page_walk_tree(struct page_walk *walk, const char *name, const struct page_tree *record,
               enum page_keys keys, page_visit *visit, void *context, struct err *err)
{
    struct tree_walk tree = {.walk = walk,
                             .name = name,
                             .keys = keys,
                             .visit = visit,
                             .context = context,
                             .seen.depth = record->depth,
                             .pages = calloc(DEPTH_MOST, walk->file->meta.page_bytes)};
    int rc = 0;
    if (!tree.pages)
        return err_nomem(err, "check of data.mdb");
    if (record->root != PAGE_NONE)
        rc = enter(&tree, record->root, (struct bytes){NULL, 0}, (struct bytes){NULL, 0}, err);
    else if (record->depth != 0)
        rc = fault(&tree, 0, "it has levels and no root", err);
    while (rc == 0 && tree.depth > 0)
        rc = step(&tree, err);
    if (rc == 0 && !counts_agree(&tree.seen, record))
        rc = fault(&tree, record->root, "its pages and values are not as many as it says", err);
    free(tree.pages);
    return rc;
}
