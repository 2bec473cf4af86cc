/*
 * `strata summary`: from JSON lines of records, or of functions, to figures.
 *
 * Records are grouped by run and each run's result is written.  The expected checkpoints of a run
 * are the sum over its problems of those configured, or of those seen if the records do not say.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_absent.h"
#include "aggregate/records.h"
#include "aggregate/records/function_figures.h"
#include "aggregate/records/function_lists.h"
#include "aggregate/records/json_lines.h"
#include "aggregate/records/result.h"
#include "base/map.h"
#include "base/num.h"

/* ---- Summaries ----------------------------------------------------------------------------- */

/* The configured checkpoints of a problem: what its records say, else the number seen. */
static uint64_t
configured_checkpoints(const struct group *problem, struct buf *notes)
{
    double n = 0, last_seen = 0;
    for (size_t i = 0; i < problem->n_records; i++) {
        n = fmax(n, record_value(problem->records[i], FIELD_N_CHECKPOINTS));
        last_seen = fmax(last_seen, record_value(problem->records[i], FIELD_IDX));
    }
    if (n >= 1)
        return num_clamp(n, UINT32_MAX);
    buf_printf(
        notes,
        "problem %.*s: no n_checkpoints in its records, so the %g seen count as configured\n",
        BYTES_ARG(problem->records[0]->problem),
        last_seen >= 1 ? last_seen : (double)problem->n_records);
    return last_seen >= 1 ? num_clamp(last_seen, UINT32_MAX) : problem->n_records;
}

static int
expected_checkpoints(const struct group *run, struct buf *notes, uint64_t *out, struct err *err)
{
    struct groups problems;
    if (groups_of(run->records, run->n_records, group_by_problem, &problems, err) < 0)
        return -1;
    *out = 0;
    for (size_t i = 0; i < problems.n_items; i++)
        *out += configured_checkpoints(&problems.items[i], notes);
    groups_clear(&problems);
    return 0;
}

/* Note the checkpoints that RUN has twice.  Both count, as in the release. */
static int
note_duplicates(const struct group *run, struct buf *notes, struct err *err)
{
    struct map seen;
    map_init(&seen);
    struct buf key = {0};
    int rc = 0;
    for (size_t i = 0; i < run->n_records && rc == 0; i++) {
        const struct record *record = run->records[i];
        buf_reset(&key);
        group_by_problem(record, &key);
        buf_append_bytes(&key, record->checkpoint);
        buf_printf(&key, "\n%g", record_value(record, FIELD_IDX));
        bool is_new = true;
        if (buf_failed(&key) || !map_put(&seen, buf_bytes(&key), &is_new))
            rc = err_nomem(err, "records of a run");
        if (!is_new)
            buf_printf(notes, "run %.*s, problem %.*s, checkpoint %g is there twice; both count\n",
                       BYTES_ARG(record->setup.run), BYTES_ARG(record->problem),
                       record_value(record, FIELD_IDX));
    }
    buf_clear(&key);
    map_clear(&seen);
    return rc;
}

static int
write_run(const struct group *run, const struct summary_options *options, struct buf *out,
          struct buf *notes, struct err *err)
{
    uint64_t expected = options->expected;
    if (note_duplicates(run, notes, err) < 0 ||
        (expected == 0 && expected_checkpoints(run, notes, &expected, err) < 0))
        return -1;
    struct json_writer json = json_writer_init(out, options->result_only ? 2 : 0);
    json.nonfinite = JSON_NONFINITE_WORD;
    if (options->result_only)
        return summary_write(run, &options->setup, expected, &json, err);
    json_begin_object(&json);
    struct run_setup setup = run->records[0]->setup;
    run_setup_complete(&setup, &options->setup);
    absent_member_bytes(&json, "model", setup.model);
    absent_member_bytes(&json, "variant", setup.variant);
    absent_member_bytes(&json, "run", setup.run);
    json_key(&json, "result");
    if (summary_write(run, &options->setup, expected, &json, err) < 0)
        return -1;
    json_end_object(&json);
    buf_append_byte(out, '\n');
    return 0;
}

static int
write_runs(const struct records *records, const char *origin, const struct summary_options *options,
           struct buf *out, struct buf *notes, struct err *err)
{
    const struct record **list = calloc(records->n_items + 1, sizeof(*list));
    if (!list)
        return err_nomem(err, "records");
    for (size_t i = 0; i < records->n_items; i++)
        list[i] = &records->items[i];
    struct groups runs;
    int rc = groups_of(list, records->n_items, group_by_run, &runs, err);
    if (rc == 0) {
        if (options->result_only && runs.n_items != 1)
            rc = err_set(err, ERR_INPUT,
                         "%s holds %zu runs and a result file is of one; leave --result out",
                         origin, runs.n_items);
        for (size_t i = 0; i < runs.n_items && rc == 0; i++)
            rc = write_run(&runs.items[i], options, out, notes, err);
        groups_clear(&runs);
    }
    free(list);
    return rc;
}

int
summary_of_records(struct bytes text, const char *origin, const struct summary_options *options,
                   struct buf *out, struct buf *notes, struct err *err)
{
    struct records records;
    records_init(&records);
    int rc = records_read(&records, text, origin, notes, err);
    if (rc >= 0 && records.n_items == 0)
        rc = err_set(err, ERR_INPUT, "%s: no checkpoint record in it, so no summary", origin);
    if (rc >= 0 && write_runs(&records, origin, options, out, notes, err) < 0)
        rc = -1;
    records_clear(&records);
    return rc;
}

/* ---- Functions ----------------------------------------------------------------------------- */

struct function_lines {
    struct buf *out;
    struct series complexity, sloc;
};

static void
copy_member(struct json_writer *json, const struct json_value *member)
{
    json_key_bytes(json, json_name(member));
    if (json_type(member) == JSON_TEXT)
        json_bytes(json, json_string(member));
    else
        absent_number(json, json_number(member));
}

static int
write_functions(void *context, const struct json_value *object, struct err *err)
{
    struct function_lines *lines = context;
    series_reset(&lines->complexity);
    series_reset(&lines->sloc);
    if (function_pairs_read(object, &lines->complexity, &lines->sloc, err) < 0)
        return -1;
    struct json_writer json = json_writer_init(lines->out, 0);
    json_begin_object(&json);
    for (const struct json_value *member = json_first(object); member; member = json_next(member))
        if (json_type(member) == JSON_TEXT || json_type(member) == JSON_NUMBER)
            copy_member(&json, member);
    function_figures_write(&lines->complexity, &lines->sloc, &json);
    json_end_object(&json);
    buf_append_byte(lines->out, '\n');
    if (lines->complexity.failed || lines->sloc.failed)
        return err_nomem(err, "functions of a checkpoint");
    return 0;
}

int
summary_of_functions(struct bytes text, const char *origin, struct buf *out, struct buf *notes,
                     struct err *err)
{
    struct function_lines lines = {.out = out};
    int rc = json_lines_read(text, origin, write_functions, &lines, notes, err);
    series_clear(&lines.complexity);
    series_clear(&lines.sloc);
    return rc;
}
