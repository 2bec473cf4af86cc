/*
 * Reading result.json files.
 *
 * A file is one object, or lines: it is lines if its first line that is not blank is an object by
 * itself. Members are looked up by name; what is missing or of another type is NaN.
 */
#include "aggregate/records/results.h"

#include <math.h>
#include <stdlib.h>

#include "aggregate/records/json_lines.h"
#include "aggregate/records/record.h"

void
results_init(struct results *results)
{
    *results = (struct results){0};
    arena_init(&results->arena, 0);
}

void
results_clear(struct results *results)
{
    free(results->items);
    arena_clear(&results->arena);
    *results = (struct results){0};
}

/* ---- One result ---------------------------------------------------------------------------- */

static const struct json_value *
member_of(const struct json_value *object, const char *name)
{
    return object && json_type(object) == JSON_OBJECT ? json_member(object, name) : NULL;
}

static double
number_of(const struct json_value *object, const char *name)
{
    const struct json_value *value = member_of(object, name);
    return value && json_type(value) == JSON_NUMBER ? json_number(value) : NAN;
}

static struct result_spread
spread_of(const struct json_value *stats)
{
    return (struct result_spread){number_of(stats, "mean"), number_of(stats, "stddev")};
}

/* The tokens of all categories together; NaN if there are none. */
static double
tokens_of(const struct json_value *tokens)
{
    static const char *const names[] = {"input", "output", "cache_read", "cache_write",
                                        "reasoning"};
    double sum = NAN;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        double n = number_of(tokens, names[i]);
        if (!isnan(n))
            sum = isnan(sum) ? n : sum + n;
    }
    return sum;
}

static void
take_numbers(const struct json_value *result, struct run_result *out)
{
    const struct json_value *costs = member_of(result, "costs"), *time = member_of(result, "time");
    out->n_problems = number_of(result, "num_problems");
    out->n_checkpoints = number_of(result, "num_checkpoints");
    out->expected = number_of(result, "expected_checkpoints");
    out->strict = number_of(result, "checkpoints_solved");
    out->isolated = number_of(result, "checkpoints_iso_solved");
    out->core = number_of(result, "checkpoints_core_solved");
    out->partial = number_of(result, "problem_partial");
    out->solved = number_of(result, "problem_solved");
    out->cost = spread_of(member_of(costs, "checkpoint"));
    out->net_cost = number_of(costs, "total");
    out->duration = spread_of(member_of(time, "checkpoint"));
    out->tokens = tokens_of(member_of(result, "tokens"));
    out->erosion = spread_of(member_of(result, "erosion"));
    out->verbosity = spread_of(member_of(result, "verbosity"));
}

/* The name of the folder that PATH is in: "b" of "a/b/result.json". */
static struct bytes
folder_of(const char *path)
{
    struct bytes text = bytes_of_text(path);
    size_t to = text.len;
    while (to > 0 && text.data[to - 1] != '/')
        to--;
    to = to ? to - 1 : 0;
    size_t from = to;
    while (from > 0 && text.data[from - 1] != '/')
        from--;
    return bytes_slice(text, from, to);
}

/* Set the setup of OUT: from LINE, then from RESULT inside it, then from ORIGIN. */
static int
take_texts(struct results *results, const struct json_value *line, const struct json_value *result,
           const char *origin, struct run_result *out, struct err *err)
{
    struct record outside, inside;
    if (record_read(line, &results->arena, &outside, err) < 0 ||
        record_read(result, &results->arena, &inside, err) < 0)
        return -1;
    /* Inside a result these members are something else. */
    inside.setup.variant = inside.setup.run = (struct bytes){NULL, 0};
    out->setup = outside.setup;
    run_setup_complete(&out->setup, &inside.setup);
    if (!out->setup.run.data)
        out->setup.run = arena_copy(&results->arena, folder_of(origin));
    return out->setup.run.data ? 0 : err_nomem(err, "name of a run");
}

static struct run_result *
add(struct results *results)
{
    if (results->n_items == results->capacity) {
        size_t capacity = results->capacity ? results->capacity * 2 : 16;
        struct run_result *items = reallocarray(results->items, capacity, sizeof(*items));
        if (!items)
            return NULL;
        results->items = items;
        results->capacity = capacity;
    }
    struct run_result *result = &results->items[results->n_items++];
    *result = (struct run_result){0};
    return result;
}

/* ---- Reading ------------------------------------------------------------------------------- */

struct reading {
    struct results *results;
    const char *origin;
    struct buf *notes;
};

static int
take(void *context, const struct json_value *line, struct err *err)
{
    struct reading *reading = context;
    const struct json_value *inner = member_of(line, "result");
    const struct json_value *result = inner && json_type(inner) == JSON_OBJECT ? inner : line;
    if (!(number_of(result, "num_checkpoints") >= 0)) {
        buf_printf(reading->notes,
                   "%s: no result of a run, as num_checkpoints is not there; it is left out\n",
                   reading->origin);
        return 0;
    }
    struct run_result *out = add(reading->results);
    if (!out)
        return err_nomem(err, "result of a run");
    take_numbers(result, out);
    return take_texts(reading->results, line, result, reading->origin, out, err);
}

/* Is the first line of TEXT that is not blank an object by itself? */
static bool
is_lines(struct bytes text)
{
    struct json_doc *doc;
    struct err err;
    size_t from = 0;
    while (from < text.len && memchr(" \t\r\n", text.data[from], 4))
        from++;
    const uint8_t *end = from < text.len ? memchr(text.data + from, '\n', text.len - from) : NULL;
    if (!end ||
        json_open(bytes_slice(text, from, (size_t)(end - text.data)), "", true, &doc, &err) < 0)
        return false;
    bool is_object = json_type(json_root(doc)) == JSON_OBJECT;
    json_close(doc);
    return is_object;
}

int
results_read(struct results *results, struct bytes text, const char *origin, struct buf *notes,
             struct err *err)
{
    struct reading reading = {results, origin, notes};
    struct json_doc *doc;
    struct err why;
    if (is_lines(text))
        return json_lines_read(text, origin, take, &reading, notes, err);
    if (json_open(text, origin, true, &doc, &why) < 0) {
        if (why.code == ERR_NOMEM)
            return err_nomem(err, "result of a run");
        buf_printf(notes, "%s; it is left out\n", why.text);
        return 0;
    }
    int rc = take(&reading, json_root(doc), err);
    json_close(doc);
    return rc;
}

void
results_fill(struct results *results)
{
    results->largest = 0;
    results->n_filled = 0;
    for (size_t i = 0; i < results->n_items; i++)
        results->largest = fmax(results->largest, results->items[i].n_checkpoints);
    for (size_t i = 0; i < results->n_items; i++) {
        struct run_result *result = &results->items[i];
        result->is_filled = isnan(result->expected) && results->largest > 0;
        if (result->is_filled)
            result->expected = results->largest;
        results->n_filled += result->is_filled;
    }
}
