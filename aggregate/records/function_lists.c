/*
 * Reading and finding function lists.
 *
 * A map from the setup, problem and number of a checkpoint to an index into the lists; numbers are
 * copied into an arena in the order of the line.
 */
#include "aggregate/records/function_lists.h"

#include <stdlib.h>
#include <string.h>

#include "aggregate/records/groups.h"
#include "aggregate/records/json_lines.h"
#include "aggregate/score/mass.h"

void
function_lists_init(struct function_lists *lists)
{
    *lists = (struct function_lists){0};
    map_init(&lists->places);
    arena_init(&lists->arena, 0);
}

void
function_lists_clear(struct function_lists *lists)
{
    map_clear(&lists->places);
    free(lists->items);
    arena_clear(&lists->arena);
    *lists = (struct function_lists){0};
}

int
function_pairs_read(const struct json_value *object, struct series *complexity, struct series *sloc,
                    struct err *err)
{
    const struct json_value *list = json_member(object, "fn");
    for (const struct json_value *pair = list ? json_first(list) : NULL; pair;
         pair = json_next(pair)) {
        if (json_type(pair) != JSON_ARRAY || json_count(pair) != 2)
            return err_set(err, ERR_INPUT, "a member of \"fn\" is no [complexity, source lines]");
        series_add(complexity, json_number(json_first(pair)));
        series_add(sloc, json_number(json_next(json_first(pair))));
    }
    return complexity->failed || sloc->failed ? err_nomem(err, "functions of a checkpoint") : 0;
}

/* ---- Reading ------------------------------------------------------------------------------- */

static void
append_place(const struct record *record, struct buf *key)
{
    group_by_run(record, key);
    group_by_problem(record, key);
    buf_printf(key, "%g", record_value(record, FIELD_IDX));
}

static const double *
keep(struct arena *arena, const struct series *series)
{
    double *values = ARENA_ARRAY(arena, series->n, double);
    if (values && series->n)
        memcpy(values, series->values, series->n * sizeof(*values));
    return values;
}

static int
add_list(struct function_lists *lists, const struct record *record, struct function_list list)
{
    struct buf key = {0};
    append_place(record, &key);
    bool is_new = false;
    uint64_t *place = buf_failed(&key) ? NULL : map_put(&lists->places, buf_bytes(&key), &is_new);
    buf_clear(&key);
    if (!place)
        return -1;
    if (is_new && lists->n_items == lists->capacity) {
        size_t capacity = lists->capacity ? lists->capacity * 2 : 64;
        struct function_list *items = reallocarray(lists->items, capacity, sizeof(*items));
        if (!items)
            return -1;
        lists->items = items;
        lists->capacity = capacity;
    }
    if (is_new)
        *place = lists->n_items++;
    lists->items[*place] = list;
    return 0;
}

static int
read_line(void *context, const struct json_value *object, struct err *err)
{
    struct function_lists *lists = context;
    struct series complexity = {0}, sloc = {0};
    struct record record;
    int rc = record_read(object, &lists->arena, &record, err);
    if (rc == 0)
        rc = function_pairs_read(object, &complexity, &sloc, err);
    if (rc == 0) {
        struct function_list list = {.complexity = keep(&lists->arena, &complexity),
                                     .sloc = keep(&lists->arena, &sloc),
                                     .n = complexity.n};
        if (!list.complexity || !list.sloc || add_list(lists, &record, list) < 0)
            rc = err_nomem(err, "functions of a checkpoint");
    }
    series_clear(&complexity);
    series_clear(&sloc);
    return rc;
}

int
function_lists_read(struct function_lists *lists, struct bytes text, const char *origin,
                    struct buf *notes, struct err *err)
{
    return json_lines_read(text, origin, read_line, lists, notes, err);
}

/* ---- Asking -------------------------------------------------------------------------------- */

const struct function_list *
function_lists_find(const struct function_lists *lists, const struct record *record)
{
    struct buf key = {0};
    append_place(record, &key);
    const uint64_t *place = buf_failed(&key) ? NULL : map_get(&lists->places, buf_bytes(&key));
    buf_clear(&key);
    return place ? &lists->items[*place] : NULL;
}

double
function_list_erosion(const struct function_list *list, double cutoff, enum profile_size_term size)
{
    double total = 0, high = 0;
    for (size_t i = 0; i < list->n; i++) {
        double of_one = mass_of(list->complexity[i], list->sloc[i], size);
        total += of_one;
        if (list->complexity[i] > cutoff)
            high += of_one;
    }
    return total == 0 ? 0 : high / total;
}
