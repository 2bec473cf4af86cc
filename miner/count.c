/* Counting needs every comparison that mining avoids: it is for looking, not on the way to a store. */
#include "base/stop.h"
#include "miner/compare.h"
#include "miner/history.h"
#include "miner/miner.h"
#include "miner/objects.h"
#include "miner/repo.h"

enum { MAPPED_BYTES = 256 * 1024 * 1024 };

static enum touch
touch_of(struct compare *compare, const struct history *history,
         const struct history_commit *commit)
{
    if (commit->n_parents == 0)
        return compare_trees(compare, NULL, &commit->tree);
    if (commit->first_parent == HISTORY_NO_PARENT)
        return TOUCH_UNKNOWN;
    return compare_trees(compare, &history->commits[commit->first_parent].tree, &commit->tree);
}

static int
count(const struct history *history, struct compare *compare, struct miner_counts *out,
      struct err *err)
{
    out->n_commits = history->n_commits;
    out->n_single = history->n_single;
    for (size_t i = 0; i < history->n_commits; i++) {
        if (stop_requested())
            return err_set(err, ERR_STOPPED, "stopped on request");
        if (history->commits[i].n_parents > 1)
            continue;
        enum touch touch = touch_of(compare, history, &history->commits[i]);
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
    struct history history = {0};
    struct compare compare = {0};
    if (repo_open(path, ref, &repo, err) < 0)
        return -1;
    int result = objects_open(repo.objects_dir, &objects, err);
    if (result == 0)
        result = history_walk(&repo, objects, &repo.head, HISTORY_ALL, &history, err);
    if (result == 0) {
        compare_init(&compare, objects, filter);
        result = count(&history, &compare, out, err);
    }
    compare_clear(&compare);
    history_clear(&history);
    objects_close(objects);
    repo_clear(&repo);
    return result;
}

int
miner_count(const char *path, struct bytes ref, const struct source_filter *filter,
            struct miner_counts *out, struct err *err)
{
    *out = (struct miner_counts){0};
    if (git_library_begin(false, MAPPED_BYTES, err) < 0)
        return -1;
    int result = count_repository(path, ref, filter ? filter : source_filter_default(), out, err);
    git_library_end();
    return result;
}
