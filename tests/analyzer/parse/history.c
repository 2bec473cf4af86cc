/*
 * By hand: the fast ways of a parse against the plain one, on the blobs of a real history.
 *
 * usage: benchmarks/parse/workload GIT_DIR | build/dev/tests/analyzer_parse_history GIT_DIR
 *
 * Reads "oid path" lines.  Exit status 1 when a flat tree differs, after naming the blobs.
 */
#include "base/base.h"
#include "git/objects.h"
#include "pair.h"

struct totals {
    unsigned long n_blobs, n_different, n_skipped, n_with_errors;
    uint64_t n_bytes, n_nodes;
};

static int
compare_blob(struct parse_pair *pair, struct objects *objects, const char *line,
             struct totals *totals)
{
    struct oid id;
    struct object object;
    struct flat flat;
    struct bytes hex = {(const uint8_t *)line, strcspn(line, " \n")};
    if (oid_from_hex(hex, &id) < 0) {
        fprintf(stderr, "no object id: %s\n", line);
        return -1;
    }
    if (objects_read(objects, &id, OBJECT_BLOB, pair->limits.max_file_bytes, &object) !=
        OBJECT_OK) {
        fprintf(stderr, "%s\n", objects_reason(objects));
        return -1;
    }
    totals->n_blobs++;
    totals->n_bytes += object.data.len;
    if (!parse_pair_same(pair, object.data, &flat)) {
        printf("%.*s differs, %s\n", (int)strcspn(line, "\n"), line, pair->difference);
        totals->n_different++;
    }
    totals->n_nodes += flat.n_nodes;
    totals->n_skipped += flat.n_nodes == 0;
    totals->n_with_errors += flat.has_error;
    object_clear(&object);
    return 0;
}

static int
compare_all(struct parse_pair *pair, struct objects *objects, struct totals *totals)
{
    char line[8192];
    while (fgets(line, sizeof(line), stdin))
        if (compare_blob(pair, objects, line, totals) < 0)
            return -1;
    return 0;
}

int
main(int argc, char **argv)
{
    struct err err = {0};
    struct parse_pair pair;
    struct objects *objects = NULL;
    struct totals totals = {0};
    char objects_dir[4096];
    if (argc != 2) {
        fprintf(stderr, "usage: %s GIT_DIR < LIST\n", argv[0]);
        return 2;
    }
    snprintf(objects_dir, sizeof(objects_dir), "%s/objects", argv[1]);
    if (git_library_begin(&err) < 0 || objects_open(objects_dir, NULL, &objects, &err) < 0 ||
        parse_pair_init(&pair, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        return 3;
    }
    int status = compare_all(&pair, objects, &totals) < 0 ? 3 : totals.n_different > 0;
    printf(
        "%lu blobs, %llu bytes, %llu nodes, %lu with errors, %lu skipped both ways, %lu differ\n",
        totals.n_blobs, (unsigned long long)totals.n_bytes, (unsigned long long)totals.n_nodes,
        totals.n_with_errors, totals.n_skipped, totals.n_different);
    parse_pair_clear(&pair);
    objects_close(objects);
    git_library_end();
    return status;
}
