/*
 * Hits of rules that have changed: which earlier group of rules shares most hits with that of this
 * run, and which values of a blob the store lacks.  The base is searched for once a run, by reading
 * every group of the store: there are few, of a few hundred rules each.
 */
#include <string.h>

#include "base/map.h"
#include "store/store.h"

/* Read the rules of GROUP into ARENA; a group that is damaged counts as empty. */
static int
read_group(struct store_reader *reader, const struct store_key *group, struct arena *arena,
           struct store_key **rules, size_t *n_rules, struct err *err)
{
    enum store_outcome outcome = store_get_group(reader, group, arena, rules, n_rules, err);
    if (outcome != STORE_FOUND)
        *n_rules = 0;
    return outcome == STORE_FAILED && err->code != ERR_DAMAGED ? -1 : 0;
}

/* Find the group that shares most hits with WANTED, the first of equal ones. */
static int
find_base(struct store_reader *reader, const struct map *wanted, struct arena *arena,
          struct store_hit_groups *out, struct err *err)
{
    struct store_key *groups, *rules = NULL;
    size_t n_groups, n_rules, most = 0;
    if (store_list_groups(reader, arena, &groups, &n_groups, err) < 0)
        return -1;
    for (size_t i = 0; i < n_groups; i++) {
        size_t n_shared = 0;
        if (memcmp(&groups[i], &out->group, sizeof(out->group)) == 0)
            continue;
        if (read_group(reader, &groups[i], arena, &rules, &n_rules, err) < 0)
            return -1;
        for (size_t k = 0; k < n_rules; k++)
            n_shared += map_get(wanted, store_rule_hit_bytes(&rules[k])) != NULL;
        if (n_shared <= most)
            continue;
        most = n_shared;
        out->has_base = true;
        out->base = groups[i];
        out->base_rules = rules;
        out->n_base_rules = n_rules;
    }
    return 0;
}

int
store_begin_rules(struct store *store, struct store_writer *writer, const struct store_rule *rules,
                  size_t n_rules, struct arena *arena, struct store_hit_groups *out,
                  struct err *err)
{
    struct store_reader *reader = NULL;
    struct map wanted;
    *out = (struct store_hit_groups){.are_wanted = true};
    map_init(&wanted);
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < n_rules; i++)
        if (!map_put(&wanted, store_rule_hit_bytes(&rules[i].key), NULL))
            rc = err_nomem(err, "rules");
    if (rc == 0)
        rc = store_put_rules(writer, rules, n_rules, &out->group, err);
    if (rc == 0)
        rc = store_reader_open(store, &reader, err);
    if (rc == 0)
        rc = find_base(reader, &wanted, arena, out, err);
    store_reader_close(reader);
    map_clear(&wanted);
    return rc;
}

/* Reusing hits saves running rules but not parsing, so when facts are wanted all rules are run. */
static int
wants_hits(struct store_reader *reader, const struct oid *blob,
           const struct store_hit_groups *groups, bool wants_facts, struct err *err)
{
    enum store_outcome outcome = store_has_hits(reader, blob, &groups->group, err);
    if (outcome == STORE_FAILED)
        return -1;
    if (outcome == STORE_FOUND)
        return 0;
    if (!groups->has_base || wants_facts)
        return STORE_WANT_HITS;
    outcome = store_has_hits(reader, blob, &groups->base, err);
    if (outcome == STORE_FAILED)
        return -1;
    return outcome == STORE_FOUND ? STORE_WANT_FRESH_HITS : STORE_WANT_HITS;
}

int
store_wants(struct store_reader *reader, const struct oid *blob,
            const struct store_key *fingerprint, const struct store_hit_groups *groups,
            struct err *err)
{
    enum store_outcome outcome = store_has_facts(reader, blob, fingerprint, err);
    if (outcome == STORE_FAILED)
        return -1;
    int wants = outcome == STORE_FOUND ? 0 : STORE_WANT_FACTS;
    int hits = groups->are_wanted ? wants_hits(reader, blob, groups, wants != 0, err) : 0;
    return hits < 0 ? -1 : wants | hits;
}

enum store_outcome
store_get_base_hits(struct store_reader *reader, const struct oid *blob,
                    const struct store_hit_groups *groups, struct arena *arena, struct bytes *out,
                    struct err *err)
{
    enum store_outcome outcome = store_get_hits(reader, blob, &groups->base, arena, out, err);
    return outcome == STORE_FAILED && err->code == ERR_DAMAGED ? STORE_MISSING : outcome;
}
