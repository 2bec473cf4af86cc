/*
 * Compiling a regex: parse, find what every match needs, compile to a program.  Here are the cheap
 * properties of a regex that let a search be skipped: whether it is anchored, and its last bytes.
 */
#include "analyzer/regex/regex.h"

#include <string.h>

#include "analyzer/regex/ast.h"
#include "analyzer/regex/literal.h"
#include "analyzer/regex/program.h"

/* Does every match start at the start of the text? */
static bool
is_anchored(const struct regex_node *node)
{
    switch (node->op) {
    case REGEX_LOOK:
        return node->look == LOOK_TEXT_START;
    case REGEX_CONCAT:
        return is_anchored(node->items[0]);
    case REGEX_REPEAT:
        return node->min > 0 && is_anchored(node->items[0]);
    case REGEX_ALTERNATE:
        for (uint32_t i = 0; i < node->n_items; i++)
            if (!is_anchored(node->items[i]))
                return false;
        return true;
    case REGEX_EMPTY:
    case REGEX_CLASS:
        return false;
    }
    return false;
}

/* ---- Last bytes ---------------------------------------------------------------------------- */

/* How the strings of a part can end. */
struct tail {
    uint64_t bytes[4];
    bool is_nullable; /* one of them is empty */
};

static void
add_class_tail(const struct regex_class *set, uint64_t bytes[4])
{
    for (uint32_t i = 0; i < set->n_ranges; i++) {
        for (uint32_t c = set->ranges[i].first; c <= set->ranges[i].last && c < 0x80; c++)
            bytes[c / 64] |= (uint64_t)1 << c % 64;
        if (set->ranges[i].last >= 0x80)
            bytes[2] = UINT64_MAX; /* 0x80 to 0xbf: what ends a longer character */
    }
}

static struct tail tail_of(const struct regex_node *node);

static void
add_tail(struct tail *tail, const struct tail *more)
{
    for (size_t w = 0; w < 4; w++)
        tail->bytes[w] |= more->bytes[w];
}

/* How the first N items of a concatenation can end. */
static struct tail
tail_of_items(const struct regex_node *node, uint32_t n)
{
    struct tail tail = {.is_nullable = true};
    for (uint32_t i = n; i > 0 && tail.is_nullable; i--) {
        struct tail item = tail_of(node->items[i - 1]);
        add_tail(&tail, &item);
        tail.is_nullable = item.is_nullable;
    }
    return tail;
}

static struct tail
tail_of(const struct regex_node *node)
{
    struct tail tail = {{0}, false};
    switch (node->op) {
    case REGEX_EMPTY:
    case REGEX_LOOK:
        tail.is_nullable = true;
        break;
    case REGEX_CLASS:
        add_class_tail(&node->set, tail.bytes);
        break;
    case REGEX_REPEAT:
        tail = tail_of(node->items[0]);
        tail.is_nullable |= node->min == 0;
        break;
    case REGEX_CONCAT:
        return tail_of_items(node, node->n_items);
    case REGEX_ALTERNATE:
        for (uint32_t i = 0; i < node->n_items; i++) {
            struct tail item = tail_of(node->items[i]);
            add_tail(&tail, &item);
            tail.is_nullable |= item.is_nullable;
        }
        break;
    }
    return tail;
}

/* Does every match of NODE end at the end of the text?  Then *TAIL is how it can. */
static bool
find_tail(const struct regex_node *node, struct tail *tail)
{
    *tail = (struct tail){{0}, false};
    if (node->op == REGEX_LOOK && node->look == LOOK_TEXT_END) {
        tail->is_nullable = true;
        return true;
    }
    if (node->op == REGEX_CONCAT && find_tail(node->items[node->n_items - 1], tail)) {
        if (tail->is_nullable) {
            struct tail before = tail_of_items(node, node->n_items - 1);
            add_tail(tail, &before);
            tail->is_nullable = before.is_nullable;
        }
        return true;
    }
    if (node->op != REGEX_ALTERNATE)
        return false;
    for (uint32_t i = 0; i < node->n_items; i++) {
        struct tail item;
        if (!find_tail(node->items[i], &item))
            return false;
        add_tail(tail, &item);
        tail->is_nullable |= item.is_nullable;
    }
    return true;
}

/* Does every match end at the end of the text?  With which bytes is noted in REGEX. */
static bool
find_last_bytes(const struct regex_node *tree, struct regex *regex)
{
    struct tail tail;
    if (!find_tail(tree, &tail))
        return false;
    if (tail.is_nullable)
        return true;
    regex->has_last_bytes = true;
    memcpy(regex->last_bytes, tail.bytes, sizeof(regex->last_bytes));
    return true;
}

int
regex_compile(struct bytes pattern, struct arena *arena, struct regex *out, struct err *err)
{
    struct arena scratch;
    arena_init(&scratch, 0);
    struct regex_node *tree;
    *out = (struct regex){.pattern = arena_copy(arena, pattern)};
    int rc =
        out->pattern.data ? regex_parse(pattern, &scratch, &tree, err) : err_nomem(err, "regex");
    if (rc == 0) {
        out->anchored = is_anchored(tree);
        rc = program_compile(tree, out->anchored, arena, &out->program, err);
    }
    if (rc == 0) {
        bool is_whole = find_last_bytes(tree, out) && out->anchored;
        rc = regex_find_needs(tree, is_whole, arena, out, err);
    }
    arena_clear(&scratch);
    return rc;
}
