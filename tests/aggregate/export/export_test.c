/* A store with odd texts in it, exported in every format and read back. */
#include <ftw.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "aggregate/score.h"
#include "analyzer/analyzer.h"
#include "aggregate/panel.h"
#include "aggregate/records.h"
#include "aggregate/report.h"
#include "aggregate/export.h"
#include "aggregate/export/dictionary.h"
#include "aggregate/export/sink.h"
#include "base/base.h"
#include "cmocka_all.h"

struct box {
    char root[64];
    char store[96], out[96];
    struct arena arena;
    struct profile profile;
    struct err err;
};

#define assert_ok(box, call)                            \
    do {                                                \
        if ((call) < 0)                                 \
            fail_msg("%s: %s", #call, (box)->err.text); \
    } while (0)

static void
put_facts(struct box *box, struct store_writer *writer, struct oid *blob)
{
    struct analyzer_limits limits = analyzer_limits_default();
    struct fingerprint current = analyzer_fingerprint(&limits);
    struct store_key fingerprint;
    struct analyzer_options options = {.limits = limits};
    struct analyzer *analyzer;
    struct analysis analysis;
    struct buf encoded = {0};
    memcpy(fingerprint.bytes, current.bytes, sizeof(fingerprint.bytes));
    *blob = (struct oid){.len = OID_SHA1_BYTES, .id = {0xab}};
    assert_ok(box, analyzer_create(&options, &analyzer, &box->err));
    assert_ok(box, analyzer_run(analyzer, BYTES("def f(a):\n    if a:\n        return g(a)\n"),
                                &analysis, &box->err));
    facts_encode(&analysis.facts, &encoded);
    assert_ok(box, store_put_facts(writer, blob, &fingerprint, buf_bytes(&encoded), 0, &box->err));
    buf_clear(&encoded);
    analyzer_destroy(analyzer);
}

static void
make_store(struct box *box)
{
    struct store_options options = {.path = box->store, .mode = STORE_WRITE, .no_sync = true};
    struct store *store;
    struct store_writer *writer;
    struct oid blob;
    assert_ok(box, store_open(&options, &store, &box->err));
    assert_ok(box, store_writer_open(store, &writer, &box->err));
    put_facts(box, writer, &blob);
    struct store_file files[] = {{BYTES("a,\"b\".py"), blob, 0100644},
                                 {BYTES("bad\xff\0.py"), blob, 0100755}};
    struct store_checkpoint checkpoint = {.name = BYTES("c1"),
                                          .has_time = true,
                                          .time_s = 1706745599,
                                          .author_date = STORE_AUTHOR_DATE,
                                          .author_time_s = 1706659199,
                                          .markers = BYTES("[]")};
    assert_ok(box, store_put_listing(writer, files, 2, &checkpoint.listing, &box->err));
    struct store_trajectory trajectory = {.id = BYTES("o/r"),
                                          .kind = BYTES("human"),
                                          .origin = BYTES(""),
                                          .stars = 5,
                                          .status = STORE_STATUS_DONE,
                                          .n_checkpoints = 1};
    assert_ok(box, store_put_trajectory(writer, &trajectory, &checkpoint, 1, &box->err));
    assert_ok(box, store_writer_commit(writer, &box->err));
    store_writer_close(writer);
    store_close(store);
}

static int
setup(void **state)
{
    struct box *box = calloc(1, sizeof(*box));
    snprintf(box->root, sizeof(box->root), "/tmp/strata-export-XXXXXX");
    if (!mkdtemp(box->root))
        return -1;
    snprintf(box->store, sizeof(box->store), "%s/s", box->root);
    snprintf(box->out, sizeof(box->out), "%s/out", box->root);
    arena_init(&box->arena, 0);
    *state = box;
    assert_ok(box, profile_read("paper", &box->arena, &box->profile, &box->err));
    make_store(box);
    return 0;
}

static int
remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st;
    (void)type;
    (void)ftw;
    return remove(path);
}

static int
teardown(void **state)
{
    struct box *box = *state;
    arena_clear(&box->arena);
    nftw(box->root, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    free(box);
    return 0;
}

static void
export_as(struct box *box, enum export_format format)
{
    struct store_options where = {.path = box->store, .mode = STORE_READ};
    struct export_options options = {
        .format = format, .path = box->out, .panel = {.profile = &box->profile, .n_jobs = 1}};
    uint64_t n_rows[EXPORT_N_TABLES];
    struct store *store;
    struct buf notes = {0};
    assert_ok(box, store_open(&where, &store, &box->err));
    assert_ok(box, export_store(store, &options, n_rows, &notes, &box->err));
    if (notes.len)
        fail_msg("%.*s", BYTES_ARG(buf_bytes(&notes)));
    static const uint64_t EXPECTED[EXPORT_N_TABLES] = {1, 1, 1, 2, 1, 1};
    assert_memory_equal(n_rows, EXPECTED, sizeof(n_rows));
    store_close(store);
}

static struct bytes
read_table(struct box *box, const char *name)
{
    char path[128];
    struct buf text = {0};
    snprintf(path, sizeof(path), "%s/%s", box->out, name);
    assert_ok(box, fs_read(path, 1 << 20, &text, &box->err));
    struct bytes copy = arena_copy(&box->arena, buf_bytes(&text));
    buf_clear(&text);
    return copy;
}

#define BLOB "ab00000000000000000000000000000000000000"

static void
test_export_csv__quotes_and_keeps_utf8(void **state)
{
    struct box *box = *state;
    export_as(box, EXPORT_CSV);
    assert_string_equal((const char *)read_table(box, "files.csv").data,
                        "trajectory,ordinal,path,mode,blob,is_scored\n"
                        "o/r,0,\"a,\"\"b\"\".py\",33188," BLOB ",1\n"
                        "o/r,0,bad\xef\xbf\xbd\xef\xbf\xbd.py,33261," BLOB ",1\n");
    const char *checkpoints = (const char *)read_table(box, "checkpoints.csv").data;
    assert_non_null(strstr(
        checkpoints,
        "o/r,0,c1,2024-01-31T23:59:59Z,1706745599,,2024-01-30T23:59:59Z,1706659199,human,[],0,2,"));
    const char *trajectories = (const char *)read_table(box, "trajectories.csv").data;
    assert_non_null(strstr(trajectories, "o/r,human,\"\",5,hobby,,,,,done,0,1,0,"));
    const char *blobs = (const char *)read_table(box, "blobs.csv").data;
    assert_non_null(strstr(blobs, BLOB ",,40,utf-8,,0,0,3,3,3,0,0,3,1,"));
}

static void
test_export_json_lines__reads_back(void **state)
{
    struct box *box = *state;
    struct json_doc *doc;
    export_as(box, EXPORT_JSON_LINES);
    assert_ok(box, json_open(read_table(box, "callables.jsonl"), "callables.jsonl", false, &doc,
                             &box->err));
    const struct json_value *row = json_root(doc);
    assert_int_equal(json_count(row), 21 + 2 * COUNT_N);
    assert_true(bytes_equal(json_string(json_member(row, "name")), BYTES("f")));
    assert_int_equal((int)json_number(json_member(row, "all_if")), 1);
    assert_int_equal((int)json_number(json_member(row, "own_return")), 1);
    json_close(doc);
}

static int
ask(struct box *box, const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_open_v2(box->out, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    int answer = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return answer;
}

static void
test_export_sqlite__joins(void **state)
{
    struct box *box = *state;
    export_as(box, EXPORT_SQLITE);
    export_as(box, EXPORT_SQLITE); /* takes the place of what is there */
    assert_int_equal(ask(box, "select sum(sloc) from files join blobs using (blob)"), 6);
    assert_int_equal(ask(box, "select total_loc from scores"), 6);
    assert_int_equal(ask(box, "select count(*) from callables where is_method = 0"), 1);
    assert_int_equal(ask(box, "select sum(cc) = sum(1 + all_if) from callables where is_counted"),
                     1);
    assert_int_equal(ask(box, "select abs(sum(mass) - total_mass) < 1e-9 from files join callables "
                              "using (blob) join scores using (trajectory, ordinal) where "
                              "is_scored and is_counted"),
                     1);
    assert_int_equal(ask(box, "select count(*) from trajectories where tier = 'hobby' and "
                              "license is null"),
                     1);
}

static void
test_export_sqlite__replaces_no_file_of_another_kind(void **state)
{
    struct box *box = *state;
    struct export_sink *sink;
    assert_ok(box, fs_write(box->out, BYTES("somebody's notes"), &box->err));
    assert_int_equal(export_sqlite_open(box->out, NULL, &sink, &box->err), -1);
    assert_int_equal(box->err.code, ERR_INPUT);
    struct buf text = {0};
    assert_ok(box, fs_read(box->out, 100, &text, &box->err));
    assert_true(bytes_equal(buf_bytes(&text), BYTES("somebody's notes")));
    buf_clear(&text);
}

/* A folder or database that cannot be made ends the export, with the path in the message. */
static void
test_export__a_place_that_cannot_be_written_is_named(void **state)
{
    struct box *box = *state;
    struct store_options where = {.path = box->store, .mode = STORE_READ};
    struct store *store;
    assert_ok(box, store_open(&where, &store, &box->err));
    for (int format = EXPORT_JSON_LINES; format <= EXPORT_SQLITE; format++) {
        struct export_options options = {.format = (enum export_format)format,
                                         .path = "/proc/no-such-folder/out",
                                         .panel = {.profile = &box->profile, .n_jobs = 1}};
        uint64_t n_rows[EXPORT_N_TABLES];
        struct buf notes = {0};
        assert_int_equal(export_store(store, &options, n_rows, &notes, &box->err), -1);
        assert_non_null(strstr(box->err.text, "/proc/no-such-folder/out"));
        buf_clear(&notes);
    }
    store_close(store);
}

/* docs/data-dictionary.md is what the tables of columns give. */
static void
test_export_dictionary__is_the_committed_file(void **state)
{
    struct box *box = *state;
    struct buf committed = {0}, written = {0};
    assert_ok(box, fs_read(TESTS_SOURCE_DIR "/../docs/data-dictionary.md", 1 << 20, &committed,
                           &box->err));
    dictionary_write(&written);
    if (!bytes_equal(buf_bytes(&committed), buf_bytes(&written)))
        fail_msg("docs/data-dictionary.md is out of date; its first lines say how to write it");
    buf_clear(&committed);
    buf_clear(&written);
}

/* Within a table names differ, and each column says what it means. */
static void
test_export_tables__columns_are_named_and_described(void **state)
{
    struct box *box = *state;
    struct row_layout layouts[EXPORT_N_TABLES];
    assert_ok(box, export_layouts_make(&box->arena, layouts, &box->err));
    for (int id = 0; id < EXPORT_N_TABLES; id++) {
        const struct row_layout *layout = &layouts[id];
        for (size_t i = 0; i < layout->n_fields; i++) {
            assert_true(layout->fields[i].column->description[0] != 0);
            assert_true(layout->fields[i].type != ROW_NONE && layout->fields[i].type != ROW_OBJECT);
            for (size_t k = 0; k < i; k++)
                assert_string_not_equal(layout->fields[i].name, layout->fields[k].name);
        }
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_export_csv__quotes_and_keeps_utf8, setup, teardown),
        cmocka_unit_test_setup_teardown(test_export_json_lines__reads_back, setup, teardown),
        cmocka_unit_test_setup_teardown(test_export_sqlite__joins, setup, teardown),
        cmocka_unit_test_setup_teardown(test_export_sqlite__replaces_no_file_of_another_kind, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_export__a_place_that_cannot_be_written_is_named, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_export_dictionary__is_the_committed_file, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_export_tables__columns_are_named_and_described, setup,
                                        teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
