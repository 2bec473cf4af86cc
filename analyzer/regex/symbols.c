/*
 * The bounds of all classes cut the code points into intervals.  All intervals begin in one part;
 * each class in turn splits the parts it cuts in two.  The parts at the end are the symbols.
 */
#include "analyzer/regex/symbols.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum {
    SYMBOLS_MAX = UINT16_MAX,
    REFINE_STEPS_MAX = 50 * 1000 * 1000, /* far above any sensible pattern, about a second */
    SETS_BYTES_MAX = 64 << 20
};

void
class_table_init(struct class_table *table, struct arena *arena)
{
    *table = (struct class_table){.arena = arena};
    map_init(&table->index);
}

void
class_table_clear(struct class_table *table)
{
    map_clear(&table->index);
    free(table->classes);
    table->classes = NULL;
}

uint32_t
class_table_put(struct class_table *table, const struct regex_class *set)
{
    struct bytes key = {(const uint8_t *)set->ranges, set->n_ranges * sizeof(*set->ranges)};
    bool is_new;
    uint64_t *index = map_put(&table->index, key, &is_new);
    if (!index)
        return UINT32_MAX;
    if (!is_new)
        return (uint32_t)*index;
    if (!ARRAY_RESERVE(table->classes, table->n_classes, table->capacity, 1))
        return UINT32_MAX;
    *index = table->n_classes;
    table->classes[table->n_classes] = *set;
    return table->n_classes++;
}

/* ---- Splitting ----------------------------------------------------------------------------- */

struct partition {
    uint32_t *first; /* of each interval, ascending; the first is 0 */
    uint32_t *part;  /* of each interval */
    uint32_t n_intervals;
    uint32_t n_parts;
    uint32_t *size;    /* of each part, in intervals */
    uint32_t *touched; /* of each part: intervals in the class at hand */
    uint32_t *fresh;   /* of each part: the part its touched intervals go to */
    uint64_t steps;
};

static int
compare_u32(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static int
partition_init(struct partition *p, const struct class_table *table, struct arena *arena)
{
    size_t n_bounds = 1;
    for (uint32_t i = 0; i < table->n_classes; i++)
        n_bounds += 2 * (size_t)table->classes[i].n_ranges;
    *p = (struct partition){.first = ARENA_ARRAY(arena, n_bounds, uint32_t),
                            .part = ARENA_ARRAY(arena, n_bounds, uint32_t),
                            .size = ARENA_ARRAY(arena, n_bounds, uint32_t),
                            .touched = ARENA_ARRAY(arena, n_bounds, uint32_t),
                            .fresh = ARENA_ARRAY(arena, n_bounds, uint32_t)};
    if (!p->first || !p->part || !p->size || !p->touched || !p->fresh)
        return -1;
    size_t n = 0;
    p->first[n++] = 0;
    for (uint32_t i = 0; i < table->n_classes; i++) {
        for (uint32_t j = 0; j < table->classes[i].n_ranges; j++) {
            p->first[n++] = table->classes[i].ranges[j].first;
            p->first[n++] = table->classes[i].ranges[j].last + 1;
        }
    }
    qsort(p->first, n, sizeof(*p->first), compare_u32);
    for (size_t i = 0; i < n; i++)
        if (p->n_intervals == 0 || p->first[i] != p->first[p->n_intervals - 1])
            p->first[p->n_intervals++] = p->first[i];
    if (p->first[p->n_intervals - 1] > CODE_POINT_MAX && p->n_intervals > 1)
        p->n_intervals--;
    p->n_parts = 1;
    p->size[0] = p->n_intervals;
    return 0;
}

/* The interval that starts at FIRST, a bound. */
static uint32_t
interval_at(const struct partition *p, uint32_t first)
{
    uint32_t low = 0, high = p->n_intervals;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (p->first[middle] < first)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#define FOR_INTERVALS(p, set, r, i)                                 \
    for (uint32_t r = 0; r < (set)->n_ranges; r++)                  \
        for (uint32_t i = interval_at((p), (set)->ranges[r].first); \
             i < (p)->n_intervals && (p)->first[i] <= (set)->ranges[r].last; i++)

static bool
partition_split(struct partition *p, const struct regex_class *set)
{
    FOR_INTERVALS(p, set, r, i)
    {
        p->touched[p->part[i]]++;
        p->steps++;
    }
    if (p->steps > REFINE_STEPS_MAX)
        return false;
    FOR_INTERVALS(p, set, r, i)
    {
        uint32_t old = p->part[i];
        if (p->touched[old] == p->size[old])
            continue; /* the part is all in */
        if (p->fresh[old] == 0)
            p->fresh[old] = p->n_parts++;
        p->part[i] = p->fresh[old];
        p->size[p->fresh[old]]++;
    }
    FOR_INTERVALS(p, set, r, i)
    p->touched[p->part[i]] = 0;
    for (uint32_t part = 0; part < p->n_parts; part++) {
        if (p->fresh[part] != 0) {
            p->size[part] -= p->size[p->fresh[part]];
            p->touched[part] = 0;
            p->fresh[part] = 0;
        }
    }
    return true;
}

static bool
partition_refine(struct partition *p, const struct class_table *table)
{
    for (uint32_t i = 0; i < table->n_classes; i++)
        if (!partition_split(p, &table->classes[i]))
            return false;
    return p->n_parts < SYMBOLS_MAX;
}

/* ---- Tables -------------------------------------------------------------------------------- */

static void
fill_ranges(const struct partition *p, struct regex_program *program)
{
    for (uint32_t i = 0; i < p->n_intervals; i++) {
        if (program->n_ranges == 0 || program->ranges[program->n_ranges - 1].symbol != p->part[i])
            program->ranges[program->n_ranges++] = (struct symbol_range){p->first[i], p->part[i]};
        uint32_t end = i + 1 < p->n_intervals ? p->first[i + 1] : CODE_POINT_MAX + 1;
        for (uint32_t c = p->first[i]; c < end && c < 128; c++)
            program->ascii[c] = (uint16_t)p->part[i];
    }
}

int
symbols_build(const struct class_table *table, struct regex_program *program, struct arena *arena,
              struct err *err)
{
    struct arena scratch;
    struct partition p;
    arena_init(&scratch, 0);
    int rc = partition_init(&p, table, &scratch) < 0 ? err_nomem(err, "regex") : 0;
    if (rc == 0 && !partition_refine(&p, table))
        rc = err_set(err, ERR_INPUT, "regex: too many different classes of characters");
    if (rc < 0)
        goto done;
    program->n_symbols = p.n_parts;
    program->row_words = p.n_parts / 64 + 1;
    size_t n_words = (size_t)program->row_words * table->n_classes;
    if (n_words > SETS_BYTES_MAX / sizeof(uint64_t)) {
        rc = err_set(err, ERR_INPUT, "regex: too many different classes of characters");
        goto done;
    }
    program->ranges = ARENA_ARRAY(arena, p.n_intervals, struct symbol_range);
    program->sets = ARENA_ARRAY(arena, n_words, uint64_t);
    if (!program->ranges || !program->sets) {
        rc = err_nomem(err, "regex");
        goto done;
    }
    fill_ranges(&p, program);
    for (uint32_t c = 0; c < table->n_classes; c++) {
        uint64_t *row = program->sets + (size_t)c * program->row_words;
        FOR_INTERVALS(&p, &table->classes[c], r, i)
        row[p.part[i] / 64] |= (uint64_t)1 << p.part[i] % 64;
    }
done:
    arena_clear(&scratch);
    return rc;
}
