/* See err.h.  Sentences are cut, never overrun: a message must not fail. */
#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void
mark_cut(struct err *err, int wanted)
{
    if (wanted >= (int)sizeof(err->text))
        memcpy(err->text + sizeof(err->text) - 4, "...", 4);
}

int
err_set(struct err *err, enum err_code code, const char *format, ...)
{
    if (!err)
        return -1;
    va_list args;
    va_start(args, format);
    int n = vsnprintf(err->text, sizeof(err->text), format, args);
    va_end(args);
    err->code = code;
    mark_cut(err, n);
    return -1;
}

int
err_wrap(struct err *err, const char *format, ...)
{
    if (!err)
        return -1;
    char old[sizeof(err->text)];
    memcpy(old, err->text, sizeof(old));
    va_list args;
    va_start(args, format);
    int n = vsnprintf(err->text, sizeof(err->text), format, args);
    va_end(args);
    if (n >= 0 && n < (int)sizeof(err->text))
        n += snprintf(err->text + n, sizeof(err->text) - (size_t)n, ": %s", old);
    mark_cut(err, n);
    return -1;
}

static enum err_code
code_of_errno(int number)
{
    switch (number) {
    case ENOSPC:
    case EDQUOT:
        return ERR_FULL;
    case ENOMEM:
        return ERR_NOMEM;
    case ENOENT:
    case ENOTDIR:
    case EISDIR:
    case EACCES:
    case EPERM:
    case ELOOP:
    case ENAMETOOLONG:
        return ERR_INPUT;
    default:
        return ERR_IO;
    }
}

int
err_set_errno(struct err *err, const char *format, ...)
{
    int number = errno;
    if (!err)
        return -1;
    va_list args;
    va_start(args, format);
    int n = vsnprintf(err->text, sizeof(err->text), format, args);
    va_end(args);
    if (n >= 0 && n < (int)sizeof(err->text))
        n += snprintf(err->text + n, sizeof(err->text) - (size_t)n, ": %s", strerror(number));
    err->code = code_of_errno(number);
    mark_cut(err, n);
    errno = number;
    return -1;
}

int
err_nomem(struct err *err, const char *what)
{
    return err_set(err, ERR_NOMEM, "out of memory: %s", what);
}
