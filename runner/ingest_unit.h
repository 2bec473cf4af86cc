/*
 * Ingest unit: one tree of one checkpoint, read and analysed by one thread.
 *
 * Threads: the context is shared, a worker and the unit it reads belong to one thread.
 */
#ifndef STRATA_RUNNER_INGEST_UNIT_H
#define STRATA_RUNNER_INGEST_UNIT_H

#include <pthread.h>

#include "base/map.h"
#include "runner/read/run.h"
#include "runner/runner.h"

/* What all threads share. */
struct ingest_context {
    const struct runner_ingest_options *options;
    struct store *store;
    struct store_key facts; /* fingerprint */
    struct run_rules rules;
    pthread_mutex_t mutex;
    /* guarded by mutex: blobs that a thread took on, and what came of it */
    struct map claimed;
};

enum { INGEST_BLOB_TAKEN, INGEST_BLOB_LOST }; /* LOST: it could not be read */

/* What one thread reads and analyses with. */
struct ingest_worker {
    struct ingest_context *context;
    struct source *source;
    struct store_reader *reader;
    struct blob_encoder *encoder;
    struct buf content;   /* of a file */
    struct arena scratch; /* for hits taken over */
};

/* Open PLACE (borrowed) and a reader of the store.  Call ingest_worker_clear in any case, also
 * after an error. */
int ingest_worker_init(struct ingest_worker *worker, struct ingest_context *context,
                       const struct source_place *place, struct err *err);
/* Close what WORKER has open and free its memory. */
void ingest_worker_clear(struct ingest_worker *worker);

struct ingest_blob {
    struct oid id;
    struct encoded_blob made; /* what the store lacked of it */
    size_t at;                /* of its bytes in encoded */
};

struct ingest_unit {
    /* what to read */
    const struct run *run;
    const struct run_problem *problem;
    const struct run_checkpoint *checkpoint;
    bool after_step; /* the tree after the extra step */

    /* what was found */
    bool is_read;
    bool has_tree;
    struct store_file *files; /* in bytewise order of paths; those with facts */
    size_t n_files;
    struct buf record; /* made from files, without deltas; empty if the run has one */
    struct notes notes;
    struct ingest_blob *blobs; /* analysed here */
    size_t n_blobs;
    struct buf encoded;
    uint64_t n_bytes;         /* of source in blobs */
    struct store_key listing; /* set by ingest_put_trees */
    struct arena arena;
};

/* An empty unit; its run, problem and checkpoint are the caller's to set. */
void ingest_unit_init(struct ingest_unit *unit);
/* Free the memory of UNIT. */
void ingest_unit_clear(struct ingest_unit *unit);
/* Free the encoded results, once they are written. */
void ingest_unit_release_facts(struct ingest_unit *unit);
/* Read and analyse the tree of UNIT.  What cannot be used is in its notes.  ERR_NOMEM, ERR_STOPPED,
 * or an error of the store. */
int ingest_unit_read(struct ingest_unit *unit, struct ingest_worker *worker, struct err *err);

#endif
