/*
 * Page walk: check every page of a tree and visit every value in it.
 *
 * A page is used only after all of it has passed these checks: its kind and number, nodes inside
 * the page that do not overlap, keys in order and within the bounds that the parent sets, no page
 * reached twice.  A strict walk ends at the first fault; a walk that is not strict skips the page
 * or node and counts the fault.
 */
#ifndef STRATA_STORE_PAGES_WALK_H
#define STRATA_STORE_PAGES_WALK_H

#include "store/pages/file.h"

enum page_keys { PAGE_KEYS_BYTES, PAGE_KEYS_NUMBERS };

/* Called for each value in order of keys.  IS_TABLE: the value is the record of another tree.  A
 * result other than 0 ends the walk. */
typedef int
page_visit(void *context, struct bytes key, struct bytes value, bool is_table, struct err *err);

struct page_walk {
    const struct page_file *file;
    bool is_strict;
    uint64_t n_faults;    /* what was left out, when not strict */
    struct err fault;     /* the first of them */
    uint8_t *reached;     /* a bit for each page */
    unsigned n_reached;   /* since the map was last trimmed */
    uint16_t *node_sizes; /* of the node at twice the index; all 0 between pages */
};

/* Make WALK ready to walk trees of FILE, which is borrowed.  0, or -1 with ERR_NOMEM. */
int page_walk_init(struct page_walk *walk, const struct page_file *file, bool is_strict,
                   struct err *err);
/* Free what WALK holds. */
void page_walk_clear(struct page_walk *walk);
/*
 * Walk TREE, which messages call NAME.  VISIT may be NULL.  0, what VISIT returned, or -1:
 * ERR_DAMAGED for a fault when strict, ERR_NOMEM.
 */
int page_walk_tree(struct page_walk *walk, const char *name, const struct page_tree *tree,
                   enum page_keys keys, page_visit *visit, void *context, struct err *err);
/* Mark N pages from NUMBER on as reached; false when one is outside the file or was reached
 * already. */
bool page_walk_reach(struct page_walk *walk, uint64_t number, uint64_t n);

#endif
