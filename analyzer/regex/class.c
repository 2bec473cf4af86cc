/*
 * All operations rest on two: negation by a walk over the gaps, and intersection by a merge of two
 * sorted lists.
 */
#include "analyzer/regex/class.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

struct regex_class
class_init(struct arena *arena)
{
    return (struct regex_class){.arena = arena};
}

void
class_add(struct regex_class *set, uint32_t first, uint32_t last)
{
    if (!ARRAY_RESERVE_IN(set->arena, set->ranges, set->n_ranges, set->capacity, 1)) {
        set->failed = true;
        return;
    }
    set->ranges[set->n_ranges++] = (struct class_range){first, last};
}

void
class_add_all(struct regex_class *set, const struct regex_class *other)
{
    set->failed |= other->failed;
    for (uint32_t i = 0; i < other->n_ranges; i++)
        class_add(set, other->ranges[i].first, other->ranges[i].last);
}

static int
compare_ranges(const void *a, const void *b)
{
    const struct class_range *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

void
class_normalise(struct regex_class *set)
{
    if (set->n_ranges < 2)
        return;
    qsort(set->ranges, set->n_ranges, sizeof(*set->ranges), compare_ranges);
    uint32_t n = 1;
    for (uint32_t i = 1; i < set->n_ranges; i++) {
        struct class_range *kept = &set->ranges[n - 1];
        if (set->ranges[i].first > kept->last + 1)
            set->ranges[n++] = set->ranges[i];
        else if (set->ranges[i].last > kept->last)
            kept->last = set->ranges[i].last;
    }
    set->n_ranges = n;
}

void
class_negate(struct regex_class *set, uint32_t max)
{
    struct regex_class out = class_init(set->arena);
    uint32_t next = 0;
    for (uint32_t i = 0; i < set->n_ranges && next <= max; i++) {
        if (set->ranges[i].first > next)
            class_add(&out, next, set->ranges[i].first - 1 < max ? set->ranges[i].first - 1 : max);
        next = set->ranges[i].last + 1;
    }
    if (next <= max)
        class_add(&out, next, max);
    out.failed |= set->failed;
    *set = out;
}

void
class_intersect(struct regex_class *set, const struct regex_class *other)
{
    struct regex_class out = class_init(set->arena);
    for (uint32_t i = 0, j = 0; i < set->n_ranges && j < other->n_ranges;) {
        struct class_range a = set->ranges[i], b = other->ranges[j];
        uint32_t first = a.first > b.first ? a.first : b.first;
        uint32_t last = a.last < b.last ? a.last : b.last;
        if (first <= last)
            class_add(&out, first, last);
        if (a.last < b.last)
            i++;
        else
            j++;
    }
    out.failed |= set->failed || other->failed;
    *set = out;
}

/* A copy that can be negated without touching the original. */
static struct regex_class
complement(const struct regex_class *set)
{
    struct regex_class copy = *set;
    class_negate(&copy, CODE_POINT_MAX);
    return copy;
}

void
class_subtract(struct regex_class *set, const struct regex_class *other)
{
    struct regex_class rest = complement(other);
    class_intersect(set, &rest);
}

void
class_symmetric_difference(struct regex_class *set, const struct regex_class *other)
{
    struct regex_class both = *set;
    class_intersect(&both, other);
    struct regex_class either = class_init(set->arena);
    class_add_all(&either, set);
    class_add_all(&either, other);
    class_normalise(&either);
    class_subtract(&either, &both);
    *set = either;
}

bool
class_has(const struct regex_class *set, uint32_t code_point)
{
    uint32_t low = 0, high = set->n_ranges;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (set->ranges[middle].last < code_point)
            low = middle + 1;
        else
            high = middle;
    }
    return low < set->n_ranges && set->ranges[low].first <= code_point;
}
