/*
 * The definition of a report, the member "definition" of its JSON.
 *
 * It names program and analyzer, writes every field of the profile, and lists the sampling of the
 * repositories, their heads, the filters and the options, so that a report can be made again.
 */
#include "analyzer/limits.h"
#include "aggregate/report/sections/definition.h"

#include <stdlib.h>

#include "base/calendar.h"
#include "manifests/profile_write.h"

/* ---- Sampling ------------------------------------------------------------------------------ */

static int
by_params(const void *left, const void *right)
{
    return bytes_compare(*(const struct bytes *)left, *(const struct bytes *)right);
}

/* The distinct parameters that repositories were mined with, and how many repositories have each.
 */
static void
write_sampling(struct json_writer *json, const struct context *context,
               const struct scored_panel *panel)
{
    struct bytes *params =
        ARENA_ARRAY(&context->report->arena, panel->n_trajectories, struct bytes);
    size_t n = 0;
    if (!params) {
        context->report->failed = true;
        return;
    }
    for (size_t i = 0; i < panel->n_trajectories; i++)
        if (!panel->trajectories[i].is_agent && panel->trajectories[i].about.params.len)
            params[n++] = panel->trajectories[i].about.params;
    if (n > 1)
        qsort(params, n, sizeof(*params), by_params);
    json_key(json, "sampling");
    json_begin_array(json);
    for (size_t from = 0; from < n;) {
        size_t to = from + 1;
        while (to < n && bytes_equal(params[from], params[to]))
            to++;
        struct json_doc *doc;
        json_begin_object(json);
        json_member_u64(json, "repositories", to - from);
        if (json_open(params[from], "parameters", false, &doc, NULL) == 0) {
            json_close(doc);
            json_key(json, "parameters");
            json_raw(json, params[from]);
        }
        json_end_object(json);
        from = to;
    }
    json_end_array(json);
}

/* ---- Filters and choices ------------------------------------------------------------------- */

static void
write_day(struct json_writer *json, const char *name, bool has, int64_t time_s)
{
    char day[CALENDAR_SIZE];
    if (has)
        json_member_text(json, name, calendar_format_day(time_s, day));
}

static void
write_filters(struct json_writer *json, const struct panel_filter *filter)
{
    json_key(json, "filter");
    json_begin_object(json);
    json_key(json, "tiers");
    json_begin_array(json);
    for (int tier = 0; tier < TIER_N; tier++)
        if (filter->tiers & 1u << tier)
            json_text(json, tier_name((enum tier)tier));
    json_end_array(json);
    json_key(json, "authors");
    json_begin_array(json);
    for (int author = 0; author < AUTHOR_N; author++)
        if (filter->authors & 1u << author)
            json_text(json, author_name((enum author)author));
    json_end_array(json);
    text_list_write(&filter->licenses, "licenses", json);
    write_day(json, "since", filter->has_since, filter->since_s);
    write_day(json, "until", filter->has_until, filter->until_s);
    if (filter->files) {
        text_list_write(&filter->files->include, "paths", json);
        text_list_write(&filter->files->exclude, "not_paths", json);
    }
    json_end_object(json);
}

static void
write_choices(struct json_writer *json, const struct report_options *options)
{
    static const char *const rates[] = {"strict", "isolated", "core"};
    json_key(json, "choices");
    json_begin_object(json);
    json_member_text(json, "record_verbosity",
                     options->study.record_verbosity == RECORD_VERBOSITY_SOURCE ? "sloc"
                                                                                : "record");
    json_member_text(json, "agent_quality",
                     options->study.record_quality ? "records" : "snapshots");
    json_member_text(json, "agents", options->study.all_runs ? "all runs" : "best run of a model");
    json_member_bytes(json, "baseline_prompt", options->study.baseline_prompt);
    json_member_u64(json, "slope_points", options->slope_points);
    json_member_text(json, "phase_split", phase_split_name(options->phase_split));
    json_member_text(json, "phase_count", options->phase_of_seen ? "seen" : "configured");
    json_member_text(json, "eras_by", options->eras_by_author_date ? "author" : "committer");
    json_member_text(json, "shift", options->shift_of_means ? "means" : "medians");
    json_member_text(json, "phase_means",
                     options->phase_by_trajectory ? "trajectories" : "checkpoints");
    json_member_text(json, "intervals",
                     options->interval == INTERVAL_BOOTSTRAP ? "bootstrap" : "t");
    json_member_text(json, "predicted", rates[options->predicted]);
    json_member_bool(json, "predict_failures", !options->predict_no_failures);
    json_member_u64(json, "seed", options->seed);
    if (options->expected)
        json_member_u64(json, "expected", options->expected);
    if (options->expected_problems)
        json_member_u64(json, "expected_problems", options->expected_problems);
    json_key(json, "cuts");
    json_begin_array(json);
    for (size_t i = 0; i < options->n_cuts; i++) {
        char day[CALENDAR_SIZE];
        json_text(json, calendar_format_day(options->cuts[i].time_s, day));
    }
    json_end_array(json);
    json_end_object(json);
}

/* ---- Rules and repositories ---------------------------------------------------------------- */

static void
write_rules(struct json_writer *json, const struct context *context)
{
    char group[PANEL_RULES_HEX_SIZE];
    size_t n_counting = 0;
    for (size_t i = 0; i < context->rules->n_items; i++)
        n_counting += scorer_takes_rule(context->scorer, (uint32_t)i) ? 1 : 0;
    json_key(json, "rules");
    json_begin_object(json);
    json_member_text(json, "group", panel_rules_hex(&context->rules->group, group));
    json_member_u64(json, "run", context->rules->n_items);
    json_member_u64(json, "counting", n_counting);
    json_end_object(json);
}

/* The repositories and the heads that their histories were sampled from. */
static void
write_repositories(struct json_writer *json, const struct scored_panel *panel)
{
    char hex[OID_HEX_SIZE];
    json_key(json, "repositories");
    json_begin_array(json);
    for (size_t i = 0; i < panel->n_trajectories; i++) {
        const struct store_trajectory *about = &panel->trajectories[i].about;
        if (panel->trajectories[i].is_agent)
            continue;
        json_begin_object(json);
        json_member_bytes(json, "name", about->id);
        if (about->stars >= 0)
            json_member_i64(json, "stars", about->stars);
        if (about->as_of.len)
            json_member_bytes(json, "as_of", about->as_of);
        if (about->head.len)
            json_member_text(json, "head", oid_to_hex(&about->head, hex));
        json_end_object(json);
    }
    json_end_array(json);
}

void
definition_write(const struct context *context, const struct scored_panel *panel, struct buf *out)
{
    struct json_writer json = json_writer_init(out, 0);
    json_begin_object(&json);
    if (context->options->program)
        json_member_text(&json, "program", context->options->program);
    json_member_text(&json, "analyzer", analyzer_versions());
    json_key(&json, "profile");
    profile_json_write(&json, context->options->panel.profile);
    if (context->rules->has_group)
        write_rules(&json, context);
    if (panel) {
        write_sampling(&json, context, panel);
        write_repositories(&json, panel);
    }
    write_filters(&json, &context->options->panel.filter);
    write_choices(&json, context->options);
    json_end_object(&json);
}
