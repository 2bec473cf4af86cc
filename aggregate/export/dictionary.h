/*
 * Dictionary: what every column means, as Markdown.
 */
#ifndef STRATA_AGGREGATE_EXPORT_DICTIONARY_H
#define STRATA_AGGREGATE_EXPORT_DICTIONARY_H

#include "base/buf.h"

/* Append docs/data-dictionary.md to OUT: score lines, the tables of exports, agent records.  What
 * is written follows from the tables of columns alone.  OUT remembers that memory ran out. */
void dictionary_write(struct buf *out);

#endif
