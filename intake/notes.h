/*
 * Notes: what was odd or left out, and why, in the words of the store.
 *
 * A repository can give a reason for each of a million commits, a damaged run for each of its
 * lines: the first NOTES_MAX are kept, the rest are counted.
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

void notes_init(struct notes *notes, struct arena *arena);
/* Add REASON about WHAT (a path, a commit), both copied.  0, or -1 with ERR_NOMEM. */
int notes_add(struct notes *notes, struct bytes what, const char *reason, struct err *err);
/* As notes_add, the reason from FORMAT, at most 1023 bytes of it. */
int notes_addf(struct notes *notes, struct bytes what, struct err *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/*
 * WHAT cannot be used because of the error WHY: add its text.  ERR_NOMEM and ERR_STOPPED are not
 * about WHAT alone: they become *err, and -1 is returned.
 */
int
notes_add_failure(struct notes *notes, struct bytes what, const struct err *why, struct err *err);
/* Add one last note that counts those that were not kept, if any.  Call once, at the end. */
int notes_finish(struct notes *notes, struct err *err);

#endif
