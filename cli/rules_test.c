/*
 * strata rules test: the examples kept beside rules, in the format of `ast-grep test`.
 *
 * A test document has an id, `valid` code that the rule must not match and `invalid` code that it
 * must.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/yaml_read.h"
#include "cli/commands.h"
#include "cli/rules.h"
#include "rules/rule_files.h"

struct request {
    struct cli_list rules;
    unsigned selection; /* enum rules_selection */
};

struct tester {
    const struct ruleset *rules;
    unsigned selection; /* only the examples of its rules are run */
    struct scanner *scanner;
    struct arena arena;
    bool *is_tested; /* of each rule */
    struct buf out;
    uint32_t n_examples, n_wrong;
    uint32_t n_unknown; /* tests of rules that do not exist */
    struct err *err;
};

/* How many hits the rules called ID have in CODE; -1 after an error. */
static int64_t
count_hits(struct tester *tester, struct bytes id, struct bytes code)
{
    struct hit_list hits;
    enum skip_reason skipped;
    if (scanner_run(tester->scanner, code, &hits, &skipped, tester->err) < 0)
        return -1;
    int64_t n = 0;
    for (uint32_t i = 0; i < hits.n_hits; i++)
        n += bytes_equal(ruleset_rule(tester->rules, hits.hits[i].rule)->id, id);
    return n;
}

static int
run_examples(struct tester *tester, const char *file, struct bytes id,
             const struct yaml_value *list, bool must_match)
{
    const char *key = must_match ? "invalid" : "valid";
    if (!list || list->type == YAML_NULL)
        return 0;
    if (list->type != YAML_LIST)
        return err_set(tester->err, ERR_INPUT, "%s:%u: `%s` must be a list of texts", file,
                       list->line, key);
    for (uint32_t i = 0; i < list->n_items; i++) {
        const struct yaml_value *code = list->items[i].value;
        if (code->type == YAML_LIST || code->type == YAML_MAPPING)
            return err_set(tester->err, ERR_INPUT, "%s:%u: `%s` must be a list of texts", file,
                           code->line, key);
        int64_t n = count_hits(tester, id, code->text);
        if (n < 0)
            return -1;
        tester->n_examples++;
        if ((n > 0) == must_match)
            continue;
        tester->n_wrong++;
        printable_append(&tester->out, bytes_of_text(file));
        buf_printf(&tester->out, ":%u: ", code->line);
        printable_append(&tester->out, id);
        buf_printf(&tester->out, ": %s code %s\n", key,
                   must_match ? "is not matched" : "is matched");
    }
    return 0;
}

static int
run_document(struct tester *tester, const char *file, const struct yaml_value *root)
{
    const struct yaml_value *id = yaml_member(root, "id");
    bool is_known = false, is_selected = false;
    if (root->type == YAML_NULL)
        return 0;
    if (!id || id->type == YAML_LIST || id->type == YAML_MAPPING || id->type == YAML_NULL)
        return err_set(tester->err, ERR_INPUT, "%s:%u: a test needs the `id` of a rule", file,
                       root->line);
    for (uint32_t i = 0; i < ruleset_count(tester->rules); i++) {
        if (bytes_equal(ruleset_rule(tester->rules, i)->id, id->text)) {
            tester->is_tested[i] = true;
            is_known = true;
            is_selected |= cli_selects(tester->selection, ruleset_rule(tester->rules, i));
        }
    }
    if (!is_known) {
        tester->n_unknown++;
        printable_append(&tester->out, bytes_of_text(file));
        buf_printf(&tester->out, ":%u: there is no rule \"", id->line);
        printable_append(&tester->out, id->text);
        buf_append_text(&tester->out, "\"\n");
        return 0;
    }
    if (!is_selected)
        return 0;
    if (run_examples(tester, file, id->text, yaml_member(root, "valid"), false) < 0)
        return -1;
    return run_examples(tester, file, id->text, yaml_member(root, "invalid"), true);
}

static int
run_file(struct tester *tester, const char *file, struct bytes text)
{
    struct yaml_document *documents;
    uint32_t n;
    arena_reset(&tester->arena);
    if (yaml_read(text, file, &tester->arena, &documents, &n, tester->err) < 0)
        return -1;
    for (uint32_t i = 0; i < n; i++)
        if (run_document(tester, file, documents[i].root) < 0)
            return -1;
    return 0;
}

static int
run_builtin(struct tester *tester)
{
    for (const struct embedded_file *file = builtin_rule_tests; file->name; file++)
        if (run_file(tester, file->name, (struct bytes){file->data, file->len}) < 0)
            return -1;
    return 0;
}

static int
run_files(struct tester *tester, const struct cli_list *names)
{
    struct cli_sources files;
    if (cli_read_yaml(names, &files, tester->err) < 0)
        return -1;
    int rc = 0;
    for (size_t i = 0; i < files.n && rc == 0; i++)
        rc = run_file(tester, files.items[i].name, files.items[i].text);
    cli_sources_clear(&files);
    return rc;
}

static int
test_rules(const struct request *request, const struct ruleset *rules, const struct cli_list *names,
           struct err *err)
{
    struct analyzer_limits limits = analyzer_limits_default();
    struct tester tester = {.rules = rules, .selection = request->selection, .err = err};
    uint32_t n_untested = 0, n_selected = 0;
    arena_init(&tester.arena, 0);
    tester.is_tested = calloc((size_t)ruleset_count(rules) + 1, sizeof(bool));
    int rc = tester.is_tested ? scanner_create(rules, &limits, &tester.scanner, err)
                              : err_nomem(err, "rules");
    if (rc == 0)
        rc = names->n_items ? run_files(&tester, names) : run_builtin(&tester);
    int status = CLI_DONE;
    if (rc == 0) {
        for (uint32_t i = 0; i < ruleset_count(rules); i++) {
            if (!cli_selects(request->selection, ruleset_rule(rules, i)))
                continue;
            n_selected++;
            n_untested += !tester.is_tested[i];
        }
        buf_printf(&tester.out, "%u examples, %u wrong; %u of %u rules have none",
                   tester.n_examples, tester.n_wrong, n_untested, n_selected);
        if (tester.n_unknown)
            buf_printf(&tester.out, "; %u tests are of rules that do not exist", tester.n_unknown);
        buf_append_byte(&tester.out, '\n');
        status = cli_print(&cli_rules_test, &tester.out);
        if (status == CLI_DONE && tester.n_wrong + tester.n_unknown > 0)
            status = CLI_FINDINGS;
    } else {
        status = cli_fail(&cli_rules_test, err);
    }
    buf_clear(&tester.out);
    free(tester.is_tested);
    scanner_destroy(tester.scanner);
    arena_clear(&tester.arena);
    return status;
}

static int
run(void *self, const struct cli_list *tests)
{
    const struct request *request = self;
    struct ruleset *rules;
    struct err err;
    if (request->rules.n_items && tests->n_items == 0)
        return cli_usage(&cli_rules_test, "name the test files of these rules");
    if (cli_load_rules(&request->rules, &rules, &err) < 0)
        return cli_fail(&cli_rules_test, &err);
    int status = test_rules(request, rules, tests, &err);
    ruleset_destroy(rules);
    return status;
}

static const struct cli_option options[] = {
    RULES_FILES_OPTION(struct request, rules),
    RULES_SELECTION_OPTION(struct request, selection),
    CLI_END,
};

const struct cli_command cli_rules_test = {
    .name = "rules test",
    .summary = "run the examples kept beside rules",
    .usage = "[--rules PATH]... [--selection NAME] [TESTS]...",
    .about =
        "Runs test files in the format of `ast-grep test`: documents with an `id`, `valid` code "
        "that the rule must not match and `invalid` code that it must. Without arguments the "
        "built-in rules and their examples are run.",
    .options = options,
    .statuses =
        "0 all examples are right; 1 some are wrong or are of a rule that does not exist; 2 "
        "usage; 3 a file could not be used.",
    .request_size = sizeof(struct request),
    .n_arguments_max = CLI_ANY_NUMBER,
    .run = run,
};
