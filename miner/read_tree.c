/* The files are listed first, by one thread, then analysed in groups of neighbours handed out by a
 * counter.  A blob that stands under several paths is analysed once and its facts are shared. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/map.h"
#include "base/stop.h"
#include "base/team.h"
#include "miner/commit.h"
#include "miner/history.h"
#include "miner/listing.h"
#include "miner/miner.h"
#include "miner/objects.h"
#include "miner/repo.h"

enum {
    GROUP_FILES = 8, /* neighbours in a tree, which often share a pack's delta bases */
    MAPPED_BYTES = 256 * 1024 * 1024
};

/* A file while it is being listed. */
struct item {
    struct bytes path;
    struct oid blob;
    uint32_t mode;
    const char *disk_path; /* NULL: the blob */
    size_t same_as;        /* index of the first file with this blob; its own index when it is it */
};

struct scan {
    const struct miner_tree_options *options;
    const struct source_filter *filter;
    struct miner_tree *tree;
    struct arena *arena; /* of the list of files */
    struct item *items;
    size_t n_items;
    size_t items_capacity;
    size_t defects_capacity;
    struct repo repo;
    atomic_size_t next;
    pthread_mutex_t mutex;
    /* guarded by mutex */
    bool failed;
    struct err first_error;
};

/* ---- Listing ------------------------------------------------------------------------------- */

static int
add_item(struct scan *scan, struct item item, struct err *err)
{
    if (scan->n_items == scan->items_capacity) {
        size_t capacity = scan->items_capacity ? scan->items_capacity * 2 : 256;
        struct item *items = reallocarray(scan->items, capacity, sizeof(*items));
        if (!items)
            return err_nomem(err, "list of files");
        scan->items = items;
        scan->items_capacity = capacity;
    }
    scan->items[scan->n_items++] = item;
    return item.path.data ? 0 : err_nomem(err, "list of files");
}

static int
on_file(void *context, struct bytes path, const struct tree_entry *entry, struct err *err)
{
    struct scan *scan = context;
    struct item item = {.path = arena_copy(scan->arena, path),
                        .blob = oid_from_raw(entry->id, OID_SHA1_BYTES),
                        .mode = entry->mode};
    return add_item(scan, item, err);
}

static int
on_defect(void *context, struct bytes folder, const char *what, struct err *err)
{
    struct scan *scan = context;
    struct miner_tree *tree = scan->tree;
    if (tree->n_defects == scan->defects_capacity) {
        size_t capacity = scan->defects_capacity ? scan->defects_capacity * 2 : 16;
        struct miner_defect *defects = reallocarray(tree->defects, capacity, sizeof(*defects));
        if (!defects)
            return err_nomem(err, "list of defects");
        tree->defects = defects;
        scan->defects_capacity = capacity;
    }
    struct miner_defect defect = {arena_copy(scan->arena, folder), what};
    if (!defect.folder.data)
        return err_nomem(err, "list of defects");
    tree->defects[tree->n_defects++] = defect;
    return 0;
}

/* The tree of the commit or tree ID. */
static int
find_root(struct scan *scan, struct objects *objects, struct oid *id, struct err *err)
{
    enum object_kind kind;
    struct object object;
    struct commit commit;
    const char *why;
    if (objects_kind(objects, id, &kind) != OBJECT_OK)
        return err_set(err, ERR_DAMAGED, "%s", objects_reason(objects));
    if (kind == OBJECT_TREE)
        return 0;
    if (objects_read(objects, id, OBJECT_COMMIT, COMMIT_BYTES_MAX, &object) != OBJECT_OK)
        return err_set(err, ERR_DAMAGED, "%s", objects_reason(objects));
    char hex[OID_HEX_SIZE];
    int result = commit_parse(object.data, &commit, &why);
    if (result < 0)
        err_set(err, ERR_DAMAGED, "commit %s cannot be read: %s", oid_to_hex(id, hex), why);
    scan->tree->commit = *id;
    *id = commit.tree;
    object_clear(&object);
    return result;
}

/* From the tree *ID down to the folder PREFIX of it. */
static int
find_prefix(struct objects *objects, struct bytes prefix, struct oid *id, struct err *err)
{
    struct tree tree = {0};
    int result = 0;
    size_t at = 0;
    while (result == 0 && at < prefix.len) {
        const uint8_t *slash = memchr(prefix.data + at, '/', prefix.len - at);
        size_t end = slash ? (size_t)(slash - prefix.data) : prefix.len;
        struct bytes name = bytes_slice(prefix, at, end);
        at = end + 1;
        if (name.len == 0 || bytes_equal(name, BYTES(".")))
            continue;
        const char *why;
        if (tree_read(objects, id, &tree, &why) != OBJECT_OK) {
            result = err_set(err, ERR_DAMAGED, "%s", why);
            break;
        }
        size_t i = 0;
        while (i < tree.n_entries && !(mode_is_tree(tree.entries[i].mode) &&
                                       bytes_equal(tree.entries[i].name, name)))
            i++;
        if (i == tree.n_entries)
            result = err_set(err, ERR_INPUT, "the revision has no folder %.*s", BYTES_ARG(prefix));
        else
            *id = oid_from_raw(tree.entries[i].id, OID_SHA1_BYTES);
    }
    tree_clear(&tree);
    return result;
}

static int
list_revision(struct scan *scan, struct err *err)
{
    const struct miner_tree_options *options = scan->options;
    struct objects *objects = NULL;
    struct listing listing;
    if (repo_open_at(options->repository, options->revision, &scan->repo, err) < 0 ||
        objects_open(scan->repo.objects_dir, &objects, err) < 0)
        return -1;
    struct oid id = scan->repo.head;
    struct listing_sink sink = {on_file, on_defect, scan};
    listing_init(&listing, objects, scan->filter);
    int result = find_root(scan, objects, &id, err);
    if (result == 0)
        result = find_prefix(objects, options->prefix, &id, err);
    if (result == 0)
        result = listing_run(&listing, &id, &sink, err);
    listing_clear(&listing);
    objects_close(objects);
    return result < 0 ? err_wrap(err, "%s", options->repository) : 0;
}

static int
enter_folder(void *context, struct bytes name)
{
    const struct scan *scan = context;
    return !source_filter_excludes_dir(scan->filter, name);
}

static int
list_folder(struct scan *scan, const char *folder, struct err *err)
{
    struct fs_entry *entries;
    size_t n_entries;
    if (fs_list(folder, enter_folder, scan, scan->arena, &entries, &n_entries, err) < 0)
        return -1;
    bool is_only = scan->options->n_paths == 1;
    bool is_here = strcmp(folder, ".") == 0, is_root = strcmp(folder, "/") == 0;
    for (size_t i = 0; i < n_entries; i++) {
        if (!source_filter_takes(scan->filter, entries[i].path, entries[i].mode))
            continue;
        char *disk_path = arena_format(scan->arena, "%s%s%s", is_here ? "" : folder,
                                       is_here || is_root ? "" : "/", entries[i].path.data);
        if (!disk_path)
            return err_nomem(err, "list of files");
        struct item item = {.path = is_only ? entries[i].path : bytes_of_text(disk_path),
                            .mode = entries[i].mode,
                            .disk_path = disk_path};
        if (add_item(scan, item, err) < 0)
            return -1;
    }
    return 0;
}

/* PATH without what does not change it, "./" and repeated or last slashes: one name for one file. */
static const char *
plain_path(struct arena *arena, const char *path)
{
    struct bytes copy = arena_copy(arena, bytes_of_text(path));
    if (!copy.data)
        return NULL;
    char *out = (char *)(uintptr_t)copy.data;
    size_t n = 0;
    for (const char *at = path; *at;) {
        bool is_part_start = at == path || at[-1] == '/';
        if (is_part_start && at[0] == '.' && (at[1] == '/' || at[1] == '\0'))
            at += 1 + (at[1] == '/');
        else if (is_part_start && at[0] == '/' && at != path)
            at++;
        else
            out[n++] = *at++;
    }
    if (n > 1 && out[n - 1] == '/')
        n--;
    if (n == 0)
        out[n++] = '.';
    out[n] = '\0';
    return out;
}

static int
list_paths(struct scan *scan, struct err *err)
{
    for (size_t i = 0; i < scan->options->n_paths; i++) {
        struct stat st;
        if (stat(scan->options->paths[i], &st) < 0)
            return err_set_errno(err, "look at %s", scan->options->paths[i]);
        if (!S_ISDIR(st.st_mode) && access(scan->options->paths[i], R_OK) < 0)
            return err_set_errno(err, "read %s", scan->options->paths[i]);
        const char *path = plain_path(scan->arena, scan->options->paths[i]);
        if (!path)
            return err_nomem(err, "list of files");
        struct item item = {.path = bytes_of_text(path),
                            .mode = st.st_mode & S_IXUSR ? 0100755 : 0100644,
                            .disk_path = path};
        int result = S_ISDIR(st.st_mode) ? list_folder(scan, path, err) : add_item(scan, item, err);
        if (result < 0)
            return -1;
    }
    return 0;
}

static int
compare_items(const void *a, const void *b)
{
    return bytes_compare(((const struct item *)a)->path, ((const struct item *)b)->path);
}

/* Put the items in order, once each, and find those that share a blob. */
static int
arrange(struct scan *scan, struct err *err)
{
    struct map first;
    map_init(&first);
    if (scan->n_items > 1)
        qsort(scan->items, scan->n_items, sizeof(*scan->items), compare_items);
    size_t n = 0;
    int result = 0;
    for (size_t i = 0; result == 0 && i < scan->n_items; i++) {
        struct item *item = &scan->items[n];
        if (n > 0 && bytes_equal(scan->items[i].path, item[-1].path))
            continue;
        *item = scan->items[i];
        item->same_as = n++;
        if (item->disk_path)
            continue;
        bool is_new;
        uint64_t *index = map_put(&first, oid_bytes(&item->blob), &is_new);
        if (!index)
            result = err_nomem(err, "blobs of a tree");
        else if (is_new)
            *index = item->same_as;
        else
            item->same_as = (size_t)*index;
    }
    scan->n_items = n;
    map_clear(&first);
    return result;
}

/* ---- Analysis ------------------------------------------------------------------------------ */

/* What one thread works with. */
struct reader {
    struct objects *objects; /* NULL for files on disk */
    struct analyzer *analyzer;
    struct arena *arena; /* of the results */
    struct buf encoded;
    struct buf content;  /* of a file on disk */
};

static int
reader_init(struct reader *reader, const struct scan *scan, struct arena *arena, struct err *err)
{
    *reader = (struct reader){.arena = arena};
    if (scan->options->repository &&
        objects_open(scan->repo.objects_dir, &reader->objects, err) < 0)
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

/* The facts of the analyzer's last run live until its next: keep a copy of them and the hits. */
static int
keep_analysis(struct reader *reader, const struct analysis *analysis, struct miner_file *file,
              struct err *err)
{
    buf_reset(&reader->encoded);
    facts_encode(&analysis->facts, &reader->encoded);
    if (buf_failed(&reader->encoded))
        return err_nomem(err, "facts");
    struct bytes encoded = buf_bytes(&reader->encoded);
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
    int result = analyse(reader, scan, object.data, file, err);
    object_clear(&object);
    return result;
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

static int
analyse_group(struct reader *reader, struct scan *scan, size_t first, struct err *err)
{
    size_t end = first + GROUP_FILES < scan->n_items ? first + GROUP_FILES : scan->n_items;
    for (size_t i = first; i < end; i++) {
        const struct item *item = &scan->items[i];
        struct miner_file *file = &scan->tree->files[i];
        if (item->same_as != i)
            continue;
        int result = item->disk_path ? analyse_disk_file(reader, scan, item->disk_path, file, err)
                                     : analyse_blob(reader, scan, file, err);
        if (result < 0)
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
    atomic_store(&scan->next, scan->n_items); /* nobody takes another group */
}

static void
analyse_member(void *shared, size_t index)
{
    struct scan *scan = shared;
    struct reader reader;
    struct err err = {0};
    int result = reader_init(&reader, scan, &scan->tree->arenas[index], &err);
    while (result == 0) {
        size_t first = atomic_fetch_add(&scan->next, GROUP_FILES);
        if (first >= scan->n_items)
            break;
        result = stop_requested() ? err_set(&err, ERR_STOPPED, "stopped on request")
                                  : analyse_group(&reader, scan, first, &err);
    }
    if (result < 0)
        report_failure(scan, &err);
    reader_clear(&reader);
}

static int
analyse_all(struct scan *scan, size_t n_jobs, struct err *err)
{
    struct miner_tree *tree = scan->tree;
    tree->files = calloc(scan->n_items ? scan->n_items : 1, sizeof(*tree->files));
    if (!tree->files)
        return err_nomem(err, "list of files");
    tree->n_files = scan->n_items;
    for (size_t i = 0; i < scan->n_items; i++) {
        const struct item *item = &scan->items[i];
        tree->files[i] =
            (struct miner_file){.path = item->path, .blob = item->blob, .mode = item->mode};
    }
    progress_add_total(scan->options->progress, scan->n_items);
    team_run(n_jobs, analyse_member, scan);
    if (scan->failed) {
        *err = scan->first_error;
        return -1;
    }
    for (size_t i = 0; i < scan->n_items; i++) {
        const struct item *item = &scan->items[i];
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
    size_t n_jobs = options->n_jobs ? options->n_jobs : team_default_size();
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
    scan->arena = &tree->arenas[0];
    if ((scan->options->repository ? list_revision(scan, err) : list_paths(scan, err)) < 0 ||
        arrange(scan, err) < 0)
        return -1;
    size_t n_jobs = number_of_jobs(scan->options, scan->n_items);
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
    struct scan scan = {.options = options,
                        .filter = options->filter ? options->filter : source_filter_default(),
                        .tree = calloc(1, sizeof(*scan.tree))};
    if (!scan.tree)
        return err_nomem(err, "tree");
    if (git_library_begin(false, MAPPED_BYTES, err) < 0) {
        free(scan.tree);
        return -1;
    }
    pthread_mutex_init(&scan.mutex, NULL);
    int result = read_tree(&scan, err);
    pthread_mutex_destroy(&scan.mutex);
    repo_clear(&scan.repo);
    free(scan.items);
    git_library_end();
    if (result < 0)
        miner_tree_destroy(scan.tree);
    else
        *out = scan.tree;
    return result;
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
