/*
 * What reading, parsing and flattening a list of blobs costs, with the parse methods this program
 * was built with.  The same source makes parse__stock, parse__arena and so on.
 *
 * usage: parse__NAME GIT_DIR LIST THREADS [REPEATS]
 *
 * LIST holds "oid path" lines (see workload).  Prints one line: name, threads, blobs, bytes, nodes,
 * CPU seconds and wall seconds of the run, largest resident set.  Each thread has its own object
 * database and takes runs of neighbouring blobs, so that versions of one path share delta bases.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "analyzer/parse/methods.h"
#include "base/base.h"
#include "benchmarks/blob_list.h"
#include "git/objects.h"

enum { RUN_BLOBS = 64 };

/* Wide: what is measured here is work done, not work refused. */
static const struct analyzer_limits limits = {.max_file_bytes = 4 << 20,
                                              .max_depth = 2000,
                                              .max_nodes = 4000000,
                                              .parse_steps_per_byte = 1000};

struct bench {
    const char *objects_dir;
    struct blob_list list;
    size_t repeats;
    atomic_size_t next; /* first blob nobody has taken */
    atomic_uint_fast64_t n_bytes;
    atomic_uint_fast64_t n_nodes;
    atomic_uint_fast64_t n_skipped;
    atomic_bool has_failed;
};

static double
seconds_of(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

static double
cpu_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

static double
wall_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

struct worker {
    struct objects *objects;
    struct parse *parse;
    struct arena arena;
    uint64_t n_bytes, n_nodes, n_skipped;
};

static int
do_blob(struct worker *worker, const struct oid *id)
{
    struct object object;
    struct flat flat;
    if (objects_read(worker->objects, id, OBJECT_BLOB, limits.max_file_bytes, &object) !=
        OBJECT_OK) {
        fprintf(stderr, "%s\n", objects_reason(worker->objects));
        return -1;
    }
    arena_reset(&worker->arena);
    if (parse_source(worker->parse, object.data, &limits, &worker->arena, &flat) == SKIP_NONE)
        worker->n_nodes += flat.n_nodes;
    else
        worker->n_skipped++;
    worker->n_bytes += object.data.len;
    object_clear(&object);
    return 0;
}

static int
do_runs(struct bench *bench, struct worker *worker)
{
    for (;;) {
        size_t first = atomic_fetch_add(&bench->next, RUN_BLOBS);
        if (first >= bench->list.n * bench->repeats)
            return 0;
        for (size_t i = first; i < first + RUN_BLOBS && i < bench->list.n * bench->repeats; i++)
            if (do_blob(worker, &bench->list.ids[i % bench->list.n]) < 0)
                return -1;
    }
}

static void
work(void *shared, size_t index)
{
    (void)index;
    struct bench *bench = shared;
    struct worker worker = {0};
    struct err err = {0};
    arena_init(&worker.arena, 0);
    if (objects_open(bench->objects_dir, NULL, &worker.objects, &err) < 0 ||
        parse_create(&worker.parse, &err) < 0 || do_runs(bench, &worker) < 0) {
        fprintf(stderr, "%s\n", err.text);
        atomic_store(&bench->has_failed, true);
    }
    atomic_fetch_add(&bench->n_bytes, worker.n_bytes);
    atomic_fetch_add(&bench->n_nodes, worker.n_nodes);
    atomic_fetch_add(&bench->n_skipped, worker.n_skipped);
    parse_destroy(worker.parse);
    objects_close(worker.objects);
    arena_clear(&worker.arena);
}

static int
run(struct bench *bench, const char *name, size_t n_threads)
{
    double cpu = cpu_seconds();
    double wall = wall_seconds();
    thread_pool_run(n_threads, work, bench);
    cpu = cpu_seconds() - cpu;
    wall = wall_seconds() - wall;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%s threads %zu blobs %zu bytes %llu nodes %llu skipped %llu cpu_s %.3f wall_s %.3f "
           "rss_mb %ld\n",
           name, n_threads, bench->list.n * bench->repeats,
           (unsigned long long)atomic_load(&bench->n_bytes),
           (unsigned long long)atomic_load(&bench->n_nodes),
           (unsigned long long)atomic_load(&bench->n_skipped), cpu, wall, usage.ru_maxrss / 1024);
    return atomic_load(&bench->has_failed) ? 1 : 0;
}

int
main(int argc, char **argv)
{
    struct err err;
    uint64_t n_threads = 1;
    uint64_t repeats = 1;
    if (argc < 4 || argc > 5 || num_parse_u64(bytes_of_text(argv[3]), 1, 256, &n_threads) < 0 ||
        (argc > 4 && num_parse_u64(bytes_of_text(argv[4]), 1, 1000000, &repeats) < 0)) {
        fprintf(stderr, "usage: %s GIT_DIR LIST THREADS [REPEATS]\n", argv[0]);
        return 2;
    }
    char objects_dir[4096];
    snprintf(objects_dir, sizeof(objects_dir), "%s/objects", argv[1]);
    struct bench bench = {.objects_dir = objects_dir, .repeats = repeats};
    if (git_library_begin(&err) < 0 || blob_list_read(argv[2], &bench.list, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        return 3;
    }
    const char *slash = strrchr(argv[0], '/');
    int status = run(&bench, slash ? slash + 1 : argv[0], n_threads);
    git_library_end();
    blob_list_clear(&bench.list);
    return status;
}
