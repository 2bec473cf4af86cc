/*
 * Records: the table of their fields, and reading them from JSON.
 *
 * The columns are made from the lists in fields.h and records.h.  A member of a JSON object is
 * looked up by name among the texts or the numbers, by its type.
 */
#include "aggregate/records/record.h"

#include <stdlib.h>
#include <string.h>

#include "aggregate/records/json_lines.h"

/* ---- Fields -------------------------------------------------------------------------------- */

#define SETUP_COLUMN(member, description) \
    ROW_COLUMN_IF(struct record, setup.member, #member, "", RECORDED, description),
#define TEXT_COLUMN(member, description) \
    ROW_COLUMN_IF(struct record, member, #member, "", RECORDED, description),
#define NUMBER_COLUMN(id, name, unit, description) \
    ROW_COLUMN_IF(struct record, values[FIELD_##id], name, unit, RECORDED, description),

static const struct row_presence RECORDED = {ROW_NO_FLAG, "the record has it"};

static const struct row_column columns[] = {RUN_SETUP(SETUP_COLUMN) RECORD_TEXTS(TEXT_COLUMN)
                                                RECORD_NUMBERS(NUMBER_COLUMN)};

enum { N_TEXTS = sizeof(columns) / sizeof(*columns) - FIELD_N };

const struct row_kind record_row_kind = ROW_KIND(
    "agent records",
    "What is read of one line of checkpoint_results.jsonl, one checkpoint of an agent.", columns);

const char *
field_name(enum field field)
{
    return columns[N_TEXTS + field].name;
}

/* ---- One record ---------------------------------------------------------------------------- */

static void
take_number(struct bytes name, const struct json_value *value, struct record *out)
{
    double number = json_type(value) == JSON_BOOL ? json_is_true(value) : json_number(value);
    for (int field = 0; field < FIELD_N; field++)
        if (bytes_equal(name, bytes_of_text(field_name((enum field)field)))) {
            out->values[field] = number;
            return;
        }
}

/* The text that the key NAME is of, or NULL. */
static struct bytes *
text_field(struct record *record, struct bytes name)
{
    for (size_t i = 0; i < N_TEXTS; i++)
        if (bytes_equal(name, bytes_of_text(columns[i].name)))
            return (struct bytes *)(void *)((char *)record + columns[i].offset);
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
records_read(struct records *records, struct bytes text, const char *origin, struct buf *notes,
             struct err *err)
{
    return json_lines_read(text, origin, add_line, records, notes, err);
}

/* ---- Setups -------------------------------------------------------------------------------- */

int
run_setup_compare(const struct run_setup *a, const struct run_setup *b)
{
    int order;
#define COMPARE(member, description)                        \
    if ((order = bytes_compare(a->member, b->member)) != 0) \
        return order;
    RUN_SETUP(COMPARE)
#undef COMPARE
    return 0;
}

void
run_setup_complete(struct run_setup *setup, const struct run_setup *known)
{
#define COMPLETE(member, description) \
    if (!setup->member.data)          \
        setup->member = known->member;
    RUN_SETUP(COMPLETE)
#undef COMPLETE
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
    const struct run_setup *known = &run->setup;
#define COMPLETE(member, description)                                        \
    if (complete_text(&record->setup.member, known->member, arena, err) < 0) \
        return -1;
    RUN_SETUP(COMPLETE)
#undef COMPLETE
    for (size_t i = 0; i < run->n_problems && !record_has(record, FIELD_N_CHECKPOINTS); i++)
        if (run->problems[i].n_checkpoints && bytes_equal(run->problems[i].name, record->problem))
            record->values[FIELD_N_CHECKPOINTS] = (double)run->problems[i].n_checkpoints;
    return 0;
}

int
records_read_run(struct records *records, const struct report_records *run, struct buf *notes,
                 struct err *err)
{
    size_t first = records->n_items;
    if (records_read(records, run->file.text, run->file.origin, notes, err) < 0)
        return -1;
    for (size_t i = first; i < records->n_items; i++)
        if (complete(&records->items[i], run, &records->arena, err) < 0)
            return -1;
    return 0;
}
