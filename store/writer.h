/*
 * Writer: what of it the other files of the store use.
 */
#ifndef STRATA_STORE_WRITER_H
#define STRATA_STORE_WRITER_H

#include "store/store.h"

/* Note in the meta table that there are facts with FINGERPRINT, unless it is noted. */
int writer_note_fingerprint(struct store_writer *writer, const struct store_key *fingerprint,
                            struct err *err);

#endif
