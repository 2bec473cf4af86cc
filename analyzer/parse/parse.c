/* Parse, then walk the tree once into arrays.  Their size is known in advance, because the runtime
 * keeps the number of visible descendants of every node. */
#include "analyzer/parse/methods.h"

#include <stdlib.h>
#include <string.h>
#include <tree_sitter/api.h>

#include "analyzer/parse/heap.h"
#include "analyzer/parse/language.h"
#include "analyzer/parse/walk.h"

/* The budget of a parse is counted in tree-sitter's steps (shifts and reductions), of which it
 * tells in hundreds.  A step may look far ahead and come back, so what is read is charged, too;
 * that it is handed out in small pieces is what makes a second reading show.  Memory has a budget
 * of its own (heap.h).  Measured: benchmarks/README.md, "parse". */
enum {
    STEPS_PER_CALL = 100,
    READ_BYTES = 64,
    STEPS_PER_READ = 10, /* scanning that much costs about as long */
    STEPS_ALWAYS = 4000000,
    STEPS_MAX = 10000000
};

struct parse {
    const TSLanguage *language;
    TSLanguage *own_language;      /* NULL: the grammar's as it comes */
    struct parse_heap *heap;       /* NULL: malloc */
    struct parse_direct *direct;   /* NULL: walk with the cursor */
    struct analyzer_limits limits; /* of the source that was parsed last */
    int64_t steps_left;            /* of its budget; negative when it was not enough */
};

/* Does the runtime take the grammar? */
static int
check_language(const TSLanguage *language, struct err *err)
{
    uint32_t version = ts_language_abi_version(language);
    bool fits = version >= TREE_SITTER_MIN_COMPATIBLE_LANGUAGE_VERSION &&
                version <= TREE_SITTER_LANGUAGE_VERSION;
    if (!fits)
        return err_set(err, ERR_UNSUPPORTED,
                       "this tree-sitter runtime cannot load the Python grammar: "
                       "build with runtime and grammar 0.25");
    return 0;
}

static int
take_methods(struct parse *parse, unsigned methods, struct err *err)
{
    parse->language = tree_sitter_python();
    if (methods & PARSE_DENSE) {
        if (parse_language_create(&parse->own_language, err) < 0)
            return -1;
        parse->language = parse->own_language;
    }
    if (methods & PARSE_HEAP && parse_heap_create(&parse->heap, err) < 0)
        return -1;
    if (methods & PARSE_DIRECT && parse_direct_create(parse->language, &parse->direct, err) < 0)
        return -1;
    return check_language(parse->language, err);
}

int
parse_create_with(unsigned methods, struct parse **out, struct err *err)
{
    parse_heap_install();
    struct parse *parse = calloc(1, sizeof(*parse));
    if (!parse)
        return err_nomem(err, "parser");
    if (take_methods(parse, methods, err) < 0) {
        parse_destroy(parse);
        return -1;
    }
    *out = parse;
    return 0;
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
    parse_direct_destroy(parse->direct);
    parse_heap_destroy(parse->heap);
    free(parse->own_language);
    free(parse);
}

/* The source as tree-sitter reads it, and what may still be done with it. */
struct reading {
    struct bytes source;
    int64_t *steps_left;
};

static bool
spend_steps(TSParseState *state)
{
    struct reading *reading = state->payload;
    *reading->steps_left -= STEPS_PER_CALL;
    return *reading->steps_left < 0;
}

/* With the budget spent the source ends here, so that no step is long until the next spend_steps.
 */
static const char *
read_piece(void *payload, uint32_t byte, TSPoint position, uint32_t *n_read)
{
    (void)position;
    struct reading *reading = payload;
    *reading->steps_left -= STEPS_PER_READ;
    if (byte >= reading->source.len || *reading->steps_left < 0) {
        *n_read = 0;
        return "";
    }
    size_t rest = reading->source.len - byte;
    *n_read = num_u32(rest < READ_BYTES ? rest : READ_BYTES);
    return (const char *)reading->source.data + byte;
}

static int64_t
steps_allowed(size_t n_bytes, const struct analyzer_limits *limits)
{
    uint64_t steps = (uint64_t)limits->parse_steps_per_byte * n_bytes + STEPS_ALWAYS;
    return steps < STEPS_MAX ? (int64_t)steps : STEPS_MAX;
}

/* NULL: the budget was spent. */
static TSTree *
parse_tree(TSParser *parser, struct bytes source, int64_t *steps_left)
{
    struct reading reading = {.source = source, .steps_left = steps_left};
    TSInput input = {.payload = &reading, .read = read_piece, .encoding = TSInputEncodingUTF8};
    TSParseOptions options = {.payload = &reading, .progress_callback = spend_steps};
    TSTree *tree = ts_parser_parse_with_options(parser, NULL, input, options);
    if (*steps_left >= 0)
        return tree;
    ts_tree_delete(tree); /* of a source cut short */
    return NULL;
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

/* One source under way. */
struct job {
    struct parse *parse;
    struct bytes source;
    struct arena *arena;
    struct flat *out; /* NULL: the tree is enough */
    enum skip_reason skipped;
};

static enum skip_reason
flatten(const struct job *job, const TSTree *tree)
{
    TSNode root = ts_tree_root_node(tree);
    uint32_t n_nodes = ts_node_descendant_count(root);
    struct flat *out = job->out;
    *out = (struct flat){.source = job->source,
                         .n_nodes = n_nodes,
                         .has_error = ts_node_has_error(root),
                         .depth_max = 1};
    const struct analyzer_limits *limits = &job->parse->limits;
    if (n_nodes > limits->max_nodes)
        return SKIP_TOO_MANY_NODES;
    if (!alloc_arrays(out, n_nodes, job->arena) || !find_rows(out, job->arena))
        return SKIP_NO_MEMORY;
    if (job->parse->direct)
        return parse_walk_direct(job->parse->direct, tree, limits->max_depth, out);
    return parse_walk_cursor(tree, limits->max_depth, out);
}

/* A fresh parser for each source: one that was used keeps memory of the last. */
static void
do_job(void *context)
{
    struct job *job = context;
    TSParser *parser = ts_parser_new();
    ts_parser_set_language(parser, job->parse->language);
    TSTree *tree = parse_tree(parser, job->source, &job->parse->steps_left);
    if (!tree)
        job->skipped = SKIP_PARSE_BUDGET;
    else if (job->out)
        job->skipped = flatten(job, tree);
    if (job->parse->heap)
        return; /* tree and parser are dropped with it */
    ts_tree_delete(tree);
    ts_parser_delete(parser);
}

enum skip_reason
parse_source_again(struct parse *parse, struct bytes source, struct arena *arena, struct flat *out)
{
    if (!source.data)
        source = BYTES(""); /* which has an address to count from */
    struct job job = {.parse = parse, .source = source, .arena = arena, .out = out};
    if (!parse->heap)
        do_job(&job);
    else if (!parse_heap_run(parse->heap, do_job, &job))
        return SKIP_PARSE_BUDGET;
    return job.skipped;
}

enum skip_reason
parse_source(struct parse *parse, struct bytes source, const struct analyzer_limits *limits,
             struct arena *arena, struct flat *out)
{
    parse->limits = *limits;
    parse->steps_left = steps_allowed(source.len, limits);
    return parse_source_again(parse, source, arena, out);
}
