#include "runner/remarks.h"

#include <stdarg.h>
#include <stdio.h>

static int
grow(struct remarks *remarks, struct err *err)
{
    uint32_t capacity = remarks->capacity ? remarks->capacity * 2 : 4;
    struct store_skip *items = ARENA_ARRAY(remarks->arena, capacity, struct store_skip);
    if (!items)
        return err_nomem(err, "remarks");
    if (remarks->n_items)
        memcpy(items, remarks->items, remarks->n_items * sizeof(*items));
    remarks->items = items;
    remarks->capacity = capacity;
    return 0;
}

int
remarks_add(struct remarks *remarks, struct bytes what, struct err *err, const char *format, ...)
{
    char reason[1024];
    if (remarks->n_items == REMARKS_MAX) {
        remarks->n_lost++;
        return 0;
    }
    if (remarks->n_items == remarks->capacity && grow(remarks, err) < 0)
        return -1;
    va_list args;
    va_start(args, format);
    vsnprintf(reason, sizeof(reason), format, args);
    va_end(args);
    struct store_skip item = {arena_copy(remarks->arena, what),
                              arena_copy(remarks->arena, bytes_of_text(reason))};
    if (!item.what.data || !item.reason.data)
        return err_nomem(err, "remarks");
    remarks->items[remarks->n_items++] = item;
    return 0;
}

int
remarks_add_failure(struct remarks *remarks, struct bytes what, const struct err *why,
                    struct err *err)
{
    if (why->code == ERR_NOMEM || why->code == ERR_STOPPED) {
        *err = *why;
        return -1;
    }
    return remarks_add(remarks, what, err, "%s", why->text);
}
