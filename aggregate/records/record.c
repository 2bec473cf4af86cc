#include "aggregate/records/record.h"

#include <stdlib.h>
#include <string.h>

#include "aggregate/records/json_lines.h"

static const char *const names[FIELD_N] = {
    [FIELD_IDX] = "idx",
    [FIELD_N_CHECKPOINTS] = "n_checkpoints",
    [FIELD_IS_FIRST] = "is_first",
    [FIELD_IS_LAST] = "is_last",
    [FIELD_STRICT_PASS_RATE] = "strict_pass_rate",
    [FIELD_CORE_PASS_RATE] = "core_pass_rate",
    [FIELD_ISOLATED_PASS_RATE] = "isolated_pass_rate",
    [FIELD_TOTAL_TESTS] = "total_tests",
    [FIELD_PASSED_TESTS] = "passed_tests",
    [FIELD_CORE_TOTAL] = "core_total",
    [FIELD_CORE_PASSED] = "core_passed",
    [FIELD_FUNCTIONALITY_TOTAL] = "functionality_total",
    [FIELD_FUNCTIONALITY_PASSED] = "functionality_passed",
    [FIELD_ERROR_TOTAL] = "error_total",
    [FIELD_ERROR_PASSED] = "error_passed",
    [FIELD_REGRESSION_TOTAL] = "regression_total",
    [FIELD_REGRESSION_PASSED] = "regression_passed",
    [FIELD_DURATION] = "duration",
    [FIELD_COST] = "cost",
    [FIELD_STEPS] = "steps",
    [FIELD_INPUT] = "input",
    [FIELD_OUTPUT] = "output",
    [FIELD_CACHE_READ] = "cache_read",
    [FIELD_CACHE_WRITE] = "cache_write",
    [FIELD_REASONING] = "reasoning",
    [FIELD_PHYSICAL_LOC] = "loc",
    [FIELD_SOURCE_LOC] = "sloc",
    [FIELD_TOTAL_LINES] = "total_lines",
    [FIELD_LINT_ERRORS] = "lint_errors",
    [FIELD_CC_MAX] = "cc_max",
    [FIELD_CC_MEAN] = "cc_mean",
    [FIELD_CC_HIGH_COUNT] = "cc_high_count",
    [FIELD_HIGH_CC_MEAN] = "high_cc_mean",
    [FIELD_CLONE_LINES] = "clone_lines",
    [FIELD_FLAGGED_SOURCE_LOC] = "verbosity_flagged_sloc_lines",
    [FIELD_AST_GREP_VIOLATIONS] = "ast_grep_violations",
    [FIELD_VIOLATION_PCT] = "violation_pct",
    [FIELD_RUBRIC_TOTAL_FLAGS] = "rubric_total_flags",
    [FIELD_LINES_ADDED] = "lines_added",
    [FIELD_LINES_REMOVED] = "lines_removed",
    [FIELD_MASS_CC] = "mass.cc",
    [FIELD_MASS_HIGH_CC_PCT] = "mass.high_cc_pct",
    [FIELD_VERBOSITY] = "verbosity",
    [FIELD_EROSION] = "erosion",
    [FIELD_DELTA_CHURN_RATIO] = "delta.churn_ratio",
};

const char *
field_name(enum field field)
{
    return names[field];
}

/* ---- One record ---------------------------------------------------------------------------- */

static void
take_number(struct bytes name, const struct json_value *value, struct record *out)
{
    double number = json_type(value) == JSON_BOOL ? json_is_true(value) : json_number(value);
    for (int field = 0; field < FIELD_N; field++)
        if (bytes_equal(name, bytes_of_text(names[field]))) {
            out->values[field] = number;
            return;
        }
}

static struct bytes *
text_field(struct record *record, struct bytes name)
{
    const struct {
        const char *name;
        struct bytes *text;
    } texts[] = {{"model", &record->model},
                 {"variant", &record->variant},
                 {"run", &record->run},
                 {"prompt", &record->prompt},
                 {"thinking", &record->thinking},
                 {"agent_type", &record->agent_type},
                 {"agent_version", &record->agent_version},
                 {"problem", &record->problem},
                 {"checkpoint", &record->checkpoint},
                 {"state", &record->state}};
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        if (bytes_equal(name, bytes_of_text(texts[i].name)))
            return texts[i].text;
    return NULL;
}

static int
take_text(struct bytes name, struct bytes text, struct arena *arena, struct record *out,
          struct err *err)
{
    struct bytes *field = text_field(out, name);
    if (!field)
        return 0;
    *field = arena_copy(arena, text);
    return field->data ? 0 : err_nomem(err, "a checkpoint's record");
}

static void
record_init(struct record *record)
{
    *record = (struct record){0};
    for (int field = 0; field < FIELD_N; field++)
        record->values[field] = NAN;
}

int
record_read(const struct json_value *object, struct arena *arena, struct record *out,
            struct err *err)
{
    record_init(out);
    for (const struct json_value *member = json_first(object); member; member = json_next(member)) {
        switch (json_type(member)) {
        case JSON_NUMBER:
        case JSON_BOOL:
            take_number(json_name(member), member, out);
            break;
        case JSON_TEXT:
            if (take_text(json_name(member), json_string(member), arena, out, err) < 0)
                return -1;
            break;
        case JSON_NULL:
        case JSON_ARRAY:
        case JSON_OBJECT:
            break;
        }
    }
    if (!record_has(out, FIELD_TOTAL_LINES))
        out->values[FIELD_TOTAL_LINES] = out->values[FIELD_PHYSICAL_LOC];
    return 0;
}

double
record_rate(const struct record *record, enum field passed, enum field total)
{
    double n = record_value(record, total);
    return n > 0 ? record_value(record, passed) / n : NAN;
}

bool
record_is_solved(const struct record *record, enum field rate)
{
    double value = record_value(record, rate);
    return fabs(value - 1) <= 1e-9 * fmax(fabs(value), 1);
}

bool
record_is_kept(const struct record *record)
{
    return record_value(record, FIELD_PHYSICAL_LOC) > 0 &&
           record_value(record, FIELD_SOURCE_LOC) > 0;
}

/* ---- Many ---------------------------------------------------------------------------------- */

void
records_init(struct records *records)
{
    *records = (struct records){0};
    arena_init(&records->arena, 0);
}

void
records_clear(struct records *records)
{
    free(records->items);
    arena_clear(&records->arena);
    *records = (struct records){0};
}

struct record *
records_add(struct records *records)
{
    if (records->n_items == records->capacity) {
        size_t capacity = records->capacity ? records->capacity * 2 : 64;
        struct record *items = reallocarray(records->items, capacity, sizeof(*items));
        if (!items)
            return NULL;
        records->items = items;
        records->capacity = capacity;
    }
    struct record *record = &records->items[records->n_items++];
    record_init(record);
    return record;
}

static int
add_line(void *context, const struct json_value *object, struct err *err)
{
    struct records *records = context;
    struct record *record = records_add(records);
    if (!record)
        return err_nomem(err, "a checkpoint's record");
    return record_read(object, &records->arena, record, err);
}

int
records_read(struct records *records, struct bytes text, const char *origin, struct buf *warnings,
             struct err *err)
{
    return json_lines_read(text, origin, add_line, records, warnings, err);
}

/* ---- Of a run ------------------------------------------------------------------------------ */

static int
complete_text(struct bytes *text, struct bytes known, struct arena *arena, struct err *err)
{
    if (text->data || !known.data)
        return 0;
    *text = arena_copy(arena, known);
    return text->data ? 0 : err_nomem(err, "a checkpoint's record");
}

static int
complete(struct record *record, const struct report_records *run, struct arena *arena,
         struct err *err)
{
    const struct summary_setup *setup = &run->setup;
    if (complete_text(&record->model, setup->model, arena, err) < 0 ||
        complete_text(&record->variant, setup->variant, arena, err) < 0 ||
        complete_text(&record->run, setup->run, arena, err) < 0 ||
        complete_text(&record->prompt, setup->prompt, arena, err) < 0 ||
        complete_text(&record->thinking, setup->thinking, arena, err) < 0 ||
        complete_text(&record->agent_type, setup->agent_type, arena, err) < 0 ||
        complete_text(&record->agent_version, setup->agent_version, arena, err) < 0)
        return -1;
    for (size_t i = 0; i < run->n_problems && !record_has(record, FIELD_N_CHECKPOINTS); i++)
        if (run->problems[i].n_checkpoints && bytes_equal(run->problems[i].name, record->problem))
            record->values[FIELD_N_CHECKPOINTS] = (double)run->problems[i].n_checkpoints;
    return 0;
}

int
records_read_run(struct records *records, const struct report_records *run, struct buf *warnings,
                 struct err *err)
{
    size_t first = records->n_items;
    if (records_read(records, run->file.text, run->file.origin, warnings, err) < 0)
        return -1;
    for (size_t i = first; i < records->n_items; i++)
        if (complete(&records->items[i], run, &records->arena, err) < 0)
            return -1;
    return 0;
}
