/*
 * Parse language: the Python grammar as a parser of ours takes it.
 *
 * A copy of the grammar's description, with a parse table that is never searched
 * (parse_dense_make.c writes it at build time, so that there is nothing to fill and one read-only
 * copy for all).
 */
#ifndef STRATA_ANALYZER_PARSE_LANGUAGE_H
#define STRATA_ANALYZER_PARSE_LANGUAGE_H

#include <stdint.h>

#include "analyzer/parse/grammar.h"
#include "base/err.h"

/* Of the table: one row of parse_dense_symbols for each of parse_dense_states. */
extern const uint32_t parse_dense_states;
extern const uint32_t parse_dense_symbols;
extern const uint16_t *const parse_dense_table;

/* *out is the caller's, to free.  -1: memory is out, or the table is another grammar's. */
int parse_language_create(TSLanguage **out, struct err *err);

#endif
