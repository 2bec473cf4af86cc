/*
 * strata check as text: a table of the score, the files left out, then clone groups and flags, a
 * line each in the form "path:first-last: what".
 */
#include "cli/check.h"

static void
write_rules(const struct check *check, struct buf *out)
{
    uint32_t n_rules = ruleset_count(check->rules), n_counting = 0;
    for (uint32_t i = 0; i < n_rules; i++)
        n_counting += scorer_takes_rule(check->scorer, i) ? 1 : 0;
    buf_printf(out, "rules       %llu source lines, %llu hits of %u rules",
               (unsigned long long)check->score.rule_source_loc,
               (unsigned long long)check->score.rule_hits, n_counting);
    if (n_counting < n_rules)
        buf_printf(out, " (%u more do not count)", n_rules - n_counting);
    buf_append_byte(out, '\n');
}

/* Each part of verbosity alone: they overlap, so verbosity is at most their sum. */
static void
write_parts(const struct check *check, struct buf *out)
{
    const struct score *s = &check->score;
    const struct profile *profile = &check->profile;
    const struct {
        bool is_part;
        const char *name;
        double share;
    } parts[] = {
        {profile->part_clones, "clones", s->clone_share},
        {profile->part_rules, "statements", s->statement_share},
        {profile->part_rules, "whole functions", s->function_share},
        {profile->part_structural, "wrappers", s->structural_share},
    };
    size_t n = 0;
    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
        if (parts[i].is_part)
            buf_printf(out, "%s%s %.4f", n++ ? ", " : "parts       ", parts[i].name,
                       parts[i].share);
    if (n)
        buf_append_text(out, ", each alone\n");
}

static void
write_score(const struct check *check, struct buf *out)
{
    const struct score *s = &check->score;
    unsigned long long left_out = s->files_walked - s->files_scanned;
    buf_printf(out, "files       %llu scanned, %llu left out\n",
               (unsigned long long)s->files_scanned, left_out);
    buf_printf(out, "lines       %llu source lines\n", (unsigned long long)s->source_loc);
    buf_printf(out,
               "functions   %llu: %llu of high complexity, %llu of high cognitive complexity\n",
               (unsigned long long)s->total_functions, (unsigned long long)s->high_cc_functions,
               (unsigned long long)s->high_cog_functions);
    buf_printf(out, "erosion     %.4f  (mass %.1f of %.1f)\n", s->erosion, s->high_cc_mass,
               s->total_mass);
    buf_printf(out, "cognitive   %.4f  (mass %.1f of %.1f)\n", s->cog_erosion, s->high_cog_mass,
               s->total_cog_mass);
    if (s->has_clones)
        buf_printf(out, "clones      %llu source lines\n", (unsigned long long)s->clone_source_loc);
    if (s->has_rules)
        write_rules(check, out);
    if (s->has_structural)
        buf_printf(out, "wrappers    %llu source lines\n",
                   (unsigned long long)s->structural_source_loc);
    if (!s->has_verbosity)
        return;
    buf_printf(out, "verbosity   %.4f  (%llu lines)\n", s->verbosity,
               (unsigned long long)s->flagged_source_loc);
    write_parts(check, out);
}

static void
write_place(const struct check *check, const struct clone_place *place, struct buf *out)
{
    printable_append(out, check->files[place->file].path);
    buf_printf(out, ":%u-%u", place->start_line, place->end_line);
}

static void
write_clones(const struct check *check, struct buf *out)
{
    for (size_t i = 0; i < check->n_groups; i++) {
        const struct clone_group *group = &check->groups[i];
        buf_printf(out, "clone group %zu, %zu times %s\n", i + 1, group->n_places,
                   clone_kind_name(group->places[0].kind));
        for (size_t k = 0; k < group->n_places; k++) {
            buf_append_text(out, "  ");
            write_place(check, &group->places[k], out);
            buf_append_byte(out, '\n');
        }
    }
}

/* Append the other places of a clone: the first three, and how many more there are. */
static void
write_others(const struct check *check, const struct flag *flag, struct buf *out)
{
    const struct clone_group *group = &check->groups[flag->group];
    const struct clone_place *here = &group->places[flag->place];
    size_t n_named = 0;
    for (size_t k = 0; k < group->n_places && n_named < 3; k++) {
        const struct clone_place *place = &group->places[k];
        if (k == flag->place)
            continue;
        buf_append_text(out, n_named++ ? ", " : "clone: the same as ");
        if (place->file == here->file)
            buf_printf(out, "lines %u-%u", place->start_line, place->end_line);
        else
            write_place(check, place, out);
    }
    if (group->n_places - 1 > n_named)
        buf_printf(out, " and %zu more", group->n_places - 1 - n_named);
}

static void
write_flag(const struct check *check, size_t file, const struct flag *flag, struct buf *out)
{
    printable_append(out, check->files[file].path);
    buf_printf(out, ":%u-%u: ", flag->start_line, flag->end_line);
    switch (flag->kind) {
    case FLAG_RULE: {
        const struct rule_info *rule = ruleset_rule(check->rules, flag->hit->rule);
        printable_append(out, rule->id);
        buf_append_text(out, ": ");
        printable_append(out, rule->message);
        break;
    }
    case FLAG_CLONE:
        write_others(check, flag, out);
        break;
    case FLAG_STRUCTURAL:
        buf_append_text(out, "trivial-wrapper: ");
        printable_append(out, flag->callable->name);
        buf_append_text(out, " only calls another function");
        break;
    }
    buf_append_byte(out, '\n');
}

/* Is FLAGS[AT] a clone within a longer one that has as many copies?  Then the longer one says it.
 */
static bool
is_part_of_clone(const struct check *check, const struct flag *flags, size_t n, size_t at)
{
    const struct flag *flag = &flags[at];
    for (size_t i = 0; i < n && flags[i].start_line <= flag->start_line; i++)
        if (i != at && flags[i].kind == FLAG_CLONE && flag->kind == FLAG_CLONE &&
            flags[i].end_line >= flag->end_line &&
            flags[i].end_line - flags[i].start_line > flag->end_line - flag->start_line &&
            check->groups[flags[i].group].n_places == check->groups[flag->group].n_places)
            return true;
    return false;
}

static int
write_flags(struct check *check, struct buf *out, struct err *err)
{
    for (size_t file = 0; file < check->tree->n_files; file++) {
        struct flag *flags;
        size_t n_flags;
        if (check_reason(check, &check->tree->files[file]))
            continue;
        if (score_flags(check->scorer, check->files, file, check->groups, check->n_groups,
                        &check->arena, &flags, &n_flags, err) < 0)
            return -1;
        for (size_t i = 0; i < n_flags; i++)
            if (flags[i].counts && !is_part_of_clone(check, flags, n_flags, i))
                write_flag(check, file, &flags[i], out);
    }
    return 0;
}

int
check_write_text(struct check *check, struct buf *out, struct err *err)
{
    write_score(check, out);
    for (size_t i = 0; i < check->tree->n_files; i++) {
        const char *reason = check_reason(check, &check->tree->files[i]);
        if (!reason)
            continue;
        buf_append_text(out, "left out    ");
        printable_append(out, check->tree->files[i].path);
        buf_printf(out, ": %s\n", reason);
    }
    if (check->show_clones)
        write_clones(check, out);
    return check->show_flags ? write_flags(check, out, err) : 0;
}
