/*
 * The scanner: rules only, over a source as ast-grep would read it.  Nothing is transcoded or
 * rejoined, so lines and columns are those of the file.
 */
#include <stdlib.h>

#include "analyzer/analyzer.h"
#include "analyzer/parse/parse.h"
#include "analyzer/engine/run.h"

struct scanner {
    struct analyzer_limits limits;
    struct parse *parse;
    struct rules_runner *runner;
    struct arena arena; /* of the tree at hand */
};

int
scanner_create(const struct ruleset *set, const struct analyzer_limits *limits,
               struct scanner **out, struct err *err)
{
    struct scanner *scanner = calloc(1, sizeof(*scanner));
    if (!scanner)
        return err_nomem(err, "scanner");
    scanner->limits = *limits;
    arena_init(&scanner->arena, 0);
    if (parse_create(&scanner->parse, err) < 0 ||
        rules_runner_create(set, &scanner->runner, err) < 0) {
        scanner_destroy(scanner);
        return -1;
    }
    *out = scanner;
    return 0;
}

void
scanner_destroy(struct scanner *scanner)
{
    if (!scanner)
        return;
    rules_runner_destroy(scanner->runner);
    parse_destroy(scanner->parse);
    arena_clear(&scanner->arena);
    free(scanner);
}

/* The tree of SOURCE; anything but SKIP_NONE: there is none. */
static enum skip_reason
parse(struct scanner *scanner, struct bytes source, struct flat *flat)
{
    enum skip_reason reason = rules_skip(source);
    if (reason == SKIP_NONE && source.len > scanner->limits.max_file_bytes)
        reason = SKIP_TOO_LARGE;
    if (reason != SKIP_NONE)
        return reason;
    arena_reset(&scanner->arena);
    return parse_source(scanner->parse, source, &scanner->limits, &scanner->arena, flat);
}

int
scanner_run(struct scanner *scanner, struct bytes source, struct hit_list *out,
            enum skip_reason *skipped, struct err *err)
{
    struct flat flat;
    *out = (struct hit_list){0};
    *skipped = parse(scanner, source, &flat);
    if (*skipped == SKIP_NO_MEMORY)
        return err_nomem(err, "syntax tree");
    return *skipped == SKIP_NONE ? rules_run(scanner->runner, &flat, out, err) : 0;
}

int
scanner_explain(struct scanner *scanner, struct bytes source, uint32_t rule, uint32_t line,
                struct buf *out, struct err *err)
{
    struct flat flat;
    enum skip_reason reason = parse(scanner, source, &flat);
    if (reason == SKIP_NO_MEMORY)
        return err_nomem(err, "syntax tree");
    if (reason != SKIP_NONE) {
        buf_printf(out, "the file is not scanned: %s\n", skip_reason_name(reason));
        return 0;
    }
    return rules_explain(scanner->runner, &flat, rule, line, out, err);
}
