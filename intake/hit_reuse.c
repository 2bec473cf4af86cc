/*
 * See hit_reuse.h.  Rules are matched by the half of their keys that their hits depend on
 * (store_rule_hit_bytes).  Rules that the earlier set lacks are loaded again from their sources as
 * a set of their own.  To merge, the hits of both are numbered as in the whole set and sorted by
 * rule.
 */
#include "intake/hit_reuse.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"

#define RULE_NONE UINT32_MAX

struct hit_reuse {
    const struct ruleset *set;
    uint32_t n_base;       /* rules of the earlier set */
    uint32_t *base_to_set; /* a rule of that as a rule of SET; RULE_NONE when SET lacks it */
    struct ruleset *fresh; /* the rules of SET that it lacks; NULL when it lacks none */
    uint32_t *fresh_to_set;
    struct arena arena;
};

/* ---- Which rules --------------------------------------------------------------------------- */

static int
map_base(struct hit_reuse *reuse, const struct store_rule *rules, const struct store_key *base,
         struct err *err)
{
    struct map by_key;
    map_init(&by_key);
    reuse->base_to_set = ARENA_ARRAY(&reuse->arena, reuse->n_base, uint32_t);
    int result = reuse->base_to_set ? 0 : err_nomem(err, "rules");
    for (uint32_t i = 0; result == 0 && i < ruleset_count(reuse->set); i++) {
        uint64_t *index = map_put(&by_key, store_rule_hit_bytes(&rules[i].key), NULL);
        if (index)
            *index = i;
        else
            result = err_nomem(err, "rules");
    }
    for (uint32_t i = 0; result == 0 && i < reuse->n_base; i++) {
        const uint64_t *index = map_get(&by_key, store_rule_hit_bytes(&base[i]));
        reuse->base_to_set[i] = index ? (uint32_t)*index : RULE_NONE;
    }
    map_clear(&by_key);
    return result;
}

/* A set of the rules that the base lacks, from their sources. */
static int
load_fresh(struct hit_reuse *reuse, struct err *err)
{
    uint32_t n = ruleset_count(reuse->set), n_fresh = 0;
    bool *is_known = ARENA_ARRAY(&reuse->arena, n, bool);
    struct rule_source *sources = ARENA_ARRAY(&reuse->arena, n, struct rule_source);
    reuse->fresh_to_set = ARENA_ARRAY(&reuse->arena, n, uint32_t);
    if (!is_known || !sources || !reuse->fresh_to_set)
        return err_nomem(err, "rules");
    for (uint32_t i = 0; i < reuse->n_base; i++)
        if (reuse->base_to_set[i] != RULE_NONE)
            is_known[reuse->base_to_set[i]] = true;
    for (uint32_t i = 0; i < n; i++) {
        const struct rule_info *rule = ruleset_rule(reuse->set, i);
        if (is_known[i])
            continue;
        sources[n_fresh] = (struct rule_source){rule->file, rule->source};
        reuse->fresh_to_set[n_fresh++] = i;
    }
    return n_fresh ? ruleset_load(sources, n_fresh, &reuse->fresh, err) : 0;
}

int
hit_reuse_create(const struct ruleset *set, const struct store_rule *rules,
                 const struct store_key *base, size_t n_base, struct hit_reuse **out,
                 struct err *err)
{
    struct hit_reuse *reuse = calloc(1, sizeof(*reuse));
    if (!reuse)
        return err_nomem(err, "rules");
    reuse->set = set;
    reuse->n_base = (uint32_t)n_base;
    arena_init(&reuse->arena, 0);
    if (map_base(reuse, rules, base, err) < 0 || load_fresh(reuse, err) < 0) {
        hit_reuse_destroy(reuse);
        return -1;
    }
    *out = reuse;
    return 0;
}

void
hit_reuse_destroy(struct hit_reuse *reuse)
{
    if (!reuse)
        return;
    ruleset_destroy(reuse->fresh);
    arena_clear(&reuse->arena);
    free(reuse);
}

const struct ruleset *
hit_reuse_fresh(const struct hit_reuse *reuse)
{
    return reuse->fresh;
}

uint32_t
hit_reuse_n_fresh(const struct hit_reuse *reuse)
{
    return reuse->fresh ? ruleset_count(reuse->fresh) : 0;
}

/* ---- Taking over --------------------------------------------------------------------------- */

struct ordered_hit {
    struct hit hit;
    size_t place; /* in its list, which is sorted within a rule */
};

static int
compare_hits(const void *a, const void *b)
{
    const struct ordered_hit *x = a, *y = b;
    if (x->hit.rule != y->hit.rule)
        return x->hit.rule < y->hit.rule ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static int
compare_rules(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static size_t
take_hits(const struct hit_list *list, const uint32_t *to_set, struct ordered_hit *out, size_t n)
{
    for (uint32_t i = 0; i < list->n_hits; i++) {
        uint32_t rule = to_set[list->hits[i].rule];
        if (rule == RULE_NONE)
            continue;
        out[n] = (struct ordered_hit){list->hits[i], i};
        out[n++].hit.rule = rule;
    }
    return n;
}

static size_t
take_gave_up(const struct hit_list *list, const uint32_t *to_set, uint32_t *out, size_t n)
{
    for (uint32_t i = 0; i < list->n_gave_up; i++)
        if (to_set[list->gave_up[i]] != RULE_NONE)
            out[n++] = to_set[list->gave_up[i]];
    return n;
}

int
hit_reuse_merge(const struct hit_reuse *reuse, struct bytes encoded, const struct hit_list *fresh,
                struct arena *scratch, struct buf *out, struct err *err)
{
    struct hit_list base;
    if (hits_decode(encoded, reuse->n_base, scratch, &base, err) < 0)
        return -1;
    size_t n_max = (size_t)base.n_hits + fresh->n_hits;
    size_t n_gave_up_max = (size_t)base.n_gave_up + fresh->n_gave_up;
    struct ordered_hit *ordered = ARENA_ARRAY(scratch, n_max, struct ordered_hit);
    struct hit *hits = ARENA_ARRAY(scratch, n_max, struct hit);
    uint32_t *gave_up = ARENA_ARRAY(scratch, n_gave_up_max, uint32_t);
    if (!ordered || !hits || !gave_up)
        return err_nomem(err, "hits");
    size_t n = take_hits(&base, reuse->base_to_set, ordered, 0);
    n = take_hits(fresh, reuse->fresh_to_set, ordered, n);
    size_t n_gave_up = take_gave_up(&base, reuse->base_to_set, gave_up, 0);
    n_gave_up = take_gave_up(fresh, reuse->fresh_to_set, gave_up, n_gave_up);
    if (n > 1)
        qsort(ordered, n, sizeof(*ordered), compare_hits);
    if (n_gave_up > 1)
        qsort(gave_up, n_gave_up, sizeof(*gave_up), compare_rules);
    for (size_t i = 0; i < n; i++)
        hits[i] = ordered[i].hit;
    struct hit_list merged = {hits, (uint32_t)n, gave_up, (uint32_t)n_gave_up};
    hits_encode(&merged, out);
    return buf_failed(out) ? err_nomem(err, "hits") : 0;
}
