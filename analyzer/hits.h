/*
 * hits: the places in one file that pattern rules matched.
 *
 * Plain data and its encoding (library analyzer_data).  May include base.
 */
#ifndef STRATA_ANALYZER_HITS_H
#define STRATA_ANALYZER_HITS_H

#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/bytes.h"
#include "base/err.h"

/* A node that a rule matched. */
struct hit {
    uint32_t rule;                     /* index into the rule set */
    uint32_t start_line, end_line;     /* from 1 */
    uint32_t start_column, end_column; /* from 0, in code points; the end is exclusive */
    uint32_t start_byte, end_byte;
};

struct hit_list {
    const struct hit *hits; /* sorted by rule, start byte, end byte */
    uint32_t n_hits;
    /* Rules that exceeded their bound of work or of hits on this file, ascending: their hits are
     * not known, and none are listed. */
    const uint32_t *gave_up;
    uint32_t n_gave_up;
};

/* Append LIST to OUT in the encoding of store/FORMAT.md, section "hits": rules and lines. */
void hits_encode(const struct hit_list *list, struct buf *out);
/*
 * Read what hits_encode wrote for a set of N_RULES rules, from untrusted bytes, into ARENA; columns
 * and bytes are 0.  ERR_UNSUPPORTED: another version wrote them.  ERR_DAMAGED, ERR_NOMEM.
 */
int hits_decode(struct bytes encoded, uint32_t n_rules, struct arena *arena, struct hit_list *out,
                struct err *err);

#endif
