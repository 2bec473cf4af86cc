/* Parse, then walk the tree once into arrays.  Their size is known beforehand: the runtime keeps the
 * number of visible descendants of every node. */
#include "analyzer/parse_methods.h"

#include <stdlib.h>
#include <string.h>
#include <tree_sitter/api.h>

#include "analyzer/grammar.h"
#include "analyzer/parse_walk.h"

/* tree-sitter asks its progress callback once in this many of its own steps. */
enum { STEPS_PER_CALL = 100, STEPS_ALWAYS = 1000000 };

struct parse {
    TSParser *parser;
    struct parse_direct *direct; /* NULL: walk with the cursor */
};

struct budget {
    uint64_t calls_left;
};

static int
create_parser(struct parse *parse, struct err *err)
{
    parse->parser = ts_parser_new();
    if (!parse->parser)
        return err_nomem(err, "parser");
    if (!ts_parser_set_language(parse->parser, tree_sitter_python()))
        return err_set(err, ERR_UNSUPPORTED,
                       "this tree-sitter runtime cannot load the Python grammar: "
                       "build with runtime and grammar 0.25");
    return 0;
}

int
parse_create_with(unsigned methods, struct parse **out, struct err *err)
{
    struct parse *parse = calloc(1, sizeof(*parse));
    if (!parse)
        return err_nomem(err, "parser");
    if (create_parser(parse, err) < 0)
        goto fail;
#ifdef STRATA_PARSE_DIRECT
    if (methods & PARSE_DIRECT &&
        parse_direct_create(tree_sitter_python(), &parse->direct, err) < 0)
        goto fail;
#else
    (void)methods;
#endif
    *out = parse;
    return 0;

fail:
    parse_destroy(parse);
    return -1;
}

int
parse_create(struct parse **out, struct err *err)
{
    return parse_create_with(PARSE_METHODS_BUILT, out, err);
}

void
parse_destroy(struct parse *parse)
{
    if (!parse)
        return;
#ifdef STRATA_PARSE_DIRECT
    parse_direct_destroy(parse->direct);
#endif
    ts_parser_delete(parse->parser);
    free(parse);
}

static bool
budget_spend(TSParseState *state)
{
    struct budget *budget = state->payload;
    if (budget->calls_left == 0)
        return true;
    budget->calls_left--;
    return false;
}

static const char *
read_source(void *payload, uint32_t byte, TSPoint position, uint32_t *n_read)
{
    (void)position;
    const struct bytes *source = payload;
    if (byte >= source->len) {
        *n_read = 0;
        return "";
    }
    *n_read = num_u32(source->len - byte);
    return (const char *)source->data + byte;
}

static TSTree *
parse_tree(struct parse *parse, struct bytes source, const struct analyzer_limits *limits)
{
    uint64_t steps = (uint64_t)limits->parse_steps_per_byte * source.len + STEPS_ALWAYS;
    struct budget budget = {.calls_left = steps / STEPS_PER_CALL};
    TSInput input = {.payload = &source, .read = read_source, .encoding = TSInputEncodingUTF8};
    TSParseOptions options = {.payload = &budget, .progress_callback = budget_spend};
    TSTree *tree = ts_parser_parse_with_options(parse->parser, NULL, input, options);
    if (!tree)
        ts_parser_reset(parse->parser);
    return tree;
}

static bool
alloc_arrays(struct flat *flat, uint32_t n, struct arena *arena)
{
    flat->kind = ARENA_ARRAY(arena, n, uint16_t);
    flat->flags = ARENA_ARRAY(arena, n, uint8_t);
    flat->field = ARENA_ARRAY(arena, n, uint8_t);
    flat->start_byte = ARENA_ARRAY(arena, n, uint32_t);
    flat->end_byte = ARENA_ARRAY(arena, n, uint32_t);
    flat->start_row = ARENA_ARRAY(arena, n, uint32_t);
    flat->end_row = ARENA_ARRAY(arena, n, uint32_t);
    flat->parent = ARENA_ARRAY(arena, n, uint32_t);
    flat->subtree_end = ARENA_ARRAY(arena, n, uint32_t);
    return flat->kind && flat->flags && flat->field && flat->start_byte && flat->end_byte &&
           flat->start_row && flat->end_row && flat->parent && flat->subtree_end;
}

static bool
find_rows(struct flat *flat, struct arena *arena)
{
    struct bytes source = flat->source;
    uint32_t n_rows = 1;
    const uint8_t *at = source.data;
    const uint8_t *end = source.data + source.len;
    while (at < end && (at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
        n_rows++;
        at++;
    }
    flat->row_start = ARENA_ARRAY(arena, n_rows, uint32_t);
    if (!flat->row_start)
        return false;
    flat->n_rows = 1;
    at = source.data;
    while (at < end && (at = memchr(at, '\n', (size_t)(end - at))) != NULL)
        flat->row_start[flat->n_rows++] = num_u32((size_t)(++at - source.data));
    return true;
}

static enum skip_reason
walk(const struct parse *parse, const TSTree *tree, uint32_t depth_max, struct flat *flat)
{
#ifdef STRATA_PARSE_DIRECT
    if (parse->direct)
        return parse_walk_direct(parse->direct, tree, depth_max, flat);
#endif
    (void)parse;
    return parse_walk_cursor(tree, depth_max, flat);
}

enum skip_reason
parse_source(struct parse *parse, struct bytes source, const struct analyzer_limits *limits,
             struct arena *arena, struct flat *out)
{
    TSTree *tree = parse_tree(parse, source, limits);
    if (!tree)
        return SKIP_PARSE_BUDGET;
    TSNode root = ts_tree_root_node(tree);
    uint32_t n_nodes = ts_node_descendant_count(root);
    *out = (struct flat){.source = source,
                         .n_nodes = n_nodes,
                         .has_error = ts_node_has_error(root),
                         .depth_max = 1};
    enum skip_reason skipped = SKIP_NONE;
    if (n_nodes > limits->max_nodes)
        skipped = SKIP_TOO_MANY_NODES;
    else if (!alloc_arrays(out, n_nodes, arena) || !find_rows(out, arena))
        skipped = SKIP_NO_MEMORY;
    else
        skipped = walk(parse, tree, limits->max_depth, out);
    ts_tree_delete(tree);
    return skipped;
}
