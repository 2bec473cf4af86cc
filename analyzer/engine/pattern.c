/*
 * Python has no '$', so that of a metavariable is replaced by a letter, the micro sign, before the
 * text is parsed.  Then a node whose whole text is a metavariable becomes one, whatever its kind.
 */
#include "analyzer/engine/pattern.h"

#include <string.h>
#include <tree_sitter/api.h>

#include "analyzer/parse/grammar.h"
#include "analyzer/engine/rule_names.h"
#include "base/buf.h"

enum {
    PATTERN_DEPTH_MAX = 512, /* matching recurses as deep as the pattern */
    PATTERN_NODES_MAX = 1000000
};

#define SIGN "\xc2\xb5" /* U+00B5 */
enum { SIGN_BYTES = 2 };

/* ---- Text ---------------------------------------------------------------------------------- */

static bool
starts_name(uint8_t c)
{
    return (c >= 'A' && c <= 'Z') || c == '_';
}

static void
prepare(struct bytes text, struct buf *out)
{
    for (size_t i = 0; i < text.len;) {
        size_t n = 0;
        while (i + n < text.len && text.data[i + n] == '$')
            n++;
        if (n == 0) {
            buf_append_byte(out, text.data[i++]);
            continue;
        }
        i += n;
        bool is_sign = n == 3 || (i < text.len && starts_name(text.data[i]));
        for (size_t k = 0; k < n; k++)
            buf_append_text(out, is_sign ? SIGN : "$");
    }
}

/* What a text means as a metavariable. */
struct variable {
    bool many;
    bool is_named;
    struct bytes name; /* empty: nothing is captured */
};

static bool
read_variable(struct bytes text, struct variable *out)
{
    size_t n_signs = 0, at = 0;
    while (bytes_starts_with(bytes_slice(text, at, text.len), BYTES(SIGN))) {
        at += SIGN_BYTES;
        n_signs++;
    }
    if (n_signs == 0 || n_signs > 3)
        return false;
    struct bytes name = bytes_slice(text, at, text.len);
    *out = (struct variable){.many = n_signs == 3, .is_named = n_signs == 1};
    if (name.len == 0)
        return out->many;
    if (!starts_name(name.data[0]))
        return false;
    for (size_t i = 1; i < name.len; i++)
        if (!starts_name(name.data[i]) && !(name.data[i] >= '0' && name.data[i] <= '9'))
            return false;
    if (name.data[0] != '_')
        out->name = name;
    return true;
}

/* ---- Root ---------------------------------------------------------------------------------- */

static bool
has_empty_kind_name(const struct flat *flat, uint32_t node)
{
    if (flat->kind[node] == FLAT_KIND_ERROR)
        return false;
    const char *name = ts_language_symbol_name(tree_sitter_python(), flat->kind[node]);
    return !name || !*name;
}

/* Has NODE one child, or one and another that is not really there? */
static bool
has_single_child(const struct flat *flat, uint32_t node)
{
    uint32_t first = flat_first_child(flat, node);
    if (first == FLAT_NONE)
        return false;
    uint32_t second = flat_next_sibling(flat, first);
    if (second == FLAT_NONE)
        return true;
    if (flat_next_sibling(flat, second) != FLAT_NONE)
        return false;
    return (flat->flags[second] & FLAT_MISSING) || has_empty_kind_name(flat, second);
}

static int
find_root(const struct flat *flat, uint32_t *out, struct err *err)
{
    if (flat_is_leaf(flat, 0))
        return err_set(err, ERR_INPUT, "the pattern is empty");
    if (!has_single_child(flat, 0))
        return err_set(err, ERR_INPUT,
                       "the pattern holds more than one piece of code; write one, or give a "
                       "context and a selector");
    uint32_t node = 0;
    while (has_single_child(flat, node))
        node = flat_first_child(flat, node);
    *out = node;
    return 0;
}

static int
find_selected(const struct flat *flat, uint16_t kind, uint32_t *out, struct err *err)
{
    for (uint32_t i = 0; i < flat->n_nodes; i++) {
        if (flat->kind[i] == kind) {
            *out = i;
            return 0;
        }
    }
    return err_set(err, ERR_INPUT, "the selector's kind does not occur in the pattern's context");
}

/* ---- Nodes --------------------------------------------------------------------------------- */

struct builder {
    const struct flat *flat;
    struct pattern_node *nodes;
    uint32_t n_nodes;
    pattern_number *number;
    void *context;
    struct arena *arena;
};

/* The pattern node of NODE; *ENTER says whether its children follow. */
static bool
build_node(struct builder *b, uint32_t node, bool *enter)
{
    const struct flat *flat = b->flat;
    struct bytes text = flat_text(flat, node);
    struct pattern_node *out = &b->nodes[b->n_nodes++];
    struct variable variable;

    *out = (struct pattern_node){
        .kind = flat->kind[node], .is_named = flat_is_named(flat, node), .variable = VARIABLE_NONE};
    *enter = false;
    if (read_variable(text, &variable)) {
        out->op = variable.many ? PATTERN_MANY : PATTERN_ONE;
        out->is_named = variable.is_named;
        if (variable.name.len == 0)
            return true;
        out->variable = b->number(b->context, variable.name, variable.many);
        return out->variable != VARIABLE_NONE;
    }
    if (flat_is_leaf(flat, node)) {
        out->op = PATTERN_LEAF;
        out->text = arena_copy(b->arena, text);
        return out->text.data != NULL;
    }
    out->op = PATTERN_COMPOSITE;
    *enter = true;
    return true;
}

/* All nodes from ROOT on; the parent of a node is the last entered one that has not ended. */
static bool
build_nodes(struct builder *b, uint32_t root)
{
    uint32_t open[PATTERN_DEPTH_MAX + 1];  /* pattern nodes whose children are being built */
    uint32_t until[PATTERN_DEPTH_MAX + 1]; /* where they end in the tree */
    uint32_t depth = 0, end = b->flat->subtree_end[root];

    for (uint32_t node = root; node < end;) {
        while (depth > 0 && node >= until[depth - 1])
            b->nodes[open[--depth]].end = b->n_nodes;
        if ((b->flat->flags[node] & FLAT_MISSING) && node != root) {
            node = b->flat->subtree_end[node];
            continue;
        }
        bool enter;
        uint32_t index = b->n_nodes;
        if (!build_node(b, node, &enter))
            return false;
        b->nodes[index].end = b->n_nodes;
        if (enter) {
            open[depth] = index;
            until[depth++] = b->flat->subtree_end[node];
        }
        node = enter ? node + 1 : b->flat->subtree_end[node];
    }
    while (depth > 0)
        b->nodes[open[--depth]].end = b->n_nodes;
    return true;
}

/* ---- Compile ------------------------------------------------------------------------------- */

static int
parse_text(struct parse *parse, struct bytes text, struct arena *arena, struct flat *flat,
           struct err *err)
{
    struct analyzer_limits limits = analyzer_limits_default();
    limits.max_depth = PATTERN_DEPTH_MAX;
    limits.max_nodes = PATTERN_NODES_MAX;
    if (text.len > limits.max_file_bytes)
        return err_set(err, ERR_INPUT, "the pattern is too large");
    enum skip_reason reason = parse_source(parse, text, &limits, arena, flat);
    if (reason == SKIP_NO_MEMORY)
        return err_nomem(err, "pattern");
    if (reason != SKIP_NONE)
        return err_set(err, ERR_INPUT, "the pattern cannot be parsed: %s",
                       skip_reason_name(reason));
    return 0;
}

static int
compile(struct parse *parse, const struct pattern_source *source, struct bytes text,
        struct arena *scratch, struct builder *b, struct pattern *out, struct err *err)
{
    struct flat flat;
    uint32_t root = 0;
    if (parse_text(parse, text, scratch, &flat, err) < 0)
        return -1;
    if (source->selector.data) {
        out->has_selector = true;
        out->selector = rule_kind_of_name(source->selector);
        if (out->selector == 0)
            return err_set(err, ERR_INPUT, "the selector \"%.*s\" is no node kind of Python",
                           BYTES_ARG(source->selector));
        if (find_selected(&flat, out->selector, &root, err) < 0)
            return -1;
    } else if (find_root(&flat, &root, err) < 0) {
        return -1;
    }
    b->flat = &flat;
    b->nodes = ARENA_ARRAY(b->arena, flat.subtree_end[root] - root, struct pattern_node);
    if (!b->nodes || !build_nodes(b, root))
        return err_nomem(err, "pattern");
    if (b->nodes[0].op == PATTERN_MANY)
        return err_set(err, ERR_INPUT, "a pattern cannot be a list such as $$$ARGS alone");
    out->nodes = b->nodes;
    out->n_nodes = b->n_nodes;
    return 0;
}

int
pattern_compile(struct parse *parse, const struct pattern_source *source, pattern_number *number,
                void *context, struct arena *arena, struct pattern *out, struct err *err)
{
    struct builder builder = {.number = number, .context = context, .arena = arena};
    struct arena scratch;
    struct buf text = {0};
    *out = (struct pattern){.strictness = (uint8_t)source->strictness};
    arena_init(&scratch, 0);
    prepare(source->text, &text);
    int rc = buf_failed(&text)
                 ? err_nomem(err, "pattern")
                 : compile(parse, source, buf_bytes(&text), &scratch, &builder, out, err);
    buf_clear(&text);
    arena_clear(&scratch);
    return rc;
}
