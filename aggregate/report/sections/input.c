/*
 * Section "input": what the report is made from, with the filters and what could not be used.
 */
#include "analyzer/limits.h"
#include "base/calendar.h"
#include "aggregate/report/sections/sections.h"
#include "base/map.h"

static const struct column columns[] = {
    {"what", "what", COLUMN_TEXT, 0},
    {"value", "value", COLUMN_TEXT, 0},
    {"paper", "paper", COLUMN_COUNT, 0},
};

struct counts {
    size_t repositories, commits, kept_commits;
    size_t problems, checkpoints, kept_checkpoints, records;
    size_t quality_of_records;         /* checkpoints whose measures come from their records */
    size_t own_verbosity, own_erosion; /* those of them whose record has the key */
};

static void
count_quality(const struct point *point, struct counts *counts)
{
    if (!point->is_of_record)
        return;
    counts->quality_of_records++;
    counts->own_verbosity += record_has(point->record, FIELD_VERBOSITY);
    counts->own_erosion += record_has(point->record, FIELD_EROSION);
}

static struct counts
count(const struct study *study)
{
    struct counts counts = {0};
    for (size_t i = 0; i < study->n_trajectories; i++) {
        const struct trajectory *trajectory = &study->trajectories[i];
        size_t n_kept = 0;
        for (size_t k = 0; k < trajectory->n_points; k++) {
            n_kept += trajectory->points[k].is_kept;
            counts.records += trajectory->points[k].record != NULL;
            count_quality(&trajectory->points[k], &counts);
        }
        *(trajectory->is_agent ? &counts.problems : &counts.repositories) += 1;
        *(trajectory->is_agent ? &counts.checkpoints : &counts.commits) += trajectory->n_points;
        *(trajectory->is_agent ? &counts.kept_checkpoints : &counts.kept_commits) += n_kept;
    }
    return counts;
}

static void
add_text(struct table *table, const char *what, struct bytes value)
{
    table_text(table, bytes_of_text(what));
    table_text(table, value);
    table_empty(table);
}

/* Add a row; PAPER is the number in the paper, or NAN. */
static void
add_count(struct table *table, const char *what, size_t n, double paper)
{
    table_text(table, bytes_of_text(what));
    table_format(table, "%zu", n);
    table_number(table, paper);
}

/* ---- Agents -------------------------------------------------------------------------------- */

/* How many models there are, problems, and configured checkpoints of these problems. */
static int
count_distinct(const struct study *study, size_t *n_models, size_t *n_problems,
               uint64_t *n_configured)
{
    struct map models, problems;
    bool failed = false;
    map_init(&models);
    map_init(&problems);
    for (size_t i = 0; i < study->n_trajectories && !failed; i++) {
        const struct trajectory *trajectory = &study->trajectories[i];
        if (!trajectory->is_agent)
            continue;
        uint64_t *most = map_put(&problems, trajectory->problem, NULL);
        failed = !most || !map_put(&models, trajectory->setup.model, NULL);
        if (most && trajectory->n_configured > *most)
            *most = trajectory->n_configured;
    }
    *n_models = models.n_entries;
    *n_problems = problems.n_entries;
    *n_configured = 0;
    for (size_t i = 0; i < problems.n_entries; i++)
        *n_configured += problems.entries[i].value;
    map_clear(&models);
    map_clear(&problems);
    return failed ? -1 : 0;
}

static void
add_agents(struct context *context, struct table *table, const struct counts *counts)
{
    size_t n_models, n_problems;
    uint64_t n_configured;
    if (count_distinct(context->study, &n_models, &n_problems, &n_configured) < 0)
        context->report->failed = true;
    add_count(table, "agent runs", context->study->n_runs, NAN);
    if (context->study->n_runs == 0)
        return;
    add_count(table, "models", n_models, 15);
    add_count(table, "problems", n_problems, 36);
    add_count(table, "checkpoints configured for these problems", n_configured, 196);
    add_count(table, "agents' trajectories, a problem of a run each", counts->problems, NAN);
    add_count(table, "agents' checkpoints", counts->checkpoints, NAN);
    add_count(table, "agents' checkpoints with a record", counts->records, NAN);
    add_count(table, "agents' checkpoints kept", counts->kept_checkpoints, NAN);
    add_count(table, "agents' checkpoints kept, of the compared runs",
              population_stats(context, POPULATION_AGENTS, MEASURE_EROSION).n, 2869);
}

/* ---- Filters ------------------------------------------------------------------------------- */

static void
append_words(struct buf *out, const char *what, const struct text_list *words)
{
    for (size_t i = 0; i < words->n_items; i++)
        buf_printf(out, "%s%s %.*s", out->len ? ", " : "", i ? "or" : what,
                   BYTES_ARG(words->items[i]));
}

static void
append_day(struct buf *out, const char *what, bool has, int64_t time_s)
{
    char day[CALENDAR_SIZE];
    if (has)
        buf_printf(out, "%s%s %s", out->len ? ", " : "", what, calendar_format_day(time_s, day));
}

/* Add a row for each filter that is set. */
static void
add_filter(struct context *context, struct table *table)
{
    const struct panel_filter *filter = &context->options->panel.filter;
    struct buf text = {0};
    for (int tier = 0; tier < TIER_N; tier++)
        if (filter->tiers & 1u << tier)
            buf_printf(&text, "%stier %s", text.len ? ", " : "", tier_name((enum tier)tier));
    append_words(&text, "license", &filter->licenses);
    append_day(&text, "since", filter->has_since, filter->since_s);
    append_day(&text, "until", filter->has_until, filter->until_s);
    for (int author = 0; author < AUTHOR_N; author++)
        if (filter->authors & 1u << author)
            buf_printf(&text, "%sauthor %s", text.len ? ", " : "",
                       author_name((enum author)author));
    if (filter->files) {
        append_words(&text, "path", &filter->files->include);
        append_words(&text, "not path", &filter->files->exclude);
    }
    if (text.len)
        add_text(table, "filters", buf_bytes(&text));
    context->report->failed = context->report->failed || buf_failed(&text);
    buf_clear(&text);
}

static void
note_problems(struct section *section, const struct scored_panel *panel)
{
    enum { NAMED_MAX = 10 };
    size_t n_problems = 0, n_unfinished = 0;
    for (size_t i = 0; i < panel->n_trajectories; i++) {
        const struct scored_trajectory *trajectory = &panel->trajectories[i];
        n_unfinished += trajectory->about.status == STORE_STATUS_UNFINISHED;
        if (!trajectory->problem)
            continue;
        if (n_problems++ < NAMED_MAX)
            section_note(section, "%.*s could not be scored: %s", BYTES_ARG(trajectory->about.id),
                         trajectory->problem);
    }
    if (n_problems > NAMED_MAX)
        section_note(section,
                     "%zu more trajectories could not be scored; `strata store verify` "
                     "names them all.",
                     n_problems - NAMED_MAX);
    if (n_unfinished)
        section_note(section, "%zu trajectories are unfinished: mining them was stopped.",
                     n_unfinished);
    size_t n_without_hits = scored_panel_count_without_hits(panel);
    if (n_without_hits)
        section_note(section,
                     "%zu checkpoints have files that the rules were not run on, and so "
                     "no verbosity.",
                     n_without_hits);
    if (panel->n_left_out)
        section_note(section, "%zu repositories are left out by the filters.", panel->n_left_out);
    size_t n_commits = 0;
    for (size_t i = 0; i < panel->n_trajectories; i++)
        n_commits += panel->trajectories[i].n_left_out;
    if (n_commits)
        section_note(section, "%zu commits of the others are left out by the filters.", n_commits);
}

/* Add a footnote on which keys of the records verbosity and erosion are from. */
static void
note_record_quality(const struct context *context, struct section *section,
                    const struct counts *counts)
{
    bool is_sloc = context->options->study.record_verbosity == RECORD_VERBOSITY_SOURCE;
    section_note(section,
                 "The quality of %zu agents' checkpoints is from their records.  Verbosity is the "
                 "key of the record in %zu, else flagged source lines over %s; erosion is the key "
                 "in %zu, else mass.high_cc_pct.",
                 counts->quality_of_records, counts->own_verbosity,
                 is_sloc ? "source lines" : "physical lines", counts->own_erosion);
}

void
section_input(struct context *context, const struct scored_panel *panel)
{
    struct section *section = report_add_section(context->report, "input", "Input");
    struct table *table = SECTION_TABLE(section, "input", "What was read", columns);
    struct counts counts = count(context->study);
    add_text(table, "profile", context->options->panel.profile->name);
    add_text(table, "analyzer", bytes_of_text(analyzer_versions()));
    add_filter(context, table);
    if (context->rules->has_group)
        add_count(table, "rules", context->rules->n_items, 137);
    add_count(table, "repositories", counts.repositories, 473);
    add_count(table, "commits", counts.commits, NAN);
    add_count(table, "commits kept", counts.kept_commits, 13667);
    add_agents(context, table, &counts);
    if (context->results->n_items)
        add_count(table, "result files of runs", context->results->n_items, NAN);
    if (panel)
        note_problems(section, panel);
    if (panel && !context->rules->has_group)
        section_note(section, "The store has no hits of rules; what needs them is missing.");
    section_note(section, "A checkpoint is kept if it has source lines and was measured.");
    if (context->study->n_twice)
        section_note(section,
                     "%zu trajectories of the records are also in the store, which counts.",
                     context->study->n_twice);
    if (counts.quality_of_records)
        note_record_quality(context, section, &counts);
}
