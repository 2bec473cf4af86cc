/*
 * Where the time of an analysis goes: reading, decoding, parsing, flattening, facts, clones and the
 * encoding of facts, each over a list of blobs, one thread, with the parse as the build ships it.
 *
 * usage: analyze__split GIT_DIR LIST
 *
 * LIST holds "oid path" lines (see parse/workload).  Every source is parsed twice: without and with
 * flattening, which is the difference.  Prints one line of CPU seconds.
 */
#include <stdio.h>
#include <time.h>

#include "analyzer/facts/clones.h"
#include "analyzer/facts/extract.h"
#include "analyzer/parse/parse.h"
#include "analyzer/parse/text.h"
#include "benchmarks/blob_list.h"
#include "git/objects.h"

enum step { READ, DECODE, PARSE, PARSE_AND_FLATTEN, FACTS, CLONES, ENCODE, STEPS };

struct split {
    struct objects *objects;
    struct parse *parse;
    struct syntax_table table;
    struct analyzer_limits limits;
    struct arena arena;
    struct buf encoded;
    double seconds[STEPS];
    double started; /* of the step under way */
    uint64_t n_bytes, n_nodes, n_callables, n_clones, n_encoded;
    size_t n_skipped;
};

static double
cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void
end_step(struct split *split, enum step step)
{
    double now = cpu_seconds();
    split->seconds[step] += now - split->started;
    split->started = now;
}

/* Both parses of SOURCE: whichever is first finds the cache colder, so they take turns. */
static enum skip_reason
parse_twice(struct split *split, struct bytes source, bool with_flat_first, struct flat *flat)
{
    enum skip_reason skipped = SKIP_NONE;
    for (int turn = 0; turn < 2; turn++) {
        bool with_flat = turn == 0 ? with_flat_first : !with_flat_first;
        enum skip_reason reason = parse_source(split->parse, source, &split->limits, &split->arena,
                                               with_flat ? flat : NULL);
        if (with_flat)
            skipped = reason;
        end_step(split, with_flat ? PARSE_AND_FLATTEN : PARSE);
    }
    return skipped;
}

static enum skip_reason
analyse(struct split *split, struct bytes source, bool with_flat_first)
{
    struct text text;
    struct flat flat;
    struct fact_tables tables;
    struct facts facts = {0};
    struct arena *arena = &split->arena;
    enum skip_reason skipped = text_decode(source, arena, &text);
    end_step(split, DECODE);
    if (skipped == SKIP_NONE)
        skipped = parse_twice(split, text.utf8, with_flat_first, &flat);
    if (skipped != SKIP_NONE)
        return skipped;
    if (!facts_find(&split->table, &flat, arena, &tables, &facts))
        return SKIP_NO_MEMORY;
    end_step(split, FACTS);
    skipped = clones_find(&split->table, &flat, tables.sloc, &tables.tokens, arena, &facts);
    end_step(split, CLONES);
    buf_reset(&split->encoded);
    facts_encode(&facts, &split->encoded);
    end_step(split, ENCODE);
    split->n_nodes += flat.n_nodes;
    split->n_callables += facts.n_callables;
    split->n_clones += facts.n_clones;
    split->n_encoded += split->encoded.len;
    return skipped;
}

static int
do_blob(struct split *split, const struct oid *id, bool with_flat_first)
{
    struct object object;
    arena_reset(&split->arena);
    split->started = cpu_seconds();
    if (objects_read(split->objects, id, OBJECT_BLOB, split->limits.max_file_bytes, &object) !=
        OBJECT_OK) {
        fprintf(stderr, "%s\n", objects_reason(split->objects));
        return -1;
    }
    end_step(split, READ);
    split->n_bytes += object.data.len;
    split->n_skipped += analyse(split, object.data, with_flat_first) != SKIP_NONE;
    object_clear(&object);
    return 0;
}

static void
print(const struct split *split, size_t n_blobs)
{
    const double *s = split->seconds;
    printf("analyze__split blobs %zu bytes %llu nodes %llu callables %llu clone_candidates %llu "
           "encoded_bytes %llu skipped %zu read_s %.3f decode_s %.3f parse_s %.3f flatten_s %.3f "
           "facts_s %.3f clones_s %.3f encode_s %.3f\n",
           n_blobs, (unsigned long long)split->n_bytes, (unsigned long long)split->n_nodes,
           (unsigned long long)split->n_callables, (unsigned long long)split->n_clones,
           (unsigned long long)split->n_encoded, split->n_skipped, s[READ], s[DECODE], s[PARSE],
           s[PARSE_AND_FLATTEN] - s[PARSE], s[FACTS], s[CLONES], s[ENCODE]);
}

int
main(int argc, char **argv)
{
    struct err err = {0};
    struct split split = {.limits = analyzer_limits_default()};
    struct blob_list list = {0};
    char objects_dir[4096];
    if (argc != 3) {
        fprintf(stderr, "usage: %s GIT_DIR LIST\n", argv[0]);
        return 2;
    }
    snprintf(objects_dir, sizeof(objects_dir), "%s/objects", argv[1]);
    arena_init(&split.arena, 0);
    int status = git_library_begin(&err) < 0 || blob_list_read(argv[2], &list, &err) < 0 ||
                         objects_open(objects_dir, NULL, &split.objects, &err) < 0 ||
                         syntax_table_init(&split.table, &err) < 0 ||
                         parse_create(&split.parse, &err) < 0
                     ? 3
                     : 0;
    if (status)
        fprintf(stderr, "%s\n", err.text);
    for (size_t i = 0; i < list.n && !status; i++)
        status = do_blob(&split, &list.ids[i], i % 2 == 1) < 0 ? 3 : 0;
    if (!status)
        print(&split, list.n);
    parse_destroy(split.parse);
    objects_close(split.objects);
    blob_list_clear(&list);
    arena_clear(&split.arena);
    buf_clear(&split.encoded);
    git_library_end();
    return status;
}
