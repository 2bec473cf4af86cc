/*
 * Keys that change how ast-grep reports or rewrites, never what it matches.  Rules that have them
 * are taken; shapes that ast-grep could not read are refused.
 */
#include "analyzer/engine/rule_load.h"

static bool
is_absent(const struct yaml_value *value)
{
    return !value || value->type == YAML_NULL;
}

static bool
is_name_byte(uint8_t c, bool first)
{
    return (c >= 'A' && c <= 'Z') || c == '_' || (!first && c >= '0' && c <= '9');
}

/* Is NAME captured by a pattern or made by a transform? */
static bool
is_known(const struct rule_reader *reader, const struct yaml_value *transform, struct bytes name)
{
    if (name.len == 0 || name.data[0] == '_' || matcher_list_captures(reader->list, name))
        return true;
    if (is_absent(transform) || transform->type != YAML_MAPPING)
        return false;
    for (uint32_t i = 0; i < transform->n_items; i++)
        if (bytes_equal(transform->items[i].key, name))
            return true;
    return false;
}

/* Every $NAME in TEXT must be known. */
static int
check_names(struct rule_reader *reader, const struct yaml_value *transform, struct bytes text,
            uint32_t line, const char *key)
{
    for (size_t i = 0; i < text.len;) {
        if (text.data[i++] != '$')
            continue;
        while (i < text.len && text.data[i] == '$')
            i++;
        size_t start = i;
        while (i < text.len && is_name_byte(text.data[i], i == start))
            i++;
        struct bytes name = bytes_slice(text, start, i);
        if (!is_known(reader, transform, name))
            return rule_refuse(reader, line, "`%s` uses $%.*s, which no pattern captures", key,
                               BYTES_ARG(name));
    }
    return 0;
}

static int
check_fix(struct rule_reader *reader, const struct yaml_value *transform,
          const struct yaml_value *fix)
{
    if (fix->type == YAML_MAPPING) {
        const struct yaml_value *template = yaml_member(fix, "template");
        if (!template || template->type == YAML_LIST || template->type == YAML_MAPPING)
            return rule_refuse(reader, fix->line, "`fix` needs a `template` that is a text");
        return check_names(reader, transform, template->text, template->line, "fix");
    }
    if (fix->type == YAML_LIST)
        return rule_refuse(reader, fix->line, "`fix` must be a text, a mapping or a list of these");
    return check_names(reader, transform, fix->text, fix->line, "fix");
}

static int
check_fixes(struct rule_reader *reader, const struct yaml_value *transform,
            const struct yaml_value *fix)
{
    if (is_absent(fix))
        return 0;
    if (fix->type != YAML_LIST)
        return check_fix(reader, transform, fix);
    for (uint32_t i = 0; i < fix->n_items; i++)
        if (check_fix(reader, transform, fix->items[i].value) < 0)
            return -1;
    return 0;
}

/* One of `substring`, `replace`, `convert`, `rewrite`, each with a `source`; or a text that calls
 * one of them. */
static int
check_transform(struct rule_reader *reader, const struct yaml_value *transform,
                const struct yaml_value *made)
{
    static const char *const ways[] = {"substring", "replace", "convert", "rewrite"};
    if (made->type == YAML_TEXT)
        return check_names(reader, transform, made->text, made->line, "transform");
    const struct yaml_value *way = NULL;
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]) && !way; i++)
        way = yaml_member(made, ways[i]);
    const struct yaml_value *source = way ? yaml_member(way, "source") : NULL;
    if (!source || source->type != YAML_TEXT)
        return rule_refuse(reader, made->line,
                           "`transform` needs substring, replace, convert or "
                           "rewrite, with a source");
    return check_names(reader, transform, source->text, source->line, "transform");
}

static int
check_labels(struct rule_reader *reader, const struct yaml_value *labels)
{
    if (is_absent(labels))
        return 0;
    if (labels->type != YAML_MAPPING)
        return rule_refuse(reader, labels->line, "`labels` must be a mapping");
    for (uint32_t i = 0; i < labels->n_items; i++) {
        const struct yaml_item *label = &labels->items[i];
        const struct yaml_value *style = yaml_member(label->value, "style");
        if (!matcher_list_captures(reader->list, label->key))
            return rule_refuse(reader, label->key_line,
                               "`labels` names %.*s, which no pattern captures",
                               BYTES_ARG(label->key));
        if (!style || !(bytes_equal(style->text, BYTES("primary")) ||
                        bytes_equal(style->text, BYTES("secondary"))))
            return rule_refuse(reader, label->key_line,
                               "a label needs `style`: primary or "
                               "secondary");
    }
    return 0;
}

static int
check_rewriters(struct rule_reader *reader, const struct yaml_value *rewriters)
{
    if (is_absent(rewriters))
        return 0;
    if (rewriters->type != YAML_LIST)
        return rule_refuse(reader, rewriters->line, "`rewriters` must be a list");
    for (uint32_t i = 0; i < rewriters->n_items; i++) {
        const struct yaml_value *item = rewriters->items[i].value;
        if (!yaml_member(item, "id") || !yaml_member(item, "rule") || !yaml_member(item, "fix"))
            return rule_refuse(reader, item->line, "a rewriter needs `id`, `rule` and `fix`");
    }
    return 0;
}

int
rule_check_extras(struct rule_reader *reader, const struct yaml_value *root)
{
    const struct yaml_value *transform = yaml_member(root, "transform");
    if (!is_absent(transform)) {
        if (transform->type != YAML_MAPPING)
            return rule_refuse(reader, transform->line, "`transform` must be a mapping");
        for (uint32_t i = 0; i < transform->n_items; i++)
            if (check_transform(reader, transform, transform->items[i].value) < 0)
                return -1;
    }
    if (check_fixes(reader, transform, yaml_member(root, "fix")) < 0 ||
        check_labels(reader, yaml_member(root, "labels")) < 0)
        return -1;
    return check_rewriters(reader, yaml_member(root, "rewriters"));
}
