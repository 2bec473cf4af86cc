/*
 * What reading a list of blobs costs, one thread: our reader, our reader under libgit2's
 * interface, or libgit2's own with its object cache and hash verification off.
 *
 * usage: blobs__read GIT_DIR LIST own|backend|libgit2|verified [WINDOW_MB CACHE_MB]
 *
 * LIST holds "oid path" lines (see parse/workload).  Each blob is read as the miner does: its
 * header for the bound on its size, then its content, of which every 64th byte is summed up. Prints
 * one line: blobs, bytes, sum, CPU seconds (user and system, of the reads alone), largest resident
 * set.
 */
#include <git2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "benchmarks/blob_list.h"
#include "git/odb/backend.h"

enum { BLOB_BYTES_MAX = 64 * 1024 * 1024, STRIDE = 64 };

struct totals {
    uint64_t n_blobs, n_bytes, sum;
};

static double
cpu_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

static void
add(struct totals *totals, const uint8_t *data, size_t len)
{
    totals->n_blobs++;
    totals->n_bytes += len;
    for (size_t i = 0; i < len; i += STRIDE)
        totals->sum += data[i];
}

static int
read_own(struct odb *odb, const struct blob_list *list, struct totals *totals)
{
    for (size_t i = 0; i < list->n; i++) {
        struct odb_object object;
        if (odb_read(odb, &list->ids[i], BLOB_BYTES_MAX, &object) != ODB_OK) {
            fprintf(stderr, "%s\n", odb_reason(odb));
            return -1;
        }
        add(totals, object.data.data, object.data.len);
        odb_object_clear(&object);
    }
    return 0;
}

static int
read_libgit2(git_odb *database, const struct blob_list *list, struct totals *totals)
{
    for (size_t i = 0; i < list->n; i++) {
        git_odb_object *object;
        git_object_t kind;
        git_oid id;
        size_t len;
        memcpy(id.id, list->ids[i].id, GIT_OID_RAWSZ);
        if (git_odb_read_header(&len, &kind, database, &id) < 0 || len > BLOB_BYTES_MAX ||
            git_odb_read(&object, database, &id) < 0) {
            fprintf(stderr, "%s\n", git_error_last()->message);
            return -1;
        }
        add(totals, git_odb_object_data(object), git_odb_object_size(object));
        git_odb_object_free(object);
    }
    return 0;
}

static int
run(const char *objects_dir, const char *reader, const struct odb_options *options,
    const struct blob_list *list, struct totals *totals)
{
    struct odb *odb = NULL;
    git_odb *database = NULL;
    struct err err;
    int result = -1;
    if (strcmp(reader, "libgit2") == 0) {
        if (git_odb_open(&database, objects_dir) == 0)
            result = read_libgit2(database, list, totals);
    } else if (odb_open(objects_dir, options, &odb, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
    } else if (strcmp(reader, "backend") == 0) {
        if (odb_backend_create(odb, &database, &err) == 0)
            result = read_libgit2(database, list, totals);
    } else {
        result = read_own(odb, list, totals);
        odb_close(odb);
    }
    git_odb_free(database);
    return result;
}

int
main(int argc, char **argv)
{
    struct blob_list list;
    struct totals totals = {0};
    struct err err;
    char objects_dir[4096];
    if (argc != 4 && argc != 6)
        return 2;
    snprintf(objects_dir, sizeof(objects_dir), "%s/objects", argv[1]);
    struct odb_options options = {.verify = strcmp(argv[3], "verified") == 0};
    if (argc == 6) {
        options.window_bytes = (size_t)atoi(argv[4]) << 20;
        options.cache_bytes = (size_t)atoi(argv[5]) << 20;
    }
    if (blob_list_read(argv[2], &list, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    git_libgit2_init();
    git_libgit2_opts(GIT_OPT_ENABLE_CACHING, 0);
    git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0);
    double started = cpu_seconds();
    int result = run(objects_dir, argv[3], &options, &list, &totals);
    double cpu_s = cpu_seconds() - started;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%s blobs %llu bytes %llu sum %llu cpu_s %.3f rss_mb %ld\n", argv[3],
           (unsigned long long)totals.n_blobs, (unsigned long long)totals.n_bytes,
           (unsigned long long)totals.sum, cpu_s, usage.ru_maxrss / 1024);
    git_libgit2_shutdown();
    blob_list_clear(&list);
    return result < 0;
}
