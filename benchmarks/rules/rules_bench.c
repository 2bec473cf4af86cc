/*
 * The CPU that rules cost, parse excluded.
 *
 * usage: rules_bench [--per-rule] RULES.yaml TREE
 *
 * Every *.py file below TREE is read, then parsed once and scanned, one after the other on one
 * thread.  Prints CPU seconds of the load, of all parses, and of everything the rules add: running
 * them, counting the hits, encoding them as a store keeps them.  With --per-rule each rule is also
 * run alone, and the ten dearest are listed with their share.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analyzer/parse/parse.h"
#include "analyzer/engine/run.h"
#include "base/base.h"

struct file {
    struct buf source;
};

struct cost {
    uint32_t rule;
    double seconds;
};

static double
cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void
die(const struct err *err)
{
    fprintf(stderr, "rules_bench: %s\n", err->text);
    exit(1);
}

static struct file *
read_tree(const char *root, size_t *n_out, size_t *n_bytes)
{
    struct arena arena;
    struct fs_entry *entries;
    struct err err;
    size_t n, kept = 0;
    arena_init(&arena, 0);
    if (fs_list(root, NULL, NULL, &arena, &entries, &n, &err) < 0)
        die(&err);
    struct file *files = calloc(n + 1, sizeof(*files));
    if (!files)
        abort();
    for (size_t i = 0; i < n; i++) {
        if (!bytes_ends_with(entries[i].path, BYTES(".py")) || entries[i].mode == 0120000)
            continue;
        char *path = arena_format(&arena, "%s/%s", root, (const char *)entries[i].path.data);
        if (!path || fs_read(path, UINT32_MAX, &files[kept].source, &err) < 0)
            die(&err);
        *n_bytes += files[kept++].source.len;
    }
    arena_clear(&arena);
    *n_out = kept;
    return files;
}

static struct ruleset *
load(const char *name, struct bytes text)
{
    struct rule_source source = {name, text};
    struct ruleset *set;
    struct err err;
    if (ruleset_load(&source, 1, &set, &err) < 0)
        die(&err);
    return set;
}

static struct rules_runner *
runner_of(const struct ruleset *set)
{
    struct rules_runner *runner;
    struct err err;
    if (rules_runner_create(set, &runner, &err) < 0)
        die(&err);
    return runner;
}

struct totals {
    double parse, rules;
    uint64_t n_hits, n_hit_bytes, n_nodes, n_gave_up;
};

/* One runner for each rule alone, to find the dearest. */
struct alone {
    struct ruleset **sets;
    struct rules_runner **runners;
    struct cost *costs;
    uint32_t n;
};

static void
scan_file(const struct file *file, struct parse *parse, struct rules_runner *runner,
          struct arena *arena, struct buf *encoded, struct totals *totals, struct alone *alone)
{
    struct analyzer_limits limits = analyzer_limits_default();
    struct bytes source = buf_bytes(&file->source);
    struct flat flat;
    struct hit_list hits;
    struct err err;
    if (rules_skip(source) != SKIP_NONE)
        return;
    double start = cpu_seconds();
    arena_reset(arena);
    if (parse_source(parse, source, &limits, arena, &flat) != SKIP_NONE)
        return;
    double parsed = cpu_seconds();
    if (rules_run(runner, &flat, &hits, &err) < 0)
        die(&err);
    buf_reset(encoded);
    hits_encode(&hits, encoded);
    totals->rules += cpu_seconds() - parsed;
    totals->parse += parsed - start;
    totals->n_hits += hits.n_hits;
    totals->n_gave_up += hits.n_gave_up;
    totals->n_hit_bytes += encoded->len;
    totals->n_nodes += flat.n_nodes;
    for (uint32_t i = 0; i < alone->n; i++) {
        double before = cpu_seconds();
        if (rules_run(alone->runners[i], &flat, &hits, &err) < 0)
            die(&err);
        alone->costs[i].seconds += cpu_seconds() - before;
    }
}

static int
compare_costs(const void *a, const void *b)
{
    const struct cost *x = a, *y = b;
    return (x->seconds < y->seconds) - (x->seconds > y->seconds);
}

static void
print_dearest(const struct ruleset *set, struct alone *alone)
{
    double all = 0, dearest = 0;
    qsort(alone->costs, alone->n, sizeof(*alone->costs), compare_costs);
    /* What running no rule costs is in every figure: take the cheapest for it. */
    double floor = alone->n ? alone->costs[alone->n - 1].seconds : 0;
    for (uint32_t i = 0; i < alone->n; i++)
        all += alone->costs[i].seconds - floor;
    for (uint32_t i = 0; i < 10 && i < alone->n; i++) {
        const struct rule_info *rule = ruleset_rule(set, alone->costs[i].rule);
        double seconds = alone->costs[i].seconds - floor;
        dearest += seconds;
        printf("alone %.4f s %4.1f%% line %u %.*s\n", seconds, 100 * seconds / all, rule->line,
               BYTES_ARG(rule->id));
    }
    printf("ten dearest %.1f%% of %.3f s\n", 100 * dearest / all, all);
}

int
main(int argc, char **argv)
{
    bool per_rule = argc > 1 && strcmp(argv[1], "--per-rule") == 0;
    if (argc - per_rule != 3) {
        fprintf(stderr, "usage: rules_bench [--per-rule] RULES.yaml TREE\n");
        return 2;
    }
    const char *rules_name = argv[1 + per_rule];
    struct buf text = {0}, encoded = {0};
    struct parse *parse;
    struct arena arena;
    struct err err;
    size_t n_files, n_bytes = 0;
    if (fs_read(rules_name, UINT32_MAX, &text, &err) < 0 || parse_create(&parse, &err) < 0)
        die(&err);
    struct file *files = read_tree(argv[2 + per_rule], &n_files, &n_bytes);
    arena_init(&arena, 64 << 20);

    double start = cpu_seconds();
    struct ruleset *set = load(rules_name, buf_bytes(&text));
    double loading = cpu_seconds() - start;
    struct rules_runner *runner = runner_of(set);
    struct alone alone = {.n = per_rule ? ruleset_count(set) : 0};
    alone.sets = calloc(alone.n + 1, sizeof(*alone.sets));
    alone.runners = calloc(alone.n + 1, sizeof(struct rules_runner *));
    alone.costs = calloc(alone.n + 1, sizeof(*alone.costs));
    if (!alone.sets || !alone.runners || !alone.costs)
        abort();
    for (uint32_t i = 0; i < alone.n; i++) {
        alone.costs[i].rule = i;
        alone.sets[i] = load("rule.yaml", ruleset_rule(set, i)->source);
        alone.runners[i] = runner_of(alone.sets[i]);
    }

    struct totals totals = {0};
    for (size_t i = 0; i < n_files; i++)
        scan_file(&files[i], parse, runner, &arena, &encoded, &totals, &alone);
    printf("rules %u files %zu bytes %zu nodes %llu hits %llu hit_bytes %llu gave_up %llu\n",
           ruleset_count(set), n_files, n_bytes, (unsigned long long)totals.n_nodes,
           (unsigned long long)totals.n_hits, (unsigned long long)totals.n_hit_bytes,
           (unsigned long long)totals.n_gave_up);
    printf("load %.4f s parse %.4f s rules %.4f s\n", loading, totals.parse, totals.rules);
    if (per_rule)
        print_dearest(set, &alone);

    for (uint32_t i = 0; i < alone.n; i++) {
        rules_runner_destroy(alone.runners[i]);
        ruleset_destroy(alone.sets[i]);
    }
    free(alone.sets);
    free(alone.runners);
    free(alone.costs);
    for (size_t i = 0; i < n_files; i++)
        buf_clear(&files[i].source);
    free(files);
    rules_runner_destroy(runner);
    ruleset_destroy(set);
    parse_destroy(parse);
    arena_clear(&arena);
    buf_clear(&text);
    buf_clear(&encoded);
    return 0;
}
