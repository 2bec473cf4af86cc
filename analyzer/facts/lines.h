/*
 * Lines: sets of line numbers while facts are being made, as one bit per row, with counts by range.
 */
#ifndef STRATA_ANALYZER_FACTS_LINES_H
#define STRATA_ANALYZER_FACTS_LINES_H

#include "analyzer/facts.h"
#include "analyzer/parse/flat.h"
#include "analyzer/parse/syntax.h"

struct lines {
    uint64_t *bits;   /* one per row, row 0 first */
    uint32_t *before; /* of each word: the bits set in all words before it; filled by lines_count */
    uint32_t n_rows;
};

/* An empty set of N_ROWS rows; false when memory is out. */
bool lines_init(struct lines *lines, uint32_t n_rows, struct arena *arena);
/* Prepare for lines_in_range; no line is added afterwards. */
void lines_count(struct lines *lines);

/* Add ROW, which is below n_rows. */
static inline void
lines_add(struct lines *lines, uint32_t row)
{
    lines->bits[row / 64] |= UINT64_C(1) << (row % 64);
}

/* How many of the rows FIRST to LAST, both included, are in LINES. */
uint32_t lines_in_range(const struct lines *lines, uint32_t first, uint32_t last);
/* LINES as runs in ARENA; false when memory is out. */
bool lines_to_set(const struct lines *lines, struct arena *arena, struct line_set *out);

/* Is C white space within a line? */
bool lines_is_blank(uint8_t c);
/* Are there only blanks before NODE on its first row and after it on its last? */
bool lines_own_rows(const struct flat *flat, uint32_t node);

/*
 * Find the source lines of FLAT in both counts of formatted strings, and the rows that hold a
 * comment.  False when memory is out.
 */
bool lines_find(const struct syntax_table *table, const struct flat *flat, struct arena *arena,
                struct lines sloc[FSTRING_N], struct lines *comments);

#endif
