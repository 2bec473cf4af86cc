/*
 * The build includes this before the grammar's scanner.c, so that the scanner allocates through the
 * runtime's hooks.  Its arrays do so with TREE_SITTER_REUSE_ALLOCATOR, but it calls calloc for its
 * own state.
 */
#ifndef STRATA_ANALYZER_PARSE_SCANNER_MEMORY_H
#define STRATA_ANALYZER_PARSE_SCANNER_MEMORY_H

#include <stdlib.h>

#include "tree_sitter/alloc.h"

#define calloc ts_calloc
#define free ts_free

#endif
