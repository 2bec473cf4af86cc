/*
 * Explanation: a rule is tried on a node again, part by part in the same order and with the same
 * bindings, and every step is written to the output.  What a part says comes from match_node, so
 * the explanation cannot differ from the scan.
 */
#include <string.h>

#include "analyzer/engine/rule_names.h"
#include "analyzer/engine/runner.h"

enum {
    DEPTH_MAX = 24,
    CANDIDATES_MAX = 6, /* shown of a relation that does not hold */
    QUOTED_BYTES_MAX = 60,
    KINDS_SHOWN_MAX = 6,
    LINES_NAMED_MAX = 10
};

struct explainer {
    struct matching *matching;
    struct buf *out;
};

/* ---- Words --------------------------------------------------------------------------------- */

static void
indent(struct explainer *e, unsigned depth)
{
    for (unsigned i = 0; i < depth; i++)
        buf_append_text(e->out, "  ");
}

/* TEXT in backquotes, one line, cut when it is long. */
static void
quote(struct buf *out, struct bytes text)
{
    bool is_cut = text.len > QUOTED_BYTES_MAX;
    size_t n = is_cut ? QUOTED_BYTES_MAX : text.len;
    while (is_cut && n > 0 && (text.data[n] & 0xc0) == 0x80)
        n--; /* not within a character */
    buf_append_byte(out, '`');
    for (size_t i = 0; i < n; i++) {
        if (text.data[i] == '\n')
            buf_append_text(out, "\\n");
        else
            buf_append_byte(out, text.data[i]);
    }
    buf_append_text(out, is_cut ? "…`" : "`");
}

static void
name_node(struct explainer *e, uint32_t node)
{
    const struct flat *flat = e->matching->flat;
    uint32_t row = flat->start_row[node];
    buf_printf(e->out, "%s at %u:%u ", rule_kind_name(flat->kind[node]), row + 1,
               flat->start_byte[node] - flat->row_start[row] + 1);
    quote(e->out, flat_text(flat, node));
}

static void
name_kinds(struct buf *out, const struct kind_set *kinds)
{
    unsigned n = 0;
    for (unsigned bit = 0; bit < KIND_BITS; bit++) {
        uint16_t kind = bit == KIND_BITS - 1 ? FLAT_KIND_ERROR : (uint16_t)bit;
        if (!kind_set_has(kinds, kind))
            continue;
        if (n++ == KINDS_SHOWN_MAX) {
            buf_append_text(out, ", …");
            return;
        }
        buf_printf(out, "%s%s", n > 1 ? ", " : "", rule_kind_name(kind));
    }
    if (n == 0)
        buf_append_text(out, "nothing: its parts exclude each other");
}

static const char *
relation_words(const struct matcher *m)
{
    static const char *const words[4][3] = {
        {"inside its parent", "inside some ancestor", "inside an ancestor up to the stop rule"},
        {"has a child", "has a descendant", "has a descendant above the stop rule"},
        {"precedes its next sibling", "precedes some later sibling",
         "precedes a later sibling up to the stop rule"},
        {"follows its previous sibling", "follows some earlier sibling",
         "follows an earlier sibling up to the stop rule"}};
    return words[m->op - MATCHER_INSIDE][m->relation.stop];
}

/* What a part without parts asks. */
static void
describe(struct explainer *e, const struct matcher *m)
{
    const struct program *program = e->matching->program;
    const struct pattern_node *root;
    switch ((enum matcher_op)m->op) {
    case MATCHER_PATTERN:
        root = &program->patterns[m->pattern].nodes[0];
        if (root->op == PATTERN_ONE)
            buf_append_text(e->out, "pattern: a variable");
        else
            buf_printf(e->out, "pattern: code of kind %s", rule_kind_name(root->kind));
        break;
    case MATCHER_KIND:
        buf_printf(e->out, "kind: %s", rule_kind_name(m->kind));
        break;
    case MATCHER_REGEX:
        buf_append_text(e->out, "regex: ");
        quote(e->out, program->regexes[m->regex].pattern);
        break;
    case MATCHER_NTH:
        buf_printf(e->out, "nthChild: %lldn%+lld%s", (long long)m->nth.step,
                   (long long)m->nth.offset, m->nth.reverse ? " from the end" : "");
        break;
    case MATCHER_RANGE:
        buf_printf(e->out, "range: lines %u to %u, from 0", m->range.start_line, m->range.end_line);
        break;
    default:
        break;
    }
}

/* ---- Steps --------------------------------------------------------------------------------- */

static bool explain(struct explainer *e, uint32_t matcher, uint32_t node, unsigned depth);

static void
write_verdict(struct explainer *e, bool holds, unsigned depth)
{
    indent(e, depth);
    buf_append_text(e->out, holds ? "yes  " : "no   ");
}

/* Nodes the relation M of NODE asks about and whose kind is possible, in the order they are asked;
 * how many there are, the first CANDIDATES_MAX of them in OUT. */
static uint32_t
find_candidates(struct explainer *e, const struct matcher *m, uint32_t node,
                uint32_t out[CANDIDATES_MAX])
{
    const struct flat *flat = e->matching->flat;
    const struct matcher *inner = &e->matching->program->matchers[m->relation.inner];
    bool all = m->relation.stop != STOP_NEIGHBOR;
    uint32_t n = 0, at = node;
    for (;;) {
        if (m->op == MATCHER_INSIDE)
            at = flat->parent[at];
        else if (m->op == MATCHER_PRECEDES)
            at = flat_next_sibling(flat, at);
        else if (m->op == MATCHER_FOLLOWS)
            at = flat_previous_sibling(flat, at);
        else
            at = all || at == node ? at + 1 : flat->subtree_end[at];
        if (at == FLAT_NONE || (m->op == MATCHER_HAS && at >= flat->subtree_end[node]))
            return n;
        if (match_is_possible(e->matching, inner, at)) {
            if (n < CANDIDATES_MAX)
                out[n] = at;
            n++;
        }
        if (!all && m->op != MATCHER_HAS)
            return n;
    }
}

static bool
explain_relation(struct explainer *e, uint32_t matcher, uint32_t node, unsigned depth)
{
    const struct matcher *m = &e->matching->program->matchers[matcher];
    const struct matcher *inner = &e->matching->program->matchers[m->relation.inner];
    uint32_t related = match_node(e->matching, matcher, node);
    write_verdict(e, related != FLAT_NONE, depth);
    buf_append_text(e->out, relation_words(m));
    if (m->relation.field)
        buf_printf(e->out, " (field %s)", rule_field_name(m->relation.field));
    if (related != FLAT_NONE) {
        buf_append_text(e->out, ": ");
        name_node(e, related);
        buf_append_byte(e->out, '\n');
        return true;
    }
    uint32_t candidates[CANDIDATES_MAX];
    uint32_t n = find_candidates(e, m, node, candidates);
    if (inner->has_kinds) {
        buf_append_text(e->out, " of kind ");
        name_kinds(e->out, &inner->kinds);
    }
    buf_printf(e->out, ": %u to ask\n", n);
    for (uint32_t i = 0; i < n && i < CANDIDATES_MAX; i++) {
        uint32_t n_trail = e->matching->n_trail;
        indent(e, depth + 1);
        name_node(e, candidates[i]);
        buf_append_byte(e->out, '\n');
        (void)explain(e, m->relation.inner, candidates[i], depth + 2);
        match_undo(e->matching, n_trail);
    }
    if (n > CANDIDATES_MAX) {
        indent(e, depth + 1);
        buf_printf(e->out, "… and %u more\n", n - CANDIDATES_MAX);
    }
    return false;
}

static bool
explain_parts(struct explainer *e, const struct matcher *m, uint32_t node, unsigned depth)
{
    bool is_all = m->op == MATCHER_ALL;
    const uint32_t *parts = e->matching->program->parts + m->parts.first;
    if (!is_all || m->parts.n != 1) {
        indent(e, depth++);
        buf_append_text(e->out, is_all ? "all of:\n" : "any of:\n");
    }
    for (uint32_t i = 0; i < m->parts.n; i++)
        if (explain(e, parts[i], node, depth) != is_all)
            return !is_all;
    return is_all;
}

/* The same as match_node, with words.  The recursion ends at DEPTH_MAX, in a plain answer. */
static bool
explain_open(struct explainer *e, uint32_t matcher, uint32_t node, unsigned depth)
{
    struct matching *matching = e->matching;
    const struct matcher *m = &matching->program->matchers[matcher];
    if (depth < DEPTH_MAX && (m->op == MATCHER_ALL || m->op == MATCHER_ANY))
        return explain_parts(e, m, node, depth);
    if (depth < DEPTH_MAX && m->op == MATCHER_CALL)
        return explain(e, matching->program->procedures[m->callee], node, depth + 1);
    if (depth < DEPTH_MAX && m->op == MATCHER_NOT) {
        uint32_t n_trail = matching->n_trail;
        indent(e, depth);
        buf_append_text(e->out, "not:\n");
        bool held = explain(e, m->inner, node, depth + 1);
        match_undo(matching, n_trail);
        return !held;
    }
    if (depth < DEPTH_MAX && matcher_is_relation(m))
        return explain_relation(e, matcher, node, depth);
    bool holds = match_node(matching, matcher, node) != FLAT_NONE;
    write_verdict(e, holds, depth);
    describe(e, m);
    buf_append_byte(e->out, '\n');
    return holds;
}

static bool
explain(struct explainer *e, uint32_t matcher, uint32_t node, unsigned depth)
{
    struct matching *matching = e->matching;
    const struct matcher *m = &matching->program->matchers[matcher];
    if (!match_is_possible(matching, m, node)) {
        write_verdict(e, false, depth);
        buf_printf(e->out, "kind: this is a %s, wanted ",
                   rule_kind_name(matching->flat->kind[node]));
        name_kinds(e->out, &m->kinds);
        buf_append_byte(e->out, '\n');
        return false;
    }
    struct saved_frame saved;
    uint32_t n_trail = matching->n_trail;
    if (m->n_slots && !match_push_frame(matching, m->n_slots, &saved))
        return false;
    bool holds = explain_open(e, matcher, node, depth);
    if (m->n_slots)
        match_pop_frame(matching, &saved);
    else if (!holds)
        match_undo(matching, n_trail);
    return holds;
}

/* ---- A rule on a line ---------------------------------------------------------------------- */

static void
explain_constraints(struct explainer *e, const struct program_rule *rule, bool *holds)
{
    struct matching *matching = e->matching;
    for (uint32_t i = 0; i < rule->n_constraints && *holds; i++) {
        struct binding bound = matching->stack[matching->frame + rule->constraints[i].slot];
        if (bound.n == UNBOUND)
            continue;
        indent(e, 1);
        buf_append_text(e->out, "constraint on ");
        name_node(e, bound.node);
        buf_append_byte(e->out, '\n');
        *holds = explain(e, rule->constraints[i].matcher, bound.node, 2);
    }
}

static void
explain_node(struct explainer *e, struct rules_runner *runner, uint32_t index, uint32_t node)
{
    const struct program_rule *rule = &runner->set->rules[index];
    struct saved_frame saved;
    name_node(e, node);
    buf_append_byte(e->out, '\n');
    if (!match_push_frame(e->matching, rule->n_slots, &saved))
        return;
    bool holds = explain(e, rule->root, node, 1);
    explain_constraints(e, rule, &holds);
    match_pop_frame(e->matching, &saved);
    bool is_suppressed = suppressions_cover(
        &runner->suppressions, e->matching->flat->start_row[node], runner->set->infos[index].id);
    buf_append_text(e->out, !holds          ? "=> no match\n"
                            : is_suppressed ? "=> match, suppressed by a comment\n"
                                            : "=> match\n");
}

/* No node on LINE can match: on which lines some can. */
static void
say_where_else(const struct rules_runner *runner, const struct kind_set *kinds, uint32_t line,
               struct buf *out)
{
    const struct flat *flat = runner->matching.flat;
    uint32_t n = 0, last_row = UINT32_MAX;
    uint32_t n_lines = flat->n_rows - bytes_ends_with(flat->source, BYTES("\n"));
    if (line > n_lines) {
        buf_printf(out, "the file has %u lines\n", n_lines);
        return;
    }
    buf_printf(out, "no node that starts on line %u has a kind this rule matches: ", line);
    name_kinds(out, kinds);
    for (uint32_t node = 0; node < flat->n_nodes && n <= LINES_NAMED_MAX; node++) {
        if (!kind_set_has(kinds, flat->kind[node]) || flat->start_row[node] == last_row)
            continue;
        last_row = flat->start_row[node];
        if (n++ < LINES_NAMED_MAX)
            buf_printf(out, "%s %u", n == 1 ? "; such start on lines" : ",", last_row + 1);
        else
            buf_append_text(out, " and more");
    }
    buf_append_text(out, n ? "\n" : "; the file has none\n");
}

int
rules_explain(struct rules_runner *runner, const struct flat *flat, uint32_t rule, uint32_t line,
              struct buf *out, struct err *err)
{
    struct matching *matching = &runner->matching;
    struct explainer e = {matching, out};
    if (runner->set->rules[rule].root == MATCHER_NONE) {
        buf_append_text(out, "the rule does not run: its severity is off, or it is for another "
                             "language\n");
        return 0;
    }
    if (rules_begin(runner, flat) < 0)
        return err_nomem(err, "rules");
    const struct matcher *root = &runner->set->program.matchers[runner->set->rules[rule].root];
    uint32_t n = 0;
    matching->steps = UINT32_MAX;
    matching->gave_up = false;
    for (uint32_t node = 0; node < flat->n_nodes; node++) {
        if (flat->start_row[node] + 1 != line || !match_is_possible(matching, root, node))
            continue;
        explain_node(&e, runner, rule, node);
        n++;
    }
    if (n == 0)
        say_where_else(runner, &root->kinds, line, out);
    if (matching->no_memory || buf_failed(out))
        return err_nomem(err, "rules");
    return 0;
}
