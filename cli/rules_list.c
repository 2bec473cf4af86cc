/*
 * strata rules list: a line for each rule, in the order of the files.
 */
#include <stdio.h>

#include "cli/commands.h"
#include "cli/rules.h"

struct request {
    struct cli_list rules;
    unsigned selection; /* enum rules_selection */
    struct cli_common common;
};

static void
write_json(struct buf *out, const struct rule_info *rule)
{
    struct json_writer json = json_writer_init(out, 0);
    char hex[2 * FINGERPRINT_BYTES + 1];
    for (size_t i = 0; i < FINGERPRINT_BYTES; i++)
        snprintf(hex + 2 * i, 3, "%02x", rule->fingerprint.bytes[i]);
    json_begin_object(&json);
    json_member_bytes(&json, "id", rule->id);
    json_member_text(&json, "severity", rule_severity_name(rule->severity));
    json_member_text(&json, "selection", rule_selection_name(rule->selection));
    json_member_bool(&json, "runs", rule->runs);
    json_member_bool(&json, "counts", rule->runs && !rule->is_advice);
    json_member_bytes(&json, "message", rule->message);
    json_member_u64(&json, "min_file_count", rule->min_file_count);
    json_key(&json, "metadata");
    if (rule->metadata.data)
        json_raw(&json, rule->metadata);
    else
        json_null(&json);
    json_member_text(&json, "file", rule->file);
    json_member_u64(&json, "line", rule->line);
    json_member_text(&json, "fingerprint", hex);
    json_end_object(&json);
    buf_append_byte(out, '\n');
}

static void
write_text(struct buf *out, const struct rule_info *rule)
{
    const char *part = !rule->runs ? "unused" : rule->is_advice ? "advice" : "counts";
    const char *selection = rule_selection_name(rule->selection);
    buf_printf(out, "%-6s %-8s %-10s ", part, rule_severity_name(rule->severity),
               selection ? selection : "-");
    printable_append(out, rule->id);
    for (size_t i = rule->id.len; i < 40; i++)
        buf_append_byte(out, ' ');
    buf_append_byte(out, ' ');
    /* Only the first line of the message. */
    const uint8_t *end =
        rule->message.len ? memchr(rule->message.data, '\n', rule->message.len) : NULL;
    size_t n = end ? (size_t)(end - rule->message.data) : rule->message.len;
    printable_append(out, bytes_slice(rule->message, 0, n));
    buf_append_byte(out, '\n');
}

static int
run(void *self, const struct cli_list *arguments)
{
    (void)arguments;
    const struct request *request = self;
    struct ruleset *rules;
    struct buf out = {0};
    struct err err;
    if (cli_load_rules(&request->rules, &rules, &err) < 0)
        return cli_fail(&cli_rules_list, &err);
    for (uint32_t i = 0; i < ruleset_count(rules); i++) {
        const struct rule_info *rule = ruleset_rule(rules, i);
        if (!cli_selects(request->selection, rule))
            continue;
        if (request->common.json)
            write_json(&out, rule);
        else
            write_text(&out, rule);
    }
    ruleset_destroy(rules);
    return cli_print(&cli_rules_list, &out);
}

static const struct cli_option options[] = {
    RULES_FILES_OPTION(struct request, rules),
    RULES_SELECTION_OPTION(struct request, selection),
    CLI_JSON(
        struct request, common,
        "a JSON line for each rule: id, severity, selection, whether it runs and counts, message, "
        "min_file_count, metadata, file, line, fingerprint"),
    CLI_END,
};

const struct cli_command cli_rules_list = {
    .name = "rules list",
    .summary = "a line for each rule: whether it counts, severity, selection, id, message",
    .usage = "[--rules PATH]... [--selection NAME] [--json]",
    .about = "Lists the rules of files, or the built-in ones, in order. A rule counts towards "
             "verbosity, under a profile that takes its selection, unless its metadata has "
             "`advice: true`; a profile can choose otherwise.",
    .options = options,
    .statuses = "0; 2 usage; 3 when a rule file cannot be used.",
    .request_size = sizeof(struct request),
    .run = run,
};
