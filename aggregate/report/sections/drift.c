/*
 * Section "drift": repositories before and after a day, all commits pooled and each repository
 * against itself.
 *
 * Commits after the day are also split by the marks of coding assistants: marked and unmarked
 * commits, and repositories with and without marked commits.  Intervals are by bootstrap, which
 * draws whole repositories.
 */
#include <stdlib.h>

#include "base/calendar.h"
#include "aggregate/stats/effects.h"
#include "aggregate/report/sections/sections.h"

enum { LEAST_COMMITS = 3 }; /* in each era, for a repository to be compared with itself */

enum split {
    SPLIT_ALL,
    SPLIT_COMMITS_ASSISTED,
    SPLIT_COMMITS_UNASSISTED,
    SPLIT_REPOSITORIES_ASSISTED,
    SPLIT_REPOSITORIES_UNASSISTED,
    SPLIT_N
};

static const char *const split_names[SPLIT_N] = {
    "all", "assisted commits after", "unassisted commits after",
    "repositories with assisted commits", "repositories without"};

static const struct column pooled_columns[] = {
    {"cut", "cut", COLUMN_TEXT, 0},
    {"measure", "measure", COLUMN_TEXT, 0},
    {"group", "after the cut", COLUMN_TEXT, 0},
    {"repositories_before", "repositories", COLUMN_COUNT, 0},
    {"n_before", "n before", COLUMN_COUNT, 0},
    {"before", "median before", COLUMN_NUMBER, 3},
    {"paper_before", "paper", COLUMN_NUMBER, DECIMALS_GIVEN},
    {"repositories_after", "repositories", COLUMN_COUNT, 0},
    {"n_after", "n after", COLUMN_COUNT, 0},
    {"after", "median after", COLUMN_NUMBER, 3},
    {"paper_after", "paper", COLUMN_NUMBER, DECIMALS_GIVEN},
    {"shift", "shift", COLUMN_NUMBER, 4},
    {"shift_95", "95 % interval", COLUMN_INTERVAL, 4},
    {"cliff", "Cliff's delta", COLUMN_NUMBER, 3},
};

static const struct column within_columns[] = {
    {"cut", "cut", COLUMN_TEXT, 0},
    {"measure", "measure", COLUMN_TEXT, 0},
    {"group", "after the cut", COLUMN_TEXT, 0},
    {"n", "repositories", COLUMN_COUNT, 0},
    {"paper_n", "paper", COLUMN_COUNT, 0},
    {"shift", "median shift", COLUMN_NUMBER, 4},
    {"paper_shift", "paper", COLUMN_NUMBER, DECIMALS_GIVEN},
    {"shift_95", "95 % interval", COLUMN_INTERVAL, 4},
    {"rising", "rising", COLUMN_COUNT, 0},
    {"share", "share", COLUMN_PERCENT, 1},
    {"paper_share", "paper", COLUMN_PERCENT, 1},
    {"w_plus", "W+", COLUMN_NUMBER, 1},
    {"p", "Wilcoxon p", COLUMN_NUMBER, 4},
};

static const struct column dates_columns[] = {
    {"cut", "cut", COLUMN_TEXT, 0},
    {"n", "commits", COLUMN_COUNT, 0},
    {"n_author", "with an author's date", COLUMN_COUNT, 0},
    {"before_after", "committed before, written after", COLUMN_COUNT, 0},
    {"after_before", "committed after, written before", COLUMN_COUNT, 0},
};

/* The paper's medians and shifts: verbosity, erosion. */
struct paper {
    double before, after, n, shift, share;
};

static struct paper
paper_of(int64_t cut_s, size_t m)
{
    enum { CHATGPT_S = 1669766400, YEAR_2024_S = 1704067200 };
    static const struct paper none = {NAN, NAN, NAN, NAN, NAN};
    static const struct paper year_2024[2] = {{0.156, 0.168, 321, 0.002, 0.55},
                                              {0.278, 0.319, 321, 0.014, 0.59}};
    static const struct paper chatgpt = {0.155, 0.166, NAN, NAN, NAN};
    if (cut_s == YEAR_2024_S)
        return year_2024[m];
    return cut_s == CHATGPT_S && m == 0 ? chatgpt : none;
}

/* ---- Dates --------------------------------------------------------------------------------- */

enum side { SIDE_NONE, SIDE_BEFORE, SIDE_AFTER }; /* none: it has no such date */

static enum side
side_by_committer(const struct point *point, int64_t cut_s)
{
    return point->time_s < cut_s ? SIDE_BEFORE : SIDE_AFTER;
}

static enum side
side_by_author(const struct point *point, int64_t cut_s)
{
    if (point->author_date != STORE_AUTHOR_DATE)
        return SIDE_NONE;
    return point->author_time_s < cut_s ? SIDE_BEFORE : SIDE_AFTER;
}

/* The side of the cut CUT_S that POINT is on. */
static enum side
side_of(const struct context *context, const struct point *point, int64_t cut_s)
{
    return context->options->eras_by_author_date ? side_by_author(point, cut_s)
                                                 : side_by_committer(point, cut_s);
}

/* ---- Collecting ---------------------------------------------------------------------------- */

struct era {
    struct series values;
    uint32_t *clusters; /* by value: the repository */
    size_t capacity;
    size_t n_repositories;
};

struct eras {
    struct era before, after;
    struct series shifts; /* of repositories with enough commits on both sides */
    size_t n_rising;
    uint32_t n_repositories;
};

static void
era_add(struct era *era, double value, uint32_t cluster)
{
    series_add(&era->values, value);
    if (era->values.failed)
        return;
    if (era->values.n > era->capacity) {
        uint32_t *clusters = reallocarray(era->clusters, era->values.capacity, sizeof(*clusters));
        if (!clusters) {
            era->values.failed = true;
            return;
        }
        era->clusters = clusters;
        era->capacity = era->values.capacity;
    }
    era->clusters[era->values.n - 1] = cluster;
}

static bool
has_assisted_after(const struct context *context, const struct trajectory *trajectory,
                   int64_t cut_s)
{
    for (size_t i = 0; i < trajectory->n_points; i++)
        if (trajectory->points[i].is_kept && trajectory->points[i].is_assisted &&
            side_of(context, &trajectory->points[i], cut_s) == SIDE_AFTER)
            return true;
    return false;
}

static bool
split_takes_trajectory(const struct context *context, enum split split,
                       const struct trajectory *trajectory, int64_t cut_s)
{
    if (split == SPLIT_REPOSITORIES_ASSISTED)
        return has_assisted_after(context, trajectory, cut_s);
    return split != SPLIT_REPOSITORIES_UNASSISTED ||
           !has_assisted_after(context, trajectory, cut_s);
}

static bool
split_takes_after(enum split split, const struct point *point)
{
    if (split == SPLIT_COMMITS_ASSISTED)
        return point->is_assisted;
    return split != SPLIT_COMMITS_UNASSISTED || !point->is_assisted;
}

static double
median_of(struct series *values)
{
    series_sort(values);
    return stats_sorted_median(values);
}

/* The value of one era of a repository: median or mean. */
static double
middle_of(const struct context *context, struct series *values)
{
    return context->options->shift_of_means ? stats_of(values).mean : median_of(values);
}

static void
collect_trajectory(const struct context *context, const struct trajectory *trajectory,
                   enum measure measure, int64_t cut_s, enum split split, struct eras *out)
{
    struct series before = {0}, after = {0};
    for (size_t i = 0; i < trajectory->n_points; i++) {
        const struct point *point = &trajectory->points[i];
        double value = point->measures[measure];
        enum side side = side_of(context, point, cut_s);
        if (!point->is_kept || isnan(value))
            continue;
        if (side == SIDE_BEFORE) {
            era_add(&out->before, value, out->n_repositories);
            series_add(&before, value);
        } else if (side == SIDE_AFTER && split_takes_after(split, point)) {
            era_add(&out->after, value, out->n_repositories);
            series_add(&after, value);
        }
    }
    out->n_repositories++;
    out->before.n_repositories += before.n > 0;
    out->after.n_repositories += after.n > 0;
    if (before.n >= LEAST_COMMITS && after.n >= LEAST_COMMITS) {
        double shift = middle_of(context, &after) - middle_of(context, &before);
        series_add(&out->shifts, shift);
        out->n_rising += shift > 0;
    }
    out->shifts.failed = out->shifts.failed || before.failed || after.failed;
    series_clear(&before);
    series_clear(&after);
}

static void
collect(struct context *context, enum measure measure, int64_t cut_s, enum split split,
        struct eras *out)
{
    *out = (struct eras){0};
    for (size_t i = 0; i < context->study->n_trajectories; i++) {
        const struct trajectory *trajectory = &context->study->trajectories[i];
        if (!trajectory->is_agent && split_takes_trajectory(context, split, trajectory, cut_s))
            collect_trajectory(context, trajectory, measure, cut_s, split, out);
    }
}

static void
eras_clear(struct context *context, struct eras *eras)
{
    finish_series(context, &eras->before.values);
    finish_series(context, &eras->after.values);
    finish_series(context, &eras->shifts);
    free(eras->before.clusters);
    free(eras->after.clusters);
}

/* ---- Rows ---------------------------------------------------------------------------------- */

static void
add_day(struct table *table, const struct report_cut *cut)
{
    char day[CALENDAR_SIZE];
    table_format(table, "%s%s%.*s", calendar_format_day(cut->time_s, day), cut->name.len ? " " : "",
                 BYTES_ARG(cut->name));
}

static void
add_names(struct table *table, const struct report_cut *cut, size_t m, enum split split)
{
    add_day(table, cut);
    table_text(table, bytes_of_text(measure_name(compared_measures[m])));
    table_text(table, bytes_of_text(split_names[split]));
}

static void
add_pooled(struct context *context, struct table *table, const struct report_cut *cut, size_t m,
           enum split split, struct eras *eras)
{
    struct paper paper = split == SPLIT_ALL ? paper_of(cut->time_s, m) : paper_of(0, m);
    struct interval interval;
    if (bootstrap_median_shift(&(struct clustered){&eras->before.values, eras->before.clusters},
                               &(struct clustered){&eras->after.values, eras->after.clusters},
                               eras->n_repositories, context->options->seed, &interval) < 0)
        context->report->failed = true;
    /* From here on the values are sorted and no longer match their clusters. */
    double before = median_of(&eras->before.values), after = median_of(&eras->after.values);
    add_names(table, cut, m, split);
    table_number(table, (double)eras->before.n_repositories);
    table_number(table, (double)eras->before.values.n);
    table_number(table, before);
    table_number(table, paper.before);
    table_number(table, (double)eras->after.n_repositories);
    table_number(table, (double)eras->after.values.n);
    table_number(table, after);
    table_number(table, paper.after);
    table_number(table, after - before);
    table_pair(table, interval.low, interval.high);
    table_number(table, effect_cliff(&eras->before.values, &eras->after.values));
}

static void
add_within(struct context *context, struct table *table, const struct report_cut *cut, size_t m,
           enum split split, struct eras *eras)
{
    struct paper paper = split == SPLIT_ALL ? paper_of(cut->time_s, m) : paper_of(0, m);
    struct wilcoxon test = effect_wilcoxon(&eras->shifts);
    struct interval interval = bootstrap_median(&eras->shifts, context->options->seed);
    size_t n = eras->shifts.n;
    add_names(table, cut, m, split);
    table_number(table, (double)n);
    table_number(table, paper.n);
    table_number(table, median_of(&eras->shifts));
    table_number(table, paper.shift);
    table_pair(table, interval.low, interval.high);
    table_number(table, (double)eras->n_rising);
    table_number(table, n ? (double)eras->n_rising / (double)n : NAN);
    table_number(table, paper.share);
    table_number(table, n ? test.w_plus : NAN);
    table_number(table, test.p);
}

static void
add_cut(struct context *context, struct table *pooled, struct table *within,
        const struct report_cut *cut, size_t m)
{
    for (int split = 0; split < SPLIT_N; split++) {
        struct eras eras;
        collect(context, compared_measures[m], cut->time_s, (enum split)split, &eras);
        if (eras.before.values.n && eras.after.values.n) {
            add_pooled(context, pooled, cut, m, (enum split)split, &eras);
            add_within(context, within, cut, m, (enum split)split, &eras);
        }
        eras_clear(context, &eras);
    }
}

/* Add the number of commits that are in another era by the other date. */
static void
add_dates(struct context *context, struct table *table, const struct report_cut *cut)
{
    size_t n = 0, n_author = 0, n_moved[2] = {0};
    for (size_t i = 0; i < context->study->n_trajectories; i++) {
        const struct trajectory *trajectory = &context->study->trajectories[i];
        for (size_t k = 0; !trajectory->is_agent && k < trajectory->n_points; k++) {
            const struct point *point = &trajectory->points[k];
            enum side author = side_by_author(point, cut->time_s);
            enum side committer = side_by_committer(point, cut->time_s);
            if (!point->is_kept)
                continue;
            n++;
            n_author += author != SIDE_NONE;
            n_moved[0] += author == SIDE_AFTER && committer == SIDE_BEFORE;
            n_moved[1] += author == SIDE_BEFORE && committer == SIDE_AFTER;
        }
    }
    if (n == 0)
        return;
    add_day(table, cut);
    table_number(table, (double)n);
    table_number(table, (double)n_author);
    table_number(table, (double)n_moved[0]);
    table_number(table, (double)n_moved[1]);
}

/* Add a footnote on the date used, and on how many commits do not have it. */
static void
note_dates(const struct context *context, struct section *section)
{
    size_t n_unrecorded = 0, n_unreal = 0;
    for (size_t i = 0; i < context->study->n_trajectories; i++) {
        const struct trajectory *trajectory = &context->study->trajectories[i];
        for (size_t k = 0; !trajectory->is_agent && k < trajectory->n_points; k++) {
            n_unrecorded += trajectory->points[k].author_date == STORE_AUTHOR_UNRECORDED;
            n_unreal += trajectory->points[k].author_date == STORE_AUTHOR_NO_DATE;
        }
    }
    section_note(section,
                 "The era of a commit follows from its %s date; before is before the cut's 00:00 "
                 "UTC.",
                 context->options->eras_by_author_date ? "author's" : "committer's");
    if (n_unrecorded)
        section_note(section,
                     "The author's date of %zu commits was not recorded when they were mined; mine "
                     "them again to have it.",
                     n_unrecorded);
    if (n_unreal)
        section_note(section, "The author's date of %zu commits cannot be real.", n_unreal);
}

static bool
any_assisted(const struct study *study)
{
    for (size_t i = 0; i < study->n_trajectories; i++)
        for (size_t k = 0; k < study->trajectories[i].n_points; k++)
            if (!study->trajectories[i].is_agent && study->trajectories[i].points[k].is_assisted)
                return true;
    return false;
}

int
section_drift(struct context *context, struct section *section)
{
    struct table *pooled =
        SECTION_TABLE(section, "pooled", "All kept commits of an era, pooled", pooled_columns);
    struct table *within =
        SECTION_TABLE(section, "within", "Each repository against itself", within_columns);
    struct table *dates = SECTION_TABLE(
        section, "dates", "Commits that their two dates put on different sides", dates_columns);
    for (size_t i = 0; i < context->options->n_cuts; i++) {
        for (size_t m = 0; m < 2; m++)
            add_cut(context, pooled, within, &context->options->cuts[i], m);
        add_dates(context, dates, &context->options->cuts[i]);
    }
    if (pooled->n_rows == 0)
        section_note(section, "No cut has kept commits on both of its sides.");
    note_dates(context, section);
    section_note(
        section,
        "A repository is compared with itself if it has at least %d kept commits on both sides: "
        "the shift is its "
        "%s after minus its %s before.",
        LEAST_COMMITS, context->options->shift_of_means ? "mean" : "median",
        context->options->shift_of_means ? "mean" : "median");
    section_note(section,
                 "Intervals: percentiles of %d bootstrap draws of repositories, seed %llu.  "
                 "Wilcoxon: signed rank, two-sided, exact below 50 repositories without ties.  "
                 "Cliff's delta: after against before.",
                 BOOTSTRAP_ROUNDS, (unsigned long long)context->options->seed);
    if (!any_assisted(context->study))
        section_note(section, "No commit has a mark of a coding assistant.");
    if (population_count(context->study, POPULATION_REPOSITORIES) == 0)
        section_note(section, "There are no repositories in the input.");
    return 0;
}
