/*
 * strata check --json: one object with the field names of the reference checker.
 *
 * The score's members come first, then what was left out and, if requested, clone groups, the score
 * of each file and what flags its lines.
 */
#include "cli/check.h"

static void
write_skipped(const struct check *check, struct json_writer *json)
{
    json_key(json, "skipped");
    json_begin_array(json);
    for (size_t i = 0; i < check->tree->n_files; i++) {
        const char *reason = check_reason(check, &check->tree->files[i]);
        if (!reason)
            continue;
        json_begin_object(json);
        json_member_bytes(json, "path", check->tree->files[i].path);
        json_member_text(json, "reason", reason);
        json_end_object(json);
    }
    json_end_array(json);
}

static void
write_place(const struct check *check, const struct clone_place *place, struct json_writer *json)
{
    json_begin_object(json);
    json_member_bytes(json, "path", check->files[place->file].path);
    json_member_text(json, "kind", clone_kind_name(place->kind));
    json_member_u64(json, "start_line", place->start_line);
    json_member_u64(json, "end_line", place->end_line);
    json_end_object(json);
}

static void
write_clones(const struct check *check, struct json_writer *json)
{
    json_key(json, "clones");
    json_begin_array(json);
    for (size_t i = 0; i < check->n_groups; i++) {
        json_begin_array(json);
        for (size_t k = 0; k < check->groups[i].n_places; k++)
            write_place(check, &check->groups[i].places[k], json);
        json_end_array(json);
    }
    json_end_array(json);
}

static void
write_flag(const struct check *check, const struct flag *flag, struct json_writer *json)
{
    json_begin_object(json);
    json_member_u64(json, "start_line", flag->start_line);
    json_member_u64(json, "end_line", flag->end_line);
    json_member_bool(json, "counts", flag->counts);
    switch (flag->kind) {
    case FLAG_RULE: {
        const struct rule_info *rule = ruleset_rule(check->rules, flag->hit->rule);
        json_member_bytes(json, "rule", rule->id);
        json_member_text(json, "severity", rule_severity_name(rule->severity));
        json_member_text(json, "selection", rule_selection_name(rule->selection));
        json_member_text(json, "extent", rule->is_of_function ? "function" : "statement");
        json_member_bytes(json, "message", rule->message);
        break;
    }
    case FLAG_CLONE:
        json_member_u64(json, "clone_group", flag->group);
        break;
    case FLAG_STRUCTURAL:
        json_member_text(json, "structural_rule", "trivial-wrapper");
        json_member_bytes(json, "function", flag->callable->name);
        break;
    }
    json_end_object(json);
}

static int
write_flags(struct check *check, size_t file, struct json_writer *json, struct err *err)
{
    struct flag *flags;
    size_t n_flags;
    if (score_flags(check->scorer, check->files, file, check->groups, check->n_groups,
                    &check->arena, &flags, &n_flags, err) < 0)
        return -1;
    json_key(json, "flags");
    json_begin_array(json);
    for (size_t i = 0; i < n_flags; i++)
        write_flag(check, &flags[i], json);
    json_end_array(json);
    return 0;
}

static int
write_file(struct check *check, size_t file, struct json_writer *json, struct err *err)
{
    struct score score;
    if (score_files(check->scorer, &check->files[file], 1, &score, err) < 0)
        return -1;
    json_begin_object(json);
    json_member_bytes(json, "path", check->files[file].path);
    score_write_members(&score, json);
    int rc = check->show_flags ? write_flags(check, file, json, err) : 0;
    json_end_object(json);
    return rc;
}

int
check_write_json(struct check *check, struct buf *out, struct err *err)
{
    struct json_writer json = json_writer_init(out, 2);
    char hex[OID_HEX_SIZE];
    json_begin_object(&json);
    json_member_bytes(&json, "profile", check->profile.name);
    json_member_text(&json, "commit",
                     check->tree->commit.len ? oid_to_hex(&check->tree->commit, hex) : NULL);
    json_key(&json, "rules");
    if (check->rules)
        json_u64(&json, ruleset_count(check->rules));
    else
        json_null(&json);
    score_write_members(&check->score, &json);
    write_skipped(check, &json);
    if (check->show_clones || check->show_flags)
        write_clones(check, &json);
    if (check->show_files || check->show_flags) {
        json_key(&json, "files");
        json_begin_array(&json);
        for (size_t i = 0; i < check->tree->n_files; i++)
            if (!check_reason(check, &check->tree->files[i]) &&
                write_file(check, i, &json, err) < 0)
                return -1;
        json_end_array(&json);
    }
    json_end_object(&json);
    buf_append_byte(out, '\n');
    return 0;
}
