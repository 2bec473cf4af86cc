/*
 * Printable: text out of repositories, stores and rule files as a terminal may get it.
 *
 * Control characters, marks that turn the direction of writing, line separators and bytes that are
 * not UTF-8 become \xHH; a backslash stays as it is, so this is for reading, not for reading back.
 */
#ifndef STRATA_BASE_PRINTABLE_H
#define STRATA_BASE_PRINTABLE_H

#include <stdio.h>

#include "base/buf.h"
#include "base/bytes.h"

/* Append a name, which cannot leave its line. */
void printable_append(struct buf *out, struct bytes name);
/* Columns that TEXT takes on a terminal: one a character of UTF-8. */
size_t printable_width(struct bytes text);
/* Write messages, each on lines of its own; when memory is out, '?' for what would be escaped. */
void printable_write(FILE *to, struct bytes messages);

#endif
