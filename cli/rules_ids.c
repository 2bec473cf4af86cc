/*
 * A rule that was asked for and does not exist: the message names the rule with the most similar
 * id.
 *
 * Ids are compared by edit distance, bytewise; ids longer than ID_BYTES_MAX are never suggested.
 */
#include "cli/rules.h"

enum { ID_BYTES_MAX = 100 };

static size_t
least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The edit distance: how many bytes must be inserted, deleted or replaced to make A from B. */
static size_t
distance(struct bytes a, struct bytes b)
{
    size_t row[ID_BYTES_MAX + 1];
    for (size_t j = 0; j <= b.len; j++)
        row[j] = j;
    for (size_t i = 1; i <= a.len; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b.len; j++) {
            size_t changed = diagonal + (a.data[i - 1] != b.data[j - 1]);
            diagonal = row[j];
            row[j] = least(changed, least(row[j], row[j - 1]) + 1);
        }
    }
    return row[b.len];
}

/* The rule whose id is most similar to ID; NULL when none is similar. */
static const struct rule_info *
most_similar(const struct ruleset *rules, struct bytes id)
{
    const struct rule_info *found = NULL;
    size_t best = id.len < 6 ? 3 : id.len / 2;
    if (id.len > ID_BYTES_MAX)
        return NULL;
    for (uint32_t i = 0; i < ruleset_count(rules); i++) {
        const struct rule_info *rule = ruleset_rule(rules, i);
        if (rule->id.len > ID_BYTES_MAX)
            continue;
        bool is_part = id.len > 2 && memmem(rule->id.data, rule->id.len, id.data, id.len);
        size_t d = is_part ? 1 : distance(id, rule->id);
        if (d < best) {
            best = d;
            found = rule;
        }
    }
    return found;
}

int
cli_refuse_id(const struct ruleset *rules, const char *id, struct err *err)
{
    const struct rule_info *rule = most_similar(rules, bytes_of_text(id));
    if (rule)
        return err_set(err, ERR_INPUT,
                       "there is no rule \"%s\"; did you mean \"%.*s\"?  See: strata rules list",
                       id, BYTES_ARG(rule->id));
    return err_set(err, ERR_INPUT, "there is no rule \"%s\"; see: strata rules list", id);
}
