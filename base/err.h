/*
 * Errors: a code for the program, a sentence for the person.
 *
 * A function that can fail takes a struct err last and returns -1 after filling it.  The sentence
 * says what failed, where, why, and what to do; each caller may put what it was doing in front.
 */
#ifndef STRATA_BASE_ERR_H
#define STRATA_BASE_ERR_H

enum err_code {
    ERR_NONE,
    ERR_USAGE,       /* the command line is wrong */
    ERR_INPUT,       /* a file, repository, rule or manifest cannot be used */
    ERR_DAMAGED,     /* stored data fails its check */
    ERR_UNSUPPORTED, /* well formed, but a newer schema or a feature this build lacks */
    ERR_BUSY,        /* somebody else holds it */
    ERR_FULL,        /* disk or map full */
    ERR_IO,          /* the system refused to read or write */
    ERR_NOMEM,       /* memory is out */
    ERR_STOPPED,     /* the user asked to stop */
    ERR_INTERNAL     /* our own mistake */
};

struct err {
    enum err_code code;
    char text[1024]; /* never a trailing newline; cut with "..." when too long */
};

/* Set ERR to CODE and the formatted sentence.  ERR may be NULL.  Returns -1. */
int err_set(struct err *err, enum err_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Put the formatted words and ": " in front of ERR's sentence.  ERR may be NULL.  Returns -1. */
int err_wrap(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Set ERR from errno: "<words>: <strerror>".  ENOSPC and EDQUOT give ERR_FULL, ENOMEM ERR_NOMEM,
 * a missing or unreadable file ERR_INPUT, the rest ERR_IO.  Returns -1; errno is left alone. */
int err_set_errno(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Shorthand for the commonest failure: "out of memory: <what>".  Returns -1. */
int err_nomem(struct err *err, const char *what);

#endif
