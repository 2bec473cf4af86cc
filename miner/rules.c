#include "miner/rules.h"

#include <stdlib.h>

#include "base/map.h"

static struct store_key
key_of_rule(const struct ruleset *set, uint32_t index)
{
    struct store_key key;
    const struct rule_info *rule = ruleset_rule(set, index);
    _Static_assert(sizeof(key) == sizeof(rule->fingerprint), "a rule's key is its fingerprint");
    memcpy(&key, &rule->fingerprint, sizeof(key));
    return key;
}

static struct bytes
key_bytes(const struct store_key *key)
{
    return (struct bytes){key->bytes, sizeof(key->bytes)};
}

static int
put_rules(const struct ruleset *set, struct store_writer *writer, struct mine_rules *out,
          struct err *err)
{
    uint32_t n = ruleset_count(set);
    struct store_rule *rules = ARENA_ARRAY(&out->arena, n, struct store_rule);
    if (!rules)
        return err_nomem(err, "rules");
    for (uint32_t i = 0; i < n; i++) {
        const struct rule_info *info = ruleset_rule(set, i);
        rules[i] =
            (struct store_rule){.key = key_of_rule(set, i),
                                .id = info->id,
                                .severity = bytes_of_text(rule_severity_name(info->severity)),
                                .metadata = info->metadata,
                                .source = info->source};
    }
    return store_put_rules(writer, rules, n, &out->group, err);
}

/* ---- The base ------------------------------------------------------------------------------ */

/* The rules of SET by key. */
static int
index_rules(const struct ruleset *set, struct map *out, struct err *err)
{
    for (uint32_t i = 0; i < ruleset_count(set); i++) {
        struct store_key key = key_of_rule(set, i);
        uint64_t *index = map_put(out, key_bytes(&key), NULL);
        if (!index)
            return err_nomem(err, "rules");
        *index = i;
    }
    return 0;
}

/* How many rules of GROUP are in BY_KEY; their keys in ARENA.  A group that cannot be read has
 * none. */
static int
read_group(struct store_reader *reader, const struct store_key *group, const struct map *by_key,
           struct arena *arena, struct store_key **keys, size_t *n_keys, size_t *n_shared,
           struct err *err)
{
    *n_shared = 0;
    switch (store_get_group(reader, group, arena, keys, n_keys, err)) {
    case STORE_FOUND:
        break;
    case STORE_MISSING:
        return 0;
    case STORE_FAILED:
        return err->code == ERR_DAMAGED ? 0 : -1;
    }
    for (size_t i = 0; i < *n_keys; i++)
        *n_shared += map_get(by_key, key_bytes(&(*keys)[i])) != NULL;
    return 0;
}

static int
take_base(const struct map *by_key, const struct store_key *group, const struct store_key *keys,
          size_t n_keys, struct mine_rules *out, struct err *err)
{
    out->base_to_set = ARENA_ARRAY(&out->arena, n_keys, uint32_t);
    if (!out->base_to_set)
        return err_nomem(err, "rules");
    for (size_t i = 0; i < n_keys; i++) {
        const uint64_t *index = map_get(by_key, key_bytes(&keys[i]));
        out->base_to_set[i] = index ? (uint32_t)*index : RULE_NONE;
    }
    out->base = *group;
    out->n_base = (uint32_t)n_keys;
    out->has_base = true;
    return 0;
}

/* The group in the store that shares most rules with the set, the first of equals. */
static int
find_base(struct store_reader *reader, const struct map *by_key, struct mine_rules *out,
          struct err *err)
{
    struct store_key *groups, *keys;
    size_t n_groups, n_keys, n_shared, most = 0;
    if (store_list_groups(reader, &out->arena, &groups, &n_groups, err) < 0)
        return -1;
    for (size_t i = 0; i < n_groups; i++) {
        if (memcmp(&groups[i], &out->group, sizeof(out->group)) == 0)
            continue;
        if (read_group(reader, &groups[i], by_key, &out->arena, &keys, &n_keys, &n_shared, err) < 0)
            return -1;
        if (n_shared > most && take_base(by_key, &groups[i], keys, n_keys, out, err) < 0)
            return -1;
        most = n_shared > most ? n_shared : most;
    }
    return 0;
}

/* A set of the rules that the base lacks, from their sources. */
static int
load_fresh(struct mine_rules *out, struct err *err)
{
    uint32_t n = ruleset_count(out->set), n_fresh = 0;
    bool *is_known = ARENA_ARRAY(&out->arena, n, bool);
    struct rule_source *sources = ARENA_ARRAY(&out->arena, n, struct rule_source);
    out->fresh_to_set = ARENA_ARRAY(&out->arena, n, uint32_t);
    if (!is_known || !sources || !out->fresh_to_set)
        return err_nomem(err, "rules");
    for (uint32_t i = 0; i < out->n_base; i++)
        if (out->base_to_set[i] != RULE_NONE)
            is_known[out->base_to_set[i]] = true;
    for (uint32_t i = 0; i < n; i++) {
        const struct rule_info *rule = ruleset_rule(out->set, i);
        if (is_known[i])
            continue;
        sources[n_fresh] = (struct rule_source){rule->file, rule->source};
        out->fresh_to_set[n_fresh++] = i;
    }
    return n_fresh ? ruleset_load(sources, n_fresh, &out->fresh, err) : 0;
}

int
mine_rules_open(const struct ruleset *set, struct store *store, struct store_writer *writer,
                struct mine_rules *out, struct err *err)
{
    struct store_reader *reader = NULL;
    struct map by_key;
    *out = (struct mine_rules){.set = set};
    arena_init(&out->arena, 0);
    if (!set)
        return 0;
    map_init(&by_key);
    int result = put_rules(set, writer, out, err);
    if (result == 0)
        result = store_reader_open(store, &reader, err);
    if (result == 0)
        result = index_rules(set, &by_key, err);
    if (result == 0)
        result = find_base(reader, &by_key, out, err);
    if (result == 0 && out->has_base)
        result = load_fresh(out, err);
    store_reader_close(reader);
    map_clear(&by_key);
    if (result < 0)
        mine_rules_close(out);
    return result;
}

void
mine_rules_close(struct mine_rules *rules)
{
    ruleset_destroy(rules->fresh);
    arena_clear(&rules->arena);
    *rules = (struct mine_rules){0};
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
mine_rules_merge(const struct mine_rules *rules, struct bytes encoded, const struct hit_list *fresh,
                 struct arena *scratch, struct buf *out, struct err *err)
{
    struct hit_list base;
    if (hits_decode(encoded, rules->n_base, scratch, &base, err) < 0)
        return -1;
    size_t n_max = (size_t)base.n_hits + fresh->n_hits;
    size_t n_gave_up_max = (size_t)base.n_gave_up + fresh->n_gave_up;
    struct ordered_hit *ordered = ARENA_ARRAY(scratch, n_max, struct ordered_hit);
    struct hit *hits = ARENA_ARRAY(scratch, n_max, struct hit);
    uint32_t *gave_up = ARENA_ARRAY(scratch, n_gave_up_max, uint32_t);
    if (!ordered || !hits || !gave_up)
        return err_nomem(err, "hits");
    size_t n = take_hits(&base, rules->base_to_set, ordered, 0);
    n = take_hits(fresh, rules->fresh_to_set, ordered, n);
    size_t n_gave_up = take_gave_up(&base, rules->base_to_set, gave_up, 0);
    n_gave_up = take_gave_up(fresh, rules->fresh_to_set, gave_up, n_gave_up);
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
