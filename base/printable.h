/*
 * Printable: text of repositories, stores and rule files made safe for a terminal.
 *
 * Control characters, marks that change the direction of writing, line separators and bytes that
 * are not UTF-8 become \xHH.  A backslash stays as it is, so the original cannot be recovered.
 */
#ifndef STRATA_BASE_PRINTABLE_H
#define STRATA_BASE_PRINTABLE_H

#include <stdio.h>

#include "base/buf.h"
#include "base/bytes.h"

/* Append NAME to OUT on one line: a line feed is escaped too. */
void printable_append(struct buf *out, struct bytes name);
/* Columns that TEXT takes on a terminal: one a character of UTF-8. */
size_t printable_width(struct bytes text);
/* Write MESSAGES to TO and keep their line feeds; when memory is out, '?' replaces what would be
 * escaped. */
void printable_write(FILE *to, struct bytes messages);

#endif
