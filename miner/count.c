/*
 * Counting what a history has, before it is mined.  It compares every commit with its parent, which
 * mining avoids, so no other command uses it.
 */
#include "base/stop.h"
#include "miner/compare.h"
#include "git/history.h"
#include "miner/miner.h"
#include "git/objects.h"
#include "git/repo.h"

static int
touch_of(struct compare *compare, const struct history *history,
         const struct history_commit *commit, enum touch *out, struct err *err)
{
    struct history_commit parent;
    bool has_parent = commit->first_parent != HISTORY_NO_PARENT;
    *out = TOUCH_UNKNOWN;
    if (commit->n_parents > 0 && !has_parent)
        return 0;
    if (has_parent && history_get(history, commit->first_parent, &parent, err) < 0)
        return -1;
    *out = compare_trees(compare, has_parent ? &parent.tree : NULL, &commit->tree);
    return 0;
}

static int
count(const struct history *history, struct compare *compare, struct miner_counts *out,
      struct err *err)
{
    out->n_commits = history->n_commits;
    out->n_single = history->n_single;
    for (size_t i = 0; i < history->n_commits; i++) {
        struct history_commit commit;
        enum touch touch;
        if (stop_requested())
            return err_set(err, ERR_STOPPED, "stopped on request");
        if (history_get(history, i, &commit, err) < 0)
            return -1;
        if (commit.n_parents > 1)
            continue;
        if (touch_of(compare, history, &commit, &touch, err) < 0)
            return -1;
        out->n_content += touch == TOUCH_CONTENT;
        out->n_mode += touch == TOUCH_MODE;
        out->n_unknown += touch == TOUCH_UNKNOWN;
    }
    return 0;
}

static int
count_repository(const char *path, struct bytes ref, const struct source_filter *filter,
                 struct miner_counts *out, struct err *err)
{
    struct repo repo;
    struct objects *objects = NULL;
    struct history history;
    struct compare compare;
    if (repo_open(path, ref, &repo, err) < 0)
        return -1;
    int rc = -1;
    if (objects_open(repo.objects_dir, NULL, &objects, err) == 0 &&
        history_walk(&repo, objects, &repo.head, HISTORY_WHOLE, &history, err) == 0) {
        compare_init(&compare, objects, filter);
        rc = count(&history, &compare, out, err);
        compare_clear(&compare);
        history_clear(&history);
    }
    objects_close(objects);
    repo_clear(&repo);
    return rc;
}

int
miner_count(const char *path, struct bytes ref, const struct source_filter *filter,
            struct miner_counts *out, struct err *err)
{
    *out = (struct miner_counts){0};
    if (git_library_begin(err) < 0)
        return -1;
    int rc = count_repository(path, ref, filter ? filter : source_filter_default(), out, err);
    git_library_end();
    return rc;
}
