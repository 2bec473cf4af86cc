/*
 * Which profiles a store has the data for.
 *
 * Facts hold what any profile needs of a file, and hits what one group of rules found.  So the
 * answer depends only on which listed blobs have facts of this program's version, which have hits
 * of the newest group, and which rules that group has.
 */
#include <stdlib.h>

#include "aggregate/panel/scored_panel.h"
#include "aggregate/panel/panel_rules.h"
#include "aggregate/score/scorer.h"

/* The number of listed blobs without a value in the set KEY. */
static uint64_t
count_without(const struct store_info *info, const struct store_set_info *sets, size_t n_sets,
              const struct store_key *key)
{
    uint64_t n_with = 0;
    for (size_t i = 0; i < n_sets; i++)
        if (memcmp(&sets[i].key, key, sizeof(*key)) == 0)
            n_with = sets[i].n_listed;
    return info->n_listed_blobs - n_with;
}

/* Why the facts do not suffice, in ARENA, or NULL. */
static const char *
judge_facts(const struct store_info *info, const struct store_key *facts, struct arena *arena)
{
    uint64_t n_without = count_without(info, info->facts, info->n_facts, facts);
    if (n_without == 0)
        return NULL;
    return arena_format(arena, "%llu of %llu listed blobs have no facts of this program's version",
                        (unsigned long long)n_without, (unsigned long long)info->n_listed_blobs);
}

/* A reason that names the first rule of PROFILE that was not run, or NULL. */
static const char *
judge_names(const struct panel_rules *rules, const struct profile *profile, struct arena *arena)
{
    const struct bytes *unknown = panel_rules_unknown(rules, &profile->rules_in);
    if (!unknown)
        unknown = panel_rules_unknown(rules, &profile->rules_out);
    return unknown ? arena_format(arena, "it names the rule \"%.*s\", which was not run",
                                  BYTES_ARG(*unknown))
                   : NULL;
}

/* Why the hits do not suffice, or NULL. */
static const char *
judge_hits(const struct store_info *info, const struct panel_rules *rules,
           const struct profile *profile, struct arena *arena)
{
    if (!rules->has_group)
        return "no rules were run, and it counts their hits";
    uint64_t n_without = count_without(info, info->hits, info->n_hits, &rules->group);
    if (n_without == 0)
        return judge_names(rules, profile, arena);
    return arena_format(arena, "%llu of %llu listed blobs have no hits of the newest rules",
                        (unsigned long long)n_without, (unsigned long long)info->n_listed_blobs);
}

/* Ask a scorer of PROFILE how many rules count, and whether those of a selection are missing. */
static int
judge_rules(const struct panel_rules *rules, const struct profile *profile, struct arena *arena,
            struct profile_answer *out, struct err *err)
{
    struct scorer *scorer;
    if (!profile->part_rules)
        return 0;
    if (panel_scorer(rules, profile, &scorer, NULL, err) < 0)
        return -1;
    for (size_t i = 0; i < scorer->n_rules; i++)
        out->n_rules += scorer->rule_taken[i];
    const char *lacking = scorer_lacks_selection(scorer);
    if (!out->why_not && lacking)
        out->why_not = arena_format(
            arena, "no %s rules were run, and it counts their hits; mine again to run them",
            lacking);
    scorer_destroy(scorer);
    return 0;
}

int
profile_look_up(struct store *store, const struct store_info *info, const struct profile *profile,
                struct arena *arena, struct profile_answer *out, struct err *err)
{
    struct panel_rules rules;
    struct store_reader *reader;
    struct store_key facts;
    struct err why;
    *out = (struct profile_answer){0};
    if (store_reader_open(store, &reader, err) < 0)
        return -1;
    int chosen = panel_choose_facts(reader, arena, &facts, &why);
    store_reader_close(reader);
    if (chosen == 0 && panel_rules_open(store, BYTES(""), arena, &rules, &why) == 0) {
        out->why_not = judge_facts(info, &facts, arena);
        if (!out->why_not && profile->part_rules)
            out->why_not = judge_hits(info, &rules, profile, arena);
        return judge_rules(&rules, profile, arena, out, err);
    }
    if (why.code != ERR_INPUT && why.code != ERR_DAMAGED)
        return err_set(err, why.code, "%s", why.text);
    out->why_not = arena_format(arena, "%s", why.text);
    return out->why_not ? 0 : err_nomem(err, "profiles");
}
