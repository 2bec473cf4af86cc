#include "aggregate/report/study/study.h"

#include <stdlib.h>

#include "aggregate/records/groups.h"
#include "base/map.h"
#include "base/num.h"

const char *
measure_name(enum measure measure)
{
    static const char *const names[MEASURE_N] = {
        "verbosity",  "erosion",     "loc",       "cc_mean",    "cc_max",
        "high_count", "clone_ratio", "hit_ratio", "rule_share", "clone_share",
    };
    return names[measure];
}

/* ---- Points -------------------------------------------------------------------------------- */

static void
no_measures(struct point *point)
{
    for (int measure = 0; measure < MEASURE_N; measure++)
        point->measures[measure] = NAN;
}

static void
measure_score(const struct score *score, struct point *point)
{
    double lines = (double)score->physical_lines;
    no_measures(point);
    point->is_kept = score->total_loc > 0;
    if (score->has_verbosity)
        point->measures[MEASURE_VERBOSITY] = score->verbosity;
    point->measures[MEASURE_EROSION] = score->erosion;
    point->measures[MEASURE_LOC] = lines;
    point->measures[MEASURE_CC_MEAN] = score_cc_mean(score);
    point->measures[MEASURE_CC_MAX] = score->cc_max;
    point->measures[MEASURE_HIGH_COUNT] = (double)score->high_cc_functions;
    if (score->has_clones && lines > 0)
        point->measures[MEASURE_CLONE_RATIO] = (double)score->clone_lines / lines;
    if (score->has_rules && lines > 0)
        point->measures[MEASURE_HIT_RATIO] = (double)score->ast_grep_hits / lines;
    double sloc = (double)score->total_loc;
    if (score->has_rules)
        point->measures[MEASURE_RULE_SHARE] = (double)score->ast_grep_flagged_loc / sloc;
    if (score->has_clones)
        point->measures[MEASURE_CLONE_SHARE] = (double)score->clone_loc / sloc;
}

static double
first_known(double a, double b)
{
    return isnan(a) ? b : a;
}

static void
measure_record(const struct record *record, enum record_verbosity verbosity, struct point *point)
{
    double loc = record_value(record, FIELD_LOC);
    double below = verbosity == RECORD_VERBOSITY_SLOC ? record_value(record, FIELD_SLOC)
                                                      : record_value(record, FIELD_TOTAL_LINES);
    no_measures(point);
    point->is_of_record = true;
    point->is_kept = record_is_kept(record);
    point->measures[MEASURE_VERBOSITY] =
        first_known(record_value(record, FIELD_VERBOSITY),
                    record_value(record, FIELD_VERBOSITY_FLAGGED_SLOC_LINES) / below);
    point->measures[MEASURE_EROSION] = first_known(record_value(record, FIELD_EROSION),
                                                   record_value(record, FIELD_MASS_HIGH_CC_PCT));
    point->measures[MEASURE_LOC] = loc;
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
sort_points(struct line *line)
{
    if (line->n_points > 1)
        qsort(line->points, line->n_points, sizeof(*line->points), line->is_agent ? by_x : by_time);
}

/* ---- Lines of a panel ---------------------------------------------------------------------- */

static void
name_agent(struct line *line)
{
    size_t cut = line->id.len;
    while (cut > 0 && line->id.data[cut - 1] != '/')
        cut--;
    line->run = bytes_slice(line->id, 0, cut ? cut - 1 : 0);
    line->problem = bytes_slice(line->id, cut, line->id.len);
}

/* The trees after a run's extra step are not the run's own: they count as a variant of their own.
 */
static int
mark_tree(struct bytes tree, struct arena *arena, struct line *line, struct err *err)
{
    char *variant = arena_format(arena, "%.*s %.*s", BYTES_ARG(line->variant), BYTES_ARG(tree));
    if (!variant)
        return err_nomem(err, "parameters");
    line->variant = bytes_of_text(variant);
    line->is_after_step = true;
    return 0;
}

/* What the trajectory's parameters say of an agent's run; what they do not say stays. */
static int
read_setup(struct bytes params, struct arena *arena, struct line *line, struct err *err)
{
    struct json_doc *doc;
    if (!params.data)
        return 0;
    if (json_open(params, "parameters", true, &doc, err) < 0)
        return err->code == ERR_NOMEM ? -1 : 0;
    struct record setup;
    int outcome = 0;
    if (json_type(json_root(doc)) == JSON_OBJECT) {
        outcome = record_read(json_root(doc), arena, &setup, err);
        if (outcome == 0) {
            line->model = setup.model;
            line->prompt = setup.prompt;
            line->variant = setup.variant;
            line->thinking = setup.thinking;
            line->agent_type = setup.agent_type;
            line->agent_version = setup.agent_version;
            if (json_member(json_root(doc), "tree"))
                outcome =
                    mark_tree(json_string(json_member(json_root(doc), "tree")), arena, line, err);
            line->run = setup.run.data ? setup.run : line->run;
            line->problem = setup.problem.data ? setup.problem : line->problem;
            if (record_has(&setup, FIELD_N_CHECKPOINTS))
                line->n_configured =
                    (uint32_t)num_clamp(record_value(&setup, FIELD_N_CHECKPOINTS), UINT32_MAX);
        }
    }
    json_close(doc);
    return outcome;
}

static void
take_checkpoint(const struct study_options *options, const struct panel_checkpoint *checkpoint,
                size_t scorer, bool is_agent, struct line *line)
{
    if (!is_agent && !checkpoint->stored->has_time) {
        line->n_undated++;
        return;
    }
    struct point *point = &line->points[line->n_points++];
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
                const struct panel_trajectory *trajectory, size_t scorer, struct line *line,
                struct err *err)
{
    *line = (struct line){.id = trajectory->about.id,
                          .is_agent = trajectory->is_agent,
                          .has_tier = trajectory->has_tier,
                          .tier = trajectory->tier};
    if (line->is_agent) {
        name_agent(line);
        if (read_setup(trajectory->about.params, &study->arena, line, err) < 0)
            return -1;
    }
    line->points = ARENA_ARRAY(&study->arena, trajectory->n_checkpoints, struct point);
    if (!line->points)
        return err_nomem(err, "points of a study");
    for (size_t i = 0; i < trajectory->n_checkpoints; i++)
        take_checkpoint(options, &trajectory->checkpoints[i], scorer, line->is_agent, line);
    sort_points(line);
    return 0;
}

/* ---- Lines of records ---------------------------------------------------------------------- */

static void
by_run_and_problem(const struct record *record, struct buf *key)
{
    group_by_run(record, key);
    group_by_problem(record, key);
}

static int
take_group(struct study *study, const struct study_options *options, const struct group *group,
           struct line *line, struct err *err)
{
    const struct record *first = group->records[0];
    char *id =
        arena_format(&study->arena, "%.*s/%.*s/%.*s/%.*s", BYTES_ARG(first->model),
                     BYTES_ARG(first->variant), BYTES_ARG(first->run), BYTES_ARG(first->problem));
    struct point *points = ARENA_ARRAY(&study->arena, group->n_records, struct point);
    if (!id || !points)
        return err_nomem(err, "points of a study");
    *line = (struct line){.id = bytes_of_text(id),
                          .is_agent = true,
                          .model = first->model,
                          .prompt = first->prompt,
                          .variant = first->variant,
                          .run = first->run,
                          .problem = first->problem,
                          .thinking = first->thinking,
                          .agent_type = first->agent_type,
                          .agent_version = first->agent_version,
                          .points = points};
    for (size_t i = 0; i < group->n_records; i++) {
        struct point *point = &points[i];
        *point = (struct point){.record = group->records[i]};
        measure_record(point->record, options->record_verbosity, point);
        point->x = first_known(record_value(point->record, FIELD_IDX), (double)i + 1);
    }
    line->n_points = group->n_records;
    sort_points(line);
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
    int outcome = 0;
    for (size_t i = 0; i < groups.n_items && outcome == 0; i++)
        outcome =
            take_group(study, options, &groups.items[i], &study->lines[study->n_lines++], err);
    groups_clear(&groups);
    return outcome;
}

/* ---- Lines --------------------------------------------------------------------------------- */

/* Of the records of one checkpoint the later stays. */
static void
drop_duplicates(struct study *study, struct line *line)
{
    size_t n = 0;
    for (size_t i = 0; i < line->n_points; i++) {
        if (n > 0 && line->points[n - 1].x == line->points[i].x) {
            line->points[n - 1] = line->points[i];
            study->n_duplicates++;
        } else {
            line->points[n++] = line->points[i];
        }
    }
    line->n_points = n;
}

static void
count_configured(struct line *line)
{
    for (size_t i = 0; i < line->n_points; i++) {
        const struct record *record = line->points[i].record;
        double configured = record ? record_value(record, FIELD_N_CHECKPOINTS) : NAN;
        if (configured > line->n_configured)
            line->n_configured = (uint32_t)num_clamp(configured, UINT32_MAX);
    }
}

/* Where a run does not say how many checkpoints a problem has, another may; else those that were
 * seen are all. */
static int
share_configured(struct study *study, struct err *err)
{
    struct map problems;
    int outcome = 0;
    map_init(&problems);
    for (size_t i = 0; i < study->n_lines && outcome == 0; i++) {
        const struct line *line = &study->lines[i];
        uint64_t *most = line->is_agent ? map_put(&problems, line->problem, NULL) : NULL;
        if (line->is_agent && !most)
            outcome = err_nomem(err, "problems");
        else if (most && line->n_configured > *most)
            *most = line->n_configured;
    }
    for (size_t i = 0; i < study->n_lines && outcome == 0; i++) {
        struct line *line = &study->lines[i];
        double last = line->n_points ? line->points[line->n_points - 1].x : 0;
        if (!line->is_agent)
            line->n_configured = num_u32(line->n_points);
        else if (line->n_configured == 0)
            line->n_configured = (uint32_t)*map_get(&problems, line->problem);
        if (line->is_agent && last > line->n_configured)
            line->n_configured = (uint32_t)num_clamp(last, UINT32_MAX);
    }
    map_clear(&problems);
    return outcome;
}

static void
append_place(const struct line *line, struct buf *key)
{
    const struct bytes parts[] = {line->model, line->prompt, line->variant, line->run,
                                  line->problem};
    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
        buf_append_varint(key, parts[i].len);
        buf_append_bytes(key, parts[i]);
    }
}

/* Of the lines, the first N_STORED of which come from a store, leave out records of what the store
 * has: its checkpoints have their records and their snapshots. */
static int
drop_stored(struct study *study, size_t n_stored, struct err *err)
{
    struct map stored;
    struct buf key = {0};
    size_t n = n_stored;
    bool failed = false;
    map_init(&stored);
    for (size_t i = 0; i < study->n_lines && !failed; i++) {
        bool is_new = true;
        if (!study->lines[i].is_agent)
            continue;
        buf_reset(&key);
        append_place(&study->lines[i], &key);
        if (i < n_stored)
            failed = buf_failed(&key) || !map_put(&stored, buf_bytes(&key), &is_new);
        else if (map_get(&stored, buf_bytes(&key)))
            study->n_twice++;
        else
            study->lines[n++] = study->lines[i];
    }
    study->n_lines = n;
    failed = failed || buf_failed(&key);
    buf_clear(&key);
    map_clear(&stored);
    return failed ? err_nomem(err, "lines of a study") : 0;
}

static int
by_id(const void *left, const void *right)
{
    const struct line *a = left, *b = right;
    if (a->is_agent != b->is_agent)
        return a->is_agent ? 1 : -1;
    return bytes_compare(a->id, b->id);
}

static int
take_lines(struct study *study, const struct study_options *options, const struct panel *panel,
           size_t scorer, const struct records *records, struct err *err)
{
    size_t n = (panel ? panel->n_trajectories : 0) + (records ? records->n_items : 0);
    study->lines = ARENA_ARRAY(&study->arena, n, struct line);
    if (!study->lines)
        return err_nomem(err, "lines of a study");
    for (size_t i = 0; panel && i < panel->n_trajectories; i++)
        if (!panel->trajectories[i].problem &&
            take_trajectory(study, options, &panel->trajectories[i], scorer,
                            &study->lines[study->n_lines++], err) < 0)
            return -1;
    size_t n_stored = study->n_lines;
    if (records &&
        (take_records(study, options, records, err) < 0 || drop_stored(study, n_stored, err) < 0))
        return -1;
    for (size_t i = 0; i < study->n_lines; i++)
        if (study->lines[i].is_agent) {
            drop_duplicates(study, &study->lines[i]);
            count_configured(&study->lines[i]);
        }
    if (study->n_lines > 1)
        qsort(study->lines, study->n_lines, sizeof(*study->lines), by_id);
    return share_configured(study, err);
}

int
study_create(const struct study_options *options, const struct panel *panel, size_t scorer,
             const struct records *records, struct study **out, struct err *err)
{
    struct study *study = calloc(1, sizeof(*study));
    if (!study)
        return err_nomem(err, "study");
    arena_init(&study->arena, 0);
    if (take_lines(study, options, panel, scorer, records, err) < 0 ||
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

/* ---- What sections often ask --------------------------------------------------------------- */

const struct point *
line_head(const struct line *line)
{
    for (size_t i = line->n_points; i-- > 0;)
        if (line->points[i].is_kept)
            return &line->points[i];
    return NULL;
}

void
line_series(const struct line *line, enum measure measure, struct series *x, struct series *y)
{
    double n = 0;
    for (size_t i = 0; i < line->n_points; i++) {
        const struct point *point = &line->points[i];
        if (!point->is_kept || isnan(point->measures[measure]))
            continue;
        n++;
        if (x)
            series_add(x, line->is_agent ? point->x : n);
        series_add(y, point->measures[measure]);
    }
}
