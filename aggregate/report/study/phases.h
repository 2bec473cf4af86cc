/*
 * Phases: which part of a trajectory a checkpoint is in.
 */
#ifndef STRATA_AGGREGATE_REPORT_STUDY_PHASES_H
#define STRATA_AGGREGATE_REPORT_STUDY_PHASES_H

#include <stdint.h>

#include "aggregate/report.h"

enum phase { PHASE_START, PHASE_EARLY, PHASE_MID, PHASE_LATE, PHASE_FINAL, PHASE_N };

/* "Start" and so on; static. */
const char *phase_name(enum phase phase);
/* The phase of checkpoint I of N by SPLIT; I is from 1 to N. */
enum phase phase_of(enum phase_split split, uint32_t i, uint32_t n);

#endif
