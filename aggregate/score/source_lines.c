/*
 * Counting the source lines within spans.
 *
 * Files below BIT_LINES lines, nearly all, have one bit per line: spans set bits, a bitwise and
 * with the source lines counts them.  Sorting the spans took eight times as long.  For longer files
 * the spans are sorted and merged and the runs of source lines are intersected with them.
 */
#include "aggregate/score/source_lines.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"

enum { BIT_LINES = 8192, WORD_BITS = 64, BIT_WORDS = BIT_LINES / WORD_BITS };

/* Set the bits of the lines of SPAN, which is not empty. */
static void
set_bits(uint64_t *words, struct span span)
{
    assert(span.first <= span.last);
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

static struct span
span_of_run(const struct line_run *run)
{
    return (struct span){run->first, run->first + run->n - 1};
}

int
source_lines_keep(const struct line_set *set, struct arena *arena, struct source_lines *out)
{
    uint32_t last = set->n_runs ? span_of_run(&set->runs[set->n_runs - 1]).last : 0;
    *out = (struct source_lines){0};
    if (last < BIT_LINES) {
        out->n_words = last / WORD_BITS + 1;
        out->words = ARENA_ARRAY(arena, out->n_words, uint64_t);
        if (!out->words)
            return -1;
        for (uint32_t i = 0; i < set->n_runs; i++)
            set_bits(out->words, span_of_run(&set->runs[i]));
        return 0;
    }
    out->set = *set;
    out->set.runs = ARENA_ARRAY(arena, set->n_runs, struct line_run);
    if (!out->set.runs)
        return -1;
    memcpy(out->set.runs, set->runs, set->n_runs * sizeof(*set->runs));
    return 0;
}

/* Count with one bit per line.  LAST is the last line of all spans, below BIT_LINES. */
static struct found_lines
count_as_bits(const struct source_lines *source, const struct span *spans, size_t n_spans,
              uint32_t last)
{
    struct found_lines found = {0};
    assert(last < BIT_LINES);
    uint64_t words[BIT_WORDS];
    size_t n_words = last / WORD_BITS + 1;
    memset(words, 0, n_words * sizeof(*words));
    for (size_t i = 0; i < n_spans; i++)
        if (spans[i].first <= spans[i].last)
            set_bits(words, spans[i]);
    for (size_t i = 0; i < n_words; i++) {
        found.n_lines += num_count_bits(words[i]);
        if (i < source->n_words)
            found.n_source += num_count_bits(words[i] & source->words[i]);
    }
    return found;
}

static int
by_first(const void *left, const void *right)
{
    const struct span *a = left, *b = right;
    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    return a->last < b->last ? -1 : a->last > b->last;
}

/* Sort SPANS and merge those that touch or overlap.  Returns how many are left. */
static size_t
merge(struct span *spans, size_t n_spans)
{
    size_t n = 0;
    qsort(spans, n_spans, sizeof(*spans), by_first);
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

/* The number of bits of SOURCE that are set within SPAN. */
static uint32_t
bits_within(const struct source_lines *source, struct span span)
{
    uint32_t n = 0;
    size_t end = source->n_words * WORD_BITS;
    for (size_t line = span.first; line <= span.last && line < end; line++)
        n += (uint32_t)(source->words[line / WORD_BITS] >> line % WORD_BITS & 1);
    return n;
}

/* The number of lines of SET that are within the merged SPANS. */
static uint32_t
lines_within(const struct line_set *set, const struct span *spans, size_t n_spans)
{
    uint32_t n = 0;
    size_t i = 0;
    for (uint32_t run = 0; run < set->n_runs && i < n_spans;) {
        struct span lines = span_of_run(&set->runs[run]);
        uint32_t from = lines.first > spans[i].first ? lines.first : spans[i].first;
        uint32_t to = lines.last < spans[i].last ? lines.last : spans[i].last;
        if (from <= to)
            n += to - from + 1;
        if (lines.last < spans[i].last)
            run++;
        else
            i++;
    }
    return n;
}

/* Count by sorting the spans. */
static struct found_lines
count_sorted(const struct source_lines *source, struct span *spans, size_t n_spans)
{
    struct found_lines found = {0};
    size_t n = merge(spans, n_spans);
    for (size_t i = 0; i < n; i++) {
        found.n_lines += spans[i].last - spans[i].first + 1;
        found.n_source += bits_within(source, spans[i]);
    }
    found.n_source += lines_within(&source->set, spans, n);
    return found;
}

struct found_lines
source_lines_count(const struct source_lines *source, struct span *spans, size_t n_spans)
{
    uint32_t last = 0;
    for (size_t i = 0; i < n_spans; i++)
        last = spans[i].last > last ? spans[i].last : last;
    if (n_spans == 0)
        return (struct found_lines){0};
    return source->words && last < BIT_LINES ? count_as_bits(source, spans, n_spans, last)
                                             : count_sorted(source, spans, n_spans);
}
