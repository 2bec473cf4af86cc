/* The direct walk.  The cursor finds out anew at every step which production a node is part of, what
 * alias and field it has there and where it stands; here the walk keeps that on its own stack and
 * reads tree-sitter's structs themselves.  What a child is to its parent (alias, field) is looked up
 * in one small table made from the grammar.
 *
 * Hidden nodes are walked through: their children count as children of the nearest visible node
 * above, and inherit the field of the hidden node unless they have one of their own.  An extra
 * (a comment) has neither alias nor field and does not count as a step of the production. */
#include <assert.h>
#include <stdlib.h>

#include "analyzer/parse_walk.h"

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
    const struct role *role; /* of the next child that is no extra; NULL when none has any */
    uint32_t parent;         /* index of the nearest visible node, itself or above */
    uint32_t depth;          /* of its visible children; the file node has depth 1 */
    uint32_t end_byte;       /* where the last child ended */
    uint32_t end_row;
    uint8_t field; /* what its children inherit */
};

struct parse_direct {
    const TSLanguage *language;
    struct role *roles;          /* a row of max_alias_sequence_length for each production */
    const struct role **role_row; /* by production: its row, NULL when it is empty */
    struct frame *frames;
    size_t n_frames_max;
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
    direct->n_frames_max = FRAMES_FIRST;
    if (!direct->frames || !fill_roles(direct)) {
        parse_direct_destroy(direct);
        return err_nomem(err, "parser");
    }
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

static bool
grow_frames(struct parse_direct *direct)
{
    size_t n = direct->n_frames_max * 2;
    struct frame *frames = realloc(direct->frames, n * sizeof(*frames));
    if (!frames)
        return false;
    direct->frames = frames;
    direct->n_frames_max = n;
    return true;
}

/* One node of the tree as the walk meets it. */
struct visit {
    Subtree node;
    TSSymbol alias;
    uint8_t field;
    bool is_visible;
    uint32_t start_byte;
    uint32_t start_row;
    Length size;
};

/* Take the next child of FRAME. */
static struct visit
next_child(struct frame *frame)
{
    struct visit visit = {.node = *frame->child++};
    Length padding = ts_subtree_padding(visit.node);
    visit.size = ts_subtree_size(visit.node);
    visit.start_byte = frame->end_byte + padding.bytes;
    visit.start_row = frame->end_row + padding.extent.row;
    frame->end_byte = visit.start_byte + visit.size.bytes;
    frame->end_row = visit.start_row + visit.size.extent.row;
    visit.is_visible = ts_subtree_visible(visit.node);
    if (ts_subtree_extra(visit.node))
        return visit;
    visit.field = frame->field;
    if (frame->role) {
        const struct role *role = frame->role++;
        visit.alias = role->alias;
        visit.is_visible |= role->alias != 0;
        if (role->field)
            visit.field = role->field;
    }
    return visit;
}

static void
write_node(struct flat *flat, const TSLanguage *language, const struct visit *visit,
           uint32_t index, uint32_t parent)
{
    TSSymbol symbol = visit->alias ? visit->alias : ts_subtree_symbol(visit->node);
    bool is_named = visit->alias ? language->symbol_metadata[visit->alias].named
                                 : ts_subtree_named(visit->node);
    bool is_missing = ts_subtree_missing(visit->node);
    bool is_error = symbol == FLAT_KIND_ERROR;
    flat->kind[index] = is_error ? symbol : language->public_symbol_map[symbol];
    flat->flags[index] =
        (uint8_t)((is_named ? FLAT_NAMED : 0) | (ts_subtree_extra(visit->node) ? FLAT_EXTRA : 0) |
                  (is_missing ? FLAT_MISSING : 0) | (is_error ? FLAT_ERROR : 0));
    flat->field[index] = visit->field;
    flat->start_byte[index] = visit->start_byte;
    flat->end_byte[index] = visit->start_byte + visit->size.bytes;
    flat->start_row[index] = visit->start_row;
    flat->end_row[index] = visit->start_row + visit->size.extent.row;
    flat->parent[index] = parent;
    flat->subtree_end[index] = index + 1 + ts_subtree_visible_descendant_count(visit->node);
    flat->n_errors += is_error || is_missing;
}

/* The frame of a node with children, met as VISIT below ABOVE; it is node INDEX if visible. */
static struct frame
enter(const struct parse_direct *direct, const struct visit *visit, const struct frame *above,
      uint32_t index)
{
    const Subtree *children = ts_subtree_children(visit->node);
    /* A node starts behind the padding of its first child.  May wrap, and wraps back. */
    Length padding = ts_subtree_padding(children[0]);
    return (struct frame){.child = children,
                          .child_end = children + visit->node.ptr->child_count,
                          .role = direct->role_row[visit->node.ptr->production_id],
                          .parent = visit->is_visible ? index : above->parent,
                          .depth = above->depth + visit->is_visible,
                          .end_byte = visit->start_byte - padding.bytes,
                          .end_row = visit->start_row - padding.extent.row,
                          .field = visit->is_visible ? 0 : visit->field};
}

static bool
has_visible_below(const struct visit *visit)
{
    return ts_subtree_child_count(visit->node) > 0 && visit->node.ptr->visible_child_count > 0;
}

enum skip_reason
parse_walk_direct(struct parse_direct *direct, const TSTree *tree, uint32_t depth_max,
                  struct flat *flat)
{
    const struct frame above_root = {.parent = FLAT_NONE, .depth = 1};
    struct visit visit = {.node = tree->root, .is_visible = true};
    visit.size = ts_subtree_size(tree->root);
    Length padding = ts_subtree_padding(tree->root);
    visit.start_byte = padding.bytes;
    visit.start_row = padding.extent.row;
    write_node(flat, direct->language, &visit, 0, FLAT_NONE);
    if (!has_visible_below(&visit))
        return SKIP_NONE;

    uint32_t n = 1;
    size_t top = 0;
    direct->frames[0] = enter(direct, &visit, &above_root, 0);
    for (;;) {
        struct frame *frame = &direct->frames[top];
        if (frame->child == frame->child_end) {
            if (top-- == 0)
                break;
            continue;
        }
        visit = next_child(frame);
        if (visit.is_visible) {
            if (n == flat->n_nodes)
                return SKIP_TOO_MANY_NODES;
            if (frame->depth > flat->depth_max)
                flat->depth_max = frame->depth;
            if (frame->depth > depth_max)
                return SKIP_TOO_DEEP;
            write_node(flat, direct->language, &visit, n++, frame->parent);
        }
        if (!has_visible_below(&visit))
            continue;
        if (++top == direct->n_frames_max && !grow_frames(direct))
            return SKIP_NO_MEMORY;
        direct->frames[top] = enter(direct, &visit, &direct->frames[top - 1], n - 1);
    }
    assert(n == flat->n_nodes);
    return SKIP_NONE;
}
