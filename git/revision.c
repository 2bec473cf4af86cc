/*
 * A folder of a revision is found one tree at a time, by name.  A tree that git would refuse is
 * searched as git/tree.h makes it usable.
 */
#include "git/revision.h"

#include "git/commit.h"
#include "git/history.h"
#include "git/tree.h"

int
revision_find_tree(struct objects *objects, const struct oid *id, struct oid *commit,
                   struct oid *tree, struct err *err)
{
    enum object_kind kind;
    struct object object;
    struct commit parsed;
    const char *why;
    char hex[OID_HEX_SIZE];
    *commit = (struct oid){0};
    *tree = *id;
    if (objects_kind(objects, id, &kind) != OBJECT_OK)
        return err_set(err, ERR_DAMAGED, "%s", objects_reason(objects));
    if (kind == OBJECT_TREE)
        return 0;
    if (objects_read(objects, id, OBJECT_COMMIT, COMMIT_BYTES_MAX, &object) != OBJECT_OK)
        return err_set(err, ERR_DAMAGED, "%s", objects_reason(objects));
    int rc = commit_parse(object.data, &parsed, &why);
    if (rc < 0)
        err_set(err, ERR_DAMAGED, "commit %s cannot be read: %s", oid_to_hex(id, hex), why);
    else
        *tree = parsed.tree;
    *commit = *id;
    object_clear(&object);
    return rc;
}

/* Move *ID from a tree to its folder NAME, reading it into TREE.  1: it has no such folder. */
static int
enter_folder(struct objects *objects, struct bytes name, struct tree *tree, struct oid *id,
             struct err *err)
{
    const char *why;
    enum object_outcome outcome = tree_read(objects, id, tree, &why);
    if (outcome == OBJECT_NO_MEMORY)
        return err_nomem(err, "tree");
    if (outcome != OBJECT_OK)
        return err_set(err, ERR_DAMAGED, "%s", why);
    for (size_t i = 0; i < tree->n_entries; i++) {
        const struct tree_entry *entry = &tree->entries[i];
        if (mode_is_tree(entry->mode) && bytes_equal(entry->name, name)) {
            *id = oid_from_raw(entry->id, OID_SHA1_BYTES);
            return 0;
        }
    }
    return 1;
}

int
revision_find_folder(struct objects *objects, struct bytes path, struct oid *tree, struct err *err)
{
    struct tree scratch = {0};
    int rc = 0;
    for (size_t at = 0, end; rc == 0 && at < path.len; at = end + 1) {
        const uint8_t *slash = memchr(path.data + at, '/', path.len - at);
        end = slash ? (size_t)(slash - path.data) : path.len;
        struct bytes name = bytes_slice(path, at, end);
        if (name.len && !bytes_equal(name, BYTES(".")))
            rc = enter_folder(objects, name, &scratch, tree, err);
    }
    tree_clear(&scratch);
    return rc <= 0 ? rc
                   : err_set(err, ERR_INPUT, "the revision has no folder %.*s", BYTES_ARG(path));
}
