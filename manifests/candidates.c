/*
 * Reading the table of candidates.
 *
 * The first row names the columns, in any order; a cell is looked up through the place of its
 * column. Rows grow in a heap array while they are read and go to the arena sorted by repository,
 * so the order of rows in the file never matters.
 */
#include "manifests/candidates.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/num.h"
#include "manifests/csv.h"
#include "base/calendar.h"
#include "manifests/name.h"

enum column {
    COL_REPO,
    COL_STARS,
    COL_AS_OF,
    COL_LICENSE,
    COL_CREATED,
    COL_PUSHED,
    COL_SOURCE,
    COL_N
};

static const char *const column_names[COL_N] = {"repo",    "stars",  "as_of", "license",
                                                "created", "pushed", "source"};

struct reading {
    struct csv csv;
    size_t place[COL_N];    /* of a column among the cells; SIZE_MAX: not in the table */
    struct map seen;        /* names in lower case, to the line they are on */
    struct candidate *rows; /* malloc'ed while growing */
    size_t n_rows;
    size_t capacity;
    struct err *err;
};

static int
refuse(struct reading *reading, enum column column, const char *why, struct bytes value)
{
    return err_set(reading->err, ERR_INPUT, "%s:%zu: %s: %s, is \"%.*s\"", reading->csv.origin,
                   reading->csv.line, column_names[column], why, BYTES_ARG(value));
}

static int
read_header(struct reading *reading)
{
    struct csv *csv = &reading->csv;
    int got = csv_next(csv, reading->err);
    if (got < 0)
        return -1;
    for (int c = 0; c < COL_N; c++) {
        reading->place[c] = SIZE_MAX;
        for (size_t i = 0; got && i < csv->n_cells; i++)
            if (bytes_equal(csv->cells[i], bytes_of_text(column_names[c])))
                reading->place[c] = i;
    }
    if (reading->place[COL_REPO] == SIZE_MAX || reading->place[COL_STARS] == SIZE_MAX)
        return err_set(reading->err, ERR_INPUT,
                       "%s:1: the first line must name the columns, \"repo\" and \"stars\" among "
                       "them",
                       csv->origin);
    return 0;
}

static struct bytes
cell(const struct reading *reading, enum column column)
{
    size_t place = reading->place[column];
    return place < reading->csv.n_cells ? reading->csv.cells[place] : (struct bytes){NULL, 0};
}

static int
read_day(struct reading *reading, enum column column, struct bytes *out)
{
    int64_t time_s;
    *out = cell(reading, column);
    if (out->len > 0 && calendar_parse_day(*out, &time_s) < 0)
        return refuse(reading, column, "must be empty or a day such as 2026-06-25", *out);
    return 0;
}

static int
read_repo(struct reading *reading, struct bytes *out)
{
    *out = cell(reading, COL_REPO);
    const char *fault = name_fault(*out);
    if (fault)
        return refuse(reading, COL_REPO, fault, *out);
    uint8_t folded[NAME_MAX_BYTES];
    bool is_new;
    uint64_t *line = map_put(&reading->seen, name_fold(*out, folded), &is_new);
    if (!line)
        return err_nomem(reading->err, reading->csv.origin);
    if (!is_new)
        return err_set(reading->err, ERR_INPUT, "%s:%zu: repo: \"%.*s\" is on line %llu already",
                       reading->csv.origin, reading->csv.line, BYTES_ARG(*out),
                       (unsigned long long)*line);
    *line = reading->csv.line;
    return 0;
}

static int
read_row(struct reading *reading, struct candidate *out)
{
    struct bytes stars = cell(reading, COL_STARS);
    if (read_repo(reading, &out->repo) < 0)
        return -1;
    if (num_parse_i64(stars, 0, INT32_MAX, &out->stars) < 0)
        return refuse(reading, COL_STARS, "must be a whole number, not negative", stars);
    if (read_day(reading, COL_AS_OF, &out->as_of) < 0 ||
        read_day(reading, COL_CREATED, &out->created) < 0 ||
        read_day(reading, COL_PUSHED, &out->pushed) < 0)
        return -1;
    out->license = cell(reading, COL_LICENSE);
    out->source = cell(reading, COL_SOURCE);
    return 0;
}

static int
read_rows(struct reading *reading)
{
    if (read_header(reading) < 0)
        return -1;
    int got;
    while ((got = csv_next(&reading->csv, reading->err)) > 0) {
        if (reading->n_rows == reading->capacity) {
            size_t capacity = reading->capacity ? reading->capacity * 2 : 1024;
            void *rows = reallocarray(reading->rows, capacity, sizeof(*reading->rows));
            if (!rows)
                return err_nomem(reading->err, reading->csv.origin);
            reading->rows = rows;
            reading->capacity = capacity;
        }
        if (read_row(reading, &reading->rows[reading->n_rows]) < 0)
            return -1;
        reading->n_rows++;
    }
    return got;
}

static int
compare_repos(const void *a, const void *b)
{
    return bytes_compare(((const struct candidate *)a)->repo, ((const struct candidate *)b)->repo);
}

int
candidates_read(struct bytes table, const char *origin, struct arena *arena,
                const struct candidate **out, size_t *n_out, struct err *err)
{
    struct reading reading = {
        .csv = {.text = table, .origin = origin, .arena = arena, .next_line = 1},
        .err = err,
    };
    map_init(&reading.seen);
    int rc = read_rows(&reading);
    if (rc == 0) {
        if (reading.n_rows > 1)
            qsort(reading.rows, reading.n_rows, sizeof(*reading.rows), compare_repos);
        struct candidate *rows = ARENA_ARRAY(arena, reading.n_rows, struct candidate);
        if (!rows)
            rc = err_nomem(err, origin);
        else if (reading.n_rows)
            memcpy(rows, reading.rows, reading.n_rows * sizeof(*rows));
        *out = rows;
        *n_out = reading.n_rows;
    }
    map_clear(&reading.seen);
    free(reading.rows);
    return rc;
}
