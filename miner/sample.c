/*
 * Sampling.
 *
 * Random sampling draws candidates one by one (a Fisher-Yates shuffle that stops early) and
 * compares their trees until enough commits that touch source are found.  Even sampling and "all"
 * compare every candidate. Lists of a history may be longer than memory allows, so they are in
 * spills (a bounded buffer and a file). Invariant: order[0, n_found) are the candidates found,
 * order[0, i) were tested.
 */
#include "miner/sample.h"

#include <assert.h>
#include <stdlib.h>

#include "base/stop.h"

uint64_t
sample_random_next(struct sample_random *random)
{
    uint64_t z = random->state += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

uint64_t
sample_random_below(struct sample_random *random, uint64_t n)
{
    uint64_t unfair = (0 - n) % n; /* 2^64 mod n */
    uint64_t draw;
    do
        draw = sample_random_next(random);
    while (draw < unfair);
    return draw % n;
}

struct choice {
    const struct sample_options *options;
    const struct history *history;
    struct compare *compare;
    struct notes *notes;
    struct sample *out;
    /* uint32_t: places of candidates in the history, tested from the first on.  Those that touch
     * source are moved to the front: [0, n_found). */
    struct spill order;
    size_t n_found;
};

/* Set *TOUCHES if COMMIT touches source.  If that is unknown, it does not, and there is a note. */
static int
test_commit(struct choice *choice, const struct history_commit *commit, bool *touches,
            struct err *err)
{
    enum touch touch = TOUCH_UNKNOWN;
    const char *reason = "its parents are not in this shallow clone, so what it changed is unknown";
    bool has_parent = commit->first_parent != HISTORY_NO_PARENT;
    if (has_parent || commit->n_parents == 0) {
        struct history_commit parent;
        if (has_parent && history_get(choice->history, commit->first_parent, &parent, err) < 0)
            return -1;
        touch = compare_trees(choice->compare, has_parent ? &parent.tree : NULL, &commit->tree);
        reason = choice->compare->reason;
    }
    choice->out->n_tested++;
    *touches = touch == TOUCH_CONTENT || (touch == TOUCH_MODE && !choice->options->content_only);
    choice->out->n_touching += *touches;
    choice->out->n_mode_only += *touches && touch == TOUCH_MODE;
    if (touch != TOUCH_UNKNOWN)
        return 0;
    choice->out->n_unknown++;
    char hex[OID_HEX_SIZE];
    return notes_add(choice->notes, bytes_of_text(oid_to_hex(&commit->id, hex)), reason, err);
}

/* Make *OUT the candidate I; with RANDOM one is drawn from [I, n) and swapped with I. */
static int
next_candidate(struct choice *choice, size_t i, struct sample_random *random, uint32_t *out,
               struct err *err)
{
    if (spill_get(&choice->order, i, out, err) < 0)
        return -1;
    if (!random)
        return 0;
    uint32_t swapped = *out;
    size_t j = i + (size_t)sample_random_below(random, choice->order.n_items - i);
    assert(i <= j && j < choice->order.n_items);
    return spill_get(&choice->order, j, out, err) < 0 ? -1
                                                      : spill_put(&choice->order, j, &swapped, err);
}

/* Test candidates one by one until WANTED are found. */
static int
test_in_order(struct choice *choice, size_t wanted, struct sample_random *random, struct err *err)
{
    for (size_t i = 0; i < choice->order.n_items && choice->n_found < wanted; i++) {
        struct history_commit commit;
        uint32_t place;
        bool touches;
        if (stop_requested())
            return err_set(err, ERR_STOPPED, "stopped on request");
        if (next_candidate(choice, i, random, &place, err) < 0 ||
            history_get(choice->history, place, &commit, err) < 0 ||
            test_commit(choice, &commit, &touches, err) < 0)
            return -1;
        /* The one that was there was tested before. */
        assert(choice->n_found <= i);
        if (touches && spill_put(&choice->order, choice->n_found++, &place, err) < 0)
            return -1;
    }
    return 0;
}

static int
list_candidates(struct choice *choice, const struct spill *leave_out, struct err *err)
{
    bool takes_merges = choice->options->sampling.merges;
    for (uint32_t i = 0; i < choice->history->n_commits; i++) {
        struct history_commit commit;
        bool is_left_out = false;
        if (history_get(choice->history, i, &commit, err) < 0 ||
            (leave_out && spill_get(leave_out, i, &is_left_out, err) < 0))
            return -1;
        if ((takes_merges || commit.n_parents < 2) && !is_left_out &&
            spill_add(&choice->order, &i, err) < 0)
            return -1;
    }
    choice->out->n_candidates = choice->order.n_items;
    return 0;
}

/* ---- What was found, oldest first ---------------------------------------------------------- */

/* The history is newest first. */
static int
compare_places(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* Which of N found, counted from the oldest, is pick I of WANTED: evenly spaced, with the first and
 * the last. */
static size_t
rank_of_pick(size_t i, size_t n, size_t wanted)
{
    return n <= wanted ? i : wanted == 1 ? n - 1 : (size_t)((uint64_t)i * (n - 1) / (wanted - 1));
}

/* Set PLACES to the places of the N_PICKS picks in the history, oldest first. */
static int
collect_places(struct choice *choice, uint32_t *places, size_t n_picks, struct err *err)
{
    bool is_random = choice->options->sampling.strategy == SAMPLING_RANDOM;
    for (size_t i = 0; i < n_picks; i++) {
        size_t rank = rank_of_pick(i, choice->n_found, n_picks);
        if (spill_get(&choice->order, choice->n_found - 1 - rank, &places[i], err) < 0)
            return -1;
    }
    if (is_random)
        qsort(places, n_picks, sizeof(*places), compare_places);
    return 0;
}

static int
collect(struct choice *choice, struct err *err)
{
    const struct sampling *sampling = &choice->options->sampling;
    struct sample *out = choice->out;
    size_t n = choice->n_found;
    if (sampling->strategy == SAMPLING_EVEN && n > sampling->n_commits)
        n = sampling->n_commits;
    uint32_t *places = reallocarray(NULL, n + 1, sizeof(*places));
    out->picks = reallocarray(NULL, n + 1, sizeof(*out->picks));
    int rc =
        places && out->picks ? collect_places(choice, places, n, err) : err_nomem(err, "sample");
    for (size_t i = 0; rc == 0 && i < n; i++) {
        struct history_commit commit;
        rc = history_get(choice->history, places[i], &commit, err);
        out->picks[i] = commit.id;
    }
    out->n_picks = n;
    free(places);
    return rc;
}

int
sample_choose(const struct sample_options *options, const struct history *history,
              const struct spill *leave_out, struct compare *compare, struct notes *notes,
              struct sample *out, struct err *err)
{
    const struct sampling *sampling = &options->sampling;
    struct choice choice = {options, history, compare, notes, out, {0}, 0};
    bool is_random = sampling->strategy == SAMPLING_RANDOM;
    struct sample_random random = {sampling->seed};
    *out = (struct sample){0};
    spill_init(&choice.order, sizeof(uint32_t));
    int rc = list_candidates(&choice, leave_out, err);
    if (rc == 0)
        rc = test_in_order(&choice, is_random ? sampling->n_commits : SIZE_MAX,
                           is_random ? &random : NULL, err);
    if (rc == 0)
        rc = collect(&choice, err);
    spill_clear(&choice.order);
    if (rc < 0)
        sample_clear(out);
    return rc;
}

void
sample_clear(struct sample *sample)
{
    free(sample->picks);
    *sample = (struct sample){0};
}
