#include "cmocka_all.h"

#include "miner/compare.h"
#include "miner/listing.h"
#include "miner/sandbox.h"
#include "git/tree.h"

/* Trees are written raw, as no sound git would, by a line of shell. */
struct fixture {
    struct sandbox *box;
    struct objects *objects;
    char blob_a[OID_HEX_SIZE], blob_b[OID_HEX_SIZE];
};

static void
read_id(struct fixture *f, const char *command, char out[OID_HEX_SIZE])
{
    char line[2048];
    snprintf(line, sizeof(line), "%s", command);
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    assert_non_null(fgets(out, OID_HEX_SIZE, pipe));
    assert_int_equal(pclose(pipe), 0);
    assert_int_equal(strlen(out), 40);
    (void)f;
}

static void
write_blob(struct fixture *f, const char *text, char out[OID_HEX_SIZE])
{
    char command[512];
    snprintf(command, sizeof(command),
             "printf '%s' | git --git-dir='%s' hash-object -w --stdin | tr -d '\\n'", text,
             f->box->repo);
    read_id(f, command, out);
}

/* ENTRIES is a list of "mode name id", one a line; a name may hold \\NNN for printf. */
static struct oid
write_tree(struct fixture *f, const char *entries)
{
    char command[2048], hex[OID_HEX_SIZE];
    struct oid id;
    snprintf(
        command, sizeof(command),
        "while read -r mode name id; do printf '%%s ' $mode; printf \"$name\"; printf '\\000'; "
        "printf \"$(echo $id | sed 's/../\\\\x&/g')\"; done <<'END' | git --git-dir='%s' "
        "hash-object -t tree -w --stdin --literally | tr -d '\\n'\n%sEND\n",
        f->box->repo, entries);
    char script[160];
    struct err err;
    snprintf(script, sizeof(script), "%s/script", f->box->path);
    assert_int_equal(fs_write(script, bytes_of_text(command), &err), 0);
    snprintf(command, sizeof(command), "bash '%s'", script);
    read_id(f, command, hex);
    assert_int_equal(oid_from_hex(bytes_of_text(hex), &id), 0);
    return id;
}

static int
set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof(*f));
    void *box;
    struct err err;
    char objects_dir[160];
    if (!f || sandbox_create(&box) < 0)
        return -1;
    f->box = box;
    sandbox_begin(f->box, "trees.git");
    sandbox_commit(f->box, (const unsigned[]){0}, "");
    sandbox_end(f->box);
    snprintf(objects_dir, sizeof(objects_dir), "%s/objects", f->box->repo);
    write_blob(f, "a", f->blob_a);
    write_blob(f, "b", f->blob_b);
    *state = f;
    return git_library_begin(&err) < 0 ||
                   objects_open(objects_dir, &(struct objects_options){.verify = true}, &f->objects,
                                &err) < 0
               ? -1
               : 0;
}

static int
tear_down(void **state)
{
    struct fixture *f = *state;
    void *box = f->box;
    objects_close(f->objects);
    git_library_end();
    free(f);
    return sandbox_destroy(&box);
}

static void
assert_names(const struct tree *tree, const char *names)
{
    struct buf found = {0};
    for (size_t i = 0; i < tree->n_entries; i++)
        buf_printf(&found, "%s%.*s", i ? " " : "", BYTES_ARG(tree->entries[i].name));
    buf_append_byte(&found, 0);
    assert_string_equal((const char *)found.data, names);
    buf_clear(&found);
}

static void
test_tree_read__defects_are_mended_and_named(void **state)
{
    struct fixture *f = *state;
    const struct {
        const char *entries; /* A, B: the blobs; 0: the null id */
        const char *names;
        unsigned defects;
    } cases[] = {
        {"100644 a.py A\n100644 b.py B\n", "a.py b.py", 0},
        {"0100644 a.py A\n040000 d A\n", "a.py d", 0},
        {"100644 b.py B\n100644 a.py A\n", "a.py b.py", TREE_DEFECT_ORDER},
        {"100644 a.py A\n100644 a.py B\n", "a.py", TREE_DEFECT_ORDER | TREE_DEFECT_DOUBLED},
        {"100644 a.py A\n40000 a.py B\n", "a.py", TREE_DEFECT_DOUBLED},
        {"100644 pkg/a.py A\n100644 z B\n", "z", TREE_DEFECT_NAME},
        {"40000 .. A\n40000 .git A\n100644 c.py B\n", "c.py", TREE_DEFECT_NAME},
        {"100644 e.py 0\n100644 f.py B\n", "f.py", TREE_DEFECT_NULL_ID},
        {"10644 e.py A\n100644 f.py B\n", "f.py", TREE_DEFECT_MODE},
    };
    struct tree tree = {0};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct buf entries = {0};
        const char *why = "";
        for (const char *at = cases[i].entries; *at; at++) {
            bool is_id = at[1] == '\n';
            if (is_id && *at == '0')
                buf_printf(&entries, "%040d", 0);
            else if (is_id)
                buf_append_text(&entries, *at == 'A' ? f->blob_a : f->blob_b);
            else
                buf_append_byte(&entries, (uint8_t)*at);
        }
        buf_append_byte(&entries, 0);
        struct oid id = write_tree(f, (const char *)entries.data);
        assert_int_equal(tree_read(f->objects, &id, &tree, &why), OBJECT_OK);
        assert_names(&tree, cases[i].names);
        assert_int_equal(tree.defects, cases[i].defects);
        if (tree.defects)
            assert_true(strlen(tree_defect_name(tree.defects)) > 0);
        buf_clear(&entries);
    }
    tree_clear(&tree);
}

static void
test_tree_read__cut_or_lying_objects_cannot_be_used(void **state)
{
    struct fixture *f = *state;
    struct tree tree = {0};
    struct oid id;
    const char *why = NULL;
    char hex[OID_HEX_SIZE], command[512];
    snprintf(command, sizeof(command),
             "printf '100644 k.py' | git --git-dir='%s' hash-object -t tree -w --stdin --literally "
             "| tr -d '\\n'",
             f->box->repo);
    read_id(f, command, hex);
    assert_int_equal(oid_from_hex(bytes_of_text(hex), &id), 0);
    assert_int_equal(tree_read(f->objects, &id, &tree, &why), OBJECT_DAMAGED);
    assert_int_equal(oid_from_hex(bytes_of_text(f->blob_a), &id), 0);
    assert_int_equal(tree_read(f->objects, &id, &tree, &why), OBJECT_WRONG_KIND);
    assert_non_null(strstr(why, "is a blob, not a tree"));
    id.id[0] ^= 1;
    assert_int_equal(tree_read(f->objects, &id, &tree, &why), OBJECT_MISSING);
    tree_clear(&tree);
}

/* ---- Listing and comparing ----------------------------------------------------------------- */

static int
note_file(void *context, struct bytes path, const struct tree_entry *entry, struct err *err)
{
    (void)err;
    buf_printf(context, "%.*s %o\n", BYTES_ARG(path), entry->mode);
    return 0;
}

static int
note_defect(void *context, struct bytes folder, const char *what, struct err *err)
{
    (void)what;
    (void)err;
    buf_printf(context, "defect in /%.*s\n", BYTES_ARG(folder));
    return 0;
}

static char *
hex_of(const struct oid *id)
{
    static char hex[4][OID_HEX_SIZE];
    static unsigned next;
    return oid_to_hex(id, hex[next++ % 4]);
}

static void
test_listing_run__source_files_in_order_of_paths(void **state)
{
    struct fixture *f = *state;
    char text[1024];
    struct buf found = {0};
    struct listing listing;
    struct err err;
    snprintf(text, sizeof(text), "100664 b.py %s\n100644 c.txt %s\n", f->blob_b, f->blob_a);
    struct oid sub = write_tree(f, text);
    snprintf(text, sizeof(text),
             "100644 a.py %s\n40000 a %s\n100755 a0.py %s\n40000 build %s\n120000 l.py %s\n"
             "160000 m.py %s\n40000 x.py %s\n",
             f->blob_a, hex_of(&sub), f->blob_a, hex_of(&sub), f->blob_a, f->blob_a, hex_of(&sub));
    struct oid top = write_tree(f, text);
    struct listing_sink sink = {note_file, note_defect, &found};
    listing_init(&listing, f->objects, source_filter_default());
    if (listing_run(&listing, &top, &sink, &err) < 0)
        fail_msg("%s", err.text);
    buf_append_byte(&found, 0);
    assert_string_equal((const char *)found.data,
                        "a.py 100644\na/b.py 100664\na0.py 100755\nx.py/b.py 100664\n");
    listing_clear(&listing);
    buf_clear(&found);
}

/* Ten levels of ten copies each stand for 10^10 files: the walk must end with a reason. */
static void
test_listing_run__a_tree_of_copies_of_itself_is_refused(void **state)
{
    struct fixture *f = *state;
    char text[1024];
    struct listing listing;
    struct compare compare;
    struct err err;
    snprintf(text, sizeof(text), "100644 c.txt %s\n", f->blob_a);
    struct oid id = write_tree(f, text);
    for (int level = 0; level < 12; level++) {
        size_t n = 0;
        for (int i = 0; i < 10; i++)
            n += (size_t)snprintf(text + n, sizeof(text) - n, "40000 d%d %s\n", i, hex_of(&id));
        id = write_tree(f, text);
    }
    struct buf found = {0};
    struct listing_sink sink = {note_file, note_defect, &found};
    listing_init(&listing, f->objects, source_filter_default());
    assert_int_equal(listing_run(&listing, &id, &sink, &err), -1);
    assert_int_equal(err.code, ERR_UNSUPPORTED);
    listing_clear(&listing);
    compare_init(&compare, f->objects, source_filter_default());
    assert_int_equal(compare_trees(&compare, NULL, &id), TOUCH_UNKNOWN);
    assert_int_equal(compare_trees(&compare, &id, &id), TOUCH_NONE);
    compare_clear(&compare);
    buf_clear(&found);
}

static void
test_compare_trees__content_mode_or_nothing(void **state)
{
    struct fixture *f = *state;
    const char *a = f->blob_a, *b = f->blob_b;
    const struct {
        const char *old_entry, *old_blob, *new_entry, *new_blob;
        enum touch touch;
    } cases[] = {
        {"100644 x.py", a, "100644 x.py", b, TOUCH_CONTENT},
        {"100644 x.py", a, "100755 x.py", a, TOUCH_MODE},
        {"100664 x.py", a, "100644 x.py", a, TOUCH_NONE},
        {"100644 x.py", a, "100644 y.py", a, TOUCH_CONTENT}, /* a rename */
        {"100644 x.txt", a, "100644 x.txt", b, TOUCH_NONE},
        {"120000 x.py", a, "120000 x.py", b, TOUCH_NONE},
        {"120000 x.py", a, "100644 x.py", a, TOUCH_CONTENT}, /* a link becomes a file */
        {"160000 x.py", a, "160000 x.py", b, TOUCH_NONE},
        {"100644 x.py", a, "100644 x.txt", a, TOUCH_CONTENT},
    };
    struct compare compare;
    compare_init(&compare, f->objects, source_filter_default());
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[256];
        snprintf(text, sizeof(text), "%s %s\n", cases[i].old_entry, cases[i].old_blob);
        struct oid old_tree = write_tree(f, text);
        snprintf(text, sizeof(text), "%s %s\n", cases[i].new_entry, cases[i].new_blob);
        struct oid new_tree = write_tree(f, text);
        assert_int_equal(compare_trees(&compare, &old_tree, &new_tree), cases[i].touch);
        snprintf(text, sizeof(text), "40000 pkg %s\n", hex_of(&old_tree));
        old_tree = write_tree(f, text);
        snprintf(text, sizeof(text), "40000 pkg %s\n", hex_of(&new_tree));
        new_tree = write_tree(f, text);
        assert_int_equal(compare_trees(&compare, &old_tree, &new_tree), cases[i].touch);
    }
    compare_clear(&compare);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_tree_read__defects_are_mended_and_named),
        TEST(test_tree_read__cut_or_lying_objects_cannot_be_used),
        TEST(test_listing_run__source_files_in_order_of_paths),
        TEST(test_listing_run__a_tree_of_copies_of_itself_is_refused),
        TEST(test_compare_trees__content_mode_or_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
