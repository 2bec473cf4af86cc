#include "aggregate/lines.h"

#include <stdlib.h>

static int
by_first(const void *left, const void *right)
{
    const struct span *a = left, *b = right;
    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    return a->last < b->last ? -1 : a->last > b->last;
}

/* Sort SPANS, which are few or nearly in order, or else many. */
static void
sort(struct span *spans, size_t n_spans)
{
    size_t n_moves = 0;
    for (size_t i = 1; i < n_spans; i++) {
        struct span span = spans[i];
        size_t at = i;
        for (; at > 0 && by_first(&spans[at - 1], &span) > 0; at--)
            spans[at] = spans[at - 1];
        spans[at] = span;
        n_moves += i - at;
        if (n_moves > 16 * n_spans) {
            qsort(spans, n_spans, sizeof(*spans), by_first);
            return;
        }
    }
}

size_t
lines_merge(struct span *spans, size_t n_spans)
{
    sort(spans, n_spans);
    size_t n = 0;
    for (size_t i = 0; i < n_spans; i++) {
        if (spans[i].last < spans[i].first)
            continue;
        if (n > 0 && spans[i].first <= (uint64_t)spans[n - 1].last + 1) {
            if (spans[i].last > spans[n - 1].last)
                spans[n - 1].last = spans[i].last;
        } else {
            spans[n++] = spans[i];
        }
    }
    return n;
}

uint32_t
lines_covered(const struct line_set *set, const struct span *spans, size_t n_spans)
{
    uint32_t n = 0;
    size_t i = 0;
    for (uint32_t run = 0; run < set->n_runs && i < n_spans;) {
        uint64_t first = set->runs[run].first;
        uint64_t last = first + set->runs[run].n - 1;
        uint64_t from = first > spans[i].first ? first : spans[i].first;
        uint64_t to = last < spans[i].last ? last : spans[i].last;
        if (from <= to)
            n += (uint32_t)(to - from + 1);
        if (last < spans[i].last)
            run++;
        else
            i++;
    }
    return n;
}

uint32_t
lines_total(const struct span *spans, size_t n_spans)
{
    uint32_t n = 0;
    for (size_t i = 0; i < n_spans; i++)
        n += spans[i].last - spans[i].first + 1;
    return n;
}
