/*
 * Run rules: the rules of a run put into its store.
 *
 * Mining and ingesting begin with this.  The rules become the newest group of the store.  Of the
 * earlier groups, the one that shares most rules with it becomes the base, whose hits are reused
 * for the rules that both have.
 */
#include "intake/intake.h"

int
run_rules_begin(struct run_rules *rules, const struct analyzer_options *analyzer,
                struct store *store, struct store_writer *writer, struct arena *arena,
                struct err *err)
{
    *rules = (struct run_rules){.reuse = NULL};
    if (!analyzer->rules)
        return 0;
    struct store_rule *stored = ruleset_store_rules(analyzer->rules, &analyzer->limits, arena);
    if (!stored)
        return err_nomem(err, "rules");
    struct store_hit_groups *groups = &rules->groups;
    if (store_begin_rules(store, writer, stored, ruleset_count(analyzer->rules), arena, groups,
                          err) < 0)
        return -1;
    return groups->has_base ? hit_reuse_create(analyzer->rules, stored, groups->base_rules,
                                               groups->n_base_rules, &rules->reuse, err)
                            : 0;
}

void
run_rules_end(struct run_rules *rules)
{
    hit_reuse_destroy(rules->reuse);
    rules->reuse = NULL;
}
