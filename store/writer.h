/*
 * Writer: what other files of the store use of the writer, besides store.h.
 */
#ifndef STRATA_STORE_WRITER_H
#define STRATA_STORE_WRITER_H

#include "store/store.h"

/* Record in the table meta that there are facts with FINGERPRINT, unless it is recorded.  0, or -1
 * as puts fail. */
int writer_note_fingerprint(struct store_writer *writer, const struct store_key *fingerprint,
                            struct err *err);

#endif
