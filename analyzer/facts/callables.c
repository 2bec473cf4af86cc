/* One pass in pre-order.  Scopes (callables and classes) form a tree of their own; a construct is
 * counted into the innermost scope only, and when the pass is over the scopes are added up from the
 * last to the first, children into parents.
 *
 * Cognitive complexity adds 1 plus the nesting below the callable.  Let N be the number
 * of nesting nodes above a node in the whole file; then that is 1 + N(node) - N(callable), so a
 * scope keeps the sum of 1 + N and the number of such nodes, and the subtraction happens once per
 * callable. */
#include "analyzer/facts/callables.h"

#include "analyzer/facts/wrapper.h"

#define NO_SCOPE UINT32_MAX

struct scope {
    uint32_t node;
    uint32_t parent;   /* index of the scope around it, or NO_SCOPE */
    uint32_t callable; /* index of the callable, or NO_SCOPE for a class */
    uint32_t counts[COUNT_N];
    uint32_t flat_cost;   /* and, or, break, continue */
    uint32_t n_nesting;   /* if, elif, else, for, while, except, ternary */
    uint64_t nesting_sum; /* of 1 + N over them */
    uint32_t nesting_max; /* of 1 + N over them */
    uint32_t base;        /* N at the scope itself */
};

struct pass {
    const struct syntax_table *table;
    const struct flat *flat;
    const struct lines *sloc;
    const struct lines *text;
    const struct tokens *tokens;
    struct scope *scopes;
    uint32_t n_scopes;
    uint32_t next_error; /* the first ERROR or MISSING node at or behind the callable under way */
    struct facts *out;
};

/* The counter that a node of kind SYNTAX raises, COUNT_N for none. */
static enum counter
counter_of(const struct pass *pass, uint32_t node, enum syntax syntax)
{
    switch (syntax) {
    case SYN_IF:
        return COUNT_IF;
    case SYN_ELIF:
        return COUNT_ELIF;
    case SYN_ELSE:
        switch (syntax_at(pass->table, pass->flat, pass->flat->parent[node])) {
        case SYN_FOR:
        case SYN_WHILE:
            return COUNT_LOOP_ELSE;
        case SYN_TRY:
            return COUNT_TRY_ELSE;
        default:
            return COUNT_ELSE;
        }
    case SYN_FOR:
        return COUNT_FOR;
    case SYN_WHILE:
        return COUNT_WHILE;
    case SYN_EXCEPT: {
        uint32_t second = pass->flat->subtree_end[node + 1];
        bool is_star = second < pass->flat->subtree_end[node] &&
                       syntax_at(pass->table, pass->flat, second) == SYN_STAR;
        return is_star ? COUNT_EXCEPT_STAR : COUNT_EXCEPT;
    }
    case SYN_FINALLY:
        return COUNT_FINALLY;
    case SYN_WITH:
        return COUNT_WITH;
    case SYN_ASSERT:
        return COUNT_ASSERT;
    case SYN_LIST_COMP:
        return COUNT_LIST_COMP;
    case SYN_SET_COMP:
        return COUNT_SET_COMP;
    case SYN_DICT_COMP:
        return COUNT_DICT_COMP;
    case SYN_GENERATOR:
        return COUNT_GENERATOR;
    case SYN_IF_CLAUSE:
        return syntax_at(pass->table, pass->flat, pass->flat->parent[node]) == SYN_CASE
                   ? COUNT_CASE_GUARD
                   : COUNT_COMP_IF;
    case SYN_CASE:
        return COUNT_CASE;
    case SYN_AND_OR:
        return COUNT_AND_OR;
    case SYN_TERNARY:
        return COUNT_TERNARY;
    case SYN_LAMBDA:
        return COUNT_LAMBDA;
    case SYN_RETURN:
        return COUNT_RETURN;
    case SYN_RAISE:
        return COUNT_RAISE;
    case SYN_YIELD:
        return COUNT_YIELD;
    case SYN_AWAIT:
        return COUNT_AWAIT;
    case SYN_BREAK:
        return COUNT_BREAK;
    case SYN_CONTINUE:
        return COUNT_CONTINUE;
    case SYN_CALL:
        return COUNT_CALL;
    default:
        return COUNT_N;
    }
}

static bool
is_nesting(enum syntax syntax)
{
    switch (syntax) {
    case SYN_IF:
    case SYN_ELIF:
    case SYN_ELSE:
    case SYN_FOR:
    case SYN_WHILE:
    case SYN_EXCEPT:
    case SYN_TERNARY:
        return true;
    default:
        return false;
    }
}

static bool
is_statement(enum syntax syntax)
{
    switch (syntax) {
    case SYN_FUNCTION:
    case SYN_CLASS:
    case SYN_IF:
    case SYN_FOR:
    case SYN_WHILE:
    case SYN_TRY:
    case SYN_WITH:
    case SYN_MATCH:
    case SYN_ASSERT:
    case SYN_RETURN:
    case SYN_RAISE:
    case SYN_BREAK:
    case SYN_CONTINUE:
    case SYN_EXPRESSION_STATEMENT:
    case SYN_PASS:
    case SYN_SIMPLE_STATEMENT:
        return true;
    default:
        return false;
    }
}

/* ---- What is known of one callable ---------------------------------------------------------- */

static uint32_t
count_statements(const struct pass *pass, uint32_t body)
{
    const struct flat *flat = pass->flat;
    uint32_t n = 0;
    for (uint32_t child = flat_first_child(flat, body); child != FLAT_NONE;
         child = flat_next_sibling(flat, child))
        n += flat_is_named(flat, child) && !(flat->flags[child] & FLAT_EXTRA) &&
             !syntax_is_string_statement(pass->table, flat, child);
    return n;
}

static uint32_t
count_parameters(const struct pass *pass, uint32_t parameters)
{
    const struct flat *flat = pass->flat;
    uint32_t n = 0;
    for (uint32_t child = flat_first_child(flat, parameters); child != FLAT_NONE;
         child = flat_next_sibling(flat, child))
        n += flat_is_named(flat, child) && !(flat->flags[child] & FLAT_EXTRA) &&
             syntax_at(pass->table, flat, child) != SYN_SEPARATOR;
    return n;
}

static bool
is_reachable(const struct pass *pass, uint32_t node)
{
    const struct flat *flat = pass->flat;
    for (uint32_t up = flat->parent[node]; up != FLAT_NONE; up = flat->parent[up]) {
        switch (syntax_at(pass->table, flat, up)) {
        case SYN_FUNCTION:
        case SYN_CLASS:
        case SYN_DECORATED:
        case SYN_BLOCK:
        case SYN_MODULE:
            continue;
        default:
            return false;
        }
    }
    return true;
}

/* Callables come in pre-order, so the search never goes back. */
static bool
has_error_inside(struct pass *pass, uint32_t node)
{
    const struct flat *flat = pass->flat;
    if (flat->n_errors == 0)
        return false;
    if (pass->next_error < node)
        pass->next_error = node;
    while (pass->next_error < flat->n_nodes &&
           !(flat->flags[pass->next_error] & (FLAT_ERROR | FLAT_MISSING)))
        pass->next_error++;
    return pass->next_error < flat->subtree_end[node];
}

static uint32_t
flags_of(struct pass *pass, uint32_t node, uint32_t parent_scope)
{
    const struct flat *flat = pass->flat;
    uint32_t flags = 0;
    if (node + 1 < flat->subtree_end[node] && syntax_at(pass->table, flat, node + 1) == SYN_ASYNC)
        flags |= CALLABLE_ASYNC;
    uint32_t parent = flat->parent[node];
    if (parent != FLAT_NONE && syntax_at(pass->table, flat, parent) == SYN_DECORATED)
        flags |= CALLABLE_DECORATED;
    if (parent_scope != NO_SCOPE && pass->scopes[parent_scope].callable == NO_SCOPE)
        flags |= CALLABLE_METHOD;
    for (uint32_t up = parent_scope; up != NO_SCOPE; up = pass->scopes[up].parent)
        if (pass->scopes[up].callable != NO_SCOPE)
            flags |= CALLABLE_NESTED;
    if (is_reachable(pass, node))
        flags |= CALLABLE_REACHABLE;
    if (wrapper_is_trivial(pass->table, flat, node))
        flags |= CALLABLE_TRIVIAL_WRAPPER;
    if (has_error_inside(pass, node))
        flags |= CALLABLE_HAS_ERROR;
    return flags;
}

static struct bytes
name_of(const struct pass *pass, uint32_t node)
{
    uint32_t name = flat_child_by_field(pass->flat, node, pass->table->field_name);
    return name == FLAT_NONE ? BYTES("") : flat_text(pass->flat, name);
}

/* ---- The pass ------------------------------------------------------------------------------- */

static void
open_scope(struct pass *pass, uint32_t node, bool is_callable, uint32_t parent, uint32_t nesting)
{
    struct scope *scope = &pass->scopes[pass->n_scopes++];
    *scope = (struct scope){.node = node, .parent = parent, .callable = NO_SCOPE, .base = nesting};
    if (!is_callable) {
        pass->out->n_classes++;
        return;
    }
    const struct flat *flat = pass->flat;
    scope->callable = pass->out->n_callables++;
    struct callable *callable = &pass->out->callables[scope->callable];
    uint32_t last_row = tokens_last_row(pass->tokens, flat, node);
    uint32_t body = flat_child_by_field(flat, node, pass->table->field_body);
    uint32_t parameters = flat_child_by_field(flat, node, pass->table->field_parameters);
    *callable = (struct callable){
        .name = name_of(pass, node),
        .start_line = flat->start_row[node] + 1,
        .end_line = last_row + 1,
        .text_lines = lines_in_range(pass->text, flat->start_row[node], last_row),
        .n_statements = body == FLAT_NONE ? 0 : count_statements(pass, body),
        .n_parameters = parameters == FLAT_NONE ? 0 : count_parameters(pass, parameters),
        .flags = flags_of(pass, node, parent),
    };
    for (int i = 0; i < FSTRING_N; i++)
        callable->sloc[i] = lines_in_range(&pass->sloc[i], flat->start_row[node], last_row);
}

static void
count_node(struct pass *pass, uint32_t scope_index, uint32_t node, enum syntax syntax,
           uint32_t nesting)
{
    enum counter counter = counter_of(pass, node, syntax);
    if (counter == COUNT_N || scope_index == NO_SCOPE)
        return;
    struct scope *scope = &pass->scopes[scope_index];
    scope->counts[counter]++;
    if (counter == COUNT_AND_OR || counter == COUNT_BREAK || counter == COUNT_CONTINUE)
        scope->flat_cost++;
    if (is_nesting(syntax)) {
        scope->n_nesting++;
        scope->nesting_sum += 1 + (uint64_t)nesting;
        if (scope->nesting_max < nesting + 1)
            scope->nesting_max = nesting + 1;
    }
}

static void
add_up(struct pass *pass)
{
    for (uint32_t i = 0; i < pass->n_scopes; i++) {
        struct scope *scope = &pass->scopes[i];
        if (scope->callable != NO_SCOPE)
            memcpy(pass->out->callables[scope->callable].own, scope->counts, sizeof(scope->counts));
    }
    for (uint32_t i = pass->n_scopes; i-- > 0;) {
        struct scope *scope = &pass->scopes[i];
        if (scope->callable != NO_SCOPE) {
            struct callable *callable = &pass->out->callables[scope->callable];
            memcpy(callable->all, scope->counts, sizeof(scope->counts));
            uint64_t nested = scope->nesting_sum - (uint64_t)scope->n_nesting * scope->base;
            uint64_t cognitive = nested + scope->flat_cost;
            callable->cognitive = cognitive > UINT32_MAX ? UINT32_MAX : (uint32_t)cognitive;
            callable->max_nesting = scope->n_nesting ? scope->nesting_max - scope->base : 0;
        }
        if (scope->parent == NO_SCOPE)
            continue;
        struct scope *parent = &pass->scopes[scope->parent];
        for (int k = 0; k < COUNT_N; k++)
            parent->counts[k] += scope->counts[k];
        parent->flat_cost += scope->flat_cost;
        parent->n_nesting += scope->n_nesting;
        parent->nesting_sum += scope->nesting_sum;
        if (parent->nesting_max < scope->nesting_max)
            parent->nesting_max = scope->nesting_max;
    }
}

static bool
alloc_results(struct pass *pass, struct arena *arena)
{
    uint32_t n_callables = 0;
    uint32_t n_classes = 0;
    for (uint32_t i = 0; i < pass->flat->n_nodes; i++) {
        enum syntax syntax = syntax_at(pass->table, pass->flat, i);
        n_callables += syntax == SYN_FUNCTION;
        n_classes += syntax == SYN_CLASS;
    }
    pass->out->callables = ARENA_ARRAY(arena, n_callables, struct callable);
    pass->scopes = ARENA_ARRAY(arena, n_callables + n_classes, struct scope);
    return pass->out->callables && pass->scopes;
}

bool
callables_find(const struct syntax_table *table, const struct flat *flat,
               const struct lines sloc[FSTRING_N], const struct lines *text,
               const struct tokens *tokens, struct arena *arena, struct facts *out)
{
    struct pass pass = {
        .table = table, .flat = flat, .sloc = sloc, .text = text, .tokens = tokens, .out = out};
    if (!alloc_results(&pass, arena))
        return false;

    /* Nesting nodes that are open, as the places where they end, innermost last. */
    uint32_t *open_ends = ARENA_ARRAY(arena, flat->depth_max, uint32_t);
    if (!open_ends)
        return false;
    uint32_t nesting = 0;
    uint32_t scope = NO_SCOPE;
    for (uint32_t i = 0; i < flat->n_nodes; i++) {
        while (nesting > 0 && i >= open_ends[nesting - 1])
            nesting--;
        while (scope != NO_SCOPE && i >= flat->subtree_end[pass.scopes[scope].node])
            scope = pass.scopes[scope].parent;
        enum syntax syntax = syntax_at(table, flat, i);
        if (syntax == SYN_OTHER)
            continue;
        out->n_statements += is_statement(syntax);
        if (syntax == SYN_FUNCTION || syntax == SYN_CLASS) {
            open_scope(&pass, i, syntax == SYN_FUNCTION, scope, nesting);
            scope = pass.n_scopes - 1;
            continue;
        }
        count_node(&pass, scope, i, syntax, nesting);
        if (is_nesting(syntax))
            open_ends[nesting++] = flat->subtree_end[i];
    }
    add_up(&pass);
    return true;
}
