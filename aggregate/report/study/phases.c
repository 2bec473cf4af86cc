/*
 * Phases of a trajectory of n checkpoints.
 *
 * The first checkpoint is Start and the last Final.  The m = n - 2 between them are split into
 * Early, Mid and Late; the papers do not say how, so there are several splits.  The released code
 * has five equal bins instead.
 */
#include "aggregate/report/study/phases.h"

#include <assert.h>
#include <stddef.h>

const char *
phase_name(enum phase phase)
{
    static const char *const names[PHASE_N] = {[PHASE_START] = "Start",
                                               [PHASE_EARLY] = "Early",
                                               [PHASE_MID] = "Mid",
                                               [PHASE_LATE] = "Late",
                                               [PHASE_FINAL] = "Final"};
    assert(phase < PHASE_N);
    return names[phase];
}

static const char *const split_names[] = {[SPLIT_CONTIGUOUS] = "contiguous",
                                          [SPLIT_CENTRES] = "centres",
                                          [SPLIT_POSITIONS] = "positions",
                                          [SPLIT_RELEASE] = "release"};

const char *
phase_split_name(enum phase_split split)
{
    return split_names[split];
}

int
phase_split_parse(struct bytes name, enum phase_split *out)
{
    for (size_t i = 0; i < sizeof(split_names) / sizeof(*split_names); i++)
        if (bytes_equal(name, bytes_of_text(split_names[i]))) {
            *out = (enum phase_split)i;
            return 0;
        }
    return -1;
}

/* Interior position K, from 0, of M: the first M % 3 groups have one more than M / 3. */
static enum phase
contiguous(uint32_t k, uint32_t m)
{
    uint32_t early = m / 3 + (m % 3 > 0);
    uint32_t mid = m / 3 + (m % 3 > 1);
    return k < early ? PHASE_EARLY : k < early + mid ? PHASE_MID : PHASE_LATE;
}

/* The third that the centre (K + 1/2) / M is in. */
static enum phase
by_centre(uint32_t k, uint32_t m)
{
    uint64_t third = 3 * (2 * (uint64_t)k + 1) / (2 * (uint64_t)m);
    return third == 0 ? PHASE_EARLY : third == 1 ? PHASE_MID : PHASE_LATE;
}

/* The third that (I - 1) / (N - 1) is in. */
static enum phase
by_position(uint32_t i, uint32_t n)
{
    uint64_t scaled = 3 * (uint64_t)(i - 1); /* position is scaled / (3 (n - 1)) */
    return scaled <= n - 1 ? PHASE_EARLY : scaled <= 2 * (uint64_t)(n - 1) ? PHASE_MID : PHASE_LATE;
}

enum phase
phase_of(enum phase_split split, uint32_t i, uint32_t n)
{
    assert(i >= 1 && i <= n);
    if (split == SPLIT_RELEASE)
        return (enum phase)((5 * (uint64_t)i + n - 1) / n - 1);
    if (i == 1)
        return PHASE_START;
    if (i == n)
        return PHASE_FINAL;
    switch (split) {
    case SPLIT_CENTRES:
        return by_centre(i - 2, n - 2);
    case SPLIT_POSITIONS:
        return by_position(i, n);
    case SPLIT_CONTIGUOUS:
    case SPLIT_RELEASE:
        break;
    }
    return contiguous(i - 2, n - 2);
}
