/*
 * strata rules show: the YAML of rules, each after a comment that names its file and line.
 */
#include "cli/commands.h"
#include "cli/rules.h"

struct request {
    struct cli_list rules;
    unsigned selection; /* enum rules_selection */
};

/* Append all rules of SELECTION called ID, of which there may be several.  How many there are. */
static uint32_t
write_rules(struct buf *out, const struct ruleset *rules, unsigned selection, const char *id)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < ruleset_count(rules); i++) {
        const struct rule_info *rule = ruleset_rule(rules, i);
        if (!bytes_equal(rule->id, bytes_of_text(id)) || !cli_selects(selection, rule))
            continue;
        buf_printf(out, "%s# %s:%u\n", n++ ? "---\n" : "", rule->file, rule->line);
        buf_append_bytes(out, rule->source);
        if (rule->source.len && rule->source.data[rule->source.len - 1] != '\n')
            buf_append_byte(out, '\n');
    }
    return n;
}

static int
show(const struct request *request, const struct cli_list *ids)
{
    struct ruleset *rules;
    struct err err;
    struct buf out = {0};
    if (cli_load_rules(&request->rules, &rules, &err) < 0)
        return cli_fail(&cli_rules_show, &err);
    int status = CLI_DONE;
    for (size_t i = 0; i < ids->n_items && status == CLI_DONE; i++) {
        if (i > 0)
            buf_append_text(&out, "---\n");
        if (write_rules(&out, rules, request->selection, ids->items[i]) == 0) {
            (void)cli_refuse_id(rules, ids->items[i], &err);
            status = cli_fail(&cli_rules_show, &err);
        }
    }
    if (status == CLI_DONE)
        status = cli_print(&cli_rules_show, &out);
    buf_clear(&out);
    ruleset_destroy(rules);
    return status;
}

static int
run(void *self, const struct cli_list *ids)
{
    const struct request *request = self;
    return ids->n_items ? show(request, ids) : cli_usage(&cli_rules_show, "name at least one rule");
}

static const struct cli_option options[] = {
    RULES_FILES_OPTION(struct request, rules),
    RULES_SELECTION_OPTION(struct request, selection),
    CLI_END,
};

const struct cli_command cli_rules_show = {
    .name = "rules show",
    .summary = "the YAML of rules",
    .usage = "[--rules PATH]... [--selection NAME] ID...",
    .about = "Prints the documents of the rules called ID, each after its file and line.",
    .options = options,
    .statuses = "0; 2 usage; 3 when there is no such rule, or a file cannot be used.",
    .request_size = sizeof(struct request),
    .n_arguments_max = CLI_ANY_NUMBER,
    .run = run,
};
