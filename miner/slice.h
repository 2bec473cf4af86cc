/*
 * Slice: some blobs of a job, which one thread reads and analyses.
 */
#ifndef STRATA_MINER_SLICE_H
#define STRATA_MINER_SLICE_H

#include <stddef.h>
#include <stdint.h>

#include "analyzer/analyzer.h"
#include "intake/intake.h"
#include "base/buf.h"
#include "base/err.h"
#include "miner/job.h"
#include "store/store.h"

struct slice_item {
    uint32_t blob;               /* index into the plan's blobs */
    struct encoded_blob encoded; /* its bytes are the next ones of the result */
};

/* What is to be written for one slice.  The planner's own result has no items. */
struct slice_result {
    struct slice_result *next;
    struct job *job;
    struct slice_item *items;
    size_t n_items;
    struct buf bytes; /* of the items, one after the other */
    uint64_t n_source_bytes;
};

/* Create an empty result of JOB for up to N_ITEMS items.  NULL when memory is out. */
struct slice_result *slice_result_create(struct job *job, size_t n_items);
/* Free RESULT.  NULL is fine. */
void slice_result_destroy(struct slice_result *result);
/* The bytes that RESULT takes. */
size_t slice_result_size(const struct slice_result *result);

/* What one thread analyses with; {0} at first. */
struct slice_worker {
    struct blob_encoder *encoder; /* made when needed */
    struct store_reader *reader;  /* for earlier hits; open during a slice */
    struct arena scratch;
};

/* Free what WORKER made. */
void slice_worker_clear(struct slice_worker *worker);

/*
 * Analyse slice INDEX of RESULT's job into RESULT.  A blob that cannot be read has its problem set
 * and gets no item.  0, or -1: the run must end.
 */
int slice_analyse(struct slice_result *result, size_t index, size_t member,
                  struct slice_worker *worker, struct err *err);
/* For member 0: put what RESULT has.  0, or -1. */
int slice_write(const struct slice_result *result, struct store_writer *writer, struct err *err);

#endif
