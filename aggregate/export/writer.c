/*
 * Trajectories in order of their ids; with each its checkpoints, with each checkpoint its files; a
 * blob and its callables when it is met for the first time.  So the rows of every table come in an
 * order that follows from the content of the store alone.
 */
#include "aggregate/export/writer.h"

#include "base/calendar.h"
#include "aggregate/panel/scored_panel.h"
#include "aggregate/panel/walk.h"
#include "base/map.h"
#include "base/stop.h"

struct exporting {
    const struct export_options *options;
    struct export_sink *sink;
    struct store_reader *reader;
    const struct scored_panel *panel;
    const struct scorer *scorer; /* of the profile */
    struct map blobs;            /* exported so far */
    struct arena listing;        /* reset for each checkpoint */
    struct arena facts;          /* reset for each blob */
    struct row row;
    uint64_t *n_rows; /* by table */
    struct buf *warnings;
};

static bool
wants(const struct exporting *work, enum export_table_id table)
{
    return work->options->tables == 0 || work->options->tables & 1u << table;
}

/* Hand the finished row on. */
static int
put(struct exporting *work, enum export_table_id table, struct err *err)
{
    work->n_rows[table]++;
    return work->sink->put(work->sink, table, &work->row, err);
}

/* ---- Trajectories and checkpoints ---------------------------------------------------------- */

static void
add_oid(struct row *row, const struct oid *oid, char hex[OID_HEX_SIZE])
{
    row_add_text(row, oid->len ? oid_to_hex(oid, hex) : NULL);
}

static int
put_trajectory(struct exporting *work, const struct scored_trajectory *trajectory, struct err *err)
{
    const struct store_trajectory *about = &trajectory->about;
    struct row *row = &work->row;
    char hex[OID_HEX_SIZE];
    if (!wants(work, EXPORT_TRAJECTORIES))
        return 0;
    row_reset(row);
    row_add_bytes(row, about->id);
    row_add_bytes(row, about->kind);
    row_add_bytes(row, about->origin);
    if (about->stars >= 0)
        row_add_signed(row, about->stars);
    else
        row_add_none(row);
    row_add_text(row, trajectory->has_tier ? tier_name(trajectory->tier) : NULL);
    row_add_bytes(row, about->as_of);
    row_add_bytes(row, about->license);
    row_add_bytes(row, about->ref);
    add_oid(row, &about->head, hex);
    row_add_text(row, store_status_name(about->status));
    row_add_integer(row, about->n_commits);
    row_add_integer(row, about->n_checkpoints);
    row_add_integer(row, about->n_notes);
    row_add_bytes(row, about->params);
    return put(work, EXPORT_TRAJECTORIES, err);
}

/* In words, which TEXT must hold until the row is put, and in seconds. */
static void
add_time(struct row *row, bool has, int64_t time_s, char text[CALENDAR_SIZE])
{
    row_add_text(row, has ? calendar_format(time_s, text) : NULL);
    if (has)
        row_add_signed(row, time_s);
    else
        row_add_none(row);
}

static int
put_checkpoint(struct exporting *work, struct bytes id, const struct scored_checkpoint *checkpoint,
               size_t n_files, struct err *err)
{
    const struct store_checkpoint *stored = checkpoint->stored;
    struct row *row = &work->row;
    char time[CALENDAR_SIZE], author_time[CALENDAR_SIZE];
    if (!wants(work, EXPORT_CHECKPOINTS))
        return 0;
    row_reset(row);
    row_add_bytes(row, id);
    row_add_integer(row, stored->ordinal);
    row_add_bytes(row, stored->name);
    add_time(row, stored->has_time, stored->time_s, time);
    row_add_bytes(row, stored->date_problem);
    add_time(row, stored->author_date == STORE_AUTHOR_DATE, stored->author_time_s, author_time);
    row_add_text(row, author_name(checkpoint->author));
    row_add_bytes(row, stored->markers);
    row_add_integer(row, stored->n_parents);
    row_add_integer(row, n_files);
    row_add_integer(row, stored->n_notes);
    row_add_bytes(row, stored->record);
    return put(work, EXPORT_CHECKPOINTS, err);
}

/* VALUE, or nothing when the score does not have it. */
static void
add_if(struct row *row, bool has, uint64_t value)
{
    if (has)
        row_add_integer(row, value);
    else
        row_add_none(row);
}

static void
add_verbosity(struct row *row, const struct score *score)
{
    add_if(row, score->has_clones, score->clone_source_loc);
    add_if(row, score->has_rules, score->rule_source_loc);
    add_if(row, score->has_rules, score->rule_hits);
    add_if(row, score->has_structural, score->structural_source_loc);
    add_if(row, score->has_structural, score->structural_findings);
    add_if(row, score->has_verbosity, score->flagged_source_loc);
    if (score->has_verbosity)
        row_add_real(row, score->verbosity);
    else
        row_add_none(row);
}

static int
put_score(struct exporting *work, struct bytes id, const struct scored_checkpoint *checkpoint,
          struct err *err)
{
    struct row *row = &work->row;
    if (!wants(work, EXPORT_SCORES) || !checkpoint->scores)
        return 0;
    const struct score *score = &checkpoint->scores[0];
    row_reset(row);
    row_add_bytes(row, id);
    row_add_integer(row, checkpoint->stored->ordinal);
    row_add_bytes(row, work->options->panel.profile->name);
    row_add_integer(row, score->files_walked);
    row_add_integer(row, score->files_scanned);
    row_add_integer(row, score->files_skipped_parse);
    row_add_integer(row, score_files_skipped(score));
    row_add_integer(row, score->source_loc);
    row_add_integer(row, score->physical_loc);
    add_verbosity(row, score);
    row_add_integer(row, score->total_functions);
    row_add_integer(row, score->high_cc_functions);
    row_add_integer(row, score->high_cog_functions);
    row_add_real(row, score->cc_max);
    row_add_real(row, score_cc_mean(score));
    row_add_real(row, score->total_mass);
    row_add_real(row, score->high_cc_mass);
    row_add_real(row, score->erosion);
    row_add_real(row, score->total_cog_mass);
    row_add_real(row, score->high_cog_mass);
    row_add_real(row, score->cog_erosion);
    return put(work, EXPORT_SCORES, err);
}

/* ---- Blobs --------------------------------------------------------------------------------- */

static void
add_counts(struct row *row, const uint32_t counts[COUNT_N])
{
    for (int i = 0; i < COUNT_N; i++)
        row_add_integer(row, counts[i]);
}

static int
put_callables(struct exporting *work, const char *blob, const struct facts *facts, struct err *err)
{
    static const uint32_t FLAGS[] = {
        CALLABLE_ASYNC,     CALLABLE_DECORATED,       CALLABLE_METHOD,   CALLABLE_NESTED,
        CALLABLE_REACHABLE, CALLABLE_TRIVIAL_WRAPPER, CALLABLE_HAS_ERROR};
    struct row *row = &work->row;
    for (uint32_t i = 0; i < facts->n_callables; i++) {
        const struct callable *callable = &facts->callables[i];
        row_reset(row);
        row_add_text(row, blob);
        row_add_integer(row, i);
        row_add_bytes(row, callable->name);
        row_add_integer(row, callable->start_line);
        row_add_integer(row, callable->end_line);
        row_add_integer(row, callable->sloc[FSTRING_ONE]);
        row_add_integer(row, callable->sloc[FSTRING_PARTS]);
        row_add_integer(row, callable->cognitive);
        row_add_integer(row, callable->max_nesting);
        row_add_integer(row, callable->n_statements);
        row_add_integer(row, callable->n_parameters);
        for (size_t k = 0; k < sizeof(FLAGS) / sizeof(*FLAGS); k++)
            row_add_integer(row, (callable->flags & FLAGS[k]) != 0);
        double cc = scorer_cc(work->scorer, callable);
        row_add_integer(row, scorer_takes_callable(work->scorer, callable));
        row_add_real(row, cc);
        row_add_real(row, scorer_mass(work->scorer, callable, cc));
        add_counts(row, callable->all);
        add_counts(row, callable->own);
        if (put(work, EXPORT_CALLABLES, err) < 0)
            return -1;
    }
    return 0;
}

/* FACTS is NULL when there are none in the store. */
static int
put_facts(struct exporting *work, const char *blob, const struct facts *facts, struct err *err)
{
    struct row *row = &work->row;
    bool is_analysed = facts && facts->skipped == SKIP_NONE;
    row_reset(row);
    row_add_text(row, blob);
    row_add_text(row, !facts        ? "not in the store"
                      : is_analysed ? NULL
                                    : skip_reason_name(facts->skipped));
    add_if(row, facts != NULL, facts ? facts->n_bytes : 0);
    if (is_analysed) {
        row_add_text(row, facts->encoding);
        row_add_text(row, facts->refusal ? refusal_name(facts->refusal) : NULL);
        row_add_integer(row, facts->has_error);
        row_add_integer(row, facts->n_errors);
        row_add_integer(row, facts->physical_lines);
        row_add_integer(row, facts->sloc[FSTRING_ONE].n_lines);
        row_add_integer(row, facts->sloc[FSTRING_PARTS].n_lines);
        row_add_integer(row, facts->comment_lines);
        row_add_integer(row, facts->n_classes);
        row_add_integer(row, facts->n_statements);
        row_add_integer(row, facts->n_callables);
        row_add_integer(row, facts->n_clones);
    }
    while (row->n_cells < export_table(EXPORT_BLOBS)->n_columns)
        row_add_none(row);
    if (wants(work, EXPORT_BLOBS) && put(work, EXPORT_BLOBS, err) < 0)
        return -1;
    return is_analysed && wants(work, EXPORT_CALLABLES) ? put_callables(work, blob, facts, err) : 0;
}

static int
put_blob(struct exporting *work, const struct oid *blob, const char *hex, struct err *err)
{
    bool is_new;
    struct bytes encoded;
    struct facts facts;
    if (!map_put(&work->blobs, oid_bytes(blob), &is_new))
        return err_nomem(err, "export");
    if (!is_new)
        return 0;
    arena_reset(&work->facts);
    switch (store_get_facts(work->reader, blob, &work->panel->facts, &work->facts, &encoded, err)) {
    case STORE_MISSING:
        buf_printf(work->warnings, "blob %s is listed and has no facts: mine it again\n", hex);
        return put_facts(work, hex, NULL, err);
    case STORE_FOUND:
        if (facts_decode(encoded, &work->facts, &facts, err) < 0)
            return err_wrap(err, "facts of blob %s", hex);
        return put_facts(work, hex, &facts, err);
    case STORE_FAILED:
        break;
    }
    return -1;
}

/* ---- The whole ----------------------------------------------------------------------------- */

static int
put_file(struct exporting *work, struct bytes id, uint32_t ordinal, const struct store_file *file,
         struct err *err)
{
    struct row *row = &work->row;
    char hex[OID_HEX_SIZE];
    const struct panel_options *panel = &work->options->panel;
    const struct path_choice paths = {&panel->profile->source, panel->filter.files};
    oid_to_hex(&file->blob, hex);
    if (wants(work, EXPORT_FILES)) {
        row_reset(row);
        row_add_bytes(row, id);
        row_add_integer(row, ordinal);
        row_add_bytes(row, file->path);
        row_add_integer(row, file->mode);
        row_add_text(row, hex);
        row_add_integer(row, path_choice_takes(&paths, file));
        if (put(work, EXPORT_FILES, err) < 0)
            return -1;
    }
    if (!wants(work, EXPORT_BLOBS) && !wants(work, EXPORT_CALLABLES))
        return 0;
    return put_blob(work, &file->blob, hex, err);
}

static int
export_checkpoint(struct exporting *work, struct bytes id,
                  const struct scored_checkpoint *checkpoint, struct err *err)
{
    struct store_file *files;
    size_t n_files;
    arena_reset(&work->listing);
    switch (store_get_listing(work->reader, &checkpoint->stored->listing, &work->listing, &files,
                              &n_files, err)) {
    case STORE_FAILED:
        return -1;
    case STORE_MISSING:
        return err_set(err, ERR_DAMAGED, "its listing is not in the store: mine again");
    case STORE_FOUND:
        break;
    }
    if (put_checkpoint(work, id, checkpoint, n_files, err) < 0 ||
        put_score(work, id, checkpoint, err) < 0)
        return -1;
    for (size_t i = 0; i < n_files; i++) {
        if (put_file(work, id, checkpoint->stored->ordinal, &files[i], err) < 0)
            return -1;
    }
    return 0;
}

static int
export_trajectory(struct exporting *work, const struct scored_trajectory *trajectory,
                  struct err *err)
{
    struct bytes id = trajectory->about.id;
    if (put_trajectory(work, trajectory, err) < 0)
        return -1;
    for (size_t i = 0; i < trajectory->n_checkpoints; i++) {
        if (stop_requested())
            return err_set(err, ERR_STOPPED, "stopped before all was exported");
        if (export_checkpoint(work, id, &trajectory->checkpoints[i], err) < 0)
            return err_wrap(err, "trajectory %.*s, checkpoint %u", BYTES_ARG(id),
                            trajectory->checkpoints[i].stored->ordinal);
    }
    return 0;
}

static int
export_panel(struct exporting *work, struct store *store, struct err *err)
{
    int result = store_reader_open(store, &work->reader, err);
    scored_panel_note(work->panel, work->warnings);
    for (size_t i = 0; result == 0 && i < work->panel->n_trajectories; i++)
        result = export_trajectory(work, &work->panel->trajectories[i], err);
    store_reader_close(work->reader);
    return result == 0 ? work->sink->finish(work->sink, err) : -1;
}

static int
open_sink(const struct export_options *options, struct export_sink **out, struct err *err)
{
    if (options->format == EXPORT_SQLITE)
        return export_sqlite_open(options->path, out, err);
    return export_text_open(options->path, options->format == EXPORT_CSV, out, err);
}

static int
export_to(const struct export_options *options, struct store *store,
          const struct scored_panel *panel, const struct scorer *scorer,
          uint64_t n_rows[EXPORT_N_TABLES], struct buf *warnings, struct err *err)
{
    struct exporting work = {.options = options,
                             .panel = panel,
                             .scorer = scorer,
                             .n_rows = n_rows,
                             .warnings = warnings};
    if (open_sink(options, &work.sink, err) < 0)
        return -1;
    map_init(&work.blobs);
    arena_init(&work.listing, 0);
    arena_init(&work.facts, 0);
    int result = export_panel(&work, store, err);
    arena_clear(&work.facts);
    arena_clear(&work.listing);
    map_clear(&work.blobs);
    work.sink->destroy(work.sink);
    return result;
}

int
export_store(struct store *store, const struct export_options *options,
             uint64_t n_rows[EXPORT_N_TABLES], struct buf *warnings, struct err *err)
{
    struct panel_rules rules;
    struct scorer *scorer = NULL;
    struct scored_panel *panel = NULL;
    struct arena arena;
    arena_init(&arena, 0);
    for (int i = 0; i < EXPORT_N_TABLES; i++)
        n_rows[i] = 0;
    int outcome = panel_rules_open(store, options->panel.rules_group, &arena, &rules, err);
    if (outcome == 0)
        outcome = panel_scorer(&rules, options->panel.profile, &scorer, warnings, err);
    const struct scorer *scorers[] = {scorer};
    if (outcome == 0)
        outcome = scored_panel_create(store, &options->panel, &rules, scorers, 1, &panel, err);
    if (outcome == 0)
        outcome = export_to(options, store, panel, scorer, n_rows, warnings, err);
    scored_panel_destroy(panel);
    scorer_destroy(scorer);
    arena_clear(&arena);
    return outcome;
}
