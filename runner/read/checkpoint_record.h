/*
 * Checkpoint record: the flat object that SlopCodeBench writes into checkpoint_results.jsonl, made
 * again from the files of a checkpoint's folder for runs that have no such line.
 *
 * Keys, their order and every number are as the benchmark writes them, with one difference: a value
 * that comes from a missing file is left out, where the benchmark writes 0.
 */
#ifndef STRATA_RUNNER_READ_CHECKPOINT_RECORD_H
#define STRATA_RUNNER_READ_CHECKPOINT_RECORD_H

#include "base/buf.h"
#include "runner/read/run.h"
#include "runner/read/run_text.h"

/* What the record is about: its first keys. */
struct record_subject {
    struct bytes path;
    const struct run_problem *problem;
    const struct run_checkpoint *checkpoint;
};

/*
 * Append the record of the checkpoint whose files are in FOLDER to OUT, without its deltas.  A file
 * that cannot be used gets a note and counts as missing.  ERR_NOMEM, ERR_STOPPED.
 */
int checkpoint_record_write(const struct run_folder *folder, const struct record_subject *subject,
                            struct buf *out, struct err *err);
/* Add the deltas from BEFORE, the record of the checkpoint before, to the complete record RECORD.
 * ERR_INPUT: one of them is not a record; ERR_NOMEM. */
int checkpoint_record_add_deltas(struct bytes before, struct buf *record, struct err *err);
/* The time when the checkpoint of RECORD ended, or else started, in seconds since 1970.  0, or -1
 * when it has neither. */
int checkpoint_record_time(struct bytes record, int64_t *out_s);

#endif
