/*
 * Writing a store as tables: fills the struct of each row and hands it to the sink.
 *
 * Trajectories come in order of their ids; each is followed by its checkpoints, and each checkpoint
 * by its files.  A blob and its callables come where the blob is met for the first time.  So the
 * order of every table follows from the content of the store alone.  What the columns of a row are
 * is in tables.c; nothing here knows their names or their order.
 */
#include "aggregate/export/sink.h"

#include "aggregate/panel/scored_panel.h"
#include "aggregate/panel/walk.h"
#include "base/calendar.h"
#include "base/map.h"
#include "base/stop.h"

struct exporting {
    const struct export_options *options;
    struct row_layout layouts[EXPORT_N_TABLES];
    struct export_sink *sink;
    struct store_reader *reader;
    const struct scored_panel *panel;
    const struct scorer *scorer; /* of the profile */
    struct map blobs;            /* exported so far */
    struct arena layout_arena;   /* of the layouts */
    struct arena listing;        /* reset for each checkpoint */
    struct arena facts;          /* reset for each blob */
    uint64_t *n_rows;            /* by table */
    struct buf *notes;
};

static bool
wants(const struct exporting *work, enum export_table_id table)
{
    return work->options->tables == 0 || work->options->tables & 1u << table;
}

/* Hand ROW on. */
static int
put(struct exporting *work, enum export_table_id table, const void *row, struct err *err)
{
    work->n_rows[table]++;
    return work->sink->put(work->sink, table, row, err);
}

/* ---- Trajectories and checkpoints ---------------------------------------------------------- */

static int
put_trajectory(struct exporting *work, const struct scored_trajectory *trajectory, struct err *err)
{
    const struct store_trajectory *about = &trajectory->about;
    char hex[OID_HEX_SIZE];
    if (!wants(work, EXPORT_TRAJECTORIES))
        return 0;
    struct trajectory_row row = {.trajectory = about->id,
                                 .kind = about->kind,
                                 .origin = about->origin,
                                 .has_stars = about->stars >= 0,
                                 .stars = about->stars,
                                 .tier = trajectory->has_tier ? tier_name(trajectory->tier) : NULL,
                                 .as_of = about->as_of,
                                 .license = about->license,
                                 .ref = about->ref,
                                 .head = about->head.len ? oid_to_hex(&about->head, hex) : NULL,
                                 .status = store_status_name(about->status),
                                 .n_commits = about->n_commits,
                                 .n_checkpoints = about->n_checkpoints,
                                 .n_notes = about->n_notes,
                                 .params = about->params};
    return put(work, EXPORT_TRAJECTORIES, &row, err);
}

static int
put_checkpoint(struct exporting *work, struct bytes id, const struct scored_checkpoint *checkpoint,
               size_t n_files, struct err *err)
{
    const struct store_checkpoint *stored = checkpoint->stored;
    char time[CALENDAR_SIZE], author_time[CALENDAR_SIZE];
    if (!wants(work, EXPORT_CHECKPOINTS))
        return 0;
    bool has_author_time = stored->author_date == STORE_AUTHOR_DATE;
    struct checkpoint_row row = {
        .trajectory = id,
        .ordinal = stored->ordinal,
        .checkpoint = stored->name,
        .has_time = stored->has_time,
        .time = stored->has_time ? calendar_format(stored->time_s, time) : NULL,
        .time_s = stored->time_s,
        .date_problem = stored->date_problem,
        .has_author_time = has_author_time,
        .author_time = has_author_time ? calendar_format(stored->author_time_s, author_time) : NULL,
        .author_time_s = stored->author_time_s,
        .author = author_name(checkpoint->author),
        .markers = stored->markers,
        .n_parents = stored->n_parents,
        .n_files = n_files,
        .n_missing = stored->n_notes,
        .record = stored->record};
    return put(work, EXPORT_CHECKPOINTS, &row, err);
}

static int
put_score(struct exporting *work, struct bytes id, const struct scored_checkpoint *checkpoint,
          struct err *err)
{
    if (!wants(work, EXPORT_SCORES) || !checkpoint->scores)
        return 0;
    struct score_row row = {.trajectory = id,
                            .ordinal = checkpoint->stored->ordinal,
                            .profile = work->options->panel.profile->name,
                            .score = checkpoint->scores[0]};
    return put(work, EXPORT_SCORES, &row, err);
}

/* ---- Blobs --------------------------------------------------------------------------------- */

static int
put_callables(struct exporting *work, const char *blob, const struct facts *facts, struct err *err)
{
    for (uint32_t i = 0; i < facts->n_callables; i++) {
        const struct callable *callable = &facts->callables[i];
        double cc = scorer_cc(work->scorer, callable);
        struct callable_row row = {.blob = blob,
                                   .number = i,
                                   .facts = *callable,
                                   .is_async = (callable->flags & CALLABLE_ASYNC) != 0,
                                   .is_decorated = (callable->flags & CALLABLE_DECORATED) != 0,
                                   .is_method = (callable->flags & CALLABLE_METHOD) != 0,
                                   .is_nested = (callable->flags & CALLABLE_NESTED) != 0,
                                   .is_reachable = (callable->flags & CALLABLE_REACHABLE) != 0,
                                   .is_trivial_wrapper =
                                       (callable->flags & CALLABLE_TRIVIAL_WRAPPER) != 0,
                                   .has_error = (callable->flags & CALLABLE_HAS_ERROR) != 0,
                                   .is_counted = scorer_takes_callable(work->scorer, callable),
                                   .cc = cc,
                                   .mass = scorer_mass(work->scorer, callable, cc)};
        if (put(work, EXPORT_CALLABLES, &row, err) < 0)
            return -1;
    }
    return 0;
}

/* The row of a blob with facts. */
static struct blob_row
row_of_facts(const char *blob, const struct facts *facts)
{
    bool is_analysed = facts->skipped == SKIP_NONE;
    return (struct blob_row){.blob = blob,
                             .skipped = is_analysed ? NULL : skip_reason_name(facts->skipped),
                             .has_bytes = true,
                             .n_bytes = facts->n_bytes,
                             .is_analysed = is_analysed,
                             .encoding = facts->encoding,
                             .refusal = facts->refusal ? refusal_name(facts->refusal) : NULL,
                             .has_error = facts->has_error,
                             .n_errors = facts->n_errors,
                             .physical_loc = facts->physical_lines,
                             .source_loc = facts->sloc[FSTRING_ONE].n_lines,
                             .source_loc_parts = facts->sloc[FSTRING_PARTS].n_lines,
                             .comment_lines = facts->comment_lines,
                             .n_classes = facts->n_classes,
                             .n_statements = facts->n_statements,
                             .n_callables = facts->n_callables,
                             .n_clones = facts->n_clones};
}

/* Put the blob BLOB and its callables.  FACTS is NULL when there are none in the store. */
static int
put_facts(struct exporting *work, const char *blob, const struct facts *facts, struct err *err)
{
    struct blob_row row = facts ? row_of_facts(blob, facts)
                                : (struct blob_row){.blob = blob, .skipped = "not in the store"};
    if (wants(work, EXPORT_BLOBS) && put(work, EXPORT_BLOBS, &row, err) < 0)
        return -1;
    return row.is_analysed && wants(work, EXPORT_CALLABLES) ? put_callables(work, blob, facts, err)
                                                            : 0;
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
        buf_printf(work->notes, "blob %s is listed and has no facts: mine it again\n", hex);
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

/* ---- Files and the whole ------------------------------------------------------------------- */

static int
put_file(struct exporting *work, struct bytes id, uint32_t ordinal, const struct store_file *file,
         struct err *err)
{
    char hex[OID_HEX_SIZE];
    const struct panel_options *panel = &work->options->panel;
    const struct path_choice paths = {&panel->profile->source, panel->filter.files};
    struct file_row row = {.trajectory = id,
                           .ordinal = ordinal,
                           .path = file->path,
                           .mode = file->mode,
                           .blob = oid_to_hex(&file->blob, hex),
                           .is_scored = path_choice_takes(&paths, file)};
    if (wants(work, EXPORT_FILES) && put(work, EXPORT_FILES, &row, err) < 0)
        return -1;
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
    int rc = store_reader_open(store, &work->reader, err);
    scored_panel_note(work->panel, work->notes);
    for (size_t i = 0; rc == 0 && i < work->panel->n_trajectories; i++)
        rc = export_trajectory(work, &work->panel->trajectories[i], err);
    store_reader_close(work->reader);
    return rc == 0 ? work->sink->finish(work->sink, err) : -1;
}

static int
open_sink(struct exporting *work, struct err *err)
{
    const struct export_options *options = work->options;
    if (export_layouts_make(&work->layout_arena, work->layouts, err) < 0)
        return -1;
    if (options->format == EXPORT_SQLITE)
        return export_sqlite_open(options->path, work->layouts, &work->sink, err);
    return export_text_open(options->path, options->format == EXPORT_CSV, work->layouts,
                            &work->sink, err);
}

static int
export_to(const struct export_options *options, struct store *store,
          const struct scored_panel *panel, const struct scorer *scorer,
          uint64_t n_rows[EXPORT_N_TABLES], struct buf *notes, struct err *err)
{
    struct exporting work = {
        .options = options, .panel = panel, .scorer = scorer, .n_rows = n_rows, .notes = notes};
    map_init(&work.blobs);
    arena_init(&work.layout_arena, 0);
    arena_init(&work.listing, 0);
    arena_init(&work.facts, 0);
    int rc = open_sink(&work, err);
    if (rc == 0) {
        rc = export_panel(&work, store, err);
        work.sink->destroy(work.sink);
    }
    arena_clear(&work.facts);
    arena_clear(&work.listing);
    arena_clear(&work.layout_arena);
    map_clear(&work.blobs);
    return rc;
}

int
export_store(struct store *store, const struct export_options *options,
             uint64_t n_rows[EXPORT_N_TABLES], struct buf *notes, struct err *err)
{
    struct panel_rules rules;
    struct scorer *scorer = NULL;
    struct scored_panel *panel = NULL;
    struct arena arena;
    arena_init(&arena, 0);
    for (int i = 0; i < EXPORT_N_TABLES; i++)
        n_rows[i] = 0;
    int rc = panel_rules_open(store, options->panel.rules_group, &arena, &rules, err);
    if (rc == 0)
        rc = panel_scorer(&rules, options->panel.profile, &scorer, notes, err);
    const struct scorer *scorers[] = {scorer};
    if (rc == 0)
        rc = scored_panel_create(store, &options->panel, &rules, scorers, 1, &panel, err);
    if (rc == 0)
        rc = export_to(options, store, panel, scorer, n_rows, notes, err);
    scored_panel_destroy(panel);
    scorer_destroy(scorer);
    arena_clear(&arena);
    return rc;
}
