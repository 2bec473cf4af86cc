/* The direct walk.  The cursor finds out again at every step which production a node is part of,
 * what alias and field it has there and where it is; here the walk keeps that on its own stack
 * and reads tree-sitter's structs themselves.  What a child is to its parent (alias, field) is
 * looked up in one small table made from the grammar.
 *
 * Hidden nodes are walked through: their children count as children of the nearest visible node
 * above, and inherit the field of the hidden node unless they have one of their own.  An extra
 * (a comment) has neither alias nor field and does not count as a step of the production. */
#include <assert.h>
#include <stdlib.h>

#include "analyzer/parse/walk.h"

#include <language.h>
#include <subtree.h>
#include <tree.h>

/* The layouts this was written against: runtime 0.25.1, grammar ABI 15. */
_Static_assert(sizeof(Subtree) == 8 && sizeof(SubtreeInlineData) == 8, "Subtree");
_Static_assert(sizeof(Length) == 12 && offsetof(Length, extent) == 4, "Length");
_Static_assert(sizeof(SubtreeHeapData) == 80 && offsetof(SubtreeHeapData, padding) == 4 &&
                   offsetof(SubtreeHeapData, size) == 16 &&
                   offsetof(SubtreeHeapData, child_count) == 36 &&
                   offsetof(SubtreeHeapData, symbol) == 40 &&
                   offsetof(SubtreeHeapData, visible_child_count) == 48 &&
                   offsetof(SubtreeHeapData, visible_descendant_count) == 56 &&
                   offsetof(SubtreeHeapData, production_id) == 66,
               "SubtreeHeapData");
_Static_assert(sizeof(struct TSTree) == 32 && offsetof(struct TSTree, root) == 0, "TSTree");
_Static_assert(sizeof(TSFieldMapEntry) == 4 && offsetof(TSFieldMapEntry, child_index) == 2,
               "TSFieldMapEntry");
_Static_assert(TREE_SITTER_LANGUAGE_VERSION == 15, "grammar ABI");

/* What the production of a parent makes of the child at one step. */
struct role {
    uint16_t alias; /* symbol it is shown as, 0 for its own */
    uint8_t field;  /* 0 for none */
};

/* A node whose children are being walked. */
struct frame {
    const Subtree *child; /* the next one */
    const Subtree *child_end;
    const struct role *role; /* of the next child that is not an extra; NULL when none has any */
    uint32_t parent;         /* index of the nearest visible node, itself or above */
    uint32_t depth;          /* of its visible children; the file node has depth 1 */
    uint32_t end_byte;       /* where the last child ended */
    uint32_t end_row;
    uint8_t field; /* what its children inherit */
};

struct parse_direct {
    const TSLanguage *language;
    struct role *roles;           /* a row of max_alias_sequence_length for each production */
    const struct role **role_row; /* by production: its row, NULL when it is empty */
    struct frame *frames;
    struct frame *frames_last; /* the last there is room for */
};

static bool
fill_roles(struct parse_direct *direct)
{
    const TSLanguage *language = direct->language;
    size_t width = language->max_alias_sequence_length;
    size_t n_productions = language->production_id_count;
    direct->roles = calloc(n_productions * width + 1, sizeof(*direct->roles));
    direct->role_row = calloc(n_productions + 1, sizeof(*direct->role_row));
    if (!direct->roles || !direct->role_row)
        return false;
    /* Production 0 is the one without aliases and fields, ERROR nodes of any width included. */
    for (size_t production = 1; production < n_productions; production++) {
        struct role *row = direct->roles + production * width;
        bool is_empty = true;
        const TSFieldMapEntry *entry, *end;
        ts_language_field_map(language, (uint32_t)production, &entry, &end);
        for (size_t step = 0; step < width; step++)
            row[step].alias = language->alias_sequences[production * width + step];
        for (; entry < end; entry++)
            if (!entry->inherited && entry->child_index < width && !row[entry->child_index].field)
                row[entry->child_index].field = (uint8_t)entry->field_id;
        for (size_t step = 0; step < width; step++)
            if (row[step].alias || row[step].field)
                is_empty = false;
        direct->role_row[production] = is_empty ? NULL : row;
    }
    return true;
}

int
parse_direct_create(const TSLanguage *language, struct parse_direct **out, struct err *err)
{
    enum { FRAMES_FIRST = 256 };
    struct parse_direct *direct = calloc(1, sizeof(*direct));
    if (!direct)
        return err_nomem(err, "parser");
    direct->language = language;
    direct->frames = malloc(FRAMES_FIRST * sizeof(*direct->frames));
    if (!direct->frames || !fill_roles(direct)) {
        parse_direct_destroy(direct);
        return err_nomem(err, "parser");
    }
    direct->frames_last = direct->frames + FRAMES_FIRST - 1;
    *out = direct;
    return 0;
}

void
parse_direct_destroy(struct parse_direct *direct)
{
    if (!direct)
        return;
    free(direct->roles);
    free(direct->role_row);
    free(direct->frames);
    free(direct);
}

/* Make room after the last frame; returns where that frame is now, or NULL. */
static struct frame *
grow_frames(struct parse_direct *direct)
{
    size_t n = (size_t)(direct->frames_last - direct->frames) + 1;
    struct frame *frames = realloc(direct->frames, 2 * n * sizeof(*frames));
    if (!frames)
        return NULL;
    direct->frames = frames;
    direct->frames_last = frames + 2 * n - 1;
    return frames + n - 1;
}

/* One node of the tree as it is kept, whichever of the two ways that is. */
struct node {
    const SubtreeHeapData *heap; /* NULL: a leaf kept in its parent's list */
    uint32_t padding_bytes, padding_rows;
    uint32_t size_bytes, size_rows;
    uint16_t symbol;
    uint8_t flags; /* enum flat_flag */
    bool is_visible;
};

static inline struct node
read_node(const Subtree *tree)
{
    if (tree->data.is_inline) {
        const SubtreeInlineData *leaf = &tree->data;
        return (struct node){
            .padding_bytes = leaf->padding_bytes,
            .padding_rows = leaf->padding_rows,
            .size_bytes = leaf->size_bytes,
            .symbol = leaf->symbol,
            .flags = (uint8_t)(leaf->named * FLAT_NAMED | leaf->extra * FLAT_EXTRA |
                               leaf->is_missing * FLAT_MISSING),
            .is_visible = leaf->visible,
        };
    }
    const SubtreeHeapData *heap = tree->ptr;
    return (struct node){
        .heap = heap,
        .padding_bytes = heap->padding.bytes,
        .padding_rows = heap->padding.extent.row,
        .size_bytes = heap->size.bytes,
        .size_rows = heap->size.extent.row,
        .symbol = heap->symbol,
        .flags = (uint8_t)(heap->named * FLAT_NAMED | heap->extra * FLAT_EXTRA |
                           heap->is_missing * FLAT_MISSING),
        .is_visible = heap->visible,
    };
}

/* What NODE is below FRAME: alias and field, which an extra has not. */
static inline struct role
take_role(struct frame *frame, const struct node *node)
{
    struct role role = {0};
    if (node->flags & FLAT_EXTRA)
        return role;
    if (frame->role)
        role = *frame->role++;
    if (!role.field)
        role.field = frame->field;
    return role;
}

static inline bool
has_children(const struct node *node)
{
    return node->heap && node->heap->child_count > 0;
}

/* Write NODE as number INDEX. */
static inline void
write_node(struct flat *flat, const TSLanguage *language, const struct node *node, struct role role,
           uint32_t index, const struct frame *frame)
{
    uint16_t symbol = node->symbol;
    uint8_t flags = node->flags;
    if (role.alias) {
        symbol = role.alias;
        flags =
            (uint8_t)((flags & ~FLAT_NAMED) | language->symbol_metadata[symbol].named * FLAT_NAMED);
    }
    if (symbol == FLAT_KIND_ERROR)
        flags |= FLAT_ERROR;
    else
        symbol = language->public_symbol_map[symbol];
    uint32_t start_byte = frame->end_byte - node->size_bytes;
    uint32_t start_row = frame->end_row - node->size_rows;
    flat->kind[index] = symbol;
    flat->flags[index] = flags;
    flat->field[index] = role.field;
    flat->start_byte[index] = start_byte;
    flat->end_byte[index] = frame->end_byte;
    flat->start_row[index] = start_row;
    flat->end_row[index] = frame->end_row;
    flat->parent[index] = frame->parent;
    flat->subtree_end[index] =
        index + 1 + (has_children(node) ? node->heap->visible_descendant_count : 0);
    flat->n_errors += (flags & (FLAT_ERROR | FLAT_MISSING)) != 0;
}

/* The frame for the children of NODE, the last child of ABOVE so far; it is number INDEX if it is
 * VISIBLE, and hands FIELD down if not. */
static inline struct frame
enter(const struct parse_direct *direct, const struct node *node, const struct frame *above,
      uint32_t index, bool is_visible, uint8_t field)
{
    const Subtree *children = (const Subtree *)node->heap - node->heap->child_count;
    /* A node starts after the padding of its first child, which is its own. */
    return (struct frame){
        .child = children,
        .child_end = children + node->heap->child_count,
        .role = direct->role_row[node->heap->production_id],
        .parent = is_visible ? index : above->parent,
        .depth = above->depth + is_visible,
        .end_byte = above->end_byte - node->size_bytes - node->padding_bytes,
        .end_row = above->end_row - node->size_rows - node->padding_rows,
        .field = is_visible ? 0 : field,
    };
}

/* Walk the one "child" of the frame that is there, the file node, and all below it. */
static enum skip_reason
walk(struct parse_direct *direct, uint32_t depth_max, struct flat *flat)
{
    uint32_t n = 0;
    struct frame *frame = direct->frames;
    for (;;) {
        if (frame->child == frame->child_end) {
            if (frame == direct->frames)
                return SKIP_NONE;
            frame--;
            continue;
        }
        struct node node = read_node(frame->child++);
        struct role role = take_role(frame, &node);
        bool is_visible = node.is_visible | (role.alias != 0) | (n == 0);
        frame->end_byte += node.padding_bytes + node.size_bytes;
        frame->end_row += node.padding_rows + node.size_rows;
        if (is_visible) {
            assert(n < flat->n_nodes);
            if (n == flat->n_nodes)
                return SKIP_TOO_MANY_NODES;
            if (frame->depth > flat->depth_max)
                flat->depth_max = frame->depth;
            if (frame->depth > depth_max)
                return SKIP_TOO_DEEP;
            write_node(flat, direct->language, &node, role, n++, frame);
        }
        if (!has_children(&node) || node.heap->visible_child_count == 0)
            continue;
        if (frame == direct->frames_last && !(frame = grow_frames(direct)))
            return SKIP_NO_MEMORY;
        frame[1] = enter(direct, &node, frame, n - 1, is_visible, role.field);
        frame++;
    }
}

enum skip_reason
parse_walk_direct(struct parse_direct *direct, const TSTree *tree, uint32_t depth_max,
                  struct flat *flat)
{
    struct flat out = *flat; /* no one else's: the compiler may keep its members in registers */
    direct->frames[0] = (struct frame){
        .child = &tree->root, .child_end = &tree->root + 1, .parent = FLAT_NONE, .depth = 1};
    enum skip_reason skipped = walk(direct, depth_max, &out);
    *flat = out;
    return skipped;
}
