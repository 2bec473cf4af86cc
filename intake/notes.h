/*
 * Notes: what was left out, and why, in the words of the store.
 *
 * A repository can give a reason for each of a million commits: the first NOTES_MAX are kept, the
 * rest are counted and summed up in one last note.
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
    struct store_skip *items;
    uint32_t n_items;
    uint32_t capacity;
    uint64_t n_lost; /* given, but not kept */
};

void notes_init(struct notes *notes, struct arena *arena);
/* WHAT (a path, a commit) was left out because of REASON; both are copied. */
int notes_add(struct notes *notes, struct bytes what, const char *reason, struct err *err);
/* Sum up what was not kept.  Call once, at the end. */
int notes_finish(struct notes *notes, struct err *err);

#endif
