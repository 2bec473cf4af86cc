/*
 * Loading a rule, in this order: check its keys and read its description, read its scope, read its
 * utils, rule and constraints as matchers, compute its fingerprint, add it to the program.
 */
#include "analyzer/engine/rule_load.h"

#include <string.h>
#include <xxhash.h>

#include "analyzer/engine/intern.h"
#include "analyzer/scope/scope.h"
#include "analyzer/engine/rule_json.h"
#include "analyzer/engine/rule_kinds.h"
#include "analyzer/engine/rule_names.h"
#include "analyzer/engine/rule_utils.h"
#include "base/num.h"

/* Part of every fingerprint: raise it when the engine gives other hits for the same rule. */
#define ENGINE_VERSION "rules 1, tree-sitter-python 0.25.0"

/* ---- Keys ---------------------------------------------------------------------------------- */

static int
check_keys(struct rule_reader *reader, const struct yaml_value *root)
{
    static const char *const keys[] = {
        "id",    "language",    "rule", "severity",  "message", "note",      "url",   "metadata",
        "utils", "constraints", "fix",  "transform", "labels",  "rewriters", "files", "ignores"};
    if (root->type != YAML_MAPPING)
        return rule_refuse(reader, root->line, "a rule must be a mapping, not %s",
                           yaml_type_name(root->type));
    for (uint32_t i = 0; i < root->n_items; i++) {
        bool known = false;
        for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]) && !known; k++)
            known = bytes_equal(root->items[i].key, bytes_of_text(keys[k]));
        if (!known)
            return rule_refuse(reader, root->items[i].key_line, "a rule has no key `%.*s`",
                               BYTES_ARG(root->items[i].key));
    }
    return 0;
}

/* The scalar under KEY, {NULL, 0} when it is not there or, where that is allowed, null. */
static int
read_scalar(struct rule_loader *loader, struct rule_reader *reader, const struct yaml_value *root,
            const char *key, bool may_be_null, struct bytes *out)
{
    const struct yaml_value *value = yaml_member(root, key);
    *out = (struct bytes){0};
    if (!value || (value->type == YAML_NULL && may_be_null))
        return 0;
    if (value->type == YAML_NULL || value->type == YAML_LIST || value->type == YAML_MAPPING)
        return rule_refuse(reader, value->line, "`%s` must be a text, not %s", key,
                           yaml_type_name(value->type));
    *out = arena_copy(loader->arena, value->text);
    return out->data ? 0 : err_nomem(loader->err, "rules");
}

static int
read_severity(struct rule_reader *reader, const struct yaml_value *root,
              enum rule_severity *severity)
{
    const struct yaml_value *value = yaml_member(root, "severity");
    *severity = SEVERITY_HINT;
    if (!value)
        return 0;
    for (int i = SEVERITY_HINT; i <= SEVERITY_OFF; i++) {
        if (value->type == YAML_TEXT &&
            bytes_equal(value->text, bytes_of_text(rule_severity_name((enum rule_severity)i)))) {
            *severity = (enum rule_severity)i;
            return 0;
        }
    }
    return rule_refuse(reader, value->line, "`severity` must be hint, info, warning, error or off");
}

static int
read_language(struct rule_reader *reader, const struct yaml_value *root,
              enum rule_language *language)
{
    const struct yaml_value *value = yaml_member(root, "language");
    if (!value)
        return rule_refuse(reader, root->line, "`language` is missing; write language: python");
    *language = value->type == YAML_TEXT ? rule_language_of_name(value->text) : LANGUAGE_UNKNOWN;
    if (*language == LANGUAGE_UNKNOWN)
        return rule_refuse(reader, value->line, "unknown `language`; write language: python");
    return 0;
}

static int
read_metadata(struct rule_loader *loader, struct rule_reader *reader, const struct yaml_value *root,
              struct rule_info *info)
{
    const struct yaml_value *value = yaml_member(root, "metadata");
    info->min_file_count = 1;
    if (!value || value->type == YAML_NULL)
        return 0;
    if (value->type != YAML_MAPPING)
        return rule_refuse(reader, value->line, "`metadata` must be a mapping");
    struct buf json = {0};
    int rc = rule_write_json(value, &json);
    if (rc < 0)
        (void)rule_refuse(reader, value->line, "`metadata` is too large");
    else
        info->metadata = arena_copy(loader->arena, buf_bytes(&json));
    if (rc == 0 && (buf_failed(&json) || !info->metadata.data))
        rc = err_nomem(loader->err, "rules");
    buf_clear(&json);
    const struct yaml_value *least = yaml_member(value, "min_file_count");
    uint64_t n;
    if (least && least->type == YAML_NUMBER && num_parse_u64(least->text, 0, UINT32_MAX, &n) == 0)
        info->min_file_count = n ? (uint32_t)n : 1;
    const struct yaml_value *selection = yaml_member(value, "selection");
    if (selection && selection->type == YAML_TEXT)
        info->selection = rule_selection_of_name(selection->text);
    const struct yaml_value *extent = yaml_member(value, "extent");
    info->is_of_function =
        extent && extent->type == YAML_TEXT && bytes_equal(extent->text, BYTES("function"));
    const struct yaml_value *advice = yaml_member(value, "advice");
    info->is_advice =
        advice && advice->type == YAML_BOOL && bytes_equal(advice->text, BYTES("true"));
    return rc;
}

/* ---- What matches -------------------------------------------------------------------------- */

static int
read_utils(struct rule_reader *reader, const struct yaml_value *utils)
{
    struct matcher_list *list = reader->list;
    if (!utils || utils->type == YAML_NULL)
        return 0;
    if (utils->type != YAML_MAPPING)
        return rule_refuse(reader, utils->line, "`utils` must be a mapping");
    if (utils->n_items > UTILS_MAX)
        return rule_refuse(reader, utils->line, "more than %d utils", UTILS_MAX);
    list->utils = ARENA_ARRAY(list->arena, utils->n_items, struct rule_util);
    if (!list->utils)
        return err_nomem(reader->err, "rules");
    for (uint32_t i = 0; i < utils->n_items; i++) {
        list->utils[i] = (struct rule_util){utils->items[i].key, MATCHER_NONE, false};
        for (size_t b = 0; b < utils->items[i].key.len; b++)
            if (strchr("(),=", utils->items[i].key.data[b]))
                return rule_refuse(reader, utils->items[i].key_line,
                                   "a util's name cannot hold ( ) , or =");
    }
    list->n_utils = utils->n_items;
    for (uint32_t i = 0; i < utils->n_items; i++) {
        list->utils[i].matcher = rule_read_object(reader, utils->items[i].value, "utils");
        if (list->utils[i].matcher == MATCHER_NONE)
            return -1;
    }
    return 0;
}

static int
read_constraints(struct rule_reader *reader, const struct yaml_value *constraints)
{
    struct matcher_list *list = reader->list;
    if (!constraints || constraints->type == YAML_NULL)
        return 0;
    if (constraints->type != YAML_MAPPING)
        return rule_refuse(reader, constraints->line, "`constraints` must be a mapping");
    uint32_t *matchers = ARENA_ARRAY(list->arena, constraints->n_items, uint32_t);
    list->constraints = ARENA_ARRAY(list->arena, constraints->n_items, struct rule_constraint);
    if (!matchers || !list->constraints)
        return err_nomem(reader->err, "rules");
    for (uint32_t i = 0; i < constraints->n_items; i++) {
        matchers[i] = rule_read_object(reader, constraints->items[i].value, "constraints");
        if (matchers[i] == MATCHER_NONE)
            return -1;
    }
    for (uint32_t i = 0; i < constraints->n_items; i++) {
        const struct yaml_item *item = &constraints->items[i];
        if (!matcher_list_captures(list, item->key))
            return rule_refuse(reader, item->key_line,
                               "`constraints` names %.*s, which no pattern captures",
                               BYTES_ARG(item->key));
        /* One on a list such as $$$A is legal and never checked. */
        uint32_t variable = matcher_list_find_variable(list, item->key, false);
        if (variable != VARIABLE_NONE)
            list->constraints[list->n_constraints++] =
                (struct rule_constraint){variable, matchers[i]};
    }
    return 0;
}

static int
read_matchers(struct rule_reader *reader, const struct yaml_value *root)
{
    struct matcher_list *list = reader->list;
    const struct yaml_value *rule = yaml_member(root, "rule");
    if (!rule)
        return rule_refuse(reader, root->line, "`rule` is missing");
    if (read_utils(reader, yaml_member(root, "utils")) < 0)
        return -1;
    list->root = rule_read_object(reader, rule, "rule");
    if (list->root == MATCHER_NONE ||
        read_constraints(reader, yaml_member(root, "constraints")) < 0)
        return -1;
    if (rule_check_utils(reader, rule->line) < 0)
        return -1;
    rule_find_kinds(list);
    if (!list->matchers[list->root].has_kinds)
        return rule_refuse(reader, rule->line,
                           "the rule could start at any kind of node; give it a `kind`, or a "
                           "pattern that is not a lone variable");
    return rule_check_extras(reader, root);
}

/* ---- The rule ------------------------------------------------------------------------------ */

static int
find_fingerprint(const struct yaml_value *root, struct rule_info *info)
{
    static const char *const keys[] = {"rule", "constraints", "utils"};
    struct buf normal = {0};
    int rc = 0;
    buf_append_text(&normal, ENGINE_VERSION);
    buf_append_byte(&normal, info->runs);
    buf_append_varint(&normal, info->id.len);
    buf_append_bytes(&normal, info->id);
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]) && rc == 0; i++) {
        const struct yaml_value *value = yaml_member(root, keys[i]);
        buf_append_byte(&normal, value != NULL);
        if (value)
            rc = rule_write_normal(value, &normal);
    }
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(normal.data, normal.len));
    _Static_assert(sizeof(canonical.digest) == FINGERPRINT_BYTES, "128 bits");
    memcpy(info->fingerprint.bytes, canonical.digest, FINGERPRINT_BYTES);
    rc = buf_failed(&normal) ? -1 : rc;
    buf_clear(&normal);
    return rc;
}

static int
read_head(struct rule_loader *loader, struct rule_reader *reader, const struct yaml_value *root,
          struct bytes default_id, struct rule_info *info)
{
    enum rule_language language;
    if (read_scalar(loader, reader, root, "id", false, &info->id) < 0)
        return -1;
    if (info->id.len == 0) {
        info->id = arena_copy(loader->arena, default_id);
        if (!info->id.data)
            return err_nomem(loader->err, "rules");
    }
    if (check_keys(reader, root) < 0 || read_language(reader, root, &language) < 0 ||
        read_severity(reader, root, &info->severity) < 0 ||
        read_scalar(loader, reader, root, "message", false, &info->message) < 0 ||
        read_scalar(loader, reader, root, "note", true, &info->note) < 0 ||
        read_scalar(loader, reader, root, "url", true, &info->url) < 0 ||
        read_metadata(loader, reader, root, info) < 0)
        return -1;
    info->runs = language == LANGUAGE_PYTHON && info->severity != SEVERITY_OFF;
    if (language == LANGUAGE_OTHER && !yaml_member(root, "rule"))
        return rule_refuse(reader, root->line, "`rule` is missing");
    return language == LANGUAGE_PYTHON;
}

static int
load(struct rule_loader *loader, struct rule_reader *reader, const struct yaml_value *root,
     struct bytes default_id, struct rule_info *info, struct program_rule *rule)
{
    int is_python = read_head(loader, reader, root, default_id, info);
    if (is_python < 0)
        return -1;
    if (rule_scope_read(root, loader->origin, loader->arena, &rule->scope, loader->err) < 0 ||
        (is_python && read_matchers(reader, root) < 0))
        return -1;
    info->is_scoped = rule->scope != NULL;
    if (find_fingerprint(root, info) < 0)
        return rule_refuse(reader, root->line, "the rule is too large");
    if (info->runs && rule_intern(reader->list, loader->program, rule, loader->err) < 0) {
        if (loader->err->code == ERR_INPUT)
            (void)err_wrap(loader->err, "%s:%u", loader->origin, root->line);
        return -1;
    }
    return 0;
}

int
rule_load(struct rule_loader *loader, const struct yaml_document *document, struct bytes default_id,
          struct rule_info *info, struct program_rule *rule)
{
    struct arena scratch;
    struct matcher_list list;
    *info = (struct rule_info){.file = loader->origin, .line = document->root->line};
    *rule = (struct program_rule){.root = MATCHER_NONE};
    info->source = arena_copy(loader->arena, document->source);
    if (!info->source.data)
        return err_nomem(loader->err, "rules");
    arena_init(&scratch, 0);
    matcher_list_init(&list, &scratch);
    struct rule_reader reader = {.parse = loader->parse,
                                 .regexes = &loader->regexes,
                                 .origin = loader->origin,
                                 .list = &list,
                                 .objects_left = loader->objects_left,
                                 .err = loader->err};
    int rc = load(loader, &reader, document->root, default_id, info, rule);
    loader->objects_left = reader.objects_left;
    if (rc < 0 && loader->err->code == ERR_INPUT) {
        struct bytes id = info->id.len ? info->id : default_id;
        (void)err_wrap(loader->err, "rule \"%.*s\"", BYTES_ARG(id));
    }
    matcher_list_clear(&list);
    arena_clear(&scratch);
    return rc;
}
