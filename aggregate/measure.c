#include "aggregate/measure.h"

#include <stdlib.h>

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

/* The callables that count, by start line, then name: the order in which masses are summed.  NULL
 * when memory is out. */
static const struct callable **
order_callables(const struct scorer *scorer, const struct facts *facts, struct arena *arena,
                uint32_t *n_out)
{
    *n_out = 0;
    const struct callable **ordered =
        arena_alloc_raw(arena, facts->n_callables * sizeof(*ordered), _Alignof(struct callable *));
    if (!ordered)
        return NULL;
    uint32_t n = 0;
    bool in_order = true;
    for (uint32_t i = 0; i < facts->n_callables; i++) {
        if (!scorer_takes_callable(scorer, &facts->callables[i]))
            continue;
        ordered[n++] = &facts->callables[i];
        in_order = in_order && (n < 2 || by_line_and_name(&ordered[n - 2], &ordered[n - 1]) < 0);
    }
    if (!in_order)
        qsort(ordered, n, sizeof(struct callable *), by_line_and_name);
    *n_out = n;
    return ordered;
}

static void
masses_add(struct masses *masses, double mass)
{
    if (mass != 0)
        masses->values[masses->n_values++] = mass;
}

static int
measure_masses(const struct scorer *scorer, const struct facts *facts, struct arena *arena,
               struct measured *out, struct err *err)
{
    uint32_t n;
    const struct callable **ordered = order_callables(scorer, facts, arena, &n);
    double *room = arena_alloc_raw(arena, (size_t)n * 4 * sizeof(*room), _Alignof(double));
    if (!ordered || !room)
        return err_nomem(err, "masses");
    out->cc.values = room;
    out->cog.values = room + n;
    out->high_cc.values = room + 2 * (size_t)n;
    out->high_cog.values = room + 3 * (size_t)n;
    out->n_functions = n;
    for (uint32_t i = 0; i < n; i++) {
        double cc = scorer_cc(scorer, ordered[i]);
        double cognitive = ordered[i]->cognitive;
        double mass = scorer_mass(scorer, ordered[i], cc);
        double cog_mass = scorer_mass(scorer, ordered[i], cognitive);
        out->cc_sum += cc;
        if (cc > out->cc_max)
            out->cc_max = cc;
        masses_add(&out->cc, mass);
        masses_add(&out->cog, cog_mass);
        if (cc > scorer->profile->high_cc) {
            out->n_high_cc++;
            masses_add(&out->high_cc, mass);
        }
        if (cognitive > scorer->profile->high_cognitive) {
            out->n_high_cog++;
            masses_add(&out->high_cog, cog_mass);
        }
    }
    return 0;
}

/* ---- Flagged lines ------------------------------------------------------------------------- */

/* The spans of hits that count. */
static size_t
rule_spans(const struct scorer *scorer, const struct hit_list *list, struct span *spans)
{
    size_t n = 0;
    for (uint32_t i = 0; i < list->n_hits;) {
        bool count;
        uint32_t end = scorer_rule_run(scorer, list, i, &count);
        for (; i < end; i++)
            if (count)
                spans[n++] = (struct span){list->hits[i].start_line, list->hits[i].end_line};
    }
    return n;
}

static size_t
structural_spans(const struct scorer *scorer, const struct facts *facts, struct span *spans)
{
    size_t n = 0;
    for (uint32_t i = 0; i < facts->n_callables; i++) {
        const struct callable *callable = &facts->callables[i];
        if (scorer_takes_wrapper(scorer, callable))
            spans[n++] = (struct span){callable->start_line, callable->end_line};
    }
    return n;
}

/* Lines flagged by rules and structural rules, and of these what enters the union. */
static int
measure_flags(const struct scorer *scorer, const struct facts *facts, const struct hit_list *hits,
              struct arena *arena, struct measured *out, struct err *err)
{
    const struct profile *profile = scorer->profile;
    const struct line_set *sloc = &facts->sloc[scorer->fstring];
    struct span *spans = arena_alloc_raw(
        arena, ((size_t)hits->n_hits + facts->n_callables) * sizeof(*spans), _Alignof(struct span));
    if (!spans)
        return err_nomem(err, "flagged lines");
    size_t n_rule = rule_spans(scorer, hits, spans);
    for (uint32_t i = 0; i < hits->n_gave_up; i++)
        out->n_gave_up += scorer_takes_rule(scorer, hits->gave_up[i]);
    out->n_hits = (uint32_t)n_rule;
    n_rule = lines_merge(spans, n_rule);
    out->ast_grep_flagged_loc = lines_covered(sloc, spans, n_rule);
    if (!profile->part_rules)
        n_rule = 0;

    size_t n_structural = 0;
    if (profile->trivial_wrapper) {
        struct span *structural = spans + n_rule;
        n_structural = structural_spans(scorer, facts, structural);
        out->n_structural = (uint32_t)n_structural;
        n_structural = lines_merge(structural, n_structural);
        out->structural_loc = lines_covered(sloc, structural, n_structural);
        if (!profile->part_structural)
            n_structural = 0;
    }
    out->flagged = spans;
    out->n_flagged = lines_merge(spans, n_rule + n_structural);
    out->verbosity_flagged_loc = lines_covered(sloc, out->flagged, out->n_flagged);
    return 0;
}

/* ---- Clones -------------------------------------------------------------------------------- */

static int
keep_sloc(const struct line_set *sloc, struct arena *arena, struct measured *out, struct err *err)
{
    out->sloc = *sloc;
    out->sloc.runs = ARENA_ARRAY(arena, sloc->n_runs, struct line_run);
    if (!out->sloc.runs)
        return err_nomem(err, "source lines");
    if (sloc->n_runs)
        memcpy(out->sloc.runs, sloc->runs, sloc->n_runs * sizeof(*sloc->runs));
    return 0;
}

static int
measure_clones(const struct scorer *scorer, const struct facts *facts, struct clone_index *index,
               struct arena *arena, struct measured *out, struct err *err)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < facts->n_clones; i++) {
        if (!scorer_takes_candidate(scorer, &facts->clones[i]))
            continue;
        clone_index_prefetch(index, &facts->clones[i]);
        n++;
    }
    if (n == 0)
        return 0;
    out->clones = ARENA_ARRAY(arena, n, struct measured_clone);
    if (!out->clones)
        return err_nomem(err, "clone candidates");
    for (uint32_t i = 0; i < facts->n_clones; i++) {
        const struct clone_candidate *candidate = &facts->clones[i];
        if (!scorer_takes_candidate(scorer, candidate))
            continue;
        struct measured_clone *clone = &out->clones[out->n_clones++];
        clone->lines = (struct span){candidate->start_line, candidate->end_line};
        if (clone_index_group(index, candidate, &clone->group, err) < 0)
            return -1;
    }
    return keep_sloc(&facts->sloc[scorer->fstring], arena, out, err);
}

void
measured_follow_clones(const struct scorer *scorer, const struct clone_index *index,
                       struct measured *file, struct span *scratch)
{
    bool changed = false;
    for (uint32_t i = 0; i < file->n_clones; i++) {
        struct measured_clone *clone = &file->clones[i];
        bool is_clone = index->members[clone->group] >= scorer->profile->clone_min_members;
        changed = changed || is_clone != clone->is_clone;
        clone->is_clone = is_clone;
    }
    if (!changed)
        return;

    size_t n = 0;
    for (uint32_t i = 0; i < file->n_clones; i++)
        if (file->clones[i].is_clone)
            scratch[n++] = file->clones[i].lines;
    n = lines_merge(scratch, n);
    file->clone_loc = lines_covered(&file->sloc, scratch, n);
    file->clone_lines = lines_total(scratch, n);
    if (!scorer->profile->part_clones)
        return;
    if (file->n_flagged)
        memcpy(scratch + n, file->flagged, file->n_flagged * sizeof(*scratch));
    n = lines_merge(scratch, n + file->n_flagged);
    file->verbosity_flagged_loc = lines_covered(&file->sloc, scratch, n);
}

int
measure(const struct scorer *scorer, const struct facts *facts, const struct hit_list *hits,
        struct clone_index *index, struct arena *arena, struct measured *out, struct err *err)
{
    *out = (struct measured){.skipped = facts->skipped};
    if (facts->skipped != SKIP_NONE)
        return 0;
    out->skipped_parse = !scorer_takes_file(scorer, facts);
    if (out->skipped_parse)
        return 0;
    out->total_loc = scorer->profile->sloc == SLOC_TEXT ? facts->statement_lines
                                                        : facts->sloc[scorer->fstring].n_lines;
    out->physical_lines = facts->physical_lines;
    if (measure_masses(scorer, facts, arena, out, err) < 0 ||
        measure_flags(scorer, facts, hits, arena, out, err) < 0 ||
        measure_clones(scorer, facts, index, arena, out, err) < 0)
        return -1;
    return 0;
}
