/* strata rules list: a line for each rule. */
#include <stdio.h>

#include "cli/rules.h"

extern const struct cli_command cli_rules_list;

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
    buf_printf(out, "%-6s %-8s ", part, rule_severity_name(rule->severity));
    printable_append(out, rule->id);
    for (size_t i = rule->id.len; i < 40; i++)
        buf_append_byte(out, ' ');
    buf_append_byte(out, ' ');
    /* The first line of the message is enough here. */
    const uint8_t *end =
        rule->message.len ? memchr(rule->message.data, '\n', rule->message.len) : NULL;
    size_t n = end ? (size_t)(end - rule->message.data) : rule->message.len;
    printable_append(out, bytes_slice(rule->message, 0, n));
    buf_append_byte(out, '\n');
}

static int
run(int argc, char **argv)
{
    struct cli_common common = cli_common_default();
    struct cli_list names = {0}, rest = {0};
    const struct cli_option options[] = {
        {.name = "--rules", .list = &names},
        CLI_JSON(common),
        {.name = NULL},
    };
    struct ruleset *rules = NULL;
    struct err err;
    int status = CLI_USAGE;
    if (cli_parse(&cli_rules_list, argc, argv, options, &rest) < 0)
        goto done;
    if (rest.n_items) {
        cli_usage(&cli_rules_list, "takes no argument; name rule files with --rules");
        goto done;
    }
    if (cli_load_rules(&names, &rules, &err) < 0) {
        status = cli_fail(&cli_rules_list, &err);
        goto done;
    }
    struct buf out = {0};
    for (uint32_t i = 0; i < ruleset_count(rules); i++) {
        if (common.json)
            write_json(&out, ruleset_rule(rules, i));
        else
            write_text(&out, ruleset_rule(rules, i));
    }
    status = cli_print(&cli_rules_list, &out);
done:
    ruleset_destroy(rules);
    cli_list_clear(&names);
    cli_list_clear(&rest);
    return status;
}

const struct cli_command cli_rules_list = {
    .name = "rules list",
    .summary = "a line for each rule: does it count, severity, id, message",
    .help =
        "usage: strata rules list [--rules FILE|DIR]... [--json]\n"
        "\n"
        "Lists the rules of these files, or the built-in ones, in order.  A rule counts towards\n"
        "verbosity unless its metadata say `advice: true`; a profile can choose otherwise.\n"
        "\n"
        "  --rules FILE|DIR  rule files; may be given more than once\n"
        "  --json            a JSON line each: id, severity, whether it runs and counts,\n"
        "                    message, min_file_count, metadata, file, line, fingerprint\n"
        "\n"
        "Exit status: 0; 2 usage; 3 when a rule file cannot be used.\n",
    .run = run,
};
