/*
 * Resolving a profile: names of counters and rules become indices, once per scorer.
 *
 * Cyclomatic complexity is base + the sum of weight * count over all counters.  If base and weights
 * are whole numbers below 2^16 the sum is computed in integers, without a branch; the result is the
 * same, as every partial sum is exact in a double too.
 */
#include "aggregate/score/scorer.h"

#include <assert.h>
#include <stdlib.h>

#include "aggregate/score/mass.h"
#include "base/num.h"

static bool
list_holds(const struct text_list *list, struct bytes text)
{
    for (size_t i = 0; i < list->n_items; i++)
        if (bytes_equal(list->items[i], text))
            return true;
    return false;
}

/* The weight that the profile gives COUNTER; 0 if it does not name it. */
static double
weight_of(const struct profile *profile, const char *counter)
{
    double weight = 0;
    for (size_t i = 0; i < profile->cc_weights.n_items; i++)
        if (bytes_equal(bytes_of_text(counter), profile->cc_weights.items[i].counter))
            weight = profile->cc_weights.items[i].weight;
    return weight;
}

static bool
is_counter(struct bytes name)
{
    for (int counter = 0; counter < COUNT_N; counter++)
        if (bytes_equal(bytes_of_text(counter_name((enum counter)counter)), name))
            return true;
    return false;
}

/* Is WEIGHT a whole number below 2^16, so that sums of it times 32-bit counts are exact?  Then *OUT
 * is that number. */
static bool
is_whole(double weight, uint32_t *out)
{
    *out = (uint32_t)num_clamp(weight, UINT16_MAX);
    return weight == *out;
}

static int
resolve_weights(struct scorer *scorer, struct err *err)
{
    const struct profile *profile = scorer->profile;
    for (size_t i = 0; i < profile->cc_weights.n_items; i++)
        if (!is_counter(profile->cc_weights.items[i].counter))
            return err_set(err, ERR_INPUT, "profile %.*s: no counter is named \"%.*s\"",
                           BYTES_ARG(profile->name),
                           BYTES_ARG(profile->cc_weights.items[i].counter));
    scorer->is_whole = is_whole(profile->cc_base, &scorer->whole_base);
    for (int counter = 0; counter < COUNT_N; counter++) {
        double weight = weight_of(profile, counter_name((enum counter)counter));
        if (weight == 0)
            continue;
        scorer->weights[scorer->n_weights].counter = (enum counter)counter;
        scorer->weights[scorer->n_weights++].weight = weight;
        scorer->is_whole = is_whole(weight, &scorer->whole[counter]) && scorer->is_whole;
    }
    return 0;
}

/* The selections of PROFILE, as bits of enum rule_selection. */
static unsigned
selection_bits(const struct profile *profile)
{
    static const unsigned bits[] = {[PROFILE_STRICT] = SELECTION_STRICT,
                                    [PROFILE_CALIBRATED] = SELECTION_CALIBRATED,
                                    [PROFILE_BOTH] = SELECTION_BOTH};
    return bits[profile->selection];
}

/* Do hits of RULE count under PROFILE? */
static bool
rule_counts(const struct profile *profile, const struct score_rule *rule)
{
    struct bytes severity = rule->severity.len ? rule->severity : BYTES("hint");
    if (!list_holds(&profile->severities, severity) || list_holds(&profile->rules_out, rule->id))
        return false;
    if (profile->rules_in.n_items)
        return list_holds(&profile->rules_in, rule->id);
    if (rule->selection != SELECTION_NONE && !(rule->selection & selection_bits(profile)))
        return false;
    return !rule->is_advice || profile->advice;
}

/* The first selection of PROFILE that none of RULES has while some have another; NULL.  A profile
 * that names the rules that count asks for no selection. */
static const char *
find_lacking(const struct profile *profile, const struct score_rule *rules, size_t n_rules)
{
    unsigned known = SELECTION_NONE;
    for (size_t i = 0; i < n_rules; i++)
        known |= rules[i].selection;
    unsigned lacking = selection_bits(profile) & ~known;
    if (known == SELECTION_NONE || lacking == SELECTION_NONE || profile->rules_in.n_items)
        return NULL;
    return rule_selection_name((enum rule_selection)lacking);
}

static int
resolve_rules(struct scorer *scorer, const struct score_rule *rules, size_t n_rules,
              struct err *err)
{
    scorer->has_rules = rules != NULL;
    if (n_rules == 0)
        return 0;
    scorer->rule_taken = calloc(n_rules, sizeof(*scorer->rule_taken));
    scorer->rule_of_function = calloc(n_rules, sizeof(*scorer->rule_of_function));
    scorer->rule_min_hits = calloc(n_rules, sizeof(*scorer->rule_min_hits));
    if (!scorer->rule_taken || !scorer->rule_of_function || !scorer->rule_min_hits)
        return err_nomem(err, "rules of a profile");
    scorer->n_rules = n_rules;
    scorer->lacking = find_lacking(scorer->profile, rules, n_rules);
    for (size_t i = 0; i < n_rules; i++) {
        scorer->rule_taken[i] = rule_counts(scorer->profile, &rules[i]);
        scorer->rule_of_function[i] = rules[i].is_of_function;
        scorer->rule_min_hits[i] = scorer->profile->min_file_count && rules[i].min_file_count > 1
                                       ? rules[i].min_file_count
                                       : 1;
    }
    return 0;
}

int
scorer_create(const struct profile *profile, const struct score_rule *rules, size_t n_rules,
              struct scorer **out, struct err *err)
{
    struct scorer *scorer = calloc(1, sizeof(*scorer));
    if (!scorer)
        return err_nomem(err, "scorer");
    scorer->profile = profile;
    scorer->fstring = profile->fstring_tokens == PROFILE_FSTRING_ONE ? FSTRING_ONE : FSTRING_PARTS;
    scorer->has_clones = profile->clones != PROFILE_CLONES_NONE;
    scorer->clones =
        profile->clones == PROFILE_CLONES_FUNCTION_BODY ? CLONE_FUNCTION_BODY : CLONE_SUBTREE;
    if (scorer->clones == CLONE_FUNCTION_BODY)
        scorer->clone_min_statements = profile->clone_min_statements;
    else
        scorer->clone_min_sloc = profile->clone_min_sloc;
    if (resolve_weights(scorer, err) < 0 || resolve_rules(scorer, rules, n_rules, err) < 0) {
        scorer_destroy(scorer);
        return -1;
    }
    *out = scorer;
    return 0;
}

void
scorer_destroy(struct scorer *scorer)
{
    if (!scorer)
        return;
    free(scorer->rule_taken);
    free(scorer->rule_of_function);
    free(scorer->rule_min_hits);
    free(scorer);
}

bool
scorer_takes_file(const struct scorer *scorer, const struct facts *facts)
{
    return facts->skipped == SKIP_NONE &&
           (!facts->has_error || scorer->profile->on_syntax_error == SYNTAX_ERROR_KEEP);
}

bool
scorer_takes_callable(const struct scorer *scorer, const struct callable *callable)
{
    return scorer->profile->callables == CALLABLES_ALL || (callable->flags & CALLABLE_REACHABLE);
}

bool
scorer_takes_rule(const struct scorer *scorer, uint32_t rule)
{
    return rule < scorer->n_rules && scorer->rule_taken[rule];
}

const char *
scorer_lacks_selection(const struct scorer *scorer)
{
    return scorer->lacking;
}

uint32_t
scorer_rule_run(const struct scorer *scorer, const struct hit_list *list, uint32_t from,
                bool *count)
{
    assert(from < list->n_hits);
    uint32_t rule = list->hits[from].rule;
    uint32_t end = from + 1;
    while (end < list->n_hits && list->hits[end].rule == rule)
        end++;
    *count = scorer_takes_rule(scorer, rule) && end - from >= scorer->rule_min_hits[rule];
    return end;
}

bool
scorer_takes_wrapper(const struct scorer *scorer, const struct callable *callable)
{
    return scorer->profile->trivial_wrapper && (callable->flags & CALLABLE_TRIVIAL_WRAPPER) &&
           scorer_takes_callable(scorer, callable);
}

/* Without branches: which candidates count has no pattern that a processor could predict. */
bool
scorer_takes_candidate(const struct scorer *scorer, const struct clone_candidate *candidate)
{
    return scorer->has_clones & (candidate->definition == scorer->clones) &
           (candidate->n_statements >= scorer->clone_min_statements) &
           (candidate->sloc[scorer->fstring] >= scorer->clone_min_sloc);
}

double
scorer_cc(const struct scorer *scorer, const struct callable *callable)
{
    const uint32_t *counts = scorer->profile->cc_nested ? callable->all : callable->own;
    if (scorer->is_whole) {
        uint64_t whole = scorer->whole_base;
        for (int counter = 0; counter < COUNT_N; counter++)
            whole += (uint64_t)scorer->whole[counter] * counts[counter];
        return (double)whole;
    }
    double cc = scorer->profile->cc_base;
    for (size_t i = 0; i < scorer->n_weights; i++)
        cc += scorer->weights[i].weight * counts[scorer->weights[i].counter];
    return cc;
}

double
scorer_size(const struct scorer *scorer, const struct callable *callable)
{
    uint32_t sloc =
        scorer->profile->sloc == SLOC_TEXT ? callable->text_lines : callable->sloc[scorer->fstring];
    return mass_of(1, sloc, scorer->profile->size_term);
}

double
scorer_mass(const struct scorer *scorer, const struct callable *callable, double complexity)
{
    return complexity * scorer_size(scorer, callable);
}
