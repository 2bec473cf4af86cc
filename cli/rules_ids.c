#include "cli/rules.h"

enum { ID_BYTES_MAX = 100 };

static size_t
least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* How many bytes must be put in, taken out or changed to make A of B. */
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

/* The rule whose id is most like ID; NULL when none is like it. */
static const struct rule_info *
most_alike(const struct ruleset *rules, struct bytes id)
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
    const struct rule_info *rule = most_alike(rules, bytes_of_text(id));
    if (rule)
        return err_set(err, ERR_INPUT,
                       "no rule \"%s\"; did you mean \"%.*s\"?  See: strata rules "
                       "list",
                       id, BYTES_ARG(rule->id));
    return err_set(err, ERR_INPUT, "no rule \"%s\"; see: strata rules list", id);
}
