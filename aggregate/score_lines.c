/* Scores of a panel as JSON lines, one a checkpoint. */
#include "aggregate/absent.h"
#include "aggregate/calendar.h"
#include "aggregate/panel.h"

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
write_line(const struct panel_trajectory *trajectory, const struct panel_checkpoint *checkpoint,
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
    json_member_bool(&json, "assisted", checkpoint->is_assisted);
    json_member_bytes(&json, "profile", profile);
    score_write_members(&checkpoint->scores[0], &json);
    json_end_object(&json);
    buf_append_byte(out, '\n');
}

int
panel_write_scores(struct store *store, const struct panel_options *options,
                   const struct scorer *scorer, struct buf *out, struct buf *warnings,
                   struct err *err)
{
    struct panel *panel;
    if (panel_score(store, options, &scorer, 1, &panel, err) < 0)
        return -1;
    for (size_t i = 0; i < panel->n_trajectories; i++) {
        const struct panel_trajectory *trajectory = &panel->trajectories[i];
        if (trajectory->problem)
            buf_printf(warnings, "%.*s: %s\n", BYTES_ARG(trajectory->about.id),
                       trajectory->problem);
        for (size_t k = 0; k < trajectory->n_checkpoints; k++)
            write_line(trajectory, &trajectory->checkpoints[k], options->profile->name, out);
    }
    panel_destroy(panel);
    return buf_failed(out) ? err_nomem(err, "scores") : 0;
}
