/*
 * What only reading and parsing a list of blobs costs with tree-sitter as it is, one thread,
 * malloc, -O2: the floor that a mine is held against.  Trees are made and freed, nothing looks at
 * them.
 *
 * usage: floor__stock GIT_DIR LIST
 *
 * LIST holds "oid path" lines (see parse/workload).  Prints one line: blobs, bytes, CPU seconds of
 * reading and of parsing, largest resident set.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include <tree_sitter/api.h>

#include "base/base.h"
#include "git/objects.h"

const TSLanguage *tree_sitter_python(void);

enum { BLOB_BYTES_MAX = 64 * 1024 * 1024 };

struct floor {
    struct objects *objects;
    TSParser *parser;
    uint64_t n_blobs, n_bytes;
    double read_s, parse_s; /* CPU */
};

static double
cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int
do_blob(struct floor *floor, const struct oid *id)
{
    struct object object;
    double started = cpu_seconds();
    if (objects_read(floor->objects, id, OBJECT_BLOB, BLOB_BYTES_MAX, &object) != OBJECT_OK) {
        fprintf(stderr, "%s\n", objects_reason(floor->objects));
        return -1;
    }
    double was_read = cpu_seconds();
    TSTree *tree = ts_parser_parse_string(floor->parser, NULL, (const char *)object.data.data,
                                          num_u32(object.data.len));
    ts_tree_delete(tree);
    floor->parse_s += cpu_seconds() - was_read;
    floor->read_s += was_read - started;
    floor->n_blobs++;
    floor->n_bytes += object.data.len;
    object_clear(&object);
    return tree ? 0 : -1;
}

static int
do_list(struct floor *floor, struct bytes list)
{
    while (list.len > 0) {
        const uint8_t *end = memchr(list.data, '\n', list.len);
        size_t line = end ? (size_t)(end - list.data) : list.len;
        const uint8_t *space = memchr(list.data, ' ', line);
        struct oid id;
        if (oid_from_hex(bytes_slice(list, 0, space ? (size_t)(space - list.data) : line), &id) <
                0 ||
            do_blob(floor, &id) < 0)
            return -1;
        list = bytes_slice(list, end ? line + 1 : line, list.len);
    }
    return 0;
}

int
main(int argc, char **argv)
{
    struct err err = {0};
    struct floor floor = {0};
    struct buf list = {0};
    struct rusage usage;
    char objects_dir[4096];
    if (argc != 3) {
        fprintf(stderr, "usage: %s GIT_DIR LIST\n", argv[0]);
        return 2;
    }
    snprintf(objects_dir, sizeof(objects_dir), "%s/objects", argv[1]);
    floor.parser = ts_parser_new();
    if (git_library_begin(&err) < 0 || fs_read(argv[2], SIZE_MAX / 2, &list, &err) < 0 ||
        objects_open(objects_dir, NULL, &floor.objects, &err) < 0 || !floor.parser ||
        !ts_parser_set_language(floor.parser, tree_sitter_python())) {
        fprintf(stderr, "%s\n", err.text);
        return 3;
    }
    int status = do_list(&floor, buf_bytes(&list)) < 0;
    getrusage(RUSAGE_SELF, &usage);
    printf("floor__stock blobs %llu bytes %llu read_s %.3f parse_s %.3f rss_mb %ld\n",
           (unsigned long long)floor.n_blobs, (unsigned long long)floor.n_bytes, floor.read_s,
           floor.parse_s, usage.ru_maxrss / 1024);
    ts_parser_delete(floor.parser);
    objects_close(floor.objects);
    buf_clear(&list);
    git_library_end();
    return status;
}
