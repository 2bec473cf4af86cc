/* The cursor walk, through tree-sitter's public API. */
#include <assert.h>

#include "analyzer/parse/walk.h"

static void
write_node(struct flat *flat, uint32_t index, uint32_t parent, const TSTreeCursor *cursor)
{
    TSNode node = ts_tree_cursor_current_node(cursor);
    bool is_missing = ts_node_is_missing(node);
    TSSymbol kind = ts_node_symbol(node);
    flat->kind[index] = kind;
    flat->flags[index] =
        (uint8_t)((ts_node_is_named(node) ? FLAT_NAMED : 0) |
                  (ts_node_is_extra(node) ? FLAT_EXTRA : 0) | (is_missing ? FLAT_MISSING : 0) |
                  (kind == FLAT_KIND_ERROR ? FLAT_ERROR : 0));
    flat->field[index] = (uint8_t)ts_tree_cursor_current_field_id(cursor);
    flat->start_byte[index] = ts_node_start_byte(node);
    flat->end_byte[index] = ts_node_end_byte(node);
    flat->start_row[index] = ts_node_start_point(node).row;
    flat->end_row[index] = ts_node_end_point(node).row;
    flat->parent[index] = parent;
    flat->n_errors += kind == FLAT_KIND_ERROR || is_missing;
}

/* Pre-order without recursion: the cursor knows the way, subtree_end is filled on leaving. */
static enum skip_reason
walk(TSTreeCursor *cursor, uint32_t depth_max, struct flat *flat)
{
    uint32_t depth = 1;
    uint32_t parent = FLAT_NONE;
    uint32_t n = 0;
    for (;;) {
        assert(n < flat->n_nodes);
        if (n == flat->n_nodes)
            return SKIP_TOO_MANY_NODES;
        uint32_t index = n++;
        write_node(flat, index, parent, cursor);
        if (ts_tree_cursor_goto_first_child(cursor)) {
            parent = index;
            depth++;
            if (depth > flat->depth_max)
                flat->depth_max = depth;
            if (depth > depth_max)
                return SKIP_TOO_DEEP;
            continue;
        }
        flat->subtree_end[index] = n;
        while (depth > 1 && !ts_tree_cursor_goto_next_sibling(cursor)) {
            ts_tree_cursor_goto_parent(cursor);
            flat->subtree_end[parent] = n;
            parent = flat->parent[parent];
            depth--;
        }
        if (depth == 1)
            return SKIP_NONE;
    }
}

enum skip_reason
parse_walk_cursor(const TSTree *tree, uint32_t depth_max, struct flat *flat)
{
    TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
    enum skip_reason skipped = walk(&cursor, depth_max, flat);
    ts_tree_cursor_delete(&cursor);
    return skipped;
}
