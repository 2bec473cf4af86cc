/*
 * Matching a pattern with a node.  The recursion is as deep as the pattern, which has a limit.
 */
#include "analyzer/engine/match.h"

/* What comparing one pattern node with one candidate says. */
enum outcome { FITS, FAILS, SKIP_CANDIDATE, SKIP_PATTERN, SKIP_BOTH };

/* A pattern being matched. */
struct job {
    struct matching *matching;
    const struct flat *flat;
    const struct pattern_node *nodes;
    enum strictness strictness;
};

static enum outcome compare(const struct job *job, uint32_t p, uint32_t c);

static bool
is_lenient(const struct job *job)
{
    return job->strictness != STRICTNESS_CST && job->strictness != STRICTNESS_AST;
}

static bool
is_extra(const struct job *job, uint32_t c)
{
    return (job->flat->flags[c] & FLAT_EXTRA) != 0;
}

static bool
is_token(const struct pattern_node *node)
{
    return node->op == PATTERN_LEAF && !node->is_named;
}

/* ---- One against one ----------------------------------------------------------------------- */

static enum outcome
compare_tokens(const struct pattern_node *leaf, bool candidate_is_token)
{
    if (!leaf->is_named)
        return candidate_is_token ? SKIP_BOTH : SKIP_PATTERN;
    return candidate_is_token ? SKIP_CANDIDATE : FAILS;
}

static enum outcome
compare_leaf(const struct job *job, const struct pattern_node *leaf, uint32_t c)
{
    const struct flat *flat = job->flat;
    bool same_kind = leaf->kind == flat->kind[c];
    if ((same_kind || leaf->kind == FLAT_KIND_ERROR) &&
        (!leaf->is_named || bytes_equal(leaf->text, flat_text(flat, c))))
        return FITS;
    if (is_lenient(job) && is_extra(job, c))
        return SKIP_CANDIDATE;
    bool token = !flat_is_named(flat, c);
    switch (job->strictness) {
    case STRICTNESS_CST:
        return FAILS;
    case STRICTNESS_SMART:
        return token ? SKIP_CANDIDATE : FAILS;
    case STRICTNESS_AST:
    case STRICTNESS_RELAXED:
        return compare_tokens(leaf, token);
    case STRICTNESS_SIGNATURE:
        return same_kind ? FITS : compare_tokens(leaf, token);
    case STRICTNESS_TEMPLATE:
        if (bytes_equal(leaf->text, flat_text(flat, c)))
            return FITS;
        return token ? SKIP_CANDIDATE : FAILS;
    }
    return FAILS;
}

static bool
bind_variable(const struct job *job, const struct pattern_node *variable, uint32_t c)
{
    if (variable->is_named && !flat_is_named(job->flat, c))
        return false;
    return variable->variable == VARIABLE_NONE ||
           match_bind_one(job->matching, variable->variable, c);
}

/* ---- Lists of children --------------------------------------------------------------------- */

/* Two lists being compared: the next pattern child and candidate child, and their ends. */
struct lists {
    uint32_t i, i_end;
    uint32_t j, j_end;
};

static void
next_pattern(const struct job *job, struct lists *l)
{
    l->i = job->nodes[l->i].end;
}

static void
next_candidate(const struct job *job, struct lists *l)
{
    l->j = job->flat->subtree_end[l->j];
}

/* Bind MANY to the candidates FIRST up to, not including, END, without the last N_DROPPED. */
static bool
bind_run(const struct job *job, uint32_t many, uint32_t first, uint32_t end, uint32_t n_dropped)
{
    uint32_t variable = job->nodes[many].variable, n = 0;
    if (variable == VARIABLE_NONE)
        return true;
    for (uint32_t c = first; c < end && match_step(job->matching); c = job->flat->subtree_end[c])
        n++;
    return match_bind_many(job->matching, variable, first, n > n_dropped ? n - n_dropped : 0);
}

enum many_outcome { MANY_FAILS, MANY_FITS, MANY_AGAIN, MANY_GO_ON, MANY_WENT_ON };

/*
 * The pattern child at hand is a list variable: let it take candidates up to where the next pattern
 * child fits.  MANY_FITS: it took all that was left; MANY_AGAIN: another list variable follows;
 * MANY_GO_ON: the next pair is to be compared; MANY_WENT_ON: it has been, and fits.
 */
static enum many_outcome
match_many(const struct job *job, struct lists *l)
{
    uint32_t many = l->i, n_dropped = 0, first = l->j;
    next_pattern(job, l);
    for (; l->i < l->i_end && is_token(&job->nodes[l->i]); next_pattern(job, l))
        n_dropped++;
    if (l->i == l->i_end) {
        /* Tokens are dropped only where some follow the variable. */
        return bind_run(job, many, first, l->j_end, n_dropped) ? MANY_FITS : MANY_FAILS;
    }
    if (job->nodes[l->i].op == PATTERN_MANY) {
        next_candidate(job, l);
        if (l->j == l->j_end || !bind_run(job, many, first, l->j, n_dropped))
            return MANY_FAILS;
        return MANY_AGAIN;
    }
    uint32_t n_trail = job->matching->n_trail;
    while (compare(job, l->i, l->j) != FITS) {
        match_undo(job->matching, n_trail);
        next_candidate(job, l);
        if (l->j == l->j_end || job->matching->gave_up)
            return MANY_FAILS;
    }
    if (job->nodes[many].variable == VARIABLE_NONE)
        return MANY_WENT_ON; /* nothing is bound that could make the comparison fail again */
    match_undo(job->matching, n_trail);
    return bind_run(job, many, first, l->j, n_dropped) ? MANY_GO_ON : MANY_FAILS;
}

/* May the pattern children from I on be absent? */
static bool
may_be_absent(const struct job *job, uint32_t i, uint32_t end)
{
    for (; i < end; i = job->nodes[i].end) {
        const struct pattern_node *node = &job->nodes[i];
        bool loose = job->strictness == STRICTNESS_AST || job->strictness == STRICTNESS_RELAXED ||
                     job->strictness == STRICTNESS_SIGNATURE;
        if (job->strictness == STRICTNESS_CST)
            return false;
        if (node->op == PATTERN_MANY)
            continue;
        if (!loose || !(is_token(node) || (node->op == PATTERN_ONE && !node->is_named)))
            return false;
    }
    return true;
}

/* May the candidates from J on trail? */
static bool
may_trail(const struct job *job, uint32_t j, uint32_t end)
{
    if (job->strictness == STRICTNESS_SMART)
        return true;
    for (; j < end && match_step(job->matching); j = job->flat->subtree_end[j]) {
        bool token = !flat_is_named(job->flat, j), extra = is_extra(job, j);
        switch (job->strictness) {
        case STRICTNESS_CST:
            return false;
        case STRICTNESS_AST:
            if (!token)
                return false;
            break;
        case STRICTNESS_TEMPLATE:
            if (!extra)
                return false;
            break;
        default:
            if (!token && !extra)
                return false;
            break;
        }
    }
    return true;
}

/* Pass over what may be passed over until a pair fits.  False: it fails. */
static bool
match_pair(const struct job *job, struct lists *l)
{
    for (;;) {
        if (l->j == l->j_end) {
            bool absent = may_be_absent(job, l->i, l->i_end);
            l->i = l->i_end;
            return absent;
        }
        switch (compare(job, l->i, l->j)) {
        case FITS:
            return true;
        case FAILS:
            return false;
        case SKIP_CANDIDATE:
            next_candidate(job, l);
            break;
        case SKIP_BOTH:
            next_candidate(job, l);
            next_pattern(job, l);
            break;
        case SKIP_PATTERN:
            next_pattern(job, l);
            break;
        }
        if (l->i == l->i_end)
            return true;
    }
}

static bool
match_children(const struct job *job, uint32_t p, uint32_t c)
{
    struct lists l = {p + 1, job->nodes[p].end, c + 1, job->flat->subtree_end[c]};
    if (l.j == l.j_end)
        return false;
    if (l.i == l.i_end)
        return true;
    for (;;) {
        enum many_outcome many = MANY_GO_ON;
        if (job->nodes[l.i].op == PATTERN_MANY)
            many = match_many(job, &l);
        if (many == MANY_FAILS || many == MANY_FITS)
            return many == MANY_FITS;
        if (many == MANY_AGAIN)
            continue;
        if (many == MANY_GO_ON && !match_pair(job, &l))
            return false;
        if (l.i != l.i_end) {
            next_pattern(job, &l);
            next_candidate(job, &l);
        }
        if (l.i == l.i_end)
            return may_trail(job, l.j, l.j_end);
        if (l.j == l.j_end)
            return false;
    }
}

/* ---- The whole ----------------------------------------------------------------------------- */

static enum outcome
compare_composite(const struct job *job, uint32_t p, uint32_t c)
{
    const struct pattern_node *node = &job->nodes[p];
    if (node->kind != job->flat->kind[c] && node->kind != FLAT_KIND_ERROR &&
        job->strictness != STRICTNESS_TEMPLATE)
        return FAILS;
    uint32_t n_trail = job->matching->n_trail;
    if (match_children(job, p, c))
        return FITS;
    match_undo(job->matching, n_trail);
    return FAILS;
}

static enum outcome
compare(const struct job *job, uint32_t p, uint32_t c)
{
    const struct pattern_node *node = &job->nodes[p];
    if (!match_step(job->matching))
        return FAILS;
    switch ((enum pattern_op)node->op) {
    case PATTERN_LEAF:
        return compare_leaf(job, node, c);
    case PATTERN_ONE:
        if (is_lenient(job) && is_extra(job, c))
            return SKIP_CANDIDATE;
        return bind_variable(job, node, c) ? FITS : FAILS;
    case PATTERN_MANY:
        return FITS; /* met only where a token in front of it was passed over */
    case PATTERN_COMPOSITE:
        return compare_composite(job, p, c);
    }
    return FAILS;
}

bool
match_pattern(struct matching *matching, const struct pattern *pattern, uint32_t node)
{
    const struct job job = {matching, matching->flat, pattern->nodes,
                            (enum strictness)pattern->strictness};
    const struct pattern_node *root = &pattern->nodes[0];
    if (pattern->has_selector && matching->flat->kind[node] != pattern->selector)
        return false;
    /* At the root a variable may be a comment, when strictness is smart. */
    if (root->op == PATTERN_ONE && job.strictness == STRICTNESS_SMART)
        return bind_variable(&job, root, node);
    return compare(&job, 0, node) == FITS;
}
