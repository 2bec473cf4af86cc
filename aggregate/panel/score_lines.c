/* Scores of a panel as JSON lines, one a checkpoint. */
#include "base/json_absent.h"
#include "base/calendar.h"
#include "aggregate/panel/scored_panel.h"

static void
write_time(const struct store_checkpoint *checkpoint, struct json_writer *json)
{
    char text[CALENDAR_SIZE];
    if (checkpoint->has_time)
        json_member_text(json, "time", calendar_format(checkpoint->time_s, text));
    else
        json_member_null(json, "time");
    if (checkpoint->date_problem.data)
        json_member_bytes(json, "date_problem", checkpoint->date_problem);
}

static void
write_line(const struct scored_trajectory *trajectory, const struct scored_checkpoint *checkpoint,
           struct bytes profile, struct buf *out)
{
    struct json_writer json = json_writer_init(out, 0);
    json_begin_object(&json);
    json_member_bytes(&json, "trajectory", trajectory->about.id);
    json_member_bytes(&json, "kind", trajectory->about.kind);
    if (trajectory->about.stars >= 0) {
        json_member_i64(&json, "stars", trajectory->about.stars);
        json_member_text(&json, "tier", tier_name(trajectory->tier));
    }
    json_member_u64(&json, "ordinal", checkpoint->stored->ordinal);
    json_member_bytes(&json, "checkpoint", checkpoint->stored->name);
    write_time(checkpoint->stored, &json);
    json_member_text(&json, "author", author_name(checkpoint->author));
    if (checkpoint->stored->n_notes)
        json_member_u64(&json, "files_missing", checkpoint->stored->n_notes);
    json_member_bytes(&json, "profile", profile);
    score_write_members(&checkpoint->scores[0], &json);
    json_end_object(&json);
    buf_append_byte(out, '\n');
}

static int
write_panel(const struct scored_panel *panel, const struct profile *profile, struct buf *out,
            struct buf *warnings, struct err *err)
{
    scored_panel_note(panel, warnings);
    for (size_t i = 0; i < panel->n_trajectories; i++) {
        const struct scored_trajectory *trajectory = &panel->trajectories[i];
        for (size_t k = 0; k < trajectory->n_checkpoints; k++)
            write_line(trajectory, &trajectory->checkpoints[k], profile->name, out);
    }
    return buf_failed(out) || buf_failed(warnings) ? err_nomem(err, "scores") : 0;
}

int
panel_write_scores(struct store *store, const struct panel_options *options, struct buf *out,
                   struct buf *warnings, struct err *err)
{
    struct panel_rules rules;
    struct scorer *scorer = NULL;
    struct scored_panel *panel = NULL;
    struct arena arena;
    arena_init(&arena, 0);
    int outcome = panel_rules_open(store, options->rules_group, &arena, &rules, err);
    if (outcome == 0)
        outcome = panel_scorer(&rules, options->profile, &scorer, warnings, err);
    const struct scorer *scorers[] = {scorer};
    if (outcome == 0)
        outcome = scored_panel_create(store, options, &rules, scorers, 1, &panel, err);
    if (outcome == 0)
        outcome = write_panel(panel, options->profile, out, warnings, err);
    scored_panel_destroy(panel);
    scorer_destroy(scorer);
    arena_clear(&arena);
    return outcome;
}
