/*
 * Compacting: a new data file is built in a store of its own below the folder and renamed over the
 * old one, so that a crash leaves either the old one or the new one.
 */
#include <stdlib.h>
#include <sys/stat.h>

#include "store/copy.h"

static int
build(struct store *store, const char *path, const struct store_compact_options *options,
      struct store_copied *out, struct err *err)
{
    struct store_options where = {.path = path, .mode = STORE_WRITE};
    struct store *target;
    if (store_open(&where, &target, err) < 0)
        return -1;
    int rc = copy_store(store, target, options, out, err);
    store_close(target);
    return rc;
}

int
store_compact(struct store *store, const struct store_compact_options *options,
              struct store_copied *out, struct err *err)
{
    if (!store->is_writable || store->has_writer)
        return err_set(err, ERR_INTERNAL, "compact a store that is not free to be written");
    *out = (struct store_copied){0};
    char *folder = folder_make_temporary(&store->folder, err);
    int rc = folder ? build(store, folder, options, out, err) : -1;
    if (rc == 0)
        rc = folder_replace_data(&store->folder, false, err);
    folder_remove_temporary(&store->folder);
    free(folder);
    return rc < 0 ? err_wrap(err, "compact store %s", store->folder.path) : 0;
}

static bool
are_the_same(const struct store *a, const struct store *b)
{
    struct stat st_a, st_b;
    return fstat(a->folder.fd, &st_a) == 0 && fstat(b->folder.fd, &st_b) == 0 &&
           st_a.st_dev == st_b.st_dev && st_a.st_ino == st_b.st_ino;
}

int
store_merge(struct store *target, struct store *source, struct store_copied *out, struct err *err)
{
    const struct store_compact_options all = {0};
    *out = (struct store_copied){0};
    if (are_the_same(target, source))
        return err_set(err, ERR_INPUT, "store %s cannot be merged into itself",
                       target->folder.path);
    if (copy_store(source, target, &all, out, err) < 0)
        return err_wrap(err, "merge store %s into %s", source->folder.path, target->folder.path);
    return 0;
}
