/* What the report is made from. */
#include "aggregate/sections.h"

static const struct column columns[] = {
    {"what", "what", COLUMN_TEXT, 0},
    {"value", "value", COLUMN_TEXT, 0},
};

struct counts {
    size_t repositories, commits, kept_commits;
    size_t problems, checkpoints, kept_checkpoints, records;
    size_t quality_of_records;         /* checkpoints whose measures are those of their records */
    size_t own_verbosity, own_erosion; /* of these: the record has the key itself */
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
    for (size_t i = 0; i < study->n_lines; i++) {
        const struct line *line = &study->lines[i];
        size_t n_kept = 0;
        for (size_t k = 0; k < line->n_points; k++) {
            n_kept += line->points[k].is_kept;
            counts.records += line->points[k].record != NULL;
            count_quality(&line->points[k], &counts);
        }
        *(line->is_agent ? &counts.problems : &counts.repositories) += 1;
        *(line->is_agent ? &counts.checkpoints : &counts.commits) += line->n_points;
        *(line->is_agent ? &counts.kept_checkpoints : &counts.kept_commits) += n_kept;
    }
    return counts;
}

static void
add_count(struct table *table, const char *what, size_t n)
{
    table_text(table, bytes_of_text(what));
    table_format(table, "%zu", n);
}

static void
note_problems(struct section *section, const struct panel *panel)
{
    enum { NAMED_MAX = 10 };
    size_t n_problems = 0, n_unfinished = 0;
    for (size_t i = 0; i < panel->n_trajectories; i++) {
        const struct panel_trajectory *trajectory = &panel->trajectories[i];
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
        section_note(section, "%zu trajectories are unfinished: a mine was stopped on the way.",
                     n_unfinished);
    size_t n_without_hits = 0;
    for (size_t i = 0; i < panel->n_trajectories; i++)
        for (size_t k = 0; k < panel->trajectories[i].n_checkpoints; k++)
            n_without_hits += panel->trajectories[i].checkpoints[k].scores->files_without_hits > 0;
    if (n_without_hits)
        section_note(section,
                     "%zu checkpoints have files that the rules were not run on, and so "
                     "no verbosity.",
                     n_without_hits);
    if (panel->n_left_out)
        section_note(section, "%zu repositories are left out by the filters.", panel->n_left_out);
}

/* Which of a record's keys stand for verbosity and erosion. */
static void
note_record_quality(const struct context *context, struct section *section,
                    const struct counts *counts)
{
    bool is_sloc = context->options->study.record_verbosity == RECORD_VERBOSITY_SLOC;
    section_note(section,
                 "Quality of %zu agents' checkpoints is as their records say.  Verbosity is the "
                 "record's own in %zu, else flagged source lines over %s; erosion the record's own "
                 "in %zu, else mass.high_cc_pct.",
                 counts->quality_of_records, counts->own_verbosity,
                 is_sloc ? "source lines" : "physical lines", counts->own_erosion);
}

void
section_input(struct context *context, const struct panel *panel)
{
    struct section *section = report_add_section(context->report, "input", "Input");
    struct table *table = SECTION_TABLE(section, "input", "What was read", columns);
    struct counts counts = count(context->study);
    table_text(table, BYTES("profile"));
    table_text(table, context->options->panel.profile->name);
    table_text(table, BYTES("analyzer"));
    table_text(table, bytes_of_text(analyzer_versions()));
    if (context->rules->has_group)
        add_count(table, "rules", context->rules->n_items);
    add_count(table, "repositories", counts.repositories);
    add_count(table, "their commits", counts.commits);
    add_count(table, "of these kept", counts.kept_commits);
    add_count(table, "agent runs", context->study->n_runs);
    add_count(table, "their problems", counts.problems);
    add_count(table, "their checkpoints", counts.checkpoints);
    add_count(table, "of these kept", counts.kept_checkpoints);
    add_count(table, "of these with a record", counts.records);
    if (context->results->n_items)
        add_count(table, "result files of runs", context->results->n_items);
    if (panel)
        note_problems(section, panel);
    if (panel && !context->rules->has_group)
        section_note(section, "The store holds no hits of rules; what rests on them is missing.");
    section_note(section, "A checkpoint is kept when it has source lines and could be measured.");
    if (context->study->n_twice)
        section_note(section,
                     "%zu trajectories of the records are in the store as well; the store's count.",
                     context->study->n_twice);
    if (counts.quality_of_records)
        note_record_quality(context, section, &counts);
}
