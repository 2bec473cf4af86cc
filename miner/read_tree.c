/*
 * Reading a tree: one thread lists the files (tree_files.h); then threads take groups of
 * neighbouring files by a counter and analyse them.  A blob with several paths is analysed once and
 * its facts are shared.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/fs.h"
#include "base/stop.h"
#include "base/thread_pool.h"
#include "git/objects.h"
#include "miner/tree_files.h"

enum {
    GROUP_FILES = 8, /* neighbours in a tree, which often share a pack's delta bases */
};

struct scan {
    const struct miner_tree_options *options;
    struct miner_tree *tree;
    struct tree_files files;
    atomic_size_t next;
    pthread_mutex_t mutex;
    /* guarded by mutex */
    bool failed;
    struct err first_error;
};

/* ---- One file ------------------------------------------------------------------------------ */

/* The state of one thread. */
struct reader {
    struct objects *objects; /* NULL for files on disk */
    struct analyzer *analyzer;
    struct arena *arena; /* of the results */
    struct buf encoded;
    struct buf content; /* of a file on disk */
};

static int
reader_init(struct reader *reader, const struct scan *scan, struct arena *arena, struct err *err)
{
    *reader = (struct reader){.arena = arena};
    if (scan->options->repository &&
        objects_open(scan->files.repo.objects_dir, NULL, &reader->objects, err) < 0)
        return -1;
    return analyzer_create(&scan->options->analyzer, &reader->analyzer, err);
}

static void
reader_clear(struct reader *reader)
{
    objects_close(reader->objects);
    analyzer_destroy(reader->analyzer);
    buf_clear(&reader->encoded);
    buf_clear(&reader->content);
}

static int
cannot_read(struct reader *reader, struct miner_file *file, const char *why, struct err *err)
{
    file->facts.skipped = SKIP_UNREADABLE;
    file->problem = arena_format(reader->arena, "%s", why);
    return file->problem ? 0 : err_nomem(err, "message");
}

/* Copy the analysis, which is valid only until the analyzer's next run. */
static int
keep_analysis(struct reader *reader, const struct analysis *analysis, struct miner_file *file,
              struct err *err)
{
    buf_reset(&reader->encoded);
    facts_encode(&analysis->facts, &reader->encoded);
    if (buf_failed(&reader->encoded))
        return err_nomem(err, "facts");
    /* Decoded names point into the encoding, which must live as long. */
    struct bytes encoded = arena_copy(reader->arena, buf_bytes(&reader->encoded));
    if (!encoded.data)
        return err_nomem(err, "facts");
    if (facts_decode(encoded, reader->arena, &file->facts, err) < 0)
        return -1;
    struct hit *hits = ARENA_ARRAY(reader->arena, analysis->hits.n_hits, struct hit);
    uint32_t *gave_up = ARENA_ARRAY(reader->arena, analysis->hits.n_gave_up, uint32_t);
    if (!hits || !gave_up)
        return err_nomem(err, "hits");
    if (analysis->hits.n_gave_up)
        memcpy(gave_up, analysis->hits.gave_up, analysis->hits.n_gave_up * sizeof(*gave_up));
    file->gave_up = gave_up;
    file->n_gave_up = analysis->hits.n_gave_up;
    if (analysis->hits.n_hits)
        memcpy(hits, analysis->hits.hits, analysis->hits.n_hits * sizeof(*hits));
    file->hits = hits;
    file->n_hits = analysis->hits.n_hits;
    return 0;
}

static int
analyse(struct reader *reader, const struct scan *scan, struct bytes source,
        struct miner_file *file, struct err *err)
{
    struct analysis analysis;
    if (scan->options->keep_sources) {
        file->source = arena_copy(reader->arena, source);
        if (!file->source.data)
            return err_nomem(err, "source");
    }
    if (analyzer_run(reader->analyzer, source, &analysis, err) < 0)
        return -1;
    return keep_analysis(reader, &analysis, file, err);
}

static int
analyse_blob(struct reader *reader, const struct scan *scan, struct miner_file *file,
             struct err *err)
{
    struct object object;
    uint32_t max_bytes = scan->options->analyzer.limits.max_file_bytes;
    switch (objects_read(reader->objects, &file->blob, OBJECT_BLOB, max_bytes, &object)) {
    case OBJECT_OK:
        break;
    case OBJECT_TOO_LARGE:
        file->facts = (struct facts){.skipped = SKIP_TOO_LARGE, .n_bytes = object.data.len};
        return 0;
    case OBJECT_NO_MEMORY:
        return err_nomem(err, "blob");
    default:
        return cannot_read(reader, file, objects_reason(reader->objects), err);
    }
    int rc = analyse(reader, scan, object.data, file, err);
    object_clear(&object);
    return rc;
}

static int
analyse_disk_file(struct reader *reader, const struct scan *scan, const char *path,
                  struct miner_file *file, struct err *err)
{
    struct err why;
    buf_reset(&reader->content);
    uint32_t max_bytes = scan->options->analyzer.limits.max_file_bytes;
    if (fs_read(path, max_bytes, &reader->content, &why) == 0)
        return analyse(reader, scan, buf_bytes(&reader->content), file, err);
    if (why.code == ERR_NOMEM || why.code == ERR_STOPPED) {
        *err = why;
        return -1;
    }
    if (why.code != ERR_UNSUPPORTED)
        return cannot_read(reader, file, why.text, err);
    struct stat st;
    uint64_t size_bytes = stat(path, &st) == 0 ? (uint64_t)st.st_size : 0;
    file->facts = (struct facts){.skipped = SKIP_TOO_LARGE, .n_bytes = size_bytes};
    return 0;
}

/* ---- All files ----------------------------------------------------------------------------- */

static int
analyse_group(struct reader *reader, struct scan *scan, size_t first, struct err *err)
{
    size_t n = scan->files.n_items, end = first + GROUP_FILES < n ? first + GROUP_FILES : n;
    for (size_t i = first; i < end; i++) {
        const struct tree_file *item = &scan->files.items[i];
        struct miner_file *file = &scan->tree->files[i];
        if (item->same_as != i)
            continue;
        int rc = item->disk_path ? analyse_disk_file(reader, scan, item->disk_path, file, err)
                                 : analyse_blob(reader, scan, file, err);
        if (rc < 0)
            return err_wrap(err, "%.*s", BYTES_ARG(item->path));
        progress_add_bytes(scan->options->progress, file->facts.n_bytes);
    }
    progress_add_done(scan->options->progress, end - first);
    return 0;
}

static void
report_failure(struct scan *scan, const struct err *err)
{
    pthread_mutex_lock(&scan->mutex);
    if (!scan->failed)
        scan->first_error = *err;
    scan->failed = true;
    pthread_mutex_unlock(&scan->mutex);
    atomic_store(&scan->next, scan->files.n_items); /* no thread takes another group */
}

static void
analyse_member(void *shared, size_t index)
{
    struct scan *scan = shared;
    struct reader reader;
    struct err err = {0};
    int rc = reader_init(&reader, scan, &scan->tree->arenas[index], &err);
    while (rc == 0) {
        size_t first = atomic_fetch_add(&scan->next, GROUP_FILES);
        if (first >= scan->files.n_items)
            break;
        rc = stop_requested() ? err_set(&err, ERR_STOPPED, "stopped on request")
                              : analyse_group(&reader, scan, first, &err);
    }
    if (rc < 0)
        report_failure(scan, &err);
    reader_clear(&reader);
}

static int
analyse_all(struct scan *scan, size_t n_jobs, struct err *err)
{
    struct miner_tree *tree = scan->tree;
    tree->files = calloc(scan->files.n_items ? scan->files.n_items : 1, sizeof(*tree->files));
    if (!tree->files)
        return err_nomem(err, "list of files");
    tree->n_files = scan->files.n_items;
    for (size_t i = 0; i < scan->files.n_items; i++) {
        const struct tree_file *item = &scan->files.items[i];
        tree->files[i] =
            (struct miner_file){.path = item->path, .blob = item->blob, .mode = item->mode};
    }
    progress_add_total(scan->options->progress, scan->files.n_items);
    thread_pool_run(n_jobs, analyse_member, scan);
    if (scan->failed) {
        *err = scan->first_error;
        return -1;
    }
    for (size_t i = 0; i < scan->files.n_items; i++) {
        const struct tree_file *item = &scan->files.items[i];
        struct miner_file *file = &tree->files[i];
        if (item->same_as == i)
            continue;
        *file = tree->files[item->same_as];
        file->path = item->path;
        file->mode = item->mode;
    }
    return 0;
}

static size_t
number_of_jobs(const struct miner_tree_options *options, size_t n_files)
{
    size_t n_jobs = options->n_jobs ? options->n_jobs : thread_pool_default_size();
    size_t n_groups = n_files / GROUP_FILES + 1;
    return n_jobs < n_groups ? n_jobs : n_groups;
}

static int
read_tree(struct scan *scan, struct err *err)
{
    struct miner_tree *tree = scan->tree;
    tree->arenas = calloc(1, sizeof(*tree->arenas));
    if (!tree->arenas)
        return err_nomem(err, "tree");
    tree->n_arenas = 1;
    arena_init(&tree->arenas[0], 0);
    scan->files.arena = &tree->arenas[0];
    if (tree_files_list(&scan->files, err) < 0)
        return -1;
    size_t n_jobs = number_of_jobs(scan->options, scan->files.n_items);
    struct arena *arenas = reallocarray(tree->arenas, n_jobs, sizeof(*arenas));
    if (!arenas)
        return err_nomem(err, "tree");
    tree->arenas = arenas;
    for (; tree->n_arenas < n_jobs; tree->n_arenas++)
        arena_init(&arenas[tree->n_arenas], 0);
    return analyse_all(scan, n_jobs, err);
}

int
miner_read_tree(const struct miner_tree_options *options, struct miner_tree **out, struct err *err)
{
    struct miner_tree *tree = calloc(1, sizeof(*tree));
    if (!tree)
        return err_nomem(err, "tree");
    struct scan scan = {
        .options = options,
        .tree = tree,
        .files = {.options = options,
                  .filter = options->filter ? options->filter : source_filter_default(),
                  .tree = tree}};
    if (git_library_begin(err) < 0) {
        free(tree);
        return -1;
    }
    pthread_mutex_init(&scan.mutex, NULL);
    int rc = read_tree(&scan, err);
    pthread_mutex_destroy(&scan.mutex);
    repo_clear(&scan.files.repo);
    free(scan.files.items);
    git_library_end();
    if (rc < 0)
        miner_tree_destroy(tree);
    else
        *out = tree;
    return rc;
}

void
miner_tree_destroy(struct miner_tree *tree)
{
    if (!tree)
        return;
    for (size_t i = 0; i < tree->n_arenas; i++)
        arena_clear(&tree->arenas[i]);
    free(tree->arenas);
    free(tree->files);
    free(tree->defects);
    free(tree);
}
