/*
 * Parse methods: the ways to a faster parse, each of which a build may leave out.
 *
 * The tree is the same with any of them.  Only the heap bounds memory, so without it a source may
 * be parsed that is skipped with it.  parse_create uses all that were built; tests and benchmarks
 * choose.
 */
#ifndef STRATA_ANALYZER_PARSE_METHODS_H
#define STRATA_ANALYZER_PARSE_METHODS_H

#include "analyzer/parse/parse.h"

enum parse_method {
    PARSE_HEAP = 1 << 0,  /* memory from a heap that is dropped whole: heap.h */
    PARSE_DENSE = 1 << 1, /* a parse table that is never searched: language.h */
    PARSE_DIRECT = 1 << 2 /* read the runtime's own structs, not its cursor: walk.h */
};

enum {
    PARSE_METHODS_BUILT = 0
#ifdef STRATA_PARSE_HEAP
                          | PARSE_HEAP
#endif
#ifdef STRATA_PARSE_DENSE
                          | PARSE_DENSE
#endif
#ifdef STRATA_PARSE_DIRECT
                          | PARSE_DIRECT
#endif
};

/* As parse_create with the METHODS (a set of enum parse_method, all of them built). */
int parse_create_with(unsigned methods, struct parse **out, struct err *err);

#endif
