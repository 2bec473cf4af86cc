/*
 * Failure: why a part of the reader refused something.
 */
#ifndef STRATA_GIT_ODB_FAILURE_H
#define STRATA_GIT_ODB_FAILURE_H

#include "git/odb/odb.h"

struct failure {
    enum odb_outcome outcome;
    char text[ODB_REASON_SIZE]; /* one line, cut when it is too long */
};

/* Set FAILURE to the formatted sentence.  Returns OUTCOME. */
enum odb_outcome failure_set(struct failure *failure, enum odb_outcome outcome, const char *format,
                             ...) __attribute__((format(printf, 3, 4)));
/* Put the formatted words and ": " in front. */
void failure_wrap(struct failure *failure, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Set FAILURE to "out of memory".  Returns ODB_NO_MEMORY. */
enum odb_outcome failure_no_memory(struct failure *failure);

#endif
