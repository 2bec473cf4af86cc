/* First parents are a chain, walked in a loop that keeps nothing but the list.  The whole history is
 * walked depth first with an explicit stack: a commit is emitted when all its parents have been, and
 * the list is turned round at the end. */
#include "miner/history.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/num.h"
#include "base/stop.h"
#include "miner/commit.h"

/* A commit whose parents are being walked. */
struct frame {
    struct history_commit commit;
    uint32_t first_link; /* its parents are links[first_link + i] */
    uint32_t next;       /* the parent to enter next */
};

struct walk {
    const struct repo *repo;
    struct objects *objects;
    struct map seen; /* raw commit id to its index in history order of emission, plus one */
    struct frame *frames;
    size_t n_frames, frames_capacity;
    struct oid *links; /* parents of all open frames */
    size_t n_links, links_capacity;
    struct history *out;
    size_t out_capacity;
};

static int
reserve(void **items, size_t *capacity, size_t n, size_t size)
{
    if (n < *capacity)
        return 0;
    size_t larger = *capacity ? *capacity * 2 : 1024;
    void *grown = reallocarray(*items, larger, size);
    if (!grown)
        return -1;
    *items = grown;
    *capacity = larger;
    return 0;
}

static int
add_links(struct walk *walk, const struct commit *commit, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        void *links = walk->links;
        int result = reserve(&links, &walk->links_capacity, walk->n_links, sizeof(*walk->links));
        walk->links = links;
        if (result < 0)
            return -1;
        walk->links[walk->n_links++] = commit_parent(commit, i);
    }
    return 0;
}

/* Read commit ID; COMMIT borrows from OBJECT, which is the caller's on success.  CHILD (NULL for the
 * head) is named when it is missing. */
static int
read_commit(struct walk *walk, const struct oid *id, const struct oid *child, struct object *object,
            struct commit *commit, struct history_commit *out, struct err *err)
{
    const char *why;
    char hex[OID_HEX_SIZE];
    enum object_outcome outcome =
        objects_read(walk->objects, id, OBJECT_COMMIT, COMMIT_BYTES_MAX, object);
    if (outcome == OBJECT_NO_MEMORY)
        return err_nomem(err, "commit");
    if (outcome != OBJECT_OK && !child)
        return err_set(err, ERR_DAMAGED, "%s", objects_reason(walk->objects));
    if (outcome != OBJECT_OK)
        return err_set(err, ERR_DAMAGED,
                       "the history is damaged: %s, a parent of %s, and this is no shallow clone",
                       objects_reason(walk->objects), oid_to_hex(child, hex));
    if (commit_parse(object->data, commit, &why) < 0) {
        object_clear(object);
        return err_set(err, ERR_DAMAGED, "the history is damaged: commit %s: %s",
                       oid_to_hex(id, hex), why);
    }
    bool is_cut = walk->repo->is_shallow && commit->n_parents > 0 && repo_is_cut(walk->repo, id);
    *out = (struct history_commit){.id = *id,
                                   .tree = commit->tree,
                                   .first_parent = HISTORY_NO_PARENT,
                                   .n_parents = (uint16_t)commit->n_parents,
                                   .is_cut = is_cut};
    return 0;
}

static int
emit(struct walk *walk, const struct history_commit *commit, struct err *err)
{
    struct history *out = walk->out;
    void *commits = out->commits;
    int result = reserve(&commits, &walk->out_capacity, out->n_commits, sizeof(*out->commits));
    out->commits = commits;
    if (result < 0 || out->n_commits == HISTORY_NO_PARENT)
        return err_nomem(err, "history");
    out->commits[out->n_commits++] = *commit;
    out->n_single += commit->n_parents < 2;
    out->n_cut += commit->is_cut;
    return 0;
}

/* ---- The chain of first parents ------------------------------------------------------------ */

/* A loop is met again at the mark, which is set ever further apart (Brent's way). */
static int
walk_chain(struct walk *walk, const struct oid *head, struct err *err)
{
    struct oid id = *head, child = {0}, mark = {0};
    size_t next_mark = 1;
    for (size_t n = 0;; n++) {
        struct object object;
        struct commit commit;
        struct history_commit found;
        if (stop_requested())
            return err_set(err, ERR_STOPPED, "stopped on request");
        if (read_commit(walk, &id, n ? &child : NULL, &object, &commit, &found, err) < 0)
            return -1;
        bool goes_on = commit.n_parents > 0 && !found.is_cut;
        child = id;
        if (goes_on)
            id = commit_parent(&commit, 0);
        object_clear(&object);
        if (n == next_mark) {
            mark = child;
            next_mark *= 2;
        }
        goes_on &= !oid_equal(&id, &mark);
        if (goes_on)
            found.first_parent = (uint32_t)n + 1;
        if (emit(walk, &found, err) < 0)
            return -1;
        if (!goes_on)
            return 0;
    }
}

/* ---- The whole history --------------------------------------------------------------------- */

/* Open a frame for commit ID. */
static int
enter(struct walk *walk, const struct oid *id, const struct oid *child, struct err *err)
{
    struct object object;
    struct commit commit;
    struct frame frame = {.first_link = num_u32(walk->n_links)};
    if (read_commit(walk, id, child, &object, &commit, &frame.commit, err) < 0)
        return -1;
    void *frames = walk->frames;
    int result = add_links(walk, &commit, frame.commit.is_cut ? 0 : commit.n_parents);
    object_clear(&object);
    if (result == 0)
        result = reserve(&frames, &walk->frames_capacity, walk->n_frames, sizeof(frame));
    walk->frames = frames;
    if (result < 0)
        return err_nomem(err, "history");
    walk->frames[walk->n_frames++] = frame;
    return 0;
}

/* The innermost frame's parents have all been emitted: emit it. */
static int
leave(struct walk *walk, struct err *err)
{
    struct frame *frame = &walk->frames[--walk->n_frames];
    if (walk->n_links > frame->first_link) {
        const uint64_t *index = map_get(&walk->seen, oid_bytes(&walk->links[frame->first_link]));
        if (index && *index > 0)
            frame->commit.first_parent = (uint32_t)(*index - 1);
    }
    walk->n_links = frame->first_link;
    if (emit(walk, &frame->commit, err) < 0)
        return -1;
    *map_get(&walk->seen, oid_bytes(&frame->commit.id)) = walk->out->n_commits;
    return 0;
}

/* Enter the next unseen parent of the innermost frame, or leave the frame. */
static int
step(struct walk *walk, struct err *err)
{
    struct frame *frame = &walk->frames[walk->n_frames - 1];
    if (frame->first_link + frame->next == walk->n_links)
        return leave(walk, err);
    struct oid parent = walk->links[frame->first_link + frame->next++];
    struct oid child = frame->commit.id;
    bool is_new;
    if (!map_put(&walk->seen, oid_bytes(&parent), &is_new))
        return err_nomem(err, "history");
    return is_new ? enter(walk, &parent, &child, err) : 0;
}

/* Oldest first becomes newest first. */
static void
turn_round(struct history *history)
{
    size_t n = history->n_commits;
    for (size_t i = 0; i < n / 2; i++) {
        struct history_commit commit = history->commits[i];
        history->commits[i] = history->commits[n - 1 - i];
        history->commits[n - 1 - i] = commit;
    }
    for (size_t i = 0; i < n; i++)
        if (history->commits[i].first_parent != HISTORY_NO_PARENT)
            history->commits[i].first_parent = (uint32_t)(n - 1) - history->commits[i].first_parent;
}

static int
walk_all(struct walk *walk, const struct oid *head, struct err *err)
{
    int result = map_put(&walk->seen, oid_bytes(head), NULL) ? enter(walk, head, NULL, err)
                                                             : err_nomem(err, "history");
    while (result == 0 && walk->n_frames > 0)
        result = stop_requested() ? err_set(err, ERR_STOPPED, "stopped on request")
                                  : step(walk, err);
    if (result == 0)
        turn_round(walk->out);
    return result;
}

int
history_walk(const struct repo *repo, struct objects *objects, const struct oid *head,
             enum sampling_history order, struct history *out, struct err *err)
{
    *out = (struct history){0};
    struct walk walk = {.repo = repo, .objects = objects, .out = out};
    map_init(&walk.seen);
    int result = order == HISTORY_FIRST_PARENT ? walk_chain(&walk, head, err)
                                               : walk_all(&walk, head, err);
    map_clear(&walk.seen);
    free(walk.frames);
    free(walk.links);
    if (result < 0)
        history_clear(out);
    return result;
}

void
history_clear(struct history *history)
{
    free(history->commits);
    *history = (struct history){0};
}
