/* Any bytes as a commit ('c'), a commit whose marks are looked for ('m', slower) or a tree ('t');
 * the first byte says as what.  Whatever is taken must keep what the headers promise: nothing
 * outside the bytes, names in order and each once. */
#include <stdlib.h>

#include "base/base.h"
#include "fuzz.h"
#include "git/commit.h"
#include "miner/markers.h"
#include "git/tree.h"

enum { ENTRY_BYTES_MIN = sizeof("0 x") + OID_SHA1_BYTES };

static void
expect(bool holds)
{
    if (!holds)
        abort();
}

static bool
is_within(struct bytes part, struct bytes whole)
{
    return part.len == 0 || (part.data >= whole.data && part.len <= whole.len &&
                             (size_t)(part.data - whole.data) <= whole.len - part.len);
}

/* Every byte is read, so that AddressSanitizer sees what the comparison of pointers would not. */
static bool
is_readable(struct bytes part, struct bytes whole)
{
    struct arena arena;
    arena_init(&arena, 0);
    bool done = arena_copy(&arena, part).data != NULL;
    arena_clear(&arena);
    return done && is_within(part, whole);
}

static void
find_markers(const struct commit *commit)
{
    struct markers *markers;
    struct arena arena;
    struct bytes found;
    struct err err;
    arena_init(&arena, 0);
    expect(markers_open(&markers, &err) == 0);
    expect(markers_find(markers, commit, &arena, &found, &err) == 0);
    markers_close(markers);
    arena_clear(&arena);
}

static void
parse_commit(struct bytes raw, bool wants_markers)
{
    struct commit commit;
    const char *why = NULL;
    int64_t time_s;
    if (commit_parse(raw, &commit, &why) < 0) {
        expect(why != NULL);
        return;
    }
    expect(commit.n_parents <= COMMIT_PARENTS_MAX);
    for (uint32_t i = 0; i < commit.n_parents; i++)
        expect(commit_parent(&commit, i).len == OID_SHA1_BYTES);
    expect(is_readable(commit.author, raw) && is_readable(commit.committer, raw) &&
           is_readable(commit.date, raw) && is_readable(commit.message, raw));
    if (commit_date(commit.date, INT64_MAX, &time_s) == DATE_GOOD)
        expect(time_s > 0);
    if (wants_markers)
        find_markers(&commit);
}

static void
write_entries(const struct tree *tree, struct buf *out)
{
    for (size_t i = 0; i < tree->n_entries; i++) {
        buf_printf(out, "%o ", tree->entries[i].mode);
        buf_append_bytes(out, tree->entries[i].name);
        buf_append_byte(out, 0);
        buf_append(out, tree->entries[i].id, OID_SHA1_BYTES);
    }
}

static void
check_entries(const struct tree *tree, struct bytes raw)
{
    expect(tree->n_entries <= raw.len / ENTRY_BYTES_MIN);
    for (size_t i = 0; i < tree->n_entries; i++) {
        const struct tree_entry *entry = &tree->entries[i];
        expect(entry->name.len > 0 && is_readable(entry->name, raw) &&
               is_readable((struct bytes){entry->id, OID_SHA1_BYTES}, raw));
        expect(i == 0 || tree_entry_compare(entry - 1, entry) < 0);
    }
    expect(tree->defects == 0 || tree_defect_name(tree->defects) != NULL);
}

/* A tree that was mended and written again is sound. */
static void
parse_tree(struct bytes raw)
{
    struct tree tree = {0}, again = {0};
    struct buf written = {0}, twice = {0};
    const char *why = NULL;
    if (tree_parse(raw, &tree, &why) == OBJECT_OK) {
        check_entries(&tree, raw);
        write_entries(&tree, &written);
        expect(tree_parse(buf_bytes(&written), &again, &why) == OBJECT_OK && again.defects == 0);
        write_entries(&again, &twice);
        expect(bytes_equal(buf_bytes(&written), buf_bytes(&twice)));
    } else {
        expect(why != NULL);
    }
    tree_clear(&tree);
    tree_clear(&again);
    buf_clear(&written);
    buf_clear(&twice);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    struct bytes raw = {data + 1, size - 1};
    if (data[0] == 't')
        parse_tree(raw);
    else
        parse_commit(raw, data[0] == 'm');
    return 0;
}
