/*
 * Estimating what cloning a panel takes, from the sizes of the mirrors that are there.
 */
#include <errno.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/fs.h"
#include "miner/mirrors.h"

enum { MEASURED_MIN = 20 }; /* a mean of fewer is worse than the constant */

/* Bytes of all files below PATH; 0 when they cannot be listed. */
static uint64_t
size_of_tree(const char *path)
{
    struct arena arena;
    struct fs_entry *entries;
    size_t n_entries;
    uint64_t sum = 0;
    arena_init(&arena, 0);
    if (fs_list(path, NULL, NULL, &arena, &entries, &n_entries, NULL) == 0)
        for (size_t i = 0; i < n_entries; i++)
            sum += entries[i].size_bytes;
    arena_clear(&arena);
    return sum;
}

static void
estimate(const char *mirrors, const struct manifest_repository *repositories, size_t n_repositories,
         struct miner_clone_estimate *out)
{
    struct arena arena;
    uint64_t there_bytes = 0;
    arena_init(&arena, 0);
    for (size_t i = 0; i < n_repositories; i++) {
        const char *path = miner_mirror_path(mirrors, repositories[i].name, &arena);
        bool is_missing = path && access(path, F_OK) < 0;
        out->n_missing += is_missing;
        if (path && !is_missing) {
            there_bytes += size_of_tree(path);
            out->n_measured++;
        }
        arena_reset(&arena);
    }
    arena_clear(&arena);
    if (out->n_measured < MEASURED_MIN)
        out->n_measured = 0;
    out->mean_bytes = out->n_measured ? there_bytes / out->n_measured : MINER_CLONE_MEAN_BYTES;
    out->wanted_bytes = out->n_missing * out->mean_bytes;
}

int
miner_clone_estimate(const char *mirrors, const struct manifest_repository *repositories,
                     size_t n_repositories, struct miner_clone_estimate *out, struct err *err)
{
    struct statvfs disk;
    *out = (struct miner_clone_estimate){0};
    estimate(mirrors, repositories, n_repositories, out);
    if (mkdir(mirrors, 0777) < 0 && errno != EEXIST)
        return err_set_errno(err, "make the folder %s", mirrors);
    if (statvfs(mirrors, &disk) < 0)
        return err_set_errno(err, "look at the disk of %s", mirrors);
    out->free_bytes = (uint64_t)disk.f_bavail * disk.f_frsize;
    return 0;
}
