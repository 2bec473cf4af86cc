/*
 * Hits as bytes: a version, then the rules that gave up, then the hits in order, all numbers as
 * varints.  Of each hit: its rule minus that of the hit before; its start line, minus
 * that of the hit before when the rule is the same; how many lines it spans beyond the first.
 * Hits of one rule ascend by start, so no difference is negative.
 */
#include "analyzer/hits.h"

#include "base/decoder.h"

enum { HITS_VERSION = 1 };

void
hits_encode(const struct hit_list *list, struct buf *out)
{
    buf_append_byte(out, HITS_VERSION);
    buf_append_varint(out, list->n_gave_up);
    uint32_t rule = 0, line = 0;
    for (uint32_t i = 0; i < list->n_gave_up; i++) {
        buf_append_varint(out, list->gave_up[i] - rule);
        rule = list->gave_up[i];
    }
    buf_append_varint(out, list->n_hits);
    rule = 0;
    for (uint32_t i = 0; i < list->n_hits; i++) {
        const struct hit *hit = &list->hits[i];
        if (hit->rule != rule)
            line = 0;
        buf_append_varint(out, hit->rule - rule);
        buf_append_varint(out, hit->start_line - line);
        buf_append_varint(out, hit->end_line - hit->start_line);
        rule = hit->rule;
        line = hit->start_line;
    }
}

/* A varint to add to BASE, the sum at most MAX. */
static uint32_t
take_sum(struct decoder *decoder, uint32_t base, uint32_t max)
{
    return base + (uint32_t)decoder_varint_max(decoder, base <= max ? max - base : 0);
}

static int
damaged(struct err *err)
{
    return err_set(err, ERR_DAMAGED, "stored hits do not decode");
}

int
hits_decode(struct bytes encoded, uint32_t n_rules, struct arena *arena, struct hit_list *out,
            struct err *err)
{
    struct decoder decoder = decoder_init(encoded);
    uint32_t rule_max = n_rules ? n_rules - 1 : 0;
    *out = (struct hit_list){0};
    uint8_t version = decoder_byte(&decoder);
    if (!decoder.failed && version != HITS_VERSION)
        return err_set(err, ERR_UNSUPPORTED, "hits of version %u, not %d: mine again", version,
                       HITS_VERSION);
    uint32_t n_gave_up = (uint32_t)decoder_varint_max(&decoder, n_rules);
    if (decoder.failed || n_gave_up > decoder_left(&decoder))
        return damaged(err);
    uint32_t *gave_up = ARENA_ARRAY(arena, n_gave_up, uint32_t);
    if (!gave_up)
        return err_nomem(err, "hits");
    for (uint32_t i = 0; i < n_gave_up; i++)
        gave_up[i] = take_sum(&decoder, i ? gave_up[i - 1] : 0, rule_max);

    uint32_t n_hits = (uint32_t)decoder_varint_max(&decoder, UINT32_MAX);
    if (decoder.failed || n_hits > decoder_left(&decoder) / 3 || (n_hits && !n_rules))
        return damaged(err);
    struct hit *hits = ARENA_ARRAY(arena, n_hits, struct hit);
    if (!hits)
        return err_nomem(err, "hits");
    uint32_t rule = 0, line = 0;
    for (uint32_t i = 0; i < n_hits && !decoder.failed; i++) {
        uint32_t before = rule;
        rule = take_sum(&decoder, rule, rule_max);
        if (rule != before)
            line = 0;
        line = take_sum(&decoder, line, UINT32_MAX);
        hits[i].rule = rule;
        hits[i].start_line = line;
        hits[i].end_line = take_sum(&decoder, line, UINT32_MAX);
    }
    if (!decoder_done(&decoder))
        return damaged(err);
    *out = (struct hit_list){hits, n_hits, gave_up, n_gave_up};
    return 0;
}
