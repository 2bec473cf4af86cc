/*
 * Where mirrors are, and what is wrong with one.  A mirror is judged by the first of these that
 * holds: missing, damaged (also if its history cannot be walked), shallow, partial, without the
 * pinned commit, moved.
 */
#include <stdio.h>
#include <sys/stat.h>

#include "git/history.h"
#include "miner/mirrors.h"
#include "git/objects.h"
#include "git/repo.h"

static bool
is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

char *
miner_mirror_path(const char *mirrors, struct bytes name, struct arena *arena)
{
    char *bare = arena_format(arena, "%s/%.*s.git", mirrors, BYTES_ARG(name));
    char *plain = arena_format(arena, "%s/%.*s", mirrors, BYTES_ARG(name));
    return bare && plain && !is_folder(bare) && is_folder(plain) ? plain : bare;
}

const char *
miner_mirror_state_name(enum miner_mirror_state state)
{
    static const char *const names[] = {"good",    "missing",    "damaged", "shallow",
                                        "partial", "lacks head", "moved"};
    return names[state];
}

static void
judge(struct miner_mirror *out, enum miner_mirror_state state, const char *why)
{
    out->state = state;
    snprintf(out->reason, sizeof(out->reason), "%s", why);
}

/* Walk the first parents from HEAD, which is the history that a mine reads by default. */
static bool
walk(const struct repo *repo, struct objects *objects, const struct oid *head,
     struct miner_mirror *out, struct err *err)
{
    struct history history;
    if (history_walk(repo, objects, head, HISTORY_CHAIN, &history, err) < 0)
        return false;
    out->n_commits = history.n_commits;
    history_clear(&history);
    return true;
}

static void
check_open(const struct manifest_repository *repository, const struct repo *repo,
           struct miner_mirror *out)
{
    struct objects *objects = NULL;
    struct err err;
    enum object_kind kind;
    out->head = repo->head;
    if (objects_open(repo->objects_dir, NULL, &objects, &err) < 0 ||
        !walk(repo, objects, &repo->head, out, &err))
        judge(out, MINER_MIRROR_DAMAGED, err.text);
    else if (repo->is_shallow)
        judge(out, MINER_MIRROR_SHALLOW,
              "its history was cut off (`git fetch --unshallow` completes it)");
    else if (repo->is_partial)
        judge(out, MINER_MIRROR_PARTIAL, "it is a partial clone, which lacks objects on purpose");
    else if (repository->head.len && objects_kind(objects, &repository->head, &kind) != OBJECT_OK)
        judge(out, MINER_MIRROR_LACKS_HEAD, "it lacks the commit that the manifest pins");
    else if (repository->head.len && !oid_equal(&repository->head, &repo->head))
        judge(out, MINER_MIRROR_MOVED, "its head is not the commit that the manifest pins");
    objects_close(objects);
}

int
miner_mirror_check(const struct manifest_repository *repository, const char *path,
                   struct miner_mirror *out, struct err *err)
{
    struct repo repo;
    struct err why;
    *out = (struct miner_mirror){.state = MINER_MIRROR_GOOD};
    if (!is_folder(path)) {
        judge(out, MINER_MIRROR_MISSING, "there is no such folder");
        return 0;
    }
    if (git_library_begin(err) < 0)
        return -1;
    if (repo_open(path, repository->ref, &repo, &why) < 0) {
        judge(out, MINER_MIRROR_DAMAGED, why.text);
    } else {
        check_open(repository, &repo, out);
        repo_clear(&repo);
    }
    git_library_end();
    return 0;
}
