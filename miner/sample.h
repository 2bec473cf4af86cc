/*
 * Sample: which commits of a history become checkpoints.
 *
 * Only commits that touch source, compared with their first parent, are sampled.  Random sampling
 * tests commits in the order of a seeded permutation until enough are found: a uniform sample
 * without comparing every tree. The other strategies compare every tree.
 */
#ifndef STRATA_MINER_SAMPLE_H
#define STRATA_MINER_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "manifests/manifests.h"
#include "miner/compare.h"
#include "git/history.h"
#include "intake/notes.h"

/*
 * The generator is SplitMix64: each draw adds 0x9E3779B97F4A7C15 to the state, which starts as the
 * seed, and mixes a copy of it (shift 30, times 0xBF58476D1CE4E5B9, shift 27, times
 * 0x94D049BB133111EB, shift 31).  A number below N is a draw modulo N; draws below 2^64 mod N are
 * rejected.  The permutation is the forward Fisher-Yates shuffle: for I from 0 on, the item at I is
 * swapped with the item at I plus a number below (n - I).
 */
struct sample_random {
    uint64_t state;
};

/* The next 64 bits of RANDOM. */
uint64_t sample_random_next(struct sample_random *random);
/* A uniformly distributed number below N, which is at least 1. */
uint64_t sample_random_below(struct sample_random *random, uint64_t n);

struct sample_options {
    struct sampling sampling;
    bool content_only; /* a change of modes alone does not touch source */
};

struct sample {
    struct oid *picks; /* commits, oldest first */
    size_t n_picks;
    size_t n_candidates; /* commits that could have been tested */
    size_t n_tested;
    size_t n_touching;  /* of the tested */
    size_t n_mode_only; /* of the touching: by a mode alone */
    size_t n_unknown;   /* of the tested; each is in the notes */
};

/*
 * Choose commits from HISTORY.  LEAVE_OUT (may be NULL) has a bool for each commit, from the
 * newest: those for which it is true are not candidates.  Commits of which it is unknown whether
 * they touch source are not picked and go into NOTES.  *OUT is the caller's, to sample_clear.  0,
 * or -1: ERR_NOMEM, ERR_IO, ERR_STOPPED.
 */
int sample_choose(const struct sample_options *options, const struct history *history,
                  const struct spill *leave_out, struct compare *compare, struct notes *notes,
                  struct sample *out, struct err *err);
/* Free the picks of SAMPLE. */
void sample_clear(struct sample *sample);

#endif
