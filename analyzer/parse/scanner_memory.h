/*
 * Put in front of the grammar's scanner.c by the build: the scanner takes its memory as the runtime
 * does.  Its arrays do with TREE_SITTER_REUSE_ALLOCATOR, itself it takes from calloc.
 */
#ifndef STRATA_ANALYZER_PARSE_SCANNER_MEMORY_H
#define STRATA_ANALYZER_PARSE_SCANNER_MEMORY_H

#include <stdlib.h>

#include "tree_sitter/alloc.h"

#define calloc ts_calloc
#define free ts_free

#endif
