/*
 * Parse methods: the ways to a faster parse, each of which a build may leave out.
 *
 * The result is the same in every bit whichever are taken.  parse_create takes all that were built;
 * tests and benchmarks choose.
 */
#ifndef STRATA_ANALYZER_PARSE_METHODS_H
#define STRATA_ANALYZER_PARSE_METHODS_H

#include "analyzer/parse.h"

enum parse_method {
    PARSE_DIRECT = 1 << 0 /* read the runtime's own structs, not its cursor */
};

enum {
    PARSE_METHODS_BUILT = 0
#ifdef STRATA_PARSE_DIRECT
                          | PARSE_DIRECT
#endif
};

/* As parse_create with the METHODS (a set of enum parse_method, all of them built). */
int parse_create_with(unsigned methods, struct parse **out, struct err *err);

#endif
