/*
 * Notes: what was unusual or left out, and why, as a store keeps it.
 *
 * A repository may need a note for each of a million commits, so the first NOTES_MAX are kept and
 * the rest are counted.
 */
#ifndef STRATA_INTAKE_NOTES_H
#define STRATA_INTAKE_NOTES_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/err.h"
#include "store/store.h"

enum { NOTES_MAX = 1000 };

struct notes {
    struct arena *arena; /* holds the texts and the list; borrowed */
    struct store_note *items;
    uint32_t n_items;
    uint32_t capacity;
    uint64_t n_lost; /* given, but not kept */
};

/* Make NOTES empty. */
void notes_init(struct notes *notes, struct arena *arena);
/* Add REASON about WHAT (a path, a commit), both copied.  0, or -1 with ERR_NOMEM. */
int notes_add(struct notes *notes, struct bytes what, const char *reason, struct err *err);
/* As notes_add, with a formatted reason that is cut after 1023 bytes. */
int notes_addf(struct notes *notes, struct bytes what, struct err *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/*
 * WHAT cannot be used because of the error WHY: add its text.  ERR_NOMEM and ERR_STOPPED do
 * not concern WHAT only: they are copied to ERR, and -1 is returned.
 */
int
notes_add_failure(struct notes *notes, struct bytes what, const struct err *why, struct err *err);
/* Add one last note that counts those that were not kept, if any.  Call once, at the end. */
int notes_finish(struct notes *notes, struct err *err);

#endif
