/*
 * Page walk: every page of one tree, checked, and every value in it.
 *
 * A page is used only after all of it has been found possible: kind and number, every node inside
 * the page and none over another, keys in order and within the bounds the parent set, no page
 * reached twice.  Strict, the first fault ends the walk; else the page or node is left out and
 * counted.
 */
#ifndef STRATA_STORE_PAGES_WALK_H
#define STRATA_STORE_PAGES_WALK_H

#include "store/pages/file.h"

enum page_keys { PAGE_KEYS_BYTES, PAGE_KEYS_NUMBERS };

/* A value in order of keys.  IS_TABLE: it is the record of another tree.  Not 0 ends the walk. */
typedef int
page_visit(void *context, struct bytes key, struct bytes value, bool is_table, struct err *err);

struct page_walk {
    const struct page_file *file;
    bool is_strict;
    uint64_t n_faults;    /* what was left out, when not strict */
    struct err fault;     /* the first of them */
    uint8_t *reached;     /* a bit a page */
    unsigned n_reached;   /* since the map was last trimmed */
    uint16_t *node_sizes; /* of the node at twice the index; all 0 between two pages */
};

int page_walk_init(struct page_walk *walk, const struct page_file *file, bool is_strict,
                   struct err *err);
void page_walk_clear(struct page_walk *walk);
/*
 * Walk TREE, which messages call NAME.  VISIT may be NULL.  -1 with ERR_DAMAGED for a fault when
 * strict, ERR_NOMEM, or what VISIT returned.
 */
int page_walk_tree(struct page_walk *walk, const char *name, const struct page_tree *tree,
                   enum page_keys keys, page_visit *visit, void *context, struct err *err);
/* Mark N pages from NUMBER on as reached; false when one of them is outside or was already. */
bool page_walk_reach(struct page_walk *walk, uint64_t number, uint64_t n);

#endif
