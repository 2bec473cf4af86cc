/*
 * See notes.h.  Notes that are not kept are counted, and the count becomes the last note.
 */
#include "intake/notes.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/array.h"

void
notes_init(struct notes *notes, struct arena *arena)
{
    *notes = (struct notes){.arena = arena};
}

static int
append(struct notes *notes, struct bytes what, struct bytes reason, struct err *err)
{
    if (!ARRAY_RESERVE_IN(notes->arena, notes->items, notes->n_items, notes->capacity, 1))
        return err_nomem(err, "notes");
    struct store_note item = {arena_copy(notes->arena, what), arena_copy(notes->arena, reason)};
    if (!item.what.data || !item.reason.data)
        return err_nomem(err, "notes");
    notes->items[notes->n_items++] = item;
    return 0;
}

int
notes_add(struct notes *notes, struct bytes what, const char *reason, struct err *err)
{
    if (notes->n_items == NOTES_MAX) {
        notes->n_lost++;
        return 0;
    }
    return append(notes, what, bytes_of_text(reason), err);
}

int
notes_addf(struct notes *notes, struct bytes what, struct err *err, const char *format, ...)
{
    char reason[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(reason, sizeof(reason), format, args);
    va_end(args);
    return notes_add(notes, what, reason, err);
}

int
notes_add_failure(struct notes *notes, struct bytes what, const struct err *why, struct err *err)
{
    if (why->code == ERR_NOMEM || why->code == ERR_STOPPED) {
        *err = *why;
        return -1;
    }
    return notes_add(notes, what, why->text, err);
}

int
notes_finish(struct notes *notes, struct err *err)
{
    if (notes->n_lost == 0)
        return 0;
    char *reason = arena_format(notes->arena, "%llu more were left out; their reasons are not kept",
                                (unsigned long long)notes->n_lost);
    return reason ? append(notes, BYTES("(others)"), bytes_of_text(reason), err)
                  : err_nomem(err, "notes");
}
