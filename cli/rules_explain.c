/*
 * strata rules explain: why a rule matches on a line, or does not.
 *
 * The rule is tried on every node that starts on the line, with the matcher's trace on.
 */
#include <stdlib.h>

#include "cli/commands.h"
#include "cli/rules.h"

struct request {
    struct cli_list rules;
};

/* Read "FILE:LINE".  0 and *FILE is the caller's, to free; or -1. */
static int
split_place(const char *place, char **file, uint32_t *line)
{
    const char *colon = strrchr(place, ':');
    uint64_t number;
    if (!colon || colon == place ||
        num_parse_u64(bytes_of_text(colon + 1), 1, UINT32_MAX, &number) < 0)
        return -1;
    *line = (uint32_t)number;
    *file = strndup(place, (size_t)(colon - place));
    return *file ? 0 : -1;
}

static int
explain_rules(const struct ruleset *rules, const char *id, const char *file, uint32_t line,
              struct buf *out, struct err *err)
{
    struct analyzer_limits limits = analyzer_limits_default();
    struct scanner *scanner;
    struct buf source = {0};
    uint32_t n = 0;
    if (scanner_create(rules, &limits, &scanner, err) < 0)
        return -1;
    int rc = fs_read(file, UINT32_MAX, &source, err);
    for (uint32_t i = 0; i < ruleset_count(rules) && rc == 0; i++) {
        const struct rule_info *rule = ruleset_rule(rules, i);
        if (!bytes_equal(rule->id, bytes_of_text(id)))
            continue;
        if (n++)
            buf_append_byte(out, '\n');
        buf_printf(out, "rule %s (%s:%u) on line %u of %s\n", id, rule->file, rule->line, line,
                   file);
        if (!cli_rule_applies(rules, i, bytes_of_text(file), file))
            buf_append_text(out, "it does not apply to this file: see its `files` and `ignores`\n");
        rc = scanner_explain(scanner, buf_bytes(&source), i, line, out, err);
    }
    if (rc == 0 && n == 0)
        rc = cli_refuse_id(rules, id, err);
    buf_clear(&source);
    scanner_destroy(scanner);
    return rc;
}

static int
explain(const struct cli_list *names, const char *id, const char *place)
{
    struct ruleset *rules;
    struct err err;
    struct buf out = {0};
    char *file;
    uint32_t line;
    if (split_place(place, &file, &line) < 0)
        return cli_usage(&cli_rules_explain, "the place must be FILE:LINE, not '%s'", place);
    int status;
    if (cli_load_rules(names, &rules, &err) < 0) {
        status = cli_fail(&cli_rules_explain, &err);
    } else {
        status = explain_rules(rules, id, file, line, &out, &err) < 0
                     ? cli_fail(&cli_rules_explain, &err)
                     : cli_print(&cli_rules_explain, &out);
        ruleset_destroy(rules);
    }
    buf_clear(&out);
    free(file);
    return status;
}

static int
run(void *self, const struct cli_list *arguments)
{
    const struct request *request = self;
    if (arguments->n_items != 2)
        return cli_usage(&cli_rules_explain, "name a rule and FILE:LINE");
    return explain(&request->rules, arguments->items[0], arguments->items[1]);
}

static const struct cli_option options[] = {
    RULES_FILES_OPTION(struct request, rules),
    CLI_END,
};

const struct cli_command cli_rules_explain = {
    .name = "rules explain",
    .summary = "why a rule matches on a line of a file, or does not",
    .usage = "[--rules PATH]... ID FILE:LINE",
    .about = "Tries the rule on every node that starts on the line and whose kind it could match, "
             "and prints each step: what was tested, on which node, and the answer.",
    .options = options,
    .statuses = "0; 2 usage; 3 when there is no such rule, or a file cannot be used.",
    .request_size = sizeof(struct request),
    .n_arguments_max = 2,
    .run = run,
};
