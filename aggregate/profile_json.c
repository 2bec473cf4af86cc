#include "aggregate/profile_json.h"

const char *
size_term_name(enum profile_size_term size)
{
    static const char *const names[] = {"none", "sqrt", "linear"};
    return names[size];
}

const char *
clones_name(enum profile_clones clones)
{
    static const char *const names[] = {"none", "subtree", "function_body"};
    return names[clones];
}

void
profile_json_texts(struct json_writer *json, const char *name, const struct text_list *list)
{
    json_key(json, name);
    json_begin_array(json);
    for (size_t i = 0; i < list->n_items; i++)
        json_bytes(json, list->items[i]);
    json_end_array(json);
}

static void
write_filter(struct json_writer *json, const char *name, const struct source_filter *filter)
{
    json_key(json, name);
    json_begin_object(json);
    profile_json_texts(json, "suffixes", &filter->suffixes);
    profile_json_texts(json, "exclude_dirs", &filter->exclude_dirs);
    profile_json_texts(json, "include", &filter->include);
    profile_json_texts(json, "exclude", &filter->exclude);
    json_end_object(json);
}

static void
write_complexity(struct json_writer *json, const struct profile *profile)
{
    json_key(json, "cc");
    json_begin_object(json);
    json_member_double(json, "base", profile->cc_base);
    json_key(json, "weights");
    json_begin_object(json);
    for (size_t i = 0; i < profile->n_cc_weights; i++) {
        json_key_bytes(json, profile->cc_weights[i].counter);
        json_double(json, profile->cc_weights[i].weight);
    }
    json_end_object(json);
    json_member_bool(json, "nested", profile->cc_nested);
    json_end_object(json);
    json_member_double(json, "high_cc", profile->high_cc);
    json_member_double(json, "high_cognitive", profile->high_cognitive);
    json_member_text(json, "size_term", size_term_name(profile->size_term));
}

static void
write_rules(struct json_writer *json, const struct profile *profile)
{
    json_key(json, "rules");
    json_begin_object(json);
    profile_json_texts(json, "severities", &profile->severities);
    profile_json_texts(json, "only", &profile->rules_in);
    profile_json_texts(json, "except", &profile->rules_out);
    json_member_bool(json, "advice", profile->advice);
    json_member_bool(json, "min_file_count", profile->min_file_count);
    json_member_bool(json, "trivial_wrapper", profile->trivial_wrapper);
    json_end_object(json);
}

static void
write_verbosity(struct json_writer *json, const struct profile *profile)
{
    json_key(json, "clones");
    json_begin_object(json);
    json_member_text(json, "definition", clones_name(profile->clones));
    json_member_u64(json, "min_sloc", profile->clone_min_sloc);
    json_member_u64(json, "min_statements", profile->clone_min_statements);
    json_member_u64(json, "min_members", profile->clone_min_members);
    json_end_object(json);
    write_rules(json, profile);
    json_key(json, "verbosity");
    json_begin_object(json);
    json_member_text(json, "definition", profile->verbosity == VERBOSITY_UNION ? "union" : "sum");
    json_key(json, "parts");
    json_begin_array(json);
    if (profile->part_rules)
        json_text(json, "rules");
    if (profile->part_clones)
        json_text(json, "clones");
    if (profile->part_structural)
        json_text(json, "structural");
    json_end_array(json);
    json_end_object(json);
}

void
profile_json_write(struct json_writer *json, const struct profile *profile)
{
    json_begin_object(json);
    json_member_bytes(json, "name", profile->name);
    json_member_bytes(json, "description", profile->description);
    write_filter(json, "source", &profile->source);
    json_member_text(json, "on_syntax_error",
                     profile->on_syntax_error == SYNTAX_ERROR_SKIP ? "skip" : "keep");
    json_member_text(json, "fstring_tokens",
                     profile->fstring_tokens == PROFILE_FSTRING_PARTS ? "parts" : "one");
    json_member_text(json, "sloc", profile->sloc == SLOC_TEXT ? "text" : "tokens");
    json_member_text(json, "callables", profile->callables == CALLABLES_ALL ? "all" : "reachable");
    write_complexity(json, profile);
    write_verbosity(json, profile);
    json_end_object(json);
}
