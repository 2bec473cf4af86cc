/*
 * Utils are unfolded where they are called, unless they are recursive.  Then the rule is a tree,
 * walked three times in the same order, with one visit for each matcher:
 *
 * 1. Count: number the places where variables are captured, and note the first and last of each.
 * 2. Close: a matcher is closed when every variable captured in it has its first and last place in
 *    it.  Nothing outside sees its bindings, so it gets fresh ones of its own, and its result
 *    depends on the node only.
 * 3. Build: number the variables within each closed matcher from 0, so that equal parts of
 * different rules look equal, and put every matcher into the program once.
 *
 * A variable that is captured at one place only and used nowhere else is not bound.
 */
#include "analyzer/engine/intern.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"

enum { DEPTH_MAX = 1000, VISITS_MAX = 100000 };

struct place {
    uint32_t first, last, n;
    uint32_t scope; /* of the slot */
    uint32_t slot;
};

struct interner {
    struct matcher_list *list;
    struct program *program;
    struct place *places; /* of each variable */
    bool *is_closed;      /* of each visit */
    uint32_t n_visits;
    uint32_t n_places; /* captures met so far in this walk */
    uint32_t scope;    /* the closed matcher being built */
    uint32_t n_scopes;
    uint32_t n_slots;            /* of that scope so far */
    uint32_t *procedure_of_util; /* plus one; 0: not built */
    bool in_procedure;           /* which the first two walks do not enter */
    uint32_t n_built;            /* in procedures */
    uint32_t depth;
    struct err *err;
};

static int
too_large(struct interner *in)
{
    return err_set(in->err, ERR_INPUT,
                   "the rule is nested too deep, or unfolds to more than "
                   "100,000 parts");
}

/* ---- Walking ------------------------------------------------------------------------------- */

/* The children of a matcher in the order of every walk; a recursive util is not one. */
struct children {
    const uint32_t *items;
    uint32_t n;
    uint32_t two[2];
};

static void
find_children(const struct matcher_list *list, uint32_t matcher, struct children *out)
{
    const struct matcher *m = &list->matchers[matcher];
    *out = (struct children){.items = out->two};
    switch ((enum matcher_op)m->op) {
    case MATCHER_ALL:
    case MATCHER_ANY:
        out->items = list->parts + m->parts.first;
        out->n = m->parts.n;
        break;
    case MATCHER_NOT:
        out->two[out->n++] = m->inner;
        break;
    case MATCHER_NTH:
        if (m->nth.of_rule != MATCHER_NONE)
            out->two[out->n++] = m->nth.of_rule;
        break;
    case MATCHER_CALL:
        if (!list->utils[m->callee].is_recursive)
            out->two[out->n++] = list->utils[m->callee].matcher;
        break;
    case MATCHER_INSIDE:
    case MATCHER_HAS:
    case MATCHER_PRECEDES:
    case MATCHER_FOLLOWS:
        out->two[out->n++] = m->relation.inner;
        if (m->relation.stop_rule != MATCHER_NONE)
            out->two[out->n++] = m->relation.stop_rule;
        break;
    default:
        break;
    }
}

/* ---- 1. Count ------------------------------------------------------------------------------ */

static void
count_pattern(struct interner *in, const struct pattern *pattern)
{
    for (uint32_t i = 0; i < pattern->n_nodes; i++) {
        uint32_t variable = pattern->nodes[i].variable;
        if (variable == VARIABLE_NONE)
            continue;
        struct place *place = &in->places[variable];
        if (place->n++ == 0)
            place->first = in->n_places;
        place->last = in->n_places++;
    }
}

static int
count(struct interner *in, uint32_t matcher)
{
    struct children children;
    if (++in->depth > DEPTH_MAX || in->n_visits == VISITS_MAX)
        return too_large(in);
    in->n_visits++;
    if (in->list->matchers[matcher].op == MATCHER_PATTERN)
        count_pattern(in, &in->list->patterns[in->list->matchers[matcher].pattern]);
    find_children(in->list, matcher, &children);
    for (uint32_t i = 0; i < children.n; i++)
        if (count(in, children.items[i]) < 0)
            return -1;
    in->depth--;
    return 0;
}

/* ---- 2. Close ------------------------------------------------------------------------------ */

/* The places that captures below a visit reach: all within it makes it closed. */
struct reach {
    uint32_t first, last;
    bool is_open; /* something there is seen from outside */
};

static void
extend(struct reach *reach, uint32_t first, uint32_t last)
{
    if (first < reach->first)
        reach->first = first;
    if (last > reach->last)
        reach->last = last;
}

static struct reach
close_matcher(struct interner *in, uint32_t matcher)
{
    const struct matcher *m = &in->list->matchers[matcher];
    uint32_t visit = in->n_visits++;
    uint32_t before = in->n_places;
    struct reach reach = {.first = UINT32_MAX};
    struct children children;

    if (m->op == MATCHER_PATTERN) {
        const struct pattern *pattern = &in->list->patterns[m->pattern];
        for (uint32_t i = 0; i < pattern->n_nodes; i++) {
            uint32_t variable = pattern->nodes[i].variable;
            if (variable == VARIABLE_NONE)
                continue;
            in->n_places++;
            extend(&reach, in->places[variable].first, in->places[variable].last);
            reach.is_open |= in->list->variables[variable].is_pinned;
        }
    }
    if (m->op == MATCHER_CALL && in->list->utils[m->callee].is_recursive)
        reach.is_open = true;
    find_children(in->list, matcher, &children);
    for (uint32_t i = 0; i < children.n; i++) {
        struct reach below = close_matcher(in, children.items[i]);
        bool is_stop_rule = matcher_is_relation(m) && i == 1;
        if (!is_stop_rule) /* whose bindings are its own */
            extend(&reach, below.first, below.last);
        reach.is_open |= below.is_open;
    }
    in->is_closed[visit] = !reach.is_open && (reach.first == UINT32_MAX ||
                                              (reach.first >= before && reach.last < in->n_places));
    return reach;
}

/* ---- 3. Build ------------------------------------------------------------------------------ */

/* The slot of VARIABLE in the scope at hand; VARIABLE_NONE when nothing sees what it captures. */
static uint32_t
slot_of(struct interner *in, uint32_t variable)
{
    if (variable == VARIABLE_NONE)
        return VARIABLE_NONE;
    struct place *place = &in->places[variable];
    if (place->n == 1 && !in->list->variables[variable].is_pinned)
        return VARIABLE_NONE;
    if (place->scope != in->scope) {
        place->scope = in->scope;
        place->slot = in->n_slots++;
    }
    return place->slot;
}

/* Append PATTERN to KEY, with slots in place of variable numbers. */
static int
build_pattern(struct interner *in, const struct pattern *pattern, struct buf *key,
              struct pattern *out)
{
    struct pattern_node *nodes =
        ARENA_ARRAY(in->list->arena, pattern->n_nodes, struct pattern_node);
    if (!nodes)
        return -1;
    *out = *pattern;
    out->nodes = nodes;
    buf_append_byte(key, pattern->strictness);
    buf_append_varint(key, pattern->has_selector ? pattern->selector + 1u : 0);
    for (uint32_t i = 0; i < pattern->n_nodes; i++) {
        nodes[i] = pattern->nodes[i];
        nodes[i].variable = slot_of(in, pattern->nodes[i].variable);
        buf_append_byte(key, nodes[i].op);
        buf_append_byte(key, nodes[i].is_named);
        buf_append_varint(key, nodes[i].kind);
        buf_append_varint(key, nodes[i].end);
        buf_append_varint(key, nodes[i].variable);
        buf_append_varint(key, nodes[i].text.len);
        buf_append_bytes(key, nodes[i].text);
    }
    return 0;
}

static int
keep_pattern(struct interner *in, struct pattern *pattern, uint32_t *out)
{
    struct program *program = in->program;
    struct pattern_node *nodes =
        ARENA_ARRAY(&program->arena, pattern->n_nodes, struct pattern_node);
    if (!nodes ||
        !ARRAY_RESERVE(program->patterns, program->n_patterns, program->patterns_capacity, 1))
        return -1;
    for (uint32_t i = 0; i < pattern->n_nodes; i++) {
        nodes[i] = pattern->nodes[i];
        nodes[i].text = arena_copy(&program->arena, pattern->nodes[i].text);
        if (!nodes[i].text.data)
            return -1;
    }
    pattern->nodes = nodes;
    *out = program->n_patterns;
    program->patterns[program->n_patterns++] = *pattern;
    return 0;
}

static uint32_t build(struct interner *in, uint32_t matcher);

/* The number of the procedure of a recursive util, built when it is new; -1 on failure. */
static int64_t
build_procedure(struct interner *in, uint32_t util)
{
    struct program *program = in->program;
    if (in->procedure_of_util[util])
        return in->procedure_of_util[util] - 1;
    if (!ARRAY_RESERVE(program->procedures, program->n_procedures, program->procedures_capacity, 1))
        return err_nomem(in->err, "rules");
    uint32_t number = program->n_procedures++;
    in->procedure_of_util[util] = number + 1;
    bool outer = in->in_procedure;
    in->in_procedure = true;
    uint32_t body = build(in, in->list->utils[util].matcher);
    in->in_procedure = outer;
    if (body == MATCHER_NONE)
        return -1;
    program->procedures[number] = body;
    return number;
}

/* Is PART nothing but the one kind that M's kinds allow anyway? */
static bool
is_implied(const struct matcher *m, const struct matcher *part)
{
    uint32_t n_kinds = 0;
    for (size_t w = 0; w < KIND_WORDS; w++)
        n_kinds += (uint32_t)__builtin_popcountll(m->kinds.words[w]);
    return m->op == MATCHER_ALL && m->has_kinds && n_kinds == 1 && part->op == MATCHER_KIND &&
           kind_set_has(&m->kinds, part->kind);
}

/* Build the children of M, in the order of the walk, into IDS; how many there are, or -1. */
static int64_t
build_children(struct interner *in, const struct matcher *m, const struct children *children,
               uint32_t *ids)
{
    int64_t n = 0;
    for (uint32_t i = 0; i < children->n; i++) {
        uint32_t id = build(in, children->items[i]);
        if (id == MATCHER_NONE)
            return -1;
        /* The kinds are looked at before anything else. */
        if (!is_implied(m, &in->program->matchers[id]))
            ids[n++] = id;
    }
    return n;
}

/* Put the indices of the children into M and append M to KEY. */
static int
spell(struct interner *in, struct matcher *m, const uint32_t *ids, uint32_t n_ids, struct buf *key)
{
    buf_append_byte(key, m->op);
    buf_append_byte(key, m->is_closed);
    buf_append_varint(key, m->n_slots);
    for (uint32_t i = 0; i < n_ids; i++)
        buf_append_varint(key, ids[i]);
    switch ((enum matcher_op)m->op) {
    case MATCHER_PATTERN:
        break; /* build_pattern has spelled it */
    case MATCHER_KIND:
        buf_append_varint(key, m->kind);
        break;
    case MATCHER_REGEX:
        buf_append_varint(key, m->regex);
        break;
    case MATCHER_NTH:
        buf_append_varint(key, (uint64_t)m->nth.step);
        buf_append_varint(key, (uint64_t)m->nth.offset);
        buf_append_byte(key, m->nth.reverse);
        m->nth.of_rule = n_ids ? ids[0] : MATCHER_NONE;
        break;
    case MATCHER_RANGE:
        buf_append(key, &m->range, sizeof(m->range));
        break;
    case MATCHER_NOT:
        m->inner = ids[0];
        break;
    case MATCHER_CALL: {
        int64_t procedure = build_procedure(in, m->callee);
        if (procedure < 0)
            return -1;
        m->callee = (uint32_t)procedure;
        buf_append_varint(key, m->callee);
        break;
    }
    case MATCHER_INSIDE:
    case MATCHER_HAS:
    case MATCHER_PRECEDES:
    case MATCHER_FOLLOWS:
        m->relation.inner = ids[0];
        m->relation.stop_rule = n_ids > 1 ? ids[1] : MATCHER_NONE;
        buf_append_byte(key, m->relation.stop);
        buf_append_byte(key, m->relation.field);
        break;
    case MATCHER_ALL:
    case MATCHER_ANY:
        break;
    }
    return 0;
}

/* The index of M in the program, put in when it is new. */
static uint32_t
put(struct interner *in, struct matcher *m, const uint32_t *ids, uint32_t n_ids,
    struct pattern *pattern, struct bytes key)
{
    struct program *program = in->program;
    bool is_new;
    uint64_t *known = map_put(&program->known, key, &is_new);
    if (!known)
        return MATCHER_NONE;
    if (!is_new)
        return (uint32_t)*known;
    *known = program->n_matchers;
    if (!ARRAY_RESERVE(program->matchers, program->n_matchers, program->matchers_capacity, 1))
        return MATCHER_NONE;
    if (m->op == MATCHER_ALL || m->op == MATCHER_ANY) {
        if (!ARRAY_RESERVE(program->parts, program->n_parts, program->parts_capacity, n_ids))
            return MATCHER_NONE;
        m->parts.first = program->n_parts;
        m->parts.n = n_ids;
        if (n_ids)
            memcpy(program->parts + program->n_parts, ids, n_ids * sizeof(*ids));
        program->n_parts += n_ids;
    }
    if (m->op == MATCHER_PATTERN && keep_pattern(in, pattern, &m->pattern) < 0)
        return MATCHER_NONE;
    program->matchers[program->n_matchers] = *m;
    return program->n_matchers++;
}

/* Build what MATCHER is, its closedness being known. */
static uint32_t
build_open(struct interner *in, struct matcher m, uint32_t matcher)
{
    struct children children;
    struct pattern pattern = {0};
    struct buf key = {0};
    uint32_t id = MATCHER_NONE;

    find_children(in->list, matcher, &children);
    if (m.op == MATCHER_CALL && children.n)
        return build(in, children.items[0]); /* a util that is unfolded */
    uint32_t *ids = malloc((children.n + 1) * sizeof(*ids));
    if (!ids) {
        (void)err_nomem(in->err, "rules");
        return MATCHER_NONE;
    }
    int64_t n_ids = build_children(in, &m, &children, ids);
    if (n_ids >= 0 && (m.op != MATCHER_PATTERN ||
                       build_pattern(in, &in->list->patterns[m.pattern], &key, &pattern) == 0)) {
        m.n_slots = m.is_closed ? in->n_slots : 0;
        buf_append(&key, &m.kinds, m.has_kinds ? sizeof(m.kinds) : 0);
        if (spell(in, &m, ids, (uint32_t)n_ids, &key) == 0 && !buf_failed(&key))
            id = put(in, &m, ids, (uint32_t)n_ids, &pattern, buf_bytes(&key));
    }
    if (id == MATCHER_NONE && in->err->code == ERR_NONE)
        (void)err_nomem(in->err, "rules");
    free(ids);
    buf_clear(&key);
    return id;
}

static uint32_t
build(struct interner *in, uint32_t matcher)
{
    struct matcher m = in->list->matchers[matcher];
    if (in->in_procedure) {
        if (in->depth == DEPTH_MAX || in->n_built++ == VISITS_MAX) {
            (void)too_large(in);
            return MATCHER_NONE;
        }
        in->depth++;
        uint32_t id = build_open(in, m, matcher);
        in->depth--;
        return id;
    }
    m.is_closed = in->is_closed[in->n_visits++];
    if (!m.is_closed)
        return build_open(in, m, matcher);
    uint32_t outer_scope = in->scope, outer_slots = in->n_slots;
    in->scope = ++in->n_scopes;
    in->n_slots = 0;
    uint32_t id = build_open(in, m, matcher);
    in->scope = outer_scope;
    in->n_slots = outer_slots;
    return id;
}

/* ---- A rule -------------------------------------------------------------------------------- */

/* Variables that are seen from outside the patterns that capture them. */
static void
pin_variables(struct matcher_list *list)
{
    bool any_recursive = false;
    for (uint32_t i = 0; i < list->n_utils; i++)
        any_recursive |= list->utils[i].is_recursive;
    for (uint32_t i = 0; i < list->n_variables; i++)
        list->variables[i].is_pinned = any_recursive;
    for (uint32_t i = 0; i < list->n_constraints; i++)
        list->variables[list->constraints[i].variable].is_pinned = true;
}

static int
survey(struct interner *in)
{
    struct matcher_list *list = in->list;
    int rc = count(in, list->root);
    for (uint32_t i = 0; i < list->n_constraints && rc == 0; i++)
        rc = count(in, list->constraints[i].matcher);
    if (rc < 0)
        return -1;
    in->is_closed = ARENA_ARRAY(list->arena, in->n_visits, bool);
    if (!in->is_closed)
        return err_nomem(in->err, "rules");
    in->n_visits = 0;
    in->n_places = 0;
    (void)close_matcher(in, list->root);
    for (uint32_t i = 0; i < list->n_constraints; i++)
        (void)close_matcher(in, list->constraints[i].matcher);
    in->n_visits = 0;
    return 0;
}

static int
build_rule(struct interner *in, struct program_rule *out)
{
    const struct matcher_list *list = in->list;
    struct program_constraint *constraints =
        ARENA_ARRAY(&in->program->arena, list->n_constraints, struct program_constraint);
    if (!constraints)
        return err_nomem(in->err, "rules");
    in->scope = ++in->n_scopes;
    out->root = build(in, list->root);
    if (out->root == MATCHER_NONE)
        return -1;
    for (uint32_t i = 0; i < list->n_constraints; i++) {
        constraints[i].slot = slot_of(in, list->constraints[i].variable);
        constraints[i].matcher = build(in, list->constraints[i].matcher);
        if (constraints[i].matcher == MATCHER_NONE)
            return -1;
    }
    out->constraints = constraints;
    out->n_constraints = list->n_constraints;
    out->n_slots = in->n_slots;
    return 0;
}

int
rule_intern(struct matcher_list *list, struct program *program, struct program_rule *out,
            struct err *err)
{
    struct interner in = {.list = list, .program = program, .err = err};
    err->code = ERR_NONE; /* what fails below without a word of its own is memory */
    in.places = ARENA_ARRAY(list->arena, list->n_variables, struct place);
    in.procedure_of_util = ARENA_ARRAY(list->arena, list->n_utils, uint32_t);
    if (!in.places || !in.procedure_of_util)
        return err_nomem(err, "rules");
    pin_variables(list);
    return survey(&in) < 0 ? -1 : build_rule(&in, out);
}

/* ---- The program --------------------------------------------------------------------------- */

void
program_init(struct program *program)
{
    *program = (struct program){0};
    arena_init(&program->arena, 0);
    map_init(&program->known);
}

void
program_clear(struct program *program)
{
    arena_clear(&program->arena);
    map_clear(&program->known);
    free(program->matchers);
    free(program->parts);
    free(program->patterns);
    free(program->procedures);
    free(program->regexes);
    program_init(program);
}
