/*
 * One file to facts and hits: prints its functions and what the built-in rules find in it.
 * usage: analyse FILE.py
 *
 * An analyzer belongs to one thread and is used for many files; what it returns lives until the
 * next.
 */
#include <stdio.h>

#include "analyzer/analyzer.h"
#include "base/base.h"
#include "rules/rule_files.h"

/* Load the rules that are built into the program. */
static int
load_rules(struct ruleset **out, struct err *err)
{
    struct rule_source sources[64];
    size_t n = 0;
    for (const struct embedded_file *file = builtin_rule_files; file->name && n < 64; file++)
        sources[n++] = (struct rule_source){file->name, {file->data, file->len}};
    return ruleset_load(sources, n, out, err);
}

static void
print_analysis(const struct analysis *analysis, const struct ruleset *rules)
{
    const struct facts *facts = &analysis->facts;
    for (uint32_t i = 0; i < facts->n_callables; i++) {
        const struct callable *callable = &facts->callables[i];
        printf("%u-%u: %.*s, %u statements\n", callable->start_line, callable->end_line,
               BYTES_ARG(callable->name), callable->n_statements);
    }
    for (uint32_t i = 0; i < analysis->hits.n_hits; i++) {
        const struct hit *hit = &analysis->hits.hits[i];
        printf("%u: %.*s\n", hit->start_line, BYTES_ARG(ruleset_rule(rules, hit->rule)->id));
    }
}

int
main(int argc, char **argv)
{
    struct ruleset *rules = NULL;
    struct analyzer *analyzer = NULL;
    struct analysis analysis;
    struct buf source = {0};
    struct err err;
    int status = 1;
    if (argc != 2) {
        fputs("usage: analyse FILE.py\n", stderr);
        return 2;
    }
    if (load_rules(&rules, &err) < 0)
        goto failed;
    struct analyzer_options options = {.limits = analyzer_limits_default(), .rules = rules};
    if (analyzer_create(&options, &analyzer, &err) < 0 ||
        fs_read(argv[1], options.limits.max_file_bytes, &source, &err) < 0 ||
        analyzer_run(analyzer, buf_bytes(&source), &analysis, &err) < 0)
        goto failed;
    print_analysis(&analysis, rules);
    status = 0;

failed:
    if (status)
        fprintf(stderr, "analyse: %s\n", err.text);
    buf_clear(&source);
    analyzer_destroy(analyzer);
    ruleset_destroy(rules);
    return status;
}
