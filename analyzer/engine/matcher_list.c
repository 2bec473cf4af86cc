/*
 * See matcher.h.  The arrays of a list grow in its arena.
 */
#include "analyzer/engine/matcher.h"

#include <string.h>

#include "base/array.h"
#include "base/buf.h"

void
matcher_list_init(struct matcher_list *list, struct arena *arena)
{
    *list = (struct matcher_list){.arena = arena, .root = MATCHER_NONE};
    map_init(&list->variable_names);
}

void
matcher_list_clear(struct matcher_list *list)
{
    map_clear(&list->variable_names);
}

uint32_t
matcher_list_add(struct matcher_list *list, const struct matcher *matcher, uint32_t line)
{
    uint32_t capacity = list->matchers_capacity, lines_capacity = capacity;
    if (!ARRAY_RESERVE_IN(list->arena, list->matchers, list->n_matchers, capacity, 1) ||
        !ARRAY_RESERVE_IN(list->arena, list->lines, list->n_matchers, lines_capacity, 1))
        return MATCHER_NONE;
    assert(capacity == lines_capacity);
    list->matchers_capacity = capacity;
    list->matchers[list->n_matchers] = *matcher;
    list->lines[list->n_matchers] = line;
    return list->n_matchers++;
}

uint32_t
matcher_list_add_group(struct matcher_list *list, enum matcher_op op, const uint32_t *parts,
                       uint32_t n_parts, uint32_t line)
{
    if (!ARRAY_RESERVE_IN(list->arena, list->parts, list->n_parts, list->parts_capacity, n_parts))
        return MATCHER_NONE;
    if (n_parts)
        memcpy(list->parts + list->n_parts, parts, n_parts * sizeof(*parts));
    struct matcher matcher = {.op = (uint8_t)op, .parts = {list->n_parts, n_parts}};
    list->n_parts += n_parts;
    return matcher_list_add(list, &matcher, line);
}

uint32_t
matcher_list_add_kind(struct matcher_list *list, uint16_t kind, uint32_t line)
{
    struct matcher matcher = {.op = MATCHER_KIND, .kind = kind};
    return matcher_list_add(list, &matcher, line);
}

uint32_t
matcher_list_add_relation(struct matcher_list *list, enum matcher_op op, uint32_t inner,
                          enum stop_by stop, uint32_t line)
{
    struct matcher matcher = {
        .op = (uint8_t)op,
        .relation = {.inner = inner, .stop_rule = MATCHER_NONE, .stop = (uint8_t)stop}};
    return matcher_list_add(list, &matcher, line);
}

/* The key of a variable among the names. */
static struct bytes
variable_key(uint32_t scope, struct bytes name, bool many, struct buf *buf)
{
    buf_printf(buf, "%u%s", scope, many ? "$$$" : "$");
    buf_append_bytes(buf, name);
    return buf_bytes(buf);
}

static uint32_t
find_variable(const struct matcher_list *list, uint32_t scope, struct bytes name, bool many)
{
    struct buf buf = {0};
    const uint64_t *number = map_get(&list->variable_names, variable_key(scope, name, many, &buf));
    buf_clear(&buf);
    return number ? (uint32_t)*number : VARIABLE_NONE;
}

uint32_t
matcher_list_find_variable(const struct matcher_list *list, struct bytes name, bool many)
{
    return find_variable(list, 0, name, many);
}

bool
matcher_list_captures(const struct matcher_list *list, struct bytes name)
{
    for (uint32_t i = 0; i < list->n_variables; i++)
        if (bytes_equal(list->variables[i].name, name))
            return true;
    return false;
}

uint32_t
matcher_list_variable(void *context, struct bytes name, bool many)
{
    struct matcher_list *list = context;
    uint32_t known = find_variable(list, list->scope, name, many);
    if (known != VARIABLE_NONE)
        return known;
    if (!ARRAY_RESERVE_IN(list->arena, list->variables, list->n_variables, list->variables_capacity,
                          1))
        return VARIABLE_NONE;
    struct buf buf = {0};
    struct bytes key = variable_key(list->scope, name, many, &buf);
    uint64_t *number = buf_failed(&buf) ? NULL : map_put(&list->variable_names, key, NULL);
    buf_clear(&buf);
    struct bytes copy = arena_copy(list->arena, name);
    if (!number || !copy.data)
        return VARIABLE_NONE;
    *number = list->n_variables;
    list->variables[list->n_variables] = (struct rule_variable){.name = copy, .many = many};
    return list->n_variables++;
}
