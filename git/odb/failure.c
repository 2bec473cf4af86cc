/* See failure.h.  A sentence that is too long is cut. */
#include "git/odb/failure.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum odb_outcome
failure_set(struct failure *failure, enum odb_outcome outcome, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(failure->text, sizeof(failure->text), format, args);
    va_end(args);
    failure->outcome = outcome;
    return outcome;
}

void
failure_wrap(struct failure *failure, const char *format, ...)
{
    char old[sizeof(failure->text)];
    memcpy(old, failure->text, sizeof(old));
    va_list args;
    va_start(args, format);
    int n = vsnprintf(failure->text, sizeof(failure->text), format, args);
    va_end(args);
    size_t at = n < 0 ? 0 : (size_t)n;
    const size_t last = sizeof(failure->text) - 1;
    for (const char *c = ": "; *c && at < last; c++)
        failure->text[at++] = *c;
    for (const char *c = old; *c && at < last; c++)
        failure->text[at++] = *c;
    failure->text[at < last ? at : last] = 0;
}

enum odb_outcome
failure_no_memory(struct failure *failure)
{
    return failure_set(failure, ODB_NO_MEMORY, "memory is out");
}
