#include "miner/sample.h"

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
};

/* Does the commit touch source?  Unknown ones are noted. */
static int
test_commit(struct choice *choice, uint32_t index, bool *touches, struct err *err)
{
    const struct history_commit *commits = choice->history->commits;
    const struct history_commit *commit = &commits[index];
    enum touch touch = TOUCH_UNKNOWN;
    const char *reason = "its parents are not in this shallow clone, so what it changed is unknown";
    if (commit->n_parents == 0 || commit->first_parent != HISTORY_NO_PARENT) {
        const struct oid *old_tree =
            commit->n_parents ? &commits[commit->first_parent].tree : NULL;
        touch = compare_trees(choice->compare, old_tree, &commit->tree);
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

/* Test ORDER one by one and keep those that touch, in front, until WANTED are found. */
static int
test_in_order(struct choice *choice, uint32_t *order, size_t n, size_t wanted,
              struct sample_random *random, struct err *err)
{
    struct sample *out = choice->out;
    for (size_t i = 0; i < n && out->n_picks < wanted; i++) {
        if (stop_requested())
            return err_set(err, ERR_STOPPED, "stopped on request");
        if (random) {
            size_t j = i + (size_t)sample_random_below(random, n - i);
            uint32_t swapped = order[i];
            order[i] = order[j];
            order[j] = swapped;
        }
        bool touches;
        if (test_commit(choice, order[i], &touches, err) < 0)
            return -1;
        if (touches)
            order[out->n_picks++] = order[i]; /* what stood there was tested before */
    }
    return 0;
}

/* Oldest first: the history is newest first. */
static int
compare_picks(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* Of N picks, oldest first, keep WANTED at even distances, the first and the last among them. */
static void
thin_out(struct sample *sample, size_t wanted)
{
    size_t n = sample->n_picks;
    if (n <= wanted)
        return;
    for (size_t i = 0; i < wanted; i++)
        sample->picks[i] = wanted == 1 ? sample->picks[n - 1]
                                       : sample->picks[(uint64_t)i * (n - 1) / (wanted - 1)];
    sample->n_picks = wanted;
}

int
sample_choose(const struct sample_options *options, const struct history *history,
              const bool *leave_out, struct compare *compare, struct notes *notes,
              struct sample *out, struct err *err)
{
    const struct sampling *sampling = &options->sampling;
    struct choice choice = {options, history, compare, notes, out};
    *out = (struct sample){0};
    out->picks = reallocarray(NULL, history->n_commits + 1, sizeof(*out->picks));
    if (!out->picks)
        return err_nomem(err, "sample");
    for (uint32_t i = 0; i < history->n_commits; i++)
        if ((sampling->merges || history->commits[i].n_parents < 2) &&
            !(leave_out && leave_out[i]))
            out->picks[out->n_candidates++] = i;

    bool is_random = sampling->strategy == SAMPLING_RANDOM;
    struct sample_random random = {sampling->seed};
    size_t wanted = is_random ? sampling->n_commits : SIZE_MAX;
    int result = test_in_order(&choice, out->picks, out->n_candidates, wanted,
                               is_random ? &random : NULL, err);
    if (result < 0) {
        sample_clear(out);
        return -1;
    }
    qsort(out->picks, out->n_picks, sizeof(*out->picks), compare_picks);
    if (sampling->strategy == SAMPLING_EVEN)
        thin_out(out, sampling->n_commits);
    return 0;
}

void
sample_clear(struct sample *sample)
{
    free(sample->picks);
    *sample = (struct sample){0};
}
