/*
 * The parts of a rule object are read in the order in which they are tried, whatever their order
 * in the file.  The recursion is bounded by the depth that base/yaml_read.h allows.
 */
#include "analyzer/engine/rule_read.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "analyzer/engine/rule_names.h"

/* ---- Regexes ------------------------------------------------------------------------------- */

void
regex_table_init(struct regex_table *table, struct arena *arena)
{
    *table = (struct regex_table){.arena = arena};
    map_init(&table->index);
}

void
regex_table_clear(struct regex_table *table)
{
    map_clear(&table->index);
    free(table->regexes);
    table->regexes = NULL;
}

int64_t
regex_table_put(struct regex_table *table, struct bytes pattern, struct err *err)
{
    const uint64_t *known = map_get(&table->index, pattern);
    if (known)
        return (int64_t)*known;
    if (!ARRAY_RESERVE(table->regexes, table->n_regexes, table->capacity, 1))
        return err_nomem(err, "regexes");
    if (regex_compile(pattern, table->arena, &table->regexes[table->n_regexes], err) < 0)
        return -1;
    uint64_t *index = map_put(&table->index, pattern, NULL);
    if (!index)
        return err_nomem(err, "regexes");
    *index = table->n_regexes;
    return table->n_regexes++;
}

/* ---- Messages ------------------------------------------------------------------------------ */

int
rule_refuse(struct rule_reader *reader, uint32_t line, const char *format, ...)
{
    char words[512];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof(words), format, args);
    va_end(args);
    return err_set(reader->err, ERR_INPUT, "%s:%u: %s", reader->origin, line, words);
}

static uint32_t
refuse_nomem(struct rule_reader *reader)
{
    (void)err_nomem(reader->err, "rules");
    return MATCHER_NONE;
}

/* Put the place in front of the message of a part that does not know it. */
static int
refuse_inner(struct rule_reader *reader, uint32_t line)
{
    if (reader->err && reader->err->code == ERR_NOMEM)
        return -1;
    return err_wrap(reader->err, "%s:%u", reader->origin, line);
}

static int
want_text(struct rule_reader *reader, const struct yaml_value *value, const char *key)
{
    if (value->type == YAML_TEXT)
        return 0;
    return rule_refuse(reader, value->line, "`%s` must be a text, not %s%s", key,
                       yaml_type_name(value->type),
                       value->type <= YAML_NUMBER ? "; put it in quotes" : "");
}

/* ---- Atomic parts -------------------------------------------------------------------------- */

static int
read_strictness(struct rule_reader *reader, const struct yaml_value *value,
                enum strictness *strictness)
{
    static const char *const names[] = {"cst", "smart", "ast", "relaxed", "signature", "template"};
    if (want_text(reader, value, "strictness") < 0)
        return -1;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (bytes_equal(value->text, bytes_of_text(names[i]))) {
            *strictness = (enum strictness)i;
            return 0;
        }
    }
    return rule_refuse(reader, value->line,
                       "`strictness` must be cst, smart, ast, relaxed, "
                       "signature or template");
}

static int
read_pattern_mapping(struct rule_reader *reader, const struct yaml_value *value,
                     struct pattern_source *source)
{
    for (uint32_t i = 0; i < value->n_items; i++) {
        const struct yaml_item *item = &value->items[i];
        if (bytes_equal(item->key, BYTES("context"))) {
            if (want_text(reader, item->value, "context") < 0)
                return -1;
            source->text = item->value->text;
        } else if (bytes_equal(item->key, BYTES("selector"))) {
            if (item->value->type == YAML_NULL)
                continue;
            if (want_text(reader, item->value, "selector") < 0)
                return -1;
            source->selector = item->value->text;
        } else if (bytes_equal(item->key, BYTES("strictness"))) {
            if (item->value->type != YAML_NULL &&
                read_strictness(reader, item->value, &source->strictness) < 0)
                return -1;
        } else {
            return rule_refuse(reader, item->key_line, "`pattern` has no key `%.*s`",
                               BYTES_ARG(item->key));
        }
    }
    if (!source->text.data)
        return rule_refuse(reader, value->line, "`pattern` needs a `context`");
    return 0;
}

static uint32_t
read_pattern(struct rule_reader *reader, const struct yaml_value *value)
{
    struct pattern_source source = {.strictness = STRICTNESS_SMART};
    struct matcher_list *list = reader->list;
    if (value->type == YAML_MAPPING) {
        if (read_pattern_mapping(reader, value, &source) < 0)
            return MATCHER_NONE;
    } else {
        if (want_text(reader, value, "pattern") < 0)
            return MATCHER_NONE;
        source.text = value->text;
    }
    if (!ARRAY_RESERVE_IN(list->arena, list->patterns, list->n_patterns, list->patterns_capacity,
                          1))
        return refuse_nomem(reader);
    if (pattern_compile(reader->parse, &source, matcher_list_variable, list, list->arena,
                        &list->patterns[list->n_patterns], reader->err) < 0) {
        (void)refuse_inner(reader, value->line);
        return MATCHER_NONE;
    }
    struct matcher matcher = {.op = MATCHER_PATTERN, .pattern = list->n_patterns++};
    return matcher_list_add(list, &matcher, value->line);
}

static uint32_t
read_kind(struct rule_reader *reader, const struct yaml_value *value)
{
    if (want_text(reader, value, "kind") < 0)
        return MATCHER_NONE;
    return rule_read_selector(reader, value->text, value->line);
}

static uint32_t
read_regex(struct rule_reader *reader, const struct yaml_value *value)
{
    if (want_text(reader, value, "regex") < 0)
        return MATCHER_NONE;
    int64_t index = regex_table_put(reader->regexes, value->text, reader->err);
    if (index < 0) {
        (void)refuse_inner(reader, value->line);
        return MATCHER_NONE;
    }
    struct matcher matcher = {.op = MATCHER_REGEX, .regex = (uint32_t)index};
    return matcher_list_add(reader->list, &matcher, value->line);
}

static uint32_t
read_matches(struct rule_reader *reader, const struct yaml_value *value)
{
    if (value->type == YAML_MAPPING) {
        (void)rule_refuse(reader, value->line,
                          "`matches` with arguments needs a project configuration, which is not "
                          "supported; name a util of this rule");
        return MATCHER_NONE;
    }
    if (want_text(reader, value, "matches") < 0)
        return MATCHER_NONE;
    struct matcher matcher = {.op = MATCHER_CALL, .callee = MATCHER_NONE};
    for (uint32_t i = 0; i < reader->list->n_utils; i++)
        if (bytes_equal(reader->list->utils[i].name, value->text))
            matcher.callee = i;
    return matcher_list_add(reader->list, &matcher, value->line);
}

/* ---- Composite parts ----------------------------------------------------------------------- */

static uint32_t
read_list(struct rule_reader *reader, const struct yaml_value *value, enum matcher_op op,
          const char *key)
{
    if (value->type != YAML_LIST) {
        (void)rule_refuse(reader, value->line, "`%s` must be a list of rule objects, not %s", key,
                          yaml_type_name(value->type));
        return MATCHER_NONE;
    }
    uint32_t *parts = ARENA_ARRAY(reader->list->arena, value->n_items, uint32_t);
    if (!parts)
        return refuse_nomem(reader);
    for (uint32_t i = 0; i < value->n_items; i++) {
        parts[i] = rule_read_object(reader, value->items[i].value, key);
        if (parts[i] == MATCHER_NONE)
            return MATCHER_NONE;
    }
    uint32_t group = matcher_list_add_group(reader->list, op, parts, value->n_items, value->line);
    return group == MATCHER_NONE ? refuse_nomem(reader) : group;
}

static uint32_t
read_not(struct rule_reader *reader, const struct yaml_value *value)
{
    struct matcher matcher = {.op = MATCHER_NOT, .inner = rule_read_object(reader, value, "not")};
    if (matcher.inner == MATCHER_NONE)
        return MATCHER_NONE;
    return matcher_list_add(reader->list, &matcher, value->line);
}

/* ---- Relations ----------------------------------------------------------------------------- */

static uint32_t read_parts(struct rule_reader *reader, const struct yaml_value *value,
                           const char *what, bool is_relation);

static int
read_stop_by(struct rule_reader *reader, const struct yaml_value *value, struct matcher *matcher)
{
    if (value->type == YAML_MAPPING) {
        uint32_t outer = reader->list->scope;
        reader->list->scope = ++reader->list->n_scopes;
        matcher->relation.stop = STOP_RULE;
        matcher->relation.stop_rule = rule_read_object(reader, value, "stopBy");
        reader->list->scope = outer;
        return matcher->relation.stop_rule == MATCHER_NONE ? -1 : 0;
    }
    if (value->type == YAML_TEXT && bytes_equal(value->text, BYTES("neighbor")))
        matcher->relation.stop = STOP_NEIGHBOR;
    else if (value->type == YAML_TEXT && bytes_equal(value->text, BYTES("end")))
        matcher->relation.stop = STOP_END;
    else
        return rule_refuse(reader, value->line, "`stopBy` must be neighbor, end or a rule object");
    return 0;
}

static int
read_field(struct rule_reader *reader, const struct yaml_value *value, struct matcher *matcher)
{
    if (value->type == YAML_NULL)
        return 0;
    if (want_text(reader, value, "field") < 0)
        return -1;
    if (matcher->op == MATCHER_PRECEDES || matcher->op == MATCHER_FOLLOWS)
        return rule_refuse(reader, value->line, "`field` belongs to `has` and `inside` only");
    matcher->relation.field = rule_field_of_name(value->text);
    if (matcher->relation.field == 0)
        return rule_refuse(reader, value->line, "\"%.*s\" is no field of Python's grammar",
                           BYTES_ARG(value->text));
    return 0;
}

static uint32_t
read_relation(struct rule_reader *reader, const struct yaml_value *value, enum matcher_op op,
              const char *key)
{
    struct matcher matcher = {.op = (uint8_t)op, .relation = {.stop_rule = MATCHER_NONE}};
    matcher.relation.inner = read_parts(reader, value, key, true);
    if (matcher.relation.inner == MATCHER_NONE)
        return MATCHER_NONE;
    const struct yaml_value *stop = yaml_member(value, "stopBy");
    const struct yaml_value *field = yaml_member(value, "field");
    if ((stop && read_stop_by(reader, stop, &matcher) < 0) ||
        (field && read_field(reader, field, &matcher) < 0))
        return MATCHER_NONE;
    return matcher_list_add(reader->list, &matcher, value->line);
}

/* ---- Objects ------------------------------------------------------------------------------- */

/* In the order in which they are tried. */
enum part_key {
    KEY_PATTERN,
    KEY_KIND,
    KEY_REGEX,
    KEY_NTH,
    KEY_RANGE,
    KEY_ALL,
    KEY_ANY,
    KEY_NOT,
    KEY_MATCHES,
    KEY_INSIDE,
    KEY_HAS,
    KEY_PRECEDES,
    KEY_FOLLOWS,
    KEY_N
};

static const char *const key_names[KEY_N] = {"pattern", "kind",     "regex",  "nthChild", "range",
                                             "all",     "any",      "not",    "matches",  "inside",
                                             "has",     "precedes", "follows"};

static uint32_t
read_part(struct rule_reader *reader, enum part_key key, const struct yaml_value *value)
{
    switch (key) {
    case KEY_PATTERN:
        return read_pattern(reader, value);
    case KEY_KIND:
        return read_kind(reader, value);
    case KEY_REGEX:
        return read_regex(reader, value);
    case KEY_NTH:
        return rule_read_nth(reader, value);
    case KEY_RANGE:
        return rule_read_range(reader, value);
    case KEY_ALL:
        return read_list(reader, value, MATCHER_ALL, "all");
    case KEY_ANY:
        return read_list(reader, value, MATCHER_ANY, "any");
    case KEY_NOT:
        return read_not(reader, value);
    case KEY_MATCHES:
        return read_matches(reader, value);
    case KEY_INSIDE:
        return read_relation(reader, value, MATCHER_INSIDE, "inside");
    case KEY_HAS:
        return read_relation(reader, value, MATCHER_HAS, "has");
    case KEY_PRECEDES:
        return read_relation(reader, value, MATCHER_PRECEDES, "precedes");
    case KEY_FOLLOWS:
        return read_relation(reader, value, MATCHER_FOLLOWS, "follows");
    case KEY_N:
        break;
    }
    return MATCHER_NONE;
}

/* Sort the members of VALUE by key; a key that is none is refused, except in a relation. */
static int
sort_members(struct rule_reader *reader, const struct yaml_value *value, const char *what,
             bool is_relation, const struct yaml_value *members[KEY_N])
{
    for (uint32_t i = 0; i < value->n_items; i++) {
        const struct yaml_item *item = &value->items[i];
        size_t key = 0;
        while (key < KEY_N && !bytes_equal(item->key, bytes_of_text(key_names[key])))
            key++;
        if (key < KEY_N)
            members[key] = item->value;
        else if (!is_relation)
            return rule_refuse(reader, item->key_line,
                               "`%.*s` is no key of a rule object (in `%s`)", BYTES_ARG(item->key),
                               what);
    }
    return 0;
}

static uint32_t
read_parts(struct rule_reader *reader, const struct yaml_value *value, const char *what,
           bool is_relation)
{
    const struct yaml_value *members[KEY_N] = {0};
    uint32_t parts[KEY_N], n = 0;

    if (value->type != YAML_MAPPING) {
        (void)rule_refuse(reader, value->line, "`%s` must be a rule object, not %s", what,
                          yaml_type_name(value->type));
        return MATCHER_NONE;
    }
    if (reader->objects_left == 0) {
        (void)rule_refuse(reader, value->line, "too many rule objects, aliases counted in full");
        return MATCHER_NONE;
    }
    reader->objects_left--;
    if (sort_members(reader, value, what, is_relation, members) < 0)
        return MATCHER_NONE;
    for (size_t key = 0; key < KEY_N; key++) {
        if (!members[key])
            continue;
        if (members[key]->type == YAML_NULL) {
            (void)rule_refuse(reader, members[key]->line, "`%s` has no value", key_names[key]);
            return MATCHER_NONE;
        }
        parts[n] = read_part(reader, (enum part_key)key, members[key]);
        if (parts[n++] == MATCHER_NONE)
            return MATCHER_NONE;
    }
    if (n == 0) {
        (void)rule_refuse(reader, value->line,
                          "`%s` says nothing: it needs pattern, kind, regex "
                          "or another key that matches",
                          what);
        return MATCHER_NONE;
    }
    if (n == 1)
        return parts[0];
    uint32_t all = matcher_list_add_group(reader->list, MATCHER_ALL, parts, n, value->line);
    return all == MATCHER_NONE ? refuse_nomem(reader) : all;
}

uint32_t
rule_read_object(struct rule_reader *reader, const struct yaml_value *value, const char *what)
{
    return read_parts(reader, value, what, false);
}
