/*
 * Sampling and star tiers: defaults, limits, and the words that manifests, flags and reports use
 * for them.  The arrays of words are in the order of their enums.
 */
#include "manifests/manifests.h"

enum tier
tier_of_stars(int64_t stars)
{
    if (stars < 100)
        return TIER_HOBBY;
    if (stars < 1000)
        return TIER_NICHE;
    return stars < 10000 ? TIER_ESTABLISHED : TIER_MAJOR;
}

const char *
tier_name(enum tier tier)
{
    static const char *const names[TIER_N] = {"hobby", "niche", "established", "major"};
    return names[tier];
}

struct sampling
sampling_default(void)
{
    return (struct sampling){
        .n_commits = 30,
        .strategy = SAMPLING_RANDOM,
        .history = HISTORY_FIRST_PARENT,
        .seed = 0,
        .merges = true,
    };
}

static const char *const strategy_names[] = {"random", "even", "all"};
static const char *const history_names[] = {"first-parent", "all"};

const char *
sampling_strategy_name(enum sampling_strategy strategy)
{
    return strategy_names[strategy];
}

const char *
sampling_history_name(enum sampling_history history)
{
    return history_names[history];
}

int
sampling_strategy_parse(struct bytes word, enum sampling_strategy *out)
{
    for (unsigned i = SAMPLING_RANDOM; i <= SAMPLING_ALL; i++) {
        if (bytes_equal(word, bytes_of_text(strategy_names[i]))) {
            *out = (enum sampling_strategy)i;
            return 0;
        }
    }
    return -1;
}

int
sampling_history_parse(struct bytes word, enum sampling_history *out)
{
    for (unsigned i = HISTORY_FIRST_PARENT; i <= HISTORY_ALL; i++) {
        if (bytes_equal(word, bytes_of_text(history_names[i]))) {
            *out = (enum sampling_history)i;
            return 0;
        }
    }
    return -1;
}
