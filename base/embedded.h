/*
 * Embedded: files of the source tree compiled into the program.
 *
 * cmake/embed.cmake turns files into one C file with an array of these, which ends with a name of
 * NULL.
 */
#ifndef STRATA_BASE_EMBEDDED_H
#define STRATA_BASE_EMBEDDED_H

#include <stddef.h>

struct embedded_file {
    const char *name; /* the file's name as listed in CMake, folders included */
    const unsigned char *data;
    size_t len;
};

#endif
