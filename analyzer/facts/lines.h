/*
 * Lines: sets of line numbers while facts are being made, as one bit a row, with counts by range.
 */
#ifndef STRATA_ANALYZER_FACTS_LINES_H
#define STRATA_ANALYZER_FACTS_LINES_H

#include "analyzer/facts.h"
#include "analyzer/parse/flat.h"
#include "analyzer/parse/syntax.h"

struct lines {
    uint64_t *bits;   /* one a row, row 0 first */
    uint32_t *before; /* set bits in all words before this one; filled by lines_count */
    uint32_t n_rows;
};

/* An empty set of N_ROWS rows; false when memory is out. */
bool lines_init(struct lines *lines, uint32_t n_rows, struct arena *arena);
/* All bits are set: make counting by range ready. */
void lines_count(struct lines *lines);

static inline void
lines_add(struct lines *lines, uint32_t row)
{
    lines->bits[row / 64] |= UINT64_C(1) << (row % 64);
}

/* Set bits in rows FIRST to LAST, both included. */
uint32_t lines_in_range(const struct lines *lines, uint32_t first, uint32_t last);
/* LINES as runs in ARENA; false when memory is out. */
bool lines_to_set(const struct lines *lines, struct arena *arena, struct line_set *out);

/* White space within a line. */
bool lines_is_blank(uint8_t c);
/* Nothing but blanks before NODE on its first row and after it on its last? */
bool lines_own_rows(const struct flat *flat, uint32_t node);

/*
 * The source lines of FLAT in both countings of formatted strings, and the rows on which a comment
 * stands.  False when memory is out.
 */
bool lines_find(const struct syntax_table *table, const struct flat *flat, struct arena *arena,
                struct lines sloc[FSTRING_N], struct lines *comments);

#endif
