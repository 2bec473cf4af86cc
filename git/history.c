/* First parents are a chain, walked in a loop that keeps nothing but the list.  The whole history
 * is walked depth first with an explicit stack: a commit is emitted when all its parents have been,
 * so the oldest comes first. */
#include "git/history.h"

#include "base/stop.h"
#include "git/commit.h"

/* A commit whose parents are being walked. */
struct frame {
    struct history_commit commit;
    size_t first_link; /* its parents are links[first_link + i] */
    size_t next;       /* the parent to enter next */
};

/* The number of a commit that has been entered and not yet emitted. */
static const uint32_t not_emitted = HISTORY_NO_PARENT;

struct walk {
    const struct repo *repo;
    struct objects *objects;
    struct history *out;
    /* of the whole history only */
    struct id_map seen;  /* to the place in out->commits */
    struct spill frames; /* open ones, the outermost first */
    struct spill links;  /* parents of all open frames */
};

/* Read commit ID; COMMIT borrows from OBJECT, which is the caller's on success.  CHILD (NULL for
 * the head) is named when it is missing. */
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
    if (out->n_commits == HISTORY_NO_PARENT)
        return err_set(err, ERR_UNSUPPORTED, "the history has more than %u commits",
                       HISTORY_NO_PARENT);
    if (spill_add(&out->commits, commit, err) < 0)
        return -1;
    out->n_commits++;
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
    struct frame frame = {.first_link = walk->links.n_items};
    if (read_commit(walk, id, child, &object, &commit, &frame.commit, err) < 0)
        return -1;
    uint32_t n_links = frame.commit.is_cut ? 0 : commit.n_parents;
    int result = id_map_set(&walk->seen, id, not_emitted, err);
    for (uint32_t i = 0; result == 0 && i < n_links; i++) {
        struct oid parent = commit_parent(&commit, i);
        result = spill_add(&walk->links, &parent, err);
    }
    object_clear(&object);
    return result < 0 ? -1 : spill_add(&walk->frames, &frame, err);
}

/* The parents of FRAME, the innermost, have all been emitted: emit it. */
static int
leave(struct walk *walk, struct frame *frame, struct err *err)
{
    struct oid parent;
    walk->frames.n_items--;
    if (walk->links.n_items > frame->first_link &&
        (spill_get(&walk->links, frame->first_link, &parent, err) < 0 ||
         id_map_get(&walk->seen, &parent, &frame->commit.first_parent, err) < 0))
        return -1;
    walk->links.n_items = frame->first_link;
    uint32_t place = (uint32_t)walk->out->n_commits;
    return emit(walk, &frame->commit, err) < 0
               ? -1
               : id_map_set(&walk->seen, &frame->commit.id, place, err);
}

/* Enter the next unseen parent of the innermost frame, or leave the frame. */
static int
step(struct walk *walk, struct err *err)
{
    size_t innermost = walk->frames.n_items - 1;
    struct frame frame;
    struct oid parent;
    uint32_t place;
    if (spill_get(&walk->frames, innermost, &frame, err) < 0)
        return -1;
    if (frame.first_link + frame.next == walk->links.n_items)
        return leave(walk, &frame, err);
    if (spill_get(&walk->links, frame.first_link + frame.next++, &parent, err) < 0 ||
        spill_put(&walk->frames, innermost, &frame, err) < 0)
        return -1;
    int is_seen = id_map_get(&walk->seen, &parent, &place, err);
    return is_seen == 0 ? enter(walk, &parent, &frame.commit.id, err) : is_seen < 0 ? -1 : 0;
}

static int
walk_all(struct walk *walk, const struct oid *head, struct err *err)
{
    walk->out->is_oldest_first = true;
    int result = enter(walk, head, NULL, err);
    while (result == 0 && walk->frames.n_items > 0)
        result =
            stop_requested() ? err_set(err, ERR_STOPPED, "stopped on request") : step(walk, err);
    return result;
}

int
history_walk(const struct repo *repo, struct objects *objects, const struct oid *head,
             enum history_extent extent, struct history *out, struct err *err)
{
    *out = (struct history){0};
    spill_init(&out->commits, sizeof(struct history_commit));
    struct walk walk = {.repo = repo, .objects = objects, .out = out};
    id_map_init(&walk.seen);
    spill_init(&walk.frames, sizeof(struct frame));
    spill_init(&walk.links, sizeof(struct oid));
    int result =
        extent == HISTORY_CHAIN ? walk_chain(&walk, head, err) : walk_all(&walk, head, err);
    id_map_clear(&walk.seen);
    spill_clear(&walk.frames);
    spill_clear(&walk.links);
    if (result < 0)
        history_clear(out);
    return result;
}

void
history_clear(struct history *history)
{
    spill_clear(&history->commits);
    history->n_commits = history->n_single = history->n_cut = 0;
}

int
history_get(const struct history *history, size_t i, struct history_commit *out, struct err *err)
{
    size_t last = history->n_commits - 1;
    if (spill_get(&history->commits, history->is_oldest_first ? last - i : i, out, err) < 0)
        return -1;
    if (history->is_oldest_first && out->first_parent != HISTORY_NO_PARENT)
        out->first_parent = (uint32_t)last - out->first_parent;
    return 0;
}
