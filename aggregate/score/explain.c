/*
 * Why lines are flagged: the clone groups with their places, and the flags of a file.
 *
 * A first pass numbers the hashes of all candidates in order of appearance; sorting by group
 * number, file and line then puts the places of each group together.  So no order depends on a
 * hash.  Flags come from the walks of flag_walk.h, which the score uses as well.
 */
#include <stdlib.h>

#include "aggregate/score/clone_index.h"
#include "aggregate/score/flag_walk.h"

/* ---- Clone groups -------------------------------------------------------------------------- */

/* A candidate and the number of its group. */
struct found {
    struct clone_place place;
    uint32_t group;
};

struct finder {
    const struct scorer *scorer;
    struct clone_index index;
    struct found *found;
    size_t n_found;
};

/* How many candidates the files that count have. */
static size_t
count_candidates(const struct scorer *scorer, const struct score_file *files, size_t n_files)
{
    size_t n = 0;
    for (size_t i = 0; i < n_files; i++)
        if (scorer_takes_file(scorer, files[i].facts))
            n += files[i].facts->n_clones;
    return n;
}

static int
find_in_file(struct finder *finder, uint32_t file, const struct facts *facts, struct err *err)
{
    if (!scorer_takes_file(finder->scorer, facts))
        return 0;
    for (uint32_t i = 0; i < facts->n_clones; i++) {
        const struct clone_candidate *candidate = &facts->clones[i];
        if (!scorer_takes_candidate(finder->scorer, candidate))
            continue;
        struct found *found = &finder->found[finder->n_found++];
        struct span lines = flag_clone_lines(candidate);
        found->place =
            (struct clone_place){file, lines.first, lines.last, (enum clone_kind)candidate->kind};
        if (clone_index_group(&finder->index, candidate, &found->group, err) < 0)
            return -1;
        finder->index.members[found->group]++;
    }
    return 0;
}

static int
by_group(const void *left, const void *right)
{
    const struct found *a = left, *b = right;
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    if (a->place.file != b->place.file)
        return a->place.file < b->place.file ? -1 : 1;
    if (a->place.start_line != b->place.start_line)
        return a->place.start_line < b->place.start_line ? -1 : 1;
    return a->place.end_line < b->place.end_line ? -1 : a->place.end_line > b->place.end_line;
}

static int
by_first_place(const void *left, const void *right)
{
    const struct clone_place *a = ((const struct clone_group *)left)->places;
    const struct clone_place *b = ((const struct clone_group *)right)->places;
    if (a->file != b->file)
        return a->file < b->file ? -1 : 1;
    if (a->start_line != b->start_line)
        return a->start_line < b->start_line ? -1 : 1;
    if (a->end_line != b->end_line)
        return a->end_line > b->end_line ? -1 : 1;
    return a < b ? -1 : a > b; /* places are in order of groups, which is order of appearance */
}

/* Make the groups of the candidates found, in ARENA. */
static int
make_groups(struct finder *finder, struct arena *arena, struct clone_group **out, size_t *n_out,
            struct err *err)
{
    struct clone_place *places = ARENA_ARRAY(arena, finder->n_found, struct clone_place);
    struct clone_group *groups = ARENA_ARRAY(arena, finder->n_found / 2 + 1, struct clone_group);
    if (!places || !groups)
        return err_nomem(err, "clone groups");
    if (finder->n_found)
        qsort(finder->found, finder->n_found, sizeof(*finder->found), by_group);
    size_t n_groups = 0;
    for (size_t i = 0; i < finder->n_found;) {
        size_t n_members = finder->index.members[finder->found[i].group];
        for (size_t k = 0; k < n_members; k++)
            places[i + k] = finder->found[i + k].place;
        if (flag_is_clone(finder->scorer, n_members))
            groups[n_groups++] = (struct clone_group){&places[i], n_members};
        i += n_members;
    }
    if (n_groups)
        qsort(groups, n_groups, sizeof(*groups), by_first_place);
    *out = groups;
    *n_out = n_groups;
    return 0;
}

int
score_clone_groups(const struct scorer *scorer, const struct score_file *files, size_t n_files,
                   struct arena *arena, struct clone_group **out, size_t *n_out, struct err *err)
{
    struct finder finder = {.scorer = scorer};
    size_t n = count_candidates(scorer, files, n_files);
    int rc = 0;
    if (n && !(finder.found = calloc(n, sizeof(*finder.found))))
        rc = err_nomem(err, "clone groups");
    for (size_t i = 0; i < n_files && rc == 0; i++)
        rc = find_in_file(&finder, (uint32_t)i, files[i].facts, err);
    if (rc == 0)
        rc = make_groups(&finder, arena, out, n_out, err);
    free(finder.found);
    clone_index_clear(&finder.index);
    return rc;
}

/* ---- Flags --------------------------------------------------------------------------------- */

static int
by_lines(const void *left, const void *right)
{
    const struct flag *a = left, *b = right;
    if (a->start_line != b->start_line)
        return a->start_line < b->start_line ? -1 : 1;
    if (a->end_line != b->end_line)
        return a->end_line < b->end_line ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->hit != b->hit)
        return a->hit < b->hit ? -1 : 1;
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

/* The hits that count.  Returns their number. */
static size_t
rule_flags(const struct scorer *scorer, const struct hit_list *list, struct flag *out)
{
    struct hit_walk walk = hit_walk_begin_all(scorer, list);
    const struct hit *hit;
    struct span lines;
    size_t n = 0;
    while ((hit = hit_walk_next(&walk, &lines)))
        out[n++] = (struct flag){.kind = FLAG_RULE,
                                 .counts = walk.counts,
                                 .start_line = lines.first,
                                 .end_line = lines.last,
                                 .hit = hit};
    return n;
}

/* The callables that structural rules flag.  Returns their number. */
static size_t
structural_flags(const struct scorer *scorer, const struct facts *facts, struct flag *out)
{
    struct wrapper_walk walk = wrapper_walk_begin(scorer, facts);
    const struct callable *callable;
    struct span lines;
    size_t n = 0;
    while ((callable = wrapper_walk_next(&walk, &lines)))
        out[n++] = (struct flag){.kind = FLAG_STRUCTURAL,
                                 .counts = true,
                                 .start_line = lines.first,
                                 .end_line = lines.last,
                                 .callable = callable};
    return n;
}

/* The places in FILE of all groups.  Returns their number; OUT may be NULL to count only. */
static size_t
clone_flags(size_t file, const struct clone_group *groups, size_t n_groups, struct flag *out)
{
    size_t n = 0;
    for (size_t group = 0; group < n_groups; group++)
        for (size_t place = 0; place < groups[group].n_places; place++) {
            const struct clone_place *at = &groups[group].places[place];
            if (at->file != file)
                continue;
            if (out)
                out[n] = (struct flag){.kind = FLAG_CLONE,
                                       .counts = true,
                                       .start_line = at->start_line,
                                       .end_line = at->end_line,
                                       .group = group,
                                       .place = place};
            n++;
        }
    return n;
}

int
score_flags(const struct scorer *scorer, const struct score_file *files, size_t file,
            const struct clone_group *groups, size_t n_groups, struct arena *arena,
            struct flag **out, size_t *n_out, struct err *err)
{
    const struct score_file *self = &files[file];
    *n_out = 0;
    *out = NULL;
    if (!scorer_takes_file(scorer, self->facts))
        return 0;
    bool has_clones = flag_kind_counts(scorer, FLAG_CLONE);
    size_t n_clone = has_clones ? clone_flags(file, groups, n_groups, NULL) : 0;
    struct flag *flags =
        ARENA_ARRAY(arena, self->hits.n_hits + self->facts->n_callables + n_clone, struct flag);
    if (!flags)
        return err_nomem(err, "flagged lines");
    size_t n = 0;
    if (flag_kind_counts(scorer, FLAG_RULE))
        n += rule_flags(scorer, &self->hits, flags);
    if (flag_kind_counts(scorer, FLAG_STRUCTURAL))
        n += structural_flags(scorer, self->facts, flags + n);
    if (n_clone)
        n += clone_flags(file, groups, n_groups, flags + n);
    if (n)
        qsort(flags, n, sizeof(*flags), by_lines);
    *out = flags;
    *n_out = n;
    return 0;
}
