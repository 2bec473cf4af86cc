/*
 * Flat tree: the syntax tree of one source as plain arrays, in pre-order.
 *
 * Everything after the parse reads these arrays and never calls tree-sitter: a parent is one load,
 * the descendants of I are the range (I, subtree_end[I]), its next sibling is subtree_end[I] while
 * that is below subtree_end[parent[I]].  All visible nodes are in, anonymous tokens, extras and
 * missing nodes too; node 0 is the file node.  Rows and columns count from 0; rows end at LF only.
 */
#ifndef STRATA_ANALYZER_PARSE_FLAT_H
#define STRATA_ANALYZER_PARSE_FLAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/bytes.h"

#define FLAT_NONE UINT32_MAX       /* "no node" */
#define FLAT_KIND_ERROR UINT16_MAX /* tree-sitter's symbol for ERROR nodes */

enum flat_flag {
    FLAT_NAMED = 1 << 0,
    FLAT_EXTRA = 1 << 1,   /* comment, line_continuation */
    FLAT_MISSING = 1 << 2, /* put in by error recovery, zero bytes wide */
    FLAT_ERROR = 1 << 3    /* an ERROR node itself */
};

struct flat {
    struct bytes source; /* borrowed; what the byte offsets index */
    uint32_t n_nodes;    /* at least 1 */
    /* arrays of n_nodes */
    uint16_t *kind; /* public symbol, as ts_node_symbol gives it */
    uint8_t *flags; /* enum flat_flag */
    uint8_t *field; /* field id under which the parent holds it, 0 for none */
    uint32_t *start_byte;
    uint32_t *end_byte; /* one past the last */
    uint32_t *start_row;
    uint32_t *end_row;     /* row of end_byte */
    uint32_t *parent;      /* FLAT_NONE for node 0 */
    uint32_t *subtree_end; /* index one past the last descendant */

    uint32_t n_rows;     /* line feeds plus one */
    uint32_t *row_start; /* n_rows byte offsets */
    bool has_error;      /* there is an ERROR or MISSING node, visible or not */
    uint32_t n_errors;   /* visible ERROR and MISSING nodes */
    uint32_t depth_max;  /* node 0 has depth 1 */
};

/* The first child of NODE, or the sibling after it; FLAT_NONE when there is none. */
static inline uint32_t
flat_first_child(const struct flat *flat, uint32_t node)
{
    return node + 1 < flat->subtree_end[node] ? node + 1 : FLAT_NONE;
}

static inline uint32_t
flat_next_sibling(const struct flat *flat, uint32_t node)
{
    uint32_t parent = flat->parent[node];
    uint32_t next = flat->subtree_end[node];
    return parent != FLAT_NONE && next < flat->subtree_end[parent] ? next : FLAT_NONE;
}

static inline bool
flat_is_named(const struct flat *flat, uint32_t node)
{
    return (flat->flags[node] & FLAT_NAMED) != 0;
}

static inline bool
flat_is_leaf(const struct flat *flat, uint32_t node)
{
    return flat->subtree_end[node] == node + 1;
}

/* The bytes of NODE, borrowed from the source. */
static inline struct bytes
flat_text(const struct flat *flat, uint32_t node)
{
    return bytes_slice(flat->source, flat->start_byte[node], flat->end_byte[node]);
}

/* The first child of NODE with FIELD, or FLAT_NONE. */
static inline uint32_t
flat_child_by_field(const struct flat *flat, uint32_t node, uint8_t field)
{
    for (uint32_t child = node + 1; child < flat->subtree_end[node];
         child = flat->subtree_end[child])
        if (flat->field[child] == field)
            return child;
    return FLAT_NONE;
}

#endif
