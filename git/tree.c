/* An entry is "<mode in octal> <name>\0<raw id>".  A sound tree takes one pass; only a tree with a
 * defect is corrected in a second one. */
#include "git/tree.h"

#include <assert.h>
#include <stdlib.h>

enum { MODE_DIGITS_MAX = 8 };

int
tree_entry_compare(const struct tree_entry *a, const struct tree_entry *b)
{
    size_t n = a->name.len < b->name.len ? a->name.len : b->name.len;
    int order = memcmp(a->name.data, b->name.data, n);
    if (order != 0)
        return order;
    uint8_t next_a = n < a->name.len ? a->name.data[n] : mode_is_tree(a->mode) ? '/' : 0;
    uint8_t next_b = n < b->name.len ? b->name.data[n] : mode_is_tree(b->mode) ? '/' : 0;
    return (int)next_a - (int)next_b;
}

/* Take one entry from the front of *REST.  False when it is cut short or has no octal mode. */
static bool
take_entry(struct bytes *rest, struct tree_entry *out)
{
    uint32_t mode = 0;
    size_t at = 0;
    while (at < rest->len && rest->data[at] >= '0' && rest->data[at] <= '7') {
        if (at == MODE_DIGITS_MAX)
            return false;
        mode = mode << 3 | (uint32_t)(rest->data[at++] - '0');
    }
    if (at == 0 || at == rest->len || rest->data[at] != ' ')
        return false;
    size_t name = at + 1;
    const uint8_t *nul = memchr(rest->data + name, 0, rest->len - name);
    if (!nul)
        return false;
    size_t id = (size_t)(nul - rest->data) + 1;
    if (rest->len - id < OID_SHA1_BYTES)
        return false;
    *out = (struct tree_entry){mode, bytes_slice(*rest, name, id - 1), rest->data + id};
    *rest = bytes_slice(*rest, id + OID_SHA1_BYTES, rest->len);
    return true;
}

static bool
name_leads_away(struct bytes name)
{
    if (name.len == 0 || memchr(name.data, '/', name.len))
        return true;
    return name.data[0] == '.' &&
           (name.len == 1 || bytes_equal(name, BYTES("..")) || bytes_equal(name, BYTES(".git")));
}

static bool
mode_is_known(uint32_t mode)
{
    return mode_is_tree(mode) || mode_is_regular(mode) || (mode & 0170000) == 0120000 ||
           (mode & 0170000) == 0160000;
}

static unsigned
entry_defects(const struct tree_entry *entry)
{
    static const uint8_t null_id[OID_SHA1_BYTES];
    unsigned defects = 0;
    if (name_leads_away(entry->name))
        defects |= TREE_DEFECT_NAME;
    if (memcmp(entry->id, null_id, sizeof(null_id)) == 0)
        defects |= TREE_DEFECT_NULL_ID;
    if (!mode_is_known(entry->mode))
        defects |= TREE_DEFECT_MODE;
    return defects;
}

static int
compare_for_sort(const void *a, const void *b)
{
    const struct tree_entry *x = a, *y = b;
    int order = tree_entry_compare(x, y);
    /* Equal names are in the order of the object: the first stays. */
    return order != 0 ? order : x->id < y->id ? -1 : x->id > y->id;
}

static int
compare_names(const void *a, const void *b)
{
    const struct tree_entry *const *x = a, *const *y = b;
    int order = bytes_compare((*x)->name, (*y)->name);
    return order != 0 ? order : (*x)->id < (*y)->id ? -1 : (*x)->id > (*y)->id;
}

/* Mark all but the first entry of each name by an empty name, a file and a folder of one name too.
 */
static int
mark_doubles(struct tree *tree)
{
    struct tree_entry **by_name = reallocarray(NULL, tree->n_entries, sizeof(*by_name));
    if (!by_name)
        return -1;
    for (size_t i = 0; i < tree->n_entries; i++)
        by_name[i] = &tree->entries[i];
    qsort(by_name, tree->n_entries, sizeof(*by_name), compare_names);
    const struct tree_entry *first = by_name[0];
    for (size_t i = 1; i < tree->n_entries; i++) {
        if (!bytes_equal(by_name[i]->name, first->name)) {
            first = by_name[i];
            continue;
        }
        by_name[i]->name.len = 0;
        tree->defects |= TREE_DEFECT_DOUBLED;
    }
    free(by_name);
    return 0;
}

/* Make a tree with defects usable: see the header. */
static int
mend(struct tree *tree)
{
    if (tree->n_entries > 1 && mark_doubles(tree) < 0)
        return -1;
    size_t n = 0;
    for (size_t i = 0; i < tree->n_entries; i++)
        if (entry_defects(&tree->entries[i]) == 0)
            tree->entries[n++] = tree->entries[i];
    tree->n_entries = n;
    if (n > 1)
        qsort(tree->entries, n, sizeof(*tree->entries), compare_for_sort);
    return 0;
}

static int
grow(struct tree *tree)
{
    size_t capacity = tree->capacity ? tree->capacity * 2 : 64;
    struct tree_entry *entries = reallocarray(tree->entries, capacity, sizeof(*entries));
    if (!entries)
        return -1;
    tree->entries = entries;
    tree->capacity = capacity;
    return 0;
}

enum object_outcome
tree_parse(struct bytes raw, struct tree *tree, const char **why)
{
    struct bytes rest = raw;
    while (rest.len > 0) {
        if (tree->n_entries == tree->capacity && grow(tree) < 0)
            goto no_memory;
        struct tree_entry *entry = &tree->entries[tree->n_entries];
        if (!take_entry(&rest, entry)) {
            *why = "an entry of the tree is malformed or cut short";
            return OBJECT_DAMAGED;
        }
        tree->defects |= entry_defects(entry);
        if (tree->n_entries > 0 && tree_entry_compare(entry - 1, entry) >= 0)
            tree->defects |= TREE_DEFECT_ORDER;
        if (tree->n_entries > 0 && bytes_equal(entry[-1].name, entry->name))
            tree->defects |= TREE_DEFECT_DOUBLED;
        tree->n_entries++;
    }
    if (tree->defects == 0 || mend(tree) == 0)
        return OBJECT_OK;

no_memory:
    *why = "the tree does not fit in memory";
    return OBJECT_NO_MEMORY;
}

enum object_outcome
tree_read(struct objects *objects, const struct oid *id, struct tree *tree, const char **why)
{
    tree_make_empty(tree);
    enum object_outcome outcome =
        objects_read(objects, id, OBJECT_TREE, TREE_BYTES_MAX, &tree->object);
    if (outcome != OBJECT_OK) {
        *why = objects_reason(objects);
        return outcome;
    }
    outcome = tree_parse(tree->object.data, tree, why);
    if (outcome != OBJECT_OK)
        tree_make_empty(tree);
    return outcome;
}

void
tree_make_empty(struct tree *tree)
{
    object_clear(&tree->object);
    tree->n_entries = 0;
    tree->defects = 0;
}

void
tree_clear(struct tree *tree)
{
    object_clear(&tree->object);
    free(tree->entries);
    *tree = (struct tree){0};
}

const char *
tree_defect_name(unsigned defects)
{
    if (defects & TREE_DEFECT_NAME)
        return "an entry has an empty name or one that leads out of the tree; it is left out";
    if (defects & TREE_DEFECT_NULL_ID)
        return "an entry has a null id; it is left out";
    if (defects & TREE_DEFECT_MODE)
        return "an entry has a mode that git does not write; it is left out";
    if (defects & TREE_DEFECT_DOUBLED)
        return "a name stands twice; the first entry is taken";
    assert(defects & TREE_DEFECT_ORDER);
    return "the entries are not in order";
}
