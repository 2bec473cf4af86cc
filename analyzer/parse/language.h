/*
 * Parse language: the Python grammar with a parse table that is never searched.
 *
 * It is a copy of the grammar's description that points to a table in which every state has a full
 * row.  dense_make.c writes the table at build time, so all parsers share one read-only copy.
 */
#ifndef STRATA_ANALYZER_PARSE_LANGUAGE_H
#define STRATA_ANALYZER_PARSE_LANGUAGE_H

#include <stdint.h>

#include "analyzer/parse/grammar.h"
#include "base/err.h"

/* The table: for each of parse_dense_states a row of parse_dense_symbols entries. */
extern const uint32_t parse_dense_states;
extern const uint32_t parse_dense_symbols;
extern const uint16_t *const parse_dense_table;

/* *out is the caller's, to free.  -1: memory is out, or the table was made from another
 * grammar. */
int parse_language_create(TSLanguage **out, struct err *err);

#endif
