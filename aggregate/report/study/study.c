/*
 * Making a study: trajectories from a scored panel and from records.
 *
 * 1. A trajectory of a store gives one of the study; records are grouped by run and problem into
 * others.
 * 2. Records of a run and problem that the store has are left out: its checkpoints carry their
 * records.
 * 3. Of several records of one checkpoint the last stays.
 * 4. Trajectories are sorted, repositories first, then by id; runs are found among them.
 */
#include "aggregate/report/study/study.h"

#include <stdlib.h>

#include "aggregate/records/groups.h"
#include "base/map.h"
#include "base/num.h"

const char *
measure_name(enum measure measure)
{
    static const char *const names[MEASURE_N] = {
#define NAME(id, name, meaning) name,
        MEASURES(NAME)
#undef NAME
    };
    return names[measure];
}

/* ---- Points -------------------------------------------------------------------------------- */

/* Set all measures to NaN. */
static void
no_measures(struct point *point)
{
    for (int measure = 0; measure < MEASURE_N; measure++)
        point->measures[measure] = NAN;
}

/* The measures of a score. */
static void
measure_score(const struct score *score, struct point *point)
{
    double physical_loc = (double)score->physical_loc;
    no_measures(point);
    point->is_kept = score->source_loc > 0;
    if (score->has_verbosity)
        point->measures[MEASURE_VERBOSITY] = score->verbosity;
    point->measures[MEASURE_EROSION] = score->erosion;
    point->measures[MEASURE_PHYSICAL_LOC] = physical_loc;
    point->measures[MEASURE_CC_MEAN] = score->cc_mean;
    point->measures[MEASURE_CC_MAX] = score->cc_max;
    point->measures[MEASURE_HIGH_COUNT] = (double)score->high_cc_functions;
    if (score->has_clones && physical_loc > 0)
        point->measures[MEASURE_CLONE_RATIO] = (double)score->clone_physical_loc / physical_loc;
    if (score->has_rules && physical_loc > 0)
        point->measures[MEASURE_HIT_RATIO] = (double)score->rule_hits / physical_loc;
    double sloc = (double)score->source_loc;
    if (score->has_rules)
        point->measures[MEASURE_RULE_SHARE] = (double)score->rule_source_loc / sloc;
    if (score->has_rules) {
        point->measures[MEASURE_STATEMENT_SHARE] = score->statement_share;
        point->measures[MEASURE_FUNCTION_SHARE] = score->function_share;
    }
    if (score->has_clones)
        point->measures[MEASURE_CLONE_SHARE] = (double)score->clone_source_loc / sloc;
}

static double
first_known(double a, double b)
{
    return isnan(a) ? b : a;
}

/* The measures of a record. */
static void
measure_record(const struct record *record, enum record_verbosity verbosity, struct point *point)
{
    double loc = record_value(record, FIELD_PHYSICAL_LOC);
    double below = verbosity == RECORD_VERBOSITY_SOURCE ? record_value(record, FIELD_SOURCE_LOC)
                                                        : record_value(record, FIELD_TOTAL_LINES);
    no_measures(point);
    point->is_of_record = true;
    point->is_kept = record_is_kept(record);
    point->measures[MEASURE_VERBOSITY] =
        first_known(record_value(record, FIELD_VERBOSITY),
                    record_value(record, FIELD_FLAGGED_SOURCE_LOC) / below);
    point->measures[MEASURE_EROSION] = first_known(record_value(record, FIELD_EROSION),
                                                   record_value(record, FIELD_MASS_HIGH_CC_PCT));
    point->measures[MEASURE_PHYSICAL_LOC] = loc;
    point->measures[MEASURE_CC_MEAN] = record_value(record, FIELD_CC_MEAN);
    point->measures[MEASURE_CC_MAX] = record_value(record, FIELD_CC_MAX);
    point->measures[MEASURE_HIGH_COUNT] = record_value(record, FIELD_CC_HIGH_COUNT);
    point->measures[MEASURE_CLONE_RATIO] = record_value(record, FIELD_CLONE_LINES) / loc;
    point->measures[MEASURE_HIT_RATIO] = record_value(record, FIELD_AST_GREP_VIOLATIONS) / loc;
}

static int
by_x(const void *left, const void *right)
{
    const struct point *a = left, *b = right;
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    return a->record < b->record ? -1 : a->record > b->record; /* order of the file */
}

static int
by_time(const void *left, const void *right)
{
    const struct point *a = left, *b = right;
    if (a->time_s != b->time_s)
        return a->time_s < b->time_s ? -1 : 1;
    return by_x(left, right);
}

static void
sort_points(struct trajectory *trajectory)
{
    if (trajectory->n_points > 1)
        qsort(trajectory->points, trajectory->n_points, sizeof(*trajectory->points),
              trajectory->is_agent ? by_x : by_time);
}

/* ---- Trajectories of a panel --------------------------------------------------------------- */

/* Take run and problem from the id, "RUN/PROBLEM". */
static void
name_agent(struct trajectory *trajectory)
{
    size_t cut = trajectory->id.len;
    while (cut > 0 && trajectory->id.data[cut - 1] != '/')
        cut--;
    trajectory->setup.run = bytes_slice(trajectory->id, 0, cut ? cut - 1 : 0);
    trajectory->problem = bytes_slice(trajectory->id, cut, trajectory->id.len);
}

/* Snapshots after a run's extra step count as a variant of their own. */
static int
mark_tree(struct bytes tree, struct arena *arena, struct trajectory *trajectory, struct err *err)
{
    char *variant =
        arena_format(arena, "%.*s %.*s", BYTES_ARG(trajectory->setup.variant), BYTES_ARG(tree));
    if (!variant)
        return err_nomem(err, "parameters");
    trajectory->setup.variant = bytes_of_text(variant);
    trajectory->is_after_step = true;
    return 0;
}

/* Take the setup of an agent's run from the parameters of its trajectory. */
static int
read_setup(struct bytes params, struct arena *arena, struct trajectory *trajectory, struct err *err)
{
    struct json_doc *doc;
    if (!params.data)
        return 0;
    if (json_open(params, "parameters", true, &doc, err) < 0)
        return err->code == ERR_NOMEM ? -1 : 0;
    struct record setup;
    int rc = 0;
    if (json_type(json_root(doc)) == JSON_OBJECT) {
        rc = record_read(json_root(doc), arena, &setup, err);
        if (rc == 0) {
            run_setup_complete(&setup.setup, &(struct run_setup){.run = trajectory->setup.run});
            trajectory->setup = setup.setup;
            if (json_member(json_root(doc), "tree"))
                rc = mark_tree(json_string(json_member(json_root(doc), "tree")), arena, trajectory,
                               err);
            trajectory->problem = setup.problem.data ? setup.problem : trajectory->problem;
            if (record_has(&setup, FIELD_N_CHECKPOINTS))
                trajectory->n_configured =
                    (uint32_t)num_clamp(record_value(&setup, FIELD_N_CHECKPOINTS), UINT32_MAX);
        }
    }
    json_close(doc);
    return rc;
}

static void
take_checkpoint(const struct study_options *options, const struct scored_checkpoint *checkpoint,
                size_t scorer, bool is_agent, struct trajectory *trajectory)
{
    if (!is_agent && !checkpoint->stored->has_time) {
        trajectory->n_undated++;
        return;
    }
    struct point *point = &trajectory->points[trajectory->n_points++];
    *point = (struct point){.x = (double)checkpoint->stored->ordinal + 1,
                            .has_time = checkpoint->stored->has_time,
                            .time_s = checkpoint->stored->time_s,
                            .author_date = checkpoint->stored->author_date,
                            .author_time_s = checkpoint->stored->author_time_s,
                            .is_assisted = checkpoint->author == AUTHOR_ASSISTANT,
                            .record = checkpoint->record};
    if (options->record_quality && checkpoint->record)
        measure_record(checkpoint->record, options->record_verbosity, point);
    else
        measure_score(&checkpoint->scores[scorer], point);
    if (checkpoint->record && record_has(checkpoint->record, FIELD_IDX))
        point->x = record_value(checkpoint->record, FIELD_IDX);
}

static int
take_trajectory(struct study *study, const struct study_options *options,
                const struct scored_trajectory *scored, size_t scorer,
                struct trajectory *trajectory, struct err *err)
{
    *trajectory = (struct trajectory){.id = scored->about.id,
                                      .is_agent = scored->is_agent,
                                      .has_tier = scored->has_tier,
                                      .tier = scored->tier};
    if (trajectory->is_agent) {
        name_agent(trajectory);
        if (read_setup(scored->about.params, &study->arena, trajectory, err) < 0)
            return -1;
    }
    trajectory->points = ARENA_ARRAY(&study->arena, scored->n_checkpoints, struct point);
    if (!trajectory->points)
        return err_nomem(err, "points of a study");
    for (size_t i = 0; i < scored->n_checkpoints; i++)
        take_checkpoint(options, &scored->checkpoints[i], scorer, trajectory->is_agent, trajectory);
    sort_points(trajectory);
    return 0;
}

/* ---- Trajectories of records -------------------------------------------------------------------
 */

static void
by_run_and_problem(const struct record *record, struct buf *key)
{
    group_by_run(record, key);
    group_by_problem(record, key);
}

static int
take_group(struct study *study, const struct study_options *options, const struct group *group,
           struct trajectory *trajectory, struct err *err)
{
    const struct record *first = group->records[0];
    char *id = arena_format(&study->arena, "%.*s/%.*s/%.*s/%.*s", BYTES_ARG(first->setup.model),
                            BYTES_ARG(first->setup.variant), BYTES_ARG(first->setup.run),
                            BYTES_ARG(first->problem));
    struct point *points = ARENA_ARRAY(&study->arena, group->n_records, struct point);
    if (!id || !points)
        return err_nomem(err, "points of a study");
    *trajectory = (struct trajectory){.id = bytes_of_text(id),
                                      .is_agent = true,
                                      .setup = first->setup,
                                      .problem = first->problem,
                                      .points = points};
    for (size_t i = 0; i < group->n_records; i++) {
        struct point *point = &points[i];
        *point = (struct point){.record = group->records[i]};
        measure_record(point->record, options->record_verbosity, point);
        point->x = first_known(record_value(point->record, FIELD_IDX), (double)i + 1);
    }
    trajectory->n_points = group->n_records;
    sort_points(trajectory);
    return 0;
}

static int
take_records(struct study *study, const struct study_options *options,
             const struct records *records, struct err *err)
{
    const struct record **list =
        ARENA_ARRAY(&study->arena, records->n_items, const struct record *);
    struct groups groups;
    if (!list)
        return err_nomem(err, "records");
    for (size_t i = 0; i < records->n_items; i++)
        list[i] = &records->items[i];
    if (groups_of(list, records->n_items, by_run_and_problem, &groups, err) < 0)
        return -1;
    int rc = 0;
    for (size_t i = 0; i < groups.n_items && rc == 0; i++)
        rc = take_group(study, options, &groups.items[i],
                        &study->trajectories[study->n_trajectories++], err);
    groups_clear(&groups);
    return rc;
}

/* ---- Trajectories -------------------------------------------------------------------------- */

/* Of several records of one checkpoint keep the last. */
static void
drop_duplicates(struct study *study, struct trajectory *trajectory)
{
    size_t n = 0;
    for (size_t i = 0; i < trajectory->n_points; i++) {
        if (n > 0 && trajectory->points[n - 1].x == trajectory->points[i].x) {
            trajectory->points[n - 1] = trajectory->points[i];
            study->n_duplicates++;
        } else {
            trajectory->points[n++] = trajectory->points[i];
        }
    }
    trajectory->n_points = n;
}

/* The configured checkpoints of a problem are the largest number that a record has. */
static void
count_configured(struct trajectory *trajectory)
{
    for (size_t i = 0; i < trajectory->n_points; i++) {
        const struct record *record = trajectory->points[i].record;
        double configured = record ? record_value(record, FIELD_N_CHECKPOINTS) : NAN;
        if (configured > trajectory->n_configured)
            trajectory->n_configured = (uint32_t)num_clamp(configured, UINT32_MAX);
    }
}

/* If a run does not say how many checkpoints a problem has, take the number from another run; else
 * the number seen. */
static int
share_configured(struct study *study, struct err *err)
{
    struct map problems;
    int rc = 0;
    map_init(&problems);
    for (size_t i = 0; i < study->n_trajectories && rc == 0; i++) {
        const struct trajectory *trajectory = &study->trajectories[i];
        uint64_t *most =
            trajectory->is_agent ? map_put(&problems, trajectory->problem, NULL) : NULL;
        if (trajectory->is_agent && !most)
            rc = err_nomem(err, "problems");
        else if (most && trajectory->n_configured > *most)
            *most = trajectory->n_configured;
    }
    for (size_t i = 0; i < study->n_trajectories && rc == 0; i++) {
        struct trajectory *trajectory = &study->trajectories[i];
        double last = trajectory->n_points ? trajectory->points[trajectory->n_points - 1].x : 0;
        if (!trajectory->is_agent)
            trajectory->n_configured = num_u32(trajectory->n_points);
        else if (trajectory->n_configured == 0)
            trajectory->n_configured = (uint32_t)*map_get(&problems, trajectory->problem);
        if (trajectory->is_agent && last > trajectory->n_configured)
            trajectory->n_configured = (uint32_t)num_clamp(last, UINT32_MAX);
    }
    map_clear(&problems);
    return rc;
}

static void
append_place(const struct trajectory *trajectory, struct buf *key)
{
    const struct bytes parts[] = {trajectory->setup.model, trajectory->setup.prompt,
                                  trajectory->setup.variant, trajectory->setup.run,
                                  trajectory->problem};
    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
        buf_append_varint(key, parts[i].len);
        buf_append_bytes(key, parts[i]);
    }
}

/* Leave out the trajectories of records that are also among the first N_STORED, which come from a
 * store: those have their records and their snapshots. */
static int
drop_stored(struct study *study, size_t n_stored, struct err *err)
{
    struct map stored;
    struct buf key = {0};
    size_t n = n_stored;
    bool failed = false;
    map_init(&stored);
    for (size_t i = 0; i < study->n_trajectories && !failed; i++) {
        bool is_new = true;
        if (!study->trajectories[i].is_agent)
            continue;
        buf_reset(&key);
        append_place(&study->trajectories[i], &key);
        if (i < n_stored)
            failed = buf_failed(&key) || !map_put(&stored, buf_bytes(&key), &is_new);
        else if (map_get(&stored, buf_bytes(&key)))
            study->n_twice++;
        else
            study->trajectories[n++] = study->trajectories[i];
    }
    study->n_trajectories = n;
    failed = failed || buf_failed(&key);
    buf_clear(&key);
    map_clear(&stored);
    return failed ? err_nomem(err, "lines of a study") : 0;
}

static int
by_id(const void *left, const void *right)
{
    const struct trajectory *a = left, *b = right;
    if (a->is_agent != b->is_agent)
        return a->is_agent ? 1 : -1;
    return bytes_compare(a->id, b->id);
}

static int
take_trajectories(struct study *study, const struct study_options *options,
                  const struct scored_panel *panel, size_t scorer, const struct records *records,
                  struct err *err)
{
    size_t n = (panel ? panel->n_trajectories : 0) + (records ? records->n_items : 0);
    study->trajectories = ARENA_ARRAY(&study->arena, n, struct trajectory);
    if (!study->trajectories)
        return err_nomem(err, "lines of a study");
    for (size_t i = 0; panel && i < panel->n_trajectories; i++)
        if (!panel->trajectories[i].problem &&
            take_trajectory(study, options, &panel->trajectories[i], scorer,
                            &study->trajectories[study->n_trajectories++], err) < 0)
            return -1;
    size_t n_stored = study->n_trajectories;
    if (records &&
        (take_records(study, options, records, err) < 0 || drop_stored(study, n_stored, err) < 0))
        return -1;
    for (size_t i = 0; i < study->n_trajectories; i++)
        if (study->trajectories[i].is_agent) {
            drop_duplicates(study, &study->trajectories[i]);
            count_configured(&study->trajectories[i]);
        }
    if (study->n_trajectories > 1)
        qsort(study->trajectories, study->n_trajectories, sizeof(*study->trajectories), by_id);
    return share_configured(study, err);
}

int
study_create(const struct study_options *options, const struct scored_panel *panel, size_t scorer,
             const struct records *records, struct study **out, struct err *err)
{
    struct study *study = calloc(1, sizeof(*study));
    if (!study)
        return err_nomem(err, "study");
    arena_init(&study->arena, 0);
    if (take_trajectories(study, options, panel, scorer, records, err) < 0 ||
        study_find_runs(study, options, err) < 0) {
        study_destroy(study);
        return -1;
    }
    *out = study;
    return 0;
}

void
study_destroy(struct study *study)
{
    if (!study)
        return;
    arena_clear(&study->arena);
    free(study);
}

/* ---- Queries ------------------------------------------------------------------------------- */

const struct point *
trajectory_head(const struct trajectory *trajectory)
{
    for (size_t i = trajectory->n_points; i-- > 0;)
        if (trajectory->points[i].is_kept)
            return &trajectory->points[i];
    return NULL;
}

void
trajectory_series(const struct trajectory *trajectory, enum measure measure, struct series *x,
                  struct series *y)
{
    double n = 0;
    for (size_t i = 0; i < trajectory->n_points; i++) {
        const struct point *point = &trajectory->points[i];
        if (!point->is_kept || isnan(point->measures[measure]))
            continue;
        n++;
        if (x)
            series_add(x, trajectory->is_agent ? point->x : n);
        series_add(y, point->measures[measure]);
    }
    if (x)
        series_keep_paired(x, y);
}
