/*
 * A run: threads, called members, pick tasks until none is left.
 *
 *   begin and plan a repository -> analyse slices of its new blobs -> write their results
 *
 * 1. Member 0 is the caller's thread and alone uses the store's writer.  With one job it does
 * everything and there is no other thread.
 * 2. Member 0 prefers to write.  The others prefer to begin a repository while fewer than
 * in_flight_max are under way, so that the walk of one overlaps the analysis of another; then all
 * analyse the next slice of the oldest repository.
 * 3. Memory is bounded by admission: a slice is started only while the results that wait to be
 * written stay below their share, and while what is being parsed fits, or nothing is being parsed.
 * 4. Facts are stored under the name of their content, and checkpoints are put in order when a
 * whole batch is there, so the store does not depend on which member did what, or when.
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/stop.h"
#include "base/thread_pool.h"
#include "miner/job.h"
#include "miner/miner.h"
#include "miner/params.h"
#include "miner/slice.h"

enum {
    IN_FLIGHT_MAX = 4, /* repositories under way: one is walked while the others keep all busy */
    PARSE_COST = 110   /* bytes of memory for a byte of source (benchmarks/README.md) */
};

struct run {
    struct job_context context;
    const struct miner_repository *repositories;
    size_t n_repositories;
    struct miner_result *results;
    struct store_writer *writer; /* member 0's */
    struct arena arena;          /* of what the context says of rules */
    size_t in_flight_max;
    size_t waiting_max_bytes;
    uint64_t commit_bytes;
    uint64_t parsing_max_bytes;

    pthread_mutex_t mutex;
    pthread_cond_t changed;
    /* guarded by mutex */
    struct job **jobs; /* under way, oldest first; [0, n_jobs) */
    size_t n_jobs;
    size_t n_others; /* members that have begun, without the writer */
    size_t next_repository;
    struct slice_result *first, *last; /* waiting to be written */
    size_t waiting_bytes;
    uint64_t parsing_bytes; /* the largest blob of each slice being analysed */
    bool is_over;           /* failed or stopped: no task is started */
    struct err first_error; /* code ERR_NONE while there is none */
};

enum task_kind { TASK_WRITE, TASK_PLAN, TASK_ANALYSE };

struct task {
    enum task_kind kind;
    struct job *job;
    bool is_begun;               /* TASK_PLAN: its commits are chosen already */
    size_t slice;                /* TASK_ANALYSE */
    struct slice_result *result; /* TASK_WRITE */
};

/* ---- Picking, under the mutex -------------------------------------------------------------- */

static void
give_up(struct run *run, const struct err *err)
{
    if (run->first_error.code == ERR_NONE)
        run->first_error = *err;
    run->is_over = true;
}

static struct slice_result *
take_result(struct run *run)
{
    struct slice_result *result = run->first;
    if (!result)
        return NULL;
    run->first = result->next;
    if (!run->first)
        run->last = NULL;
    assert(run->waiting_bytes >= slice_result_size(result));
    run->waiting_bytes -= slice_result_size(result);
    return result;
}

static bool
pick_write(struct run *run, struct task *task)
{
    struct slice_result *result = take_result(run);
    if (!result)
        return false;
    *task = (struct task){.kind = TASK_WRITE, .job = result->job, .result = result};
    return true;
}

static bool
pick_next_batch(struct run *run, struct task *task)
{
    for (size_t i = 0; i < run->n_jobs; i++) {
        struct job *job = run->jobs[i];
        if (!job->wants_plan)
            continue;
        job->wants_plan = false;
        *task = (struct task){.kind = TASK_PLAN, .job = job, .is_begun = true};
        return true;
    }
    return false;
}

static bool
pick_repository(struct run *run, struct task *task)
{
    size_t next = run->next_repository;
    struct job *job;
    struct err err;
    if (next == run->n_repositories || run->n_jobs == run->in_flight_max)
        return false;
    if (job_create(&run->context, &run->repositories[next], &run->results[next], &job, &err) < 0) {
        give_up(run, &err);
        return false;
    }
    run->next_repository++;
    assert(run->n_jobs < run->in_flight_max);
    run->jobs[run->n_jobs++] = job;
    *task = (struct task){.kind = TASK_PLAN, .job = job};
    return true;
}

static bool
pick_slice(struct run *run, struct task *task)
{
    if (run->waiting_bytes > run->waiting_max_bytes)
        return false;
    for (size_t i = 0; i < run->n_jobs; i++) {
        struct job *job = run->jobs[i];
        assert(job->next_slice <= job->n_slices);
        if (job->next_slice == job->n_slices)
            continue;
        uint64_t bytes = job->plan.slices[job->next_slice].largest_bytes;
        if (run->parsing_bytes > 0 && run->parsing_bytes + bytes > run->parsing_max_bytes)
            return false;
        run->parsing_bytes += bytes;
        *task = (struct task){.kind = TASK_ANALYSE, .job = job, .slice = job->next_slice++};
        return true;
    }
    return false;
}

static bool
pick(struct run *run, size_t member, struct task *task)
{
    bool is_writer = member == 0;
    if (is_writer && pick_write(run, task))
        return true;
    /* Planning can take long, and results would wait for the writer meanwhile.  It plans only while
     * no other member runs, such as when the system refused to start one. */
    if ((!is_writer || run->n_others == 0) &&
        (pick_next_batch(run, task) || pick_repository(run, task)))
        return true;
    return pick_slice(run, task);
}

/* Wait for a task.  False: there will not be one any more. */
static bool
next_task(struct run *run, size_t member, struct task *task)
{
    bool found = false;
    pthread_mutex_lock(&run->mutex);
    for (;;) {
        run->is_over |= stop_requested();
        bool all_done = run->next_repository == run->n_repositories && run->n_jobs == 0;
        if (run->is_over || all_done)
            break;
        found = pick(run, member, task);
        if (found)
            break;
        pthread_cond_wait(&run->changed, &run->mutex);
    }
    pthread_cond_broadcast(&run->changed);
    pthread_mutex_unlock(&run->mutex);
    return found;
}

/* ---- Doing --------------------------------------------------------------------------------- */

static void
hand_over(struct run *run, struct slice_result *result)
{
    if (run->last)
        run->last->next = result;
    else
        run->first = result;
    run->last = result;
    run->waiting_bytes += slice_result_size(result);
}

static int
plan(struct run *run, const struct task *task, size_t member, struct err *err)
{
    struct job *job = task->job;
    if (!task->is_begun && job_begin(job, member, err) < 0)
        return -1;
    if (!job_is_settled(job) && job_plan(job, member, err) < 0)
        return -1;
    struct slice_result *token = slice_result_create(job, 0);
    if (!token)
        return err_nomem(err, "plan");
    pthread_mutex_lock(&run->mutex);
    job->next_slice = 0;
    job->n_slices = job->plan.n_slices;
    job->n_unwritten = job->n_slices + 1;
    hand_over(run, token);
    pthread_cond_broadcast(&run->changed);
    pthread_mutex_unlock(&run->mutex);
    return 0;
}

static int
analyse(struct run *run, const struct task *task, size_t member, struct slice_worker *worker,
        struct err *err)
{
    const struct plan_slice *slice = &task->job->plan.slices[task->slice];
    uint64_t parsed_bytes = slice->largest_bytes;
    struct slice_result *result = slice_result_create(task->job, slice->n_blobs);
    if (!result)
        return err_nomem(err, "results");
    int rc = slice_analyse(result, task->slice, member, worker, err);
    pthread_mutex_lock(&run->mutex);
    assert(run->parsing_bytes >= parsed_bytes);
    run->parsing_bytes -= parsed_bytes;
    if (rc == 0)
        hand_over(run, result);
    pthread_cond_broadcast(&run->changed);
    pthread_mutex_unlock(&run->mutex);
    if (rc < 0)
        slice_result_destroy(result);
    return rc;
}

/* All results of the batch of JOB were put: put its checkpoints. */
static int
close_batch(struct run *run, struct job *job, struct err *err)
{
    if (job_write_batch(job, run->writer, err) < 0)
        return -1;
    bool goes_on = !job_is_settled(job) && job_has_more(job);
    if (!goes_on && job_end(job, run->writer, err) < 0)
        return -1;
    /* The next plan asks the store what it has, so this batch must be committed. */
    if (goes_on && store_writer_commit(run->writer, err) < 0)
        return -1;
    pthread_mutex_lock(&run->mutex);
    job->wants_plan = goes_on;
    size_t n_done = run->next_repository - run->n_jobs + 1;
    for (size_t i = 0, n = 0; !goes_on && i < run->n_jobs; i++)
        if (run->jobs[i] != job)
            run->jobs[n++] = run->jobs[i];
    run->n_jobs -= !goes_on;
    pthread_cond_broadcast(&run->changed);
    pthread_mutex_unlock(&run->mutex);
    if (goes_on)
        return 0;
    job_destroy(job);
    progress_set_outer(run->context.options->progress, "repositories", n_done, run->n_repositories);
    return 0;
}

static int
write_result(struct run *run, struct slice_result *result, struct err *err)
{
    struct job *job = result->job;
    assert(job->n_unwritten > 0);
    int rc = job_announce(job, run->writer, err);
    if (rc == 0)
        rc = slice_write(result, run->writer, err);
    slice_result_destroy(result);
    if (rc == 0 && store_writer_pending_bytes(run->writer) >= run->commit_bytes)
        rc = store_writer_commit(run->writer, err);
    if (rc < 0 || --job->n_unwritten > 0)
        return rc;
    return close_batch(run, job, err);
}

static int
do_task(struct run *run, const struct task *task, size_t member, struct slice_worker *worker,
        struct err *err)
{
    switch (task->kind) {
    case TASK_WRITE:
        return write_result(run, task->result, err);
    case TASK_PLAN:
        return plan(run, task, member, err);
    case TASK_ANALYSE:
        break;
    }
    return analyse(run, task, member, worker, err);
}

static void
member_main(void *shared, size_t member)
{
    struct run *run = shared;
    struct slice_worker worker = {0};
    struct task task;
    struct err err;
    if (member > 0) {
        pthread_mutex_lock(&run->mutex);
        run->n_others++;
        pthread_mutex_unlock(&run->mutex);
    }
    while (next_task(run, member, &task)) {
        if (do_task(run, &task, member, &worker, &err) == 0)
            continue;
        pthread_mutex_lock(&run->mutex);
        give_up(run, &err);
        pthread_cond_broadcast(&run->changed);
        pthread_mutex_unlock(&run->mutex);
    }
    slice_worker_clear(&worker);
}

/* ---- The run ------------------------------------------------------------------------------- */

/* Write what was waiting when the run was stopped.  A run that failed writes nothing more. */
static int
drain(struct run *run, struct err *err)
{
    int rc = run->first_error.code == ERR_NONE || run->first_error.code == ERR_STOPPED ? 0 : -1;
    struct slice_result *result;
    while ((result = take_result(run)) != NULL) {
        if (rc == 0)
            rc = write_result(run, result, err);
        else
            slice_result_destroy(result);
    }
    return rc;
}

static int
run_members(struct run *run, struct err *err)
{
    thread_pool_run(run->context.n_members, member_main, run);
    bool is_stopped = stop_requested() && run->first_error.code == ERR_NONE;
    if (drain(run, err) < 0 || store_writer_commit(run->writer, err) < 0) {
        if (run->first_error.code != ERR_NONE && run->first_error.code != ERR_STOPPED)
            *err = run->first_error;
        return -1;
    }
    if (run->first_error.code != ERR_NONE) {
        *err = run->first_error;
        return -1;
    }
    return is_stopped && (run->n_jobs > 0 || run->next_repository < run->n_repositories)
               ? err_set(err, ERR_STOPPED, "stopped on request")
               : 0;
}

static void
divide_memory(struct run *run, uint64_t memory_bytes)
{
    size_t n = run->context.n_members + 1;
    run->in_flight_max = n < IN_FLIGHT_MAX ? n : IN_FLIGHT_MAX;
    /* Not divided by n: which trees are too large must not depend on the number of threads. */
    run->context.plan_bytes = (size_t)(memory_bytes / 2 / IN_FLIGHT_MAX);
    run->waiting_max_bytes = (size_t)(memory_bytes / 4);
    run->context.reader_bytes =
        (size_t)(memory_bytes / 4 / run->in_flight_max / run->context.n_members);
    run->parsing_max_bytes = memory_bytes / PARSE_COST;
}

static int
mine(struct run *run, struct err *err)
{
    run->jobs = calloc(run->in_flight_max, sizeof(struct job *));
    if (!run->jobs)
        return err_nomem(err, "repositories");
    pthread_mutex_init(&run->mutex, NULL);
    pthread_cond_init(&run->changed, NULL);
    progress_set_outer(run->context.options->progress, "repositories", 0, run->n_repositories);
    int rc = run_members(run, err);
    for (size_t i = 0; i < run->n_jobs; i++)
        job_destroy(run->jobs[i]);
    free(run->jobs);
    pthread_cond_destroy(&run->changed);
    pthread_mutex_destroy(&run->mutex);
    return rc;
}

int
miner_mine(const struct miner_options *options, struct store *store,
           const struct miner_repository *repositories, size_t n_repositories,
           struct miner_result *results, struct err *err)
{
    uint64_t memory_bytes = options->memory_bytes ? options->memory_bytes : MINER_MEMORY_DEFAULT;
    struct run run = {
        .context = {.options = options,
                    .filter = options->filter ? options->filter : source_filter_default(),
                    .store = store,
                    .n_members = options->n_jobs ? options->n_jobs : 1},
        .commit_bytes = options->commit_bytes ? options->commit_bytes : MINER_COMMIT_DEFAULT,
        .repositories = repositories,
        .n_repositories = n_repositories,
        .results = results};
    struct fingerprint fingerprint = analyzer_fingerprint(&options->analyzer.limits);
    struct markers *markers = NULL;
    struct buf params = {0};
    int rc = -1;

    memset(results, 0, n_repositories * sizeof(*results));
    _Static_assert(sizeof(fingerprint) == sizeof(run.context.fingerprint), "both name facts");
    memcpy(&run.context.fingerprint, &fingerprint, sizeof(fingerprint));
    divide_memory(&run, memory_bytes);
    params_write(options, run.context.filter, &params);
    run.context.params = buf_bytes(&params);
    if (buf_failed(&params)) {
        err_nomem(err, "parameters");
        goto free_params;
    }
    if (markers_open(&markers, err) < 0)
        goto free_params;
    run.context.markers = markers;
    if (git_library_begin(err) < 0)
        goto close_markers;
    arena_init(&run.arena, 0);
    if (store_writer_open(store, &run.writer, err) == 0) {
        if (run_rules_begin(&run.context.rules, &options->analyzer, store, run.writer, &run.arena,
                            err) == 0)
            rc = mine(&run, err);
        run_rules_end(&run.context.rules);
        store_writer_close(run.writer);
    }
    arena_clear(&run.arena);
    git_library_end();

close_markers:
    markers_close(markers);
free_params:
    buf_clear(&params);
    return rc;
}
