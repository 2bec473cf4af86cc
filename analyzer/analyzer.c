/* One blob after another: decode, parse, flatten, then facts and hits from the flat tree. */
#include "analyzer/analyzer.h"

#include <stdlib.h>

#include "analyzer/facts/clones.h"
#include "analyzer/facts/extract.h"
#include "analyzer/parse/rejoin.h"
#include "analyzer/parse/parse.h"
#include "analyzer/engine/run.h"
#include "analyzer/parse/syntax.h"
#include "analyzer/parse/text.h"

/* Open at once, CPython's limit. */
enum { BRACKETS_MAX = 200 };

struct analyzer {
    struct analyzer_options options;
    struct syntax_table table;
    struct parse *parse;
    struct rules_runner *runner; /* NULL where no rules are to run */
    struct arena arena;          /* everything of the blob under way; reset before the next */
};

int
analyzer_create(const struct analyzer_options *options, struct analyzer **out, struct err *err)
{
    struct analyzer *analyzer = calloc(1, sizeof(*analyzer));
    if (!analyzer)
        return err_nomem(err, "analyzer");
    analyzer->options = *options;
    arena_init(&analyzer->arena, 0);
    if (syntax_table_init(&analyzer->table, err) < 0 || parse_create(&analyzer->parse, err) < 0 ||
        (options->rules && rules_runner_create(options->rules, &analyzer->runner, err) < 0)) {
        analyzer_destroy(analyzer);
        return -1;
    }
    *out = analyzer;
    return 0;
}

void
analyzer_destroy(struct analyzer *analyzer)
{
    if (!analyzer)
        return;
    rules_runner_destroy(analyzer->runner);
    parse_destroy(analyzer->parse);
    arena_clear(&analyzer->arena);
    free(analyzer);
}

/* More brackets open at once than CPython's tokenizer takes? */
static bool
has_too_many_brackets(const struct syntax_table *table, const struct flat *flat)
{
    uint32_t open = 0;
    if (flat->depth_max <= BRACKETS_MAX)
        return false;
    for (uint32_t i = 0; i < flat->n_nodes; i++) {
        enum syntax syntax = syntax_at(table, flat, i);
        if (syntax == SYN_OPEN && ++open > BRACKETS_MAX)
            return true;
        if (syntax == SYN_CLOSE && open > 0)
            open--;
    }
    return false;
}

static enum refusal
refusal_of(const struct analyzer *analyzer, const struct text *text, const struct flat *flat)
{
    if (text->is_replaced)
        return REFUSAL_ENCODING;
    if (flat->has_error)
        return REFUSAL_SYNTAX;
    if (has_too_many_brackets(&analyzer->table, flat))
        return REFUSAL_BRACKETS;
    return REFUSAL_NONE;
}

static enum skip_reason
find_facts(struct analyzer *analyzer, const struct flat *flat, struct facts *out)
{
    struct fact_tables tables;
    if (!facts_find(&analyzer->table, flat, &analyzer->arena, &tables, out))
        return SKIP_NO_MEMORY;
    return clones_find(&analyzer->table, flat, tables.sloc, &tables.tokens, &analyzer->arena, out);
}

/* A second tree, for facts alone, where the grammar trips over a line within brackets. */
static bool
parse_rejoined(struct analyzer *analyzer, const struct flat *flat, struct flat *rejoined)
{
    struct arena *arena = &analyzer->arena;
    struct bytes text;
    if (!flat->has_error || !rejoin_brackets(flat->source, arena, &text) ||
        parse_source_again(analyzer->parse, text, arena, rejoined) != SKIP_NONE ||
        rejoined->has_error)
        return false;
    rejoin_rows(rejoined, flat);
    return true;
}

/* Fill FACTS from FLAT, the tree of TEXT. */
static void
facts_of_tree(struct analyzer *analyzer, const struct text *text, const struct flat *flat,
              struct facts *facts)
{
    struct flat rejoined;
    facts->physical_lines = text->n_lines;
    facts->has_error = flat->has_error;
    facts->n_errors = flat->n_errors;
    facts->is_rejoined = parse_rejoined(analyzer, flat, &rejoined);
    if (facts->is_rejoined)
        flat = &rejoined;
    facts->refusal = refusal_of(analyzer, text, flat);
    enum skip_reason skipped = find_facts(analyzer, flat, facts);
    if (skipped != SKIP_NONE)
        *facts = (struct facts){
            .skipped = skipped, .n_bytes = facts->n_bytes, .encoding = facts->encoding};
}

/* Rules see the file's own bytes, so FLAT serves only where it is the tree of these. */
static int
run_rules(struct analyzer *analyzer, struct bytes source, const struct flat *flat,
          struct hit_list *out, struct err *err)
{
    struct flat own;
    if (rules_skip(source) != SKIP_NONE)
        return 0;
    if (!flat) {
        enum skip_reason reason = parse_source(analyzer->parse, source, &analyzer->options.limits,
                                               &analyzer->arena, &own);
        if (reason == SKIP_NO_MEMORY)
            return err_nomem(err, "syntax tree");
        if (reason != SKIP_NONE)
            return 0;
        flat = &own;
    }
    return rules_run(analyzer->runner, flat, out, err);
}

int
analyzer_run(struct analyzer *analyzer, struct bytes source, struct analysis *out, struct err *err)
{
    arena_reset(&analyzer->arena);
    *out = (struct analysis){.facts = {.n_bytes = source.len, .encoding = "utf-8"}};
    struct facts *facts = &out->facts;
    if (source.len > analyzer->options.limits.max_file_bytes) {
        facts->skipped = SKIP_TOO_LARGE;
        return 0;
    }
    struct text text;
    struct flat flat;
    facts->skipped = text_decode(source, &analyzer->arena, &text);
    facts->encoding = text.encoding ? text.encoding : "utf-8";
    if (facts->skipped == SKIP_NONE)
        facts->skipped = parse_source(analyzer->parse, text.utf8, &analyzer->options.limits,
                                      &analyzer->arena, &flat);
    bool is_parsed = facts->skipped == SKIP_NONE;
    if (is_parsed && !analyzer->options.skip_facts)
        facts_of_tree(analyzer, &text, &flat, facts);
    if (facts->skipped == SKIP_NO_MEMORY)
        return err_nomem(err, "analysing a file");
    if (!is_parsed)
        return 0;
    return analyzer->runner
               ? run_rules(analyzer, source, text.is_input ? &flat : NULL, &out->hits, err)
               : 0;
}
