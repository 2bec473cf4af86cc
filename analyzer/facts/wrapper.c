/*
 * See wrapper.h.  The body must have one statement that counts; in its first expression calls are
 * counted, nested ones too.
 */
#include "analyzer/facts/wrapper.h"

/* The only statement of BODY that counts; FLAT_NONE when there is none or more than one. */
static uint32_t
single_statement(const struct syntax_table *table, const struct flat *flat, uint32_t body)
{
    uint32_t single = FLAT_NONE;
    for (uint32_t child = flat_first_child(flat, body); child != FLAT_NONE;
         child = flat_next_sibling(flat, child)) {
        if (!flat_is_named(flat, child) || (flat->flags[child] & FLAT_EXTRA) ||
            syntax_at(table, flat, child) == SYN_PASS ||
            syntax_is_string_statement(table, flat, child))
            continue;
        if (single != FLAT_NONE)
            return FLAT_NONE;
        single = child;
    }
    return single;
}

static uint32_t
first_named_child(const struct flat *flat, uint32_t node)
{
    uint32_t child = flat_first_child(flat, node);
    while (child != FLAT_NONE && !flat_is_named(flat, child))
        child = flat_next_sibling(flat, child);
    return child;
}

static bool
has_named_callee(const struct syntax_table *table, const struct flat *flat, uint32_t call)
{
    uint32_t callee = flat_child_by_field(flat, call, table->field_function);
    if (callee == FLAT_NONE)
        return false;
    enum syntax syntax = syntax_at(table, flat, callee);
    return syntax == SYN_IDENTIFIER || syntax == SYN_ATTRIBUTE;
}

bool
wrapper_is_trivial(const struct syntax_table *table, const struct flat *flat, uint32_t node)
{
    uint32_t body = flat_child_by_field(flat, node, table->field_body);
    uint32_t statement = body == FLAT_NONE ? FLAT_NONE : single_statement(table, flat, body);
    if (statement == FLAT_NONE)
        return false;
    enum syntax syntax = syntax_at(table, flat, statement);
    uint32_t expression = first_named_child(flat, statement);
    if ((syntax != SYN_RETURN && syntax != SYN_EXPRESSION_STATEMENT) || expression == FLAT_NONE)
        return false;

    uint32_t call = FLAT_NONE;
    for (uint32_t i = expression; i < flat->subtree_end[expression]; i++) {
        if (syntax_at(table, flat, i) != SYN_CALL)
            continue;
        if (call != FLAT_NONE)
            return false;
        call = i;
    }
    return call != FLAT_NONE && has_named_callee(table, flat, call);
}
