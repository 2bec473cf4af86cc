#include "aggregate/lines.h"

#include <stdlib.h>
#include <string.h>

static int
by_first(const void *left, const void *right)
{
    const struct span *a = left, *b = right;
    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    return a->last < b->last ? -1 : a->last > b->last;
}

static size_t
merge_sorted(struct span *spans, size_t n_spans)
{
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

/* Lines below this are merged as bits, which nearly all files have room for; sorting took eight
 * times as long. */
enum { BIT_LINES = 8192, WORD_BITS = 64, BIT_WORDS = BIT_LINES / WORD_BITS };

static void
set_bits(uint64_t *words, struct span span)
{
    size_t from = span.first / WORD_BITS, to = span.last / WORD_BITS;
    uint64_t head = UINT64_MAX << span.first % WORD_BITS;
    uint64_t tail = UINT64_MAX >> (WORD_BITS - 1 - span.last % WORD_BITS);
    if (from == to) {
        words[from] |= head & tail;
        return;
    }
    words[from] |= head;
    for (size_t i = from + 1; i < to; i++)
        words[i] = UINT64_MAX;
    words[to] |= tail;
}

/* The runs of bits that are set in N_WORDS, of which there are no more than spans were set. */
static size_t
runs_of_bits(const uint64_t *words, size_t n_words, struct span *out)
{
    size_t n = 0;
    for (size_t i = 0; i < n_words; i++) {
        for (uint64_t left = words[i]; left;) {
            unsigned from = (unsigned)__builtin_ctzll(left);
            uint64_t after = ~(left >> from);
            unsigned len = after ? (unsigned)__builtin_ctzll(after) : WORD_BITS;
            uint32_t first = (uint32_t)(i * WORD_BITS + from);
            if (n > 0 && out[n - 1].last + 1 == first)
                out[n - 1].last += len;
            else
                out[n++] = (struct span){first, first + len - 1};
            left = from + len < WORD_BITS ? left >> (from + len) << (from + len) : 0;
        }
    }
    return n;
}

size_t
lines_merge(struct span *spans, size_t n_spans)
{
    uint32_t last = 0;
    if (n_spans < 2)
        return merge_sorted(spans, n_spans);
    for (size_t i = 0; i < n_spans; i++)
        last = spans[i].last > last ? spans[i].last : last;
    if (last >= BIT_LINES) {
        qsort(spans, n_spans, sizeof(*spans), by_first);
        return merge_sorted(spans, n_spans);
    }
    uint64_t words[BIT_WORDS];
    size_t n_words = last / WORD_BITS + 1;
    memset(words, 0, n_words * sizeof(*words));
    for (size_t i = 0; i < n_spans; i++)
        if (spans[i].first <= spans[i].last)
            set_bits(words, spans[i]);
    return runs_of_bits(words, n_words, spans);
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
