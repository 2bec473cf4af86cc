#include "manifests/profile_write.h"

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
    text_list_write(&profile->severities, "severities", json);
    text_list_write(&profile->rules_in, "only", json);
    text_list_write(&profile->rules_out, "except", json);
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
    source_filter_write(&profile->source, "source", json);
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
