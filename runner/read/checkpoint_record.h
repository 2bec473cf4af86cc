/*
 * Checkpoint record: the flat object that SlopCodeBench writes into checkpoint_results.jsonl, made
 * again from the files of a checkpoint's folder for runs that have no such line.
 *
 * Keys, their order and every number are as the benchmark writes them, with one difference: what
 * would have to be read from a file that is not there is left out, never zero.
 */
#ifndef STRATA_RUNNER_READ_CHECKPOINT_RECORD_H
#define STRATA_RUNNER_READ_CHECKPOINT_RECORD_H

#include "base/buf.h"
#include "runner/read/run.h"
#include "runner/read/run_text.h"

/* Who the record is of, as its first keys say. */
struct record_subject {
    struct bytes path;
    const struct run_problem *problem;
    const struct run_checkpoint *checkpoint;
};

/*
 * Append the record of the checkpoint whose files are in FOLDER to OUT, without its deltas.  A file
 * that is there and cannot be used gets a note and counts as missing.
 */
int checkpoint_record_write(const struct run_folder *folder, const struct record_subject *subject,
                            struct buf *out, struct err *err);
/*
 * Put the deltas from the record before, BEFORE, into the complete record RECORD.
 */
int checkpoint_record_add_deltas(struct bytes before, struct buf *record, struct err *err);
/* When the checkpoint of RECORD ended, or else started, in seconds since 1970.  0, or -1. */
int checkpoint_record_time(struct bytes record, int64_t *out_s);

#endif
