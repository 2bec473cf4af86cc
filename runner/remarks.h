/*
 * Remarks: what was odd or left out, and why, in the words of the store.
 *
 * A damaged run can give a reason for every one of its lines: the first REMARKS_MAX are kept, the
 * rest are counted.
 */
#ifndef STRATA_RUNNER_REMARKS_H
#define STRATA_RUNNER_REMARKS_H

#include <stdint.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/err.h"
#include "store/store.h"

enum { REMARKS_MAX = 1000 };

struct remarks {
    struct arena *arena; /* holds the texts and the list; borrowed */
    struct store_skip *items;
    uint32_t n_items, capacity;
    uint64_t n_lost; /* made, but not kept */
};

/* Remark something about WHAT (a path or a name, copied).  ERR_NOMEM. */
int remarks_add(struct remarks *remarks, struct bytes what, struct err *err, const char *format,
                ...) __attribute__((format(printf, 4, 5)));
/* WHY ended the use of WHAT.  Memory being out and a stop end more than that: -1 with *err. */
int remarks_add_failure(struct remarks *remarks, struct bytes what, const struct err *why,
                        struct err *err);

#endif
