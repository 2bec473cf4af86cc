/*
 * Building a report: score the store, read records, make a study of both, and let each section that
 * was asked for fill its tables.  Rendering is chosen here as well.
 */
#include <stdlib.h>

#include "aggregate/report/sections/definition.h"
#include "aggregate/report/render.h"

static const struct {
    const char *name, *title;
    int (*make)(struct context *context, struct section *section);
} sections[REPORT_N_SECTIONS] = {
#define SECTION(function, name, title) {name, title, section_##function},
    REPORT_SECTIONS(SECTION)
#undef SECTION
};

const char *const *
report_section_names(void)
{
    static const char *const names[] = {
#define NAME(function, name, title) name,
        REPORT_SECTIONS(NAME)
#undef NAME
            NULL};
    return names;
}

/* What a report is made of, in the order that it is made. */
struct build {
    struct panel_rules rules;
    struct scorer *scorer;
    struct scored_panel *panel;
    struct records records;
    struct function_lists functions;
    struct results results;
    struct study *study;
    struct arena arena;
};

static void
build_clear(struct build *build)
{
    study_destroy(build->study);
    scored_panel_destroy(build->panel);
    scorer_destroy(build->scorer);
    records_clear(&build->records);
    function_lists_clear(&build->functions);
    results_clear(&build->results);
    arena_clear(&build->arena);
}

static int
score_store(struct build *build, struct store *store, const struct report_options *options,
            struct buf *notes, struct err *err)
{
    if (panel_rules_open(store, options->panel.rules_group, &build->arena, &build->rules, err) <
            0 ||
        panel_scorer(&build->rules, options->panel.profile, &build->scorer, notes, err) < 0)
        return -1;
    const struct scorer *scorers[] = {build->scorer};
    if (scored_panel_create(store, &options->panel, &build->rules, scorers, 1, &build->panel, err) <
        0)
        return -1;
    scored_panel_note(build->panel, notes);
    return buf_failed(notes) ? err_nomem(err, "notes") : 0;
}

static int
read_input(struct build *build, const struct report_input *input,
           const struct report_options *options, struct buf *notes, struct err *err)
{
    if (input->store && score_store(build, input->store, options, notes, err) < 0)
        return -1;
    for (size_t i = 0; i < input->n_records; i++)
        if (records_read_run(&build->records, &input->records[i], notes, err) < 0)
            return -1;
    for (size_t i = 0; i < input->n_functions; i++)
        if (function_lists_read(&build->functions, input->functions[i].text,
                                input->functions[i].origin, notes, err) < 0)
            return err_wrap(err, "%s", input->functions[i].origin);
    for (size_t i = 0; i < input->n_results; i++)
        if (results_read(&build->results, input->results[i].text, input->results[i].origin, notes,
                         err) < 0)
            return -1;
    results_fill(&build->results);
    return study_create(&options->study, build->panel, 0, input->n_records ? &build->records : NULL,
                        &build->study, err);
}

static int
make_sections(struct context *context, const struct scored_panel *panel)
{
    struct buf definition = {0};
    section_input(context, panel);
    for (size_t i = 0; i < REPORT_N_SECTIONS; i++) {
        if (!context->options->sections[i])
            continue;
        struct section *section =
            report_add_section(context->report, sections[i].name, sections[i].title);
        if (sections[i].make(context, section) < 0)
            return err_wrap(context->err, "section %s", sections[i].name);
    }
    definition_write(context, panel, &definition);
    context->report->definition = arena_copy(&context->report->arena, buf_bytes(&definition));
    bool failed =
        context->report->failed || buf_failed(&definition) || !context->report->definition.data;
    buf_clear(&definition);
    return failed ? err_nomem(context->err, "report") : 0;
}

int
report_build(const struct report_input *input, const struct report_options *options,
             struct report **out, struct buf *notes, struct err *err)
{
    struct build build = {0};
    arena_init(&build.arena, 0);
    records_init(&build.records);
    function_lists_init(&build.functions);
    results_init(&build.results);
    struct report *report = report_create();
    int rc = report ? read_input(&build, input, options, notes, err) : err_nomem(err, "report");
    if (rc == 0) {
        struct context context = {.options = options,
                                  .study = build.study,
                                  .store = input->store,
                                  .rules = &build.rules,
                                  .scorer = build.scorer,
                                  .functions = input->n_functions ? &build.functions : NULL,
                                  .results = &build.results,
                                  .report = report,
                                  .err = err};
        rc = make_sections(&context, build.panel);
    }
    build_clear(&build);
    if (rc < 0) {
        report_destroy(report);
        return -1;
    }
    *out = report;
    return 0;
}

/* ---- Rendering ----------------------------------------------------------------------------- */

int
report_render(const struct report *report, enum report_format format, struct buf *out,
              struct err *err)
{
    switch (format) {
    case REPORT_TEXT:
        render_text(report, out);
        break;
    case REPORT_MARKDOWN:
        render_markdown(report, out);
        break;
    case REPORT_HTML:
        render_html(report, out);
        break;
    case REPORT_CSV:
        render_csv(report, out);
        break;
    case REPORT_JSON:
        render_json(report, out);
        break;
    }
    return buf_failed(out) ? err_nomem(err, "report") : 0;
}

/* Table NUMBER, from 0, of those with rows, and its section; NULL after the last. */
static const struct table *
find_table(const struct report *report, size_t number, const struct section **section)
{
    for (size_t s = 0; s < report->n_sections; s++)
        for (size_t t = 0; t < report->sections[s].n_tables; t++)
            if (report->sections[s].tables[t].n_rows && number-- == 0) {
                *section = &report->sections[s];
                return &report->sections[s].tables[t];
            }
    return NULL;
}

size_t
report_count_tables(const struct report *report)
{
    const struct section *section;
    size_t n = 0;
    while (find_table(report, n, &section))
        n++;
    return n + 1; /* and the notes */
}

int
report_render_table(const struct report *report, size_t number, struct buf *name, struct buf *out,
                    struct err *err)
{
    const struct section *section = NULL;
    const struct table *table = find_table(report, number, &section);
    if (table) {
        buf_printf(name, "%s-%s", section->name, table->name);
        render_csv_table(table, out);
    } else {
        buf_append_text(name, "notes");
        render_csv_notes(report, out);
    }
    return buf_failed(name) || buf_failed(out) ? err_nomem(err, "table") : 0;
}
