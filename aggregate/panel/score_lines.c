/*
 * The scores of a store as JSON lines, one line per checkpoint.
 *
 * A line is a struct score_line: which checkpoint it is, and the columns of its score.  The columns
 * of both are tables (see aggregate/rows/row.h); this file only fills the struct.
 */
#include "base/calendar.h"
#include "aggregate/panel/scored_panel.h"
#include "aggregate/panel/score_lines.h"

struct score_line {
    struct bytes trajectory, kind;
    bool has_stars;
    int64_t stars;
    const char *tier;
    uint32_t ordinal;
    struct bytes checkpoint;
    const char *time;
    struct bytes date_problem;
    const char *author;
    uint32_t files_missing;
    struct bytes profile;
    struct score score;
};

static const struct row_presence WITH_STARS = {offsetof(struct score_line, has_stars),
                                               "the star count is known"};
static const struct row_presence WITH_TIME = {ROW_NO_FLAG,
                                              "the commit has a date that can be real"};
static const struct row_presence WITHOUT_TIME = {ROW_NO_FLAG, "there is no time"};

#define COLUMN(place, name, unit, description) \
    ROW_COLUMN(struct score_line, place, name, unit, description)
#define COLUMN_IF(place, name, unit, presence, description) \
    ROW_COLUMN_IF(struct score_line, place, name, unit, presence, description)

static const struct row_column columns[] = {
    COLUMN(trajectory, "trajectory", "",
           "id of the trajectory: the repository's name, or run and problem"),
    COLUMN(kind, "kind", "", "human or agent"),
    COLUMN_IF(stars, "stars", "stars", WITH_STARS, "star count of the repository"),
    COLUMN_IF(tier, "tier", "", WITH_STARS, "tier of the star count"),
    COLUMN(ordinal, "ordinal", "", "place in the trajectory, from 0"),
    COLUMN(checkpoint, "checkpoint", "", "id of the commit, or name of the agent's checkpoint"),
    {.name = "time",
     .unit = "UTC",
     .description = "committer date, as 2024-01-31T23:59:59Z",
     ROW_PLACE(struct score_line, time),
     .presence = &WITH_TIME,
     .flags = ROW_NULL_IN_LINES},
    COLUMN_IF(date_problem, "date_problem", "", WITHOUT_TIME, "why there is no time"),
    COLUMN(author, "author", "", "human, bot or assistant, by the marks of the commit"),
    {.name = "files_missing",
     .unit = "files",
     .description = "files of the checkpoint that could not be read when it was mined",
     ROW_PLACE(struct score_line, files_missing),
     .flags = ROW_NOT_ZERO},
    COLUMN(profile, "profile", "", "name of the profile"),
    ROW_COLUMNS_OF_ROW(struct score_line, score, score_row_kind),
};

const struct row_kind score_line_row_kind =
    ROW_KIND("score lines", "A line of `strata score`: one checkpoint under one profile.", columns);

/* Append the line of CHECKPOINT. */
static void
write_line(const struct scored_trajectory *trajectory, const struct scored_checkpoint *checkpoint,
           struct bytes profile, struct buf *out)
{
    const struct store_checkpoint *stored = checkpoint->stored;
    char time[CALENDAR_SIZE];
    bool has_stars = trajectory->about.stars >= 0;
    struct score_line line = {.trajectory = trajectory->about.id,
                              .kind = trajectory->about.kind,
                              .has_stars = has_stars,
                              .stars = trajectory->about.stars,
                              .tier = has_stars ? tier_name(trajectory->tier) : NULL,
                              .ordinal = stored->ordinal,
                              .checkpoint = stored->name,
                              .time =
                                  stored->has_time ? calendar_format(stored->time_s, time) : NULL,
                              .date_problem = stored->date_problem,
                              .author = author_name(checkpoint->author),
                              .files_missing = stored->n_notes,
                              .profile = profile,
                              .score = checkpoint->scores[0]};
    struct json_writer json = json_writer_init(out, 0);
    json_begin_object(&json);
    row_write_members(&score_line_row_kind, &line, &json);
    json_end_object(&json);
    buf_append_byte(out, '\n');
}
static int
write_panel(const struct scored_panel *panel, const struct profile *profile, struct buf *out,
            struct buf *notes, struct err *err)
{
    scored_panel_note(panel, notes);
    for (size_t i = 0; i < panel->n_trajectories; i++) {
        const struct scored_trajectory *trajectory = &panel->trajectories[i];
        for (size_t k = 0; k < trajectory->n_checkpoints; k++)
            write_line(trajectory, &trajectory->checkpoints[k], profile->name, out);
    }
    return buf_failed(out) || buf_failed(notes) ? err_nomem(err, "scores") : 0;
}

int
panel_write_scores(struct store *store, const struct panel_options *options, struct buf *out,
                   struct buf *notes, struct err *err)
{
    struct panel_rules rules;
    struct scorer *scorer = NULL;
    struct scored_panel *panel = NULL;
    struct arena arena;
    arena_init(&arena, 0);
    int rc = panel_rules_open(store, options->rules_group, &arena, &rules, err);
    if (rc == 0)
        rc = panel_scorer(&rules, options->profile, &scorer, notes, err);
    const struct scorer *scorers[] = {scorer};
    if (rc == 0)
        rc = scored_panel_create(store, options, &rules, scorers, 1, &panel, err);
    if (rc == 0)
        rc = write_panel(panel, options->profile, out, notes, err);
    scored_panel_destroy(panel);
    scorer_destroy(scorer);
    arena_clear(&arena);
    return rc;
}
