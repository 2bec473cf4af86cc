/*
 * strata facts: all facts of each file as a JSON line.
 *
 * Files are read and analysed one after another; each line is printed before the next file is read,
 * so memory does not grow with the number of files.
 */
#include <stdio.h>

#include "analyzer/analyzer.h"
#include "cli/commands.h"

struct request {
    uint64_t max_bytes, max_depth, max_nodes;
};

static void
write_counts(struct json_writer *json, const char *name, const uint32_t counts[COUNT_N])
{
    json_key(json, name);
    json_begin_object(json);
    for (int i = 0; i < COUNT_N; i++)
        if (counts[i])
            json_member_u64(json, counter_name((enum counter)i), counts[i]);
    json_end_object(json);
}

/* Cyclomatic complexity with the default weights of the built-in profiles. */
static uint64_t
default_cc(const struct callable *callable)
{
    static const enum counter counted[] = {
        COUNT_IF,          COUNT_ELIF,    COUNT_FOR,        COUNT_WHILE,    COUNT_EXCEPT,
        COUNT_EXCEPT_STAR, COUNT_ASSERT,  COUNT_LIST_COMP,  COUNT_SET_COMP, COUNT_DICT_COMP,
        COUNT_GENERATOR,   COUNT_COMP_IF, COUNT_CASE_GUARD, COUNT_AND_OR,   COUNT_TERNARY,
    };
    uint64_t cc = 1;
    for (size_t i = 0; i < sizeof(counted) / sizeof(*counted); i++)
        cc += callable->all[counted[i]];
    return cc;
}

static void
write_callable(struct json_writer *json, const struct callable *callable)
{
    json_begin_object(json);
    json_member_bytes(json, "name", callable->name);
    json_member_u64(json, "start_line", callable->start_line);
    json_member_u64(json, "end_line", callable->end_line);
    json_member_u64(json, "sloc", callable->sloc[FSTRING_ONE]);
    json_member_u64(json, "sloc_parts", callable->sloc[FSTRING_PARTS]);
    json_member_u64(json, "text_lines", callable->text_lines);
    json_member_u64(json, "cc", default_cc(callable));
    json_member_u64(json, "cognitive", callable->cognitive);
    json_member_u64(json, "max_nesting", callable->max_nesting);
    json_member_u64(json, "statements", callable->n_statements);
    json_member_u64(json, "parameters", callable->n_parameters);
    json_member_bool(json, "async", callable->flags & CALLABLE_ASYNC);
    json_member_bool(json, "decorated", callable->flags & CALLABLE_DECORATED);
    json_member_bool(json, "method", callable->flags & CALLABLE_METHOD);
    json_member_bool(json, "nested", callable->flags & CALLABLE_NESTED);
    json_member_bool(json, "reachable", callable->flags & CALLABLE_REACHABLE);
    json_member_bool(json, "trivial_wrapper", callable->flags & CALLABLE_TRIVIAL_WRAPPER);
    json_member_bool(json, "has_error", callable->flags & CALLABLE_HAS_ERROR);
    write_counts(json, "all", callable->all);
    write_counts(json, "own", callable->own);
    json_end_object(json);
}

static void
write_clone(struct json_writer *json, const struct clone_candidate *clone)
{
    char hash[40];
    snprintf(hash, sizeof(hash), "%016llx%016llx", (unsigned long long)clone->hash[0],
             (unsigned long long)clone->hash[1]);
    json_begin_object(json);
    json_member_text(json, "definition",
                     clone->definition == CLONE_SUBTREE ? "subtree" : "function_body");
    json_member_text(json, "kind", clone_kind_name((enum clone_kind)clone->kind));
    json_member_u64(json, "start_line", clone->start_line);
    json_member_u64(json, "end_line", clone->end_line);
    json_member_u64(json, "sloc", clone->sloc[FSTRING_ONE]);
    json_member_u64(json, "sloc_parts", clone->sloc[FSTRING_PARTS]);
    json_member_u64(json, "statements", clone->n_statements);
    json_member_text(json, "hash", hash);
    json_end_object(json);
}

static void
write_lines(struct json_writer *json, const char *name, const struct line_set *set)
{
    json_key(json, name);
    json_begin_array(json);
    for (uint32_t i = 0; i < set->n_runs; i++) {
        json_begin_array(json);
        json_u64(json, set->runs[i].first);
        json_u64(json, set->runs[i].first + set->runs[i].n - 1);
        json_end_array(json);
    }
    json_end_array(json);
}

static void
write_body(struct json_writer *json, const struct facts *facts)
{
    json_member_bool(json, "has_error", facts->has_error);
    json_member_u64(json, "errors", facts->n_errors);
    json_member_bool(json, "mended", facts->is_rejoined);
    json_member_u64(json, "physical_lines", facts->physical_lines);
    json_member_u64(json, "sloc", facts->sloc[FSTRING_ONE].n_lines);
    json_member_u64(json, "sloc_parts", facts->sloc[FSTRING_PARTS].n_lines);
    json_member_u64(json, "statement_lines", facts->statement_lines);
    json_member_u64(json, "comment_lines", facts->comment_lines);
    json_member_u64(json, "classes", facts->n_classes);
    json_member_u64(json, "statements", facts->n_statements);
    json_key(json, "functions");
    json_begin_array(json);
    for (uint32_t i = 0; i < facts->n_callables; i++)
        write_callable(json, &facts->callables[i]);
    json_end_array(json);
    write_lines(json, "sloc_lines", &facts->sloc[FSTRING_ONE]);
    write_lines(json, "sloc_parts_lines", &facts->sloc[FSTRING_PARTS]);
    json_key(json, "clone_candidates");
    json_begin_array(json);
    for (uint32_t i = 0; i < facts->n_clones; i++)
        write_clone(json, &facts->clones[i]);
    json_end_array(json);
}

static void
write_facts(struct buf *out, const char *path, const struct facts *facts)
{
    struct json_writer json = json_writer_init(out, 0);
    bool is_analysed = facts->skipped == SKIP_NONE && facts->refusal == REFUSAL_NONE;
    const char *reason = facts->skipped != SKIP_NONE ? skip_reason_name(facts->skipped)
                                                     : refusal_name(facts->refusal);
    json_begin_object(&json);
    json_member_text(&json, "path", path);
    json_member_text(&json, "status", is_analysed ? "analysed" : "skipped");
    json_member_text(&json, "reason", is_analysed ? NULL : reason);
    json_member_u64(&json, "bytes", facts->n_bytes);
    json_member_text(&json, "encoding", facts->encoding);
    if (facts->skipped == SKIP_NONE)
        write_body(&json, facts);
    json_end_object(&json);
    buf_append_byte(out, '\n');
}

static int
facts_of_files(const struct cli_list *files, struct analyzer *analyzer, size_t max_bytes)
{
    struct buf source = {0};
    struct buf out = {0};
    struct err err;
    int status = CLI_DONE;
    for (size_t i = 0; i < files->n_items && !stop_requested(); i++) {
        struct analysis analysis;
        buf_reset(&source);
        buf_reset(&out);
        if (fs_read(files->items[i], max_bytes, &source, &err) < 0) {
            status = cli_fail(&cli_facts, &err);
            continue;
        }
        if (analyzer_run(analyzer, buf_bytes(&source), &analysis, &err) < 0) {
            status = cli_fail(&cli_facts, &err);
            break;
        }
        write_facts(&out, files->items[i], &analysis.facts);
        int printed = cli_print(&cli_facts, &out);
        if (printed != CLI_DONE) {
            status = printed;
            break;
        }
    }
    buf_clear(&source);
    buf_clear(&out);
    if (status == CLI_DONE && stop_requested()) {
        err_set(&err, ERR_STOPPED, "stopped on request");
        status = cli_fail(&cli_facts, &err);
    }
    return status;
}

static int
run(void *self, const struct cli_list *files)
{
    const struct request *request = self;
    struct analyzer_options analyzer_options = {.limits = analyzer_limits_default()};
    struct analyzer *analyzer;
    struct err err;
    if (files->n_items == 0)
        return cli_usage(&cli_facts, "name at least one file");
    if (request->max_bytes > UINT32_MAX - 1)
        return cli_usage(&cli_facts, "--max-file-bytes must be below 4G");
    analyzer_options.limits.max_file_bytes = (uint32_t)request->max_bytes;
    analyzer_options.limits.max_depth = (uint32_t)request->max_depth;
    analyzer_options.limits.max_nodes = (uint32_t)request->max_nodes;
    if (analyzer_create(&analyzer_options, &analyzer, &err) < 0)
        return cli_fail(&cli_facts, &err);
    int status = facts_of_files(files, analyzer, UINT32_MAX);
    analyzer_destroy(analyzer);
    return status;
}

static void
set_defaults(void *self)
{
    struct analyzer_limits limits = analyzer_limits_default();
    struct request *request = self;
    request->max_bytes = limits.max_file_bytes;
    request->max_depth = limits.max_depth;
    request->max_nodes = limits.max_nodes;
}

static const struct cli_option options[] = {
    {.name = "--max-file-bytes",
     .value = "SIZE",
     .help = "skip larger files",
     CLI_SIZE(struct request, max_bytes)},
    {.name = "--max-depth",
     .value = "N",
     .help = "skip files whose syntax tree is deeper",
     .min = 1,
     .max = UINT32_MAX,
     CLI_NUMBER(struct request, max_depth)},
    {.name = "--max-nodes",
     .value = "N",
     .help = "skip files with more syntax nodes",
     .min = 1,
     .max = UINT32_MAX,
     CLI_NUMBER(struct request, max_nodes)},
    CLI_END,
};

const struct cli_command cli_facts = {
    .name = "facts",
    .summary = "print all facts of files, a JSON line for each",
    .usage = "[OPTION...] FILE...",
    .about =
        "Prints a JSON line for each file: path, status (analysed or skipped) with its reason, "
        "encoding, physical and source lines, functions with their counters, clone "
        "candidates. A file that is not valid in any version of Python is skipped, but what "
        "could be read of it is printed. sloc counts a formatted string as one token, as "
        "Python 3.11 does; sloc_parts counts its parts, as Python 3.12 does.",
    .options = options,
    .statuses = "0; 3 when a file could not be read (the others are still printed); 130 stopped.",
    .request_size = sizeof(struct request),
    .set_defaults = set_defaults,
    .n_arguments_max = CLI_ANY_NUMBER,
    .run = run,
};
