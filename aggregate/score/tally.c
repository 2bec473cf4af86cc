/*
 * Tallying a blob: its callables, the lines that rules flag, and its clone candidates.
 *
 * Masses are summed over callables in order of start line and name, in which the reference checker
 * sums them.  Lines that hits and structural rules flag are kept as spans, because their union with
 * the clones is counted again when the clones change.
 */
#include "aggregate/score/tally.h"

#include <stdlib.h>

#include "aggregate/score/flag_walk.h"

/* ---- Erosion ------------------------------------------------------------------------------- */

static int
by_line_and_name(const void *left, const void *right)
{
    const struct callable *a = *(const struct callable *const *)left;
    const struct callable *b = *(const struct callable *const *)right;
    if (a->start_line != b->start_line)
        return a->start_line < b->start_line ? -1 : 1;
    int order = bytes_compare(a->name, b->name);
    if (order != 0)
        return order;
    return a < b ? -1 : a > b;
}

/* Set *OUT to the callables of FACTS by start line, then name, in ARENA; to NULL if FACTS has them
 * in this order already, which is the common case. */
static int
order_callables(const struct facts *facts, struct arena *arena, const struct callable ***out,
                struct err *err)
{
    uint32_t n = facts->n_callables, i = 1;
    *out = NULL;
    while (i < n && facts->callables[i - 1].start_line < facts->callables[i].start_line)
        i++;
    if (i >= n)
        return 0;
    const struct callable **ordered = ARENA_ARRAY(arena, n, const struct callable *);
    if (!ordered)
        return err_nomem(err, "callables");
    for (i = 0; i < n; i++)
        ordered[i] = &facts->callables[i];
    qsort(ordered, n, sizeof(const struct callable *), by_line_and_name);
    *out = ordered;
    return 0;
}

/* Add CALLABLE to OUT. */
static void
tally_callable(const struct scorer *scorer, const struct callable *callable, struct tally *out)
{
    double cc = scorer_cc(scorer, callable);
    double cognitive = callable->cognitive;
    double size = scorer_size(scorer, callable);
    out->n_functions++;
    out->cc_sum += cc;
    if (cc > out->cc_max)
        out->cc_max = cc;
    compensated_add(&out->cc, cc * size);
    compensated_add(&out->cog, cognitive * size);
    if (cc > scorer->profile->high_cc) {
        out->n_high_cc++;
        compensated_add(&out->high_cc, cc * size);
    }
    if (cognitive > scorer->profile->high_cognitive) {
        out->n_high_cog++;
        compensated_add(&out->high_cog, cognitive * size);
    }
}

static int
tally_callables(const struct scorer *scorer, const struct facts *facts, struct arena *arena,
                struct tally *out, struct err *err)
{
    const struct callable **ordered;
    if (order_callables(facts, arena, &ordered, err) < 0)
        return -1;
    for (uint32_t i = 0; i < facts->n_callables; i++) {
        const struct callable *callable = ordered ? ordered[i] : &facts->callables[i];
        if (scorer_takes_callable(scorer, callable))
            tally_callable(scorer, callable, out);
    }
    return 0;
}

/* ---- Flagged lines ------------------------------------------------------------------------- */

/* The spans of hits that count: of those that are whole functions, or of the others.  Returns
 * their number. */
static size_t
rule_spans(const struct scorer *scorer, const struct hit_list *list, bool of_functions,
           struct span *spans)
{
    struct hit_walk walk = hit_walk_begin(scorer, list);
    const struct hit *hit;
    struct span lines;
    size_t n = 0;
    while ((hit = hit_walk_next(&walk, &lines)))
        if (scorer->rule_of_function[hit->rule] == of_functions)
            spans[n++] = lines;
    return n;
}

/* The spans of callables that structural rules flag.  Returns their number. */
static size_t
structural_spans(const struct scorer *scorer, const struct facts *facts, struct span *spans)
{
    struct wrapper_walk walk = wrapper_walk_begin(scorer, facts);
    size_t n = 0;
    while (wrapper_walk_next(&walk, &spans[n]))
        n++;
    return n;
}

/* Tally the lines that rules and structural rules flag, and keep the spans that count in verbosity.
 */
static int
tally_flags(const struct scorer *scorer, const struct facts *facts, const struct hit_list *hits,
            struct arena *arena, struct tally *out, struct err *err)
{
    const struct profile *profile = scorer->profile;
    struct span *spans = arena_alloc_raw(
        arena, ((size_t)hits->n_hits + facts->n_callables) * sizeof(*spans), _Alignof(struct span));
    if (!spans)
        return err_nomem(err, "flagged lines");
    size_t n_statement = rule_spans(scorer, hits, false, spans), n_structural = 0;
    size_t n_function = rule_spans(scorer, hits, true, spans + n_statement);
    size_t n_rule = n_statement + n_function;
    for (uint32_t i = 0; i < hits->n_gave_up; i++)
        out->n_gave_up += scorer_takes_rule(scorer, hits->gave_up[i]);
    out->n_hits = (uint32_t)n_rule;
    out->statement_source_loc = source_lines_count(&out->sloc, spans, n_statement).n_source;
    out->function_source_loc =
        source_lines_count(&out->sloc, spans + n_statement, n_function).n_source;
    out->rule_source_loc = n_function ? source_lines_count(&out->sloc, spans, n_rule).n_source
                                      : out->statement_source_loc;
    if (!flag_kind_counts(scorer, FLAG_RULE))
        n_rule = 0;

    if (profile->trivial_wrapper) {
        n_structural = structural_spans(scorer, facts, spans + n_rule);
        out->n_structural = (uint32_t)n_structural;
        out->structural_source_loc =
            source_lines_count(&out->sloc, spans + n_rule, n_structural).n_source;
        if (!flag_kind_counts(scorer, FLAG_STRUCTURAL))
            n_structural = 0;
    }
    out->flagged = spans;
    out->n_flagged = n_rule + n_structural;
    out->flagged_source_loc = n_structural || !n_rule
                                  ? source_lines_count(&out->sloc, spans, out->n_flagged).n_source
                                  : out->rule_source_loc;
    return 0;
}

/* ---- Clones -------------------------------------------------------------------------------- */

/* Keep the candidates of FACTS that count, with their groups. */
static int
tally_clones(const struct scorer *scorer, const struct facts *facts, struct clone_index *index,
             struct arena *arena, struct tally *out, struct err *err)
{
    uint32_t n = 0, k = 0;
    for (uint32_t i = 0; i < facts->n_clones; i++) {
        clone_index_prefetch(index, &facts->clones[i]);
        n += scorer_takes_candidate(scorer, &facts->clones[i]);
    }
    if (n == 0)
        return 0;
    struct tally_clone *clones =
        arena_alloc_raw(arena, ((size_t)n + 1) * sizeof(*clones), _Alignof(struct tally_clone));
    if (!clones)
        return err_nomem(err, "clone candidates");
    /* Without branches: every candidate is written to the next place, and the place is taken only
     * by one that counts.  The last ones may go to the extra place at the end. */
    for (uint32_t i = 0; i < facts->n_clones; i++) {
        const struct clone_candidate *candidate = &facts->clones[i];
        clones[k] = (struct tally_clone){.group = i, .lines = flag_clone_lines(candidate)};
        k += scorer_takes_candidate(scorer, candidate);
    }
    for (uint32_t i = 0; i < n; i++)
        if (clone_index_group(index, &facts->clones[clones[i].group], &clones[i].group, err) < 0)
            return -1;
    out->clones = clones;
    out->n_clones = n;
    return 0;
}

void
tally_follow_clones(const struct scorer *scorer, const struct clone_index *index,
                    struct tally *file, struct span *scratch)
{
    bool changed = false;
    for (uint32_t i = 0; i < file->n_clones; i++) {
        struct tally_clone *clone = &file->clones[i];
        bool is_clone = flag_is_clone(scorer, index->members[clone->group]);
        changed = changed || is_clone != clone->is_clone;
        clone->is_clone = is_clone;
    }
    if (!changed)
        return;

    size_t n = 0;
    for (uint32_t i = 0; i < file->n_clones; i++)
        if (file->clones[i].is_clone)
            scratch[n++] = file->clones[i].lines;
    struct found_lines found = source_lines_count(&file->sloc, scratch, n);
    file->clone_source_loc = found.n_source;
    file->clone_physical_loc = found.n_lines;
    if (!flag_kind_counts(scorer, FLAG_CLONE))
        return;
    if (file->n_flagged) {
        memcpy(scratch + n, file->flagged, file->n_flagged * sizeof(*scratch));
        found = source_lines_count(&file->sloc, scratch, n + file->n_flagged);
    }
    file->flagged_source_loc = found.n_source;
}

int
tally_blob(const struct scorer *scorer, const struct facts *facts, const struct hit_list *hits,
           struct clone_index *index, struct arena *arena, struct tally *out, struct err *err)
{
    *out = (struct tally){.skipped = facts->skipped};
    if (facts->skipped != SKIP_NONE)
        return 0;
    out->skipped_parse = !scorer_takes_file(scorer, facts);
    if (out->skipped_parse)
        return 0;
    out->source_loc = scorer->profile->sloc == SLOC_TEXT ? facts->statement_lines
                                                         : facts->sloc[scorer->fstring].n_lines;
    out->physical_loc = facts->physical_lines;
    if (source_lines_keep(&facts->sloc[scorer->fstring], arena, &out->sloc) < 0)
        return err_nomem(err, "source lines");
    if (tally_callables(scorer, facts, arena, out, err) < 0 ||
        tally_flags(scorer, facts, hits, arena, out, err) < 0 ||
        tally_clones(scorer, facts, index, arena, out, err) < 0)
        return -1;
    return 0;
}
