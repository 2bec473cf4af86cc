/*
 * The sink that writes one SQLite database.
 *
 * Tables and their columns are created from the layouts; each table has one prepared INSERT that
 * every row is bound to.  Everything is one transaction in a file under another name, which is
 * renamed at the end.  After a crash the unfinished file is never read, so SQLite writes without a
 * journal and does not wait for the disk.
 */
#include "aggregate/export/sink.h"

#include "base/memory.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"

struct sqlite_sink {
    struct export_sink sink;
    char *path, *written;             /* the final name, and the one while it is written */
    const struct row_layout *layouts; /* by table */
    sqlite3 *db;
    sqlite3_stmt *inserts[EXPORT_N_TABLES];
    struct buf text; /* scratch */
};

static int
fail(const struct sqlite_sink *sqlite, const char *doing, struct err *err)
{
    int code = sqlite3_errcode(sqlite->db);
    return err_set(err,
                   code == SQLITE_FULL    ? ERR_FULL
                   : code == SQLITE_NOMEM ? ERR_NOMEM
                                          : ERR_IO,
                   "%s %s: %s", doing, sqlite->path, sqlite3_errmsg(sqlite->db));
}

static int
execute(struct sqlite_sink *sqlite, const char *sql, struct err *err)
{
    if (sqlite3_exec(sqlite->db, sql, NULL, NULL, NULL) == SQLITE_OK)
        return 0;
    return fail(sqlite, "write the database", err);
}

/* Create table ID with the columns of its layout. */
static int
create_table(struct sqlite_sink *sqlite, enum export_table_id id, struct err *err)
{
    static const char *const types[] = {
        [ROW_TEXT] = "TEXT", [ROW_INTEGER] = "INTEGER", [ROW_REAL] = "REAL"};
    const struct row_layout *layout = &sqlite->layouts[id];
    struct buf sql = {0};
    buf_printf(&sql, "CREATE TABLE %s (", export_table_name(id));
    for (size_t i = 0; i < layout->n_fields; i++)
        buf_printf(&sql, "\"%s\" %s, ", layout->fields[i].name, types[layout->fields[i].type]);
    buf_printf(&sql, "PRIMARY KEY (%s)) WITHOUT ROWID", export_table(id)->key);
    buf_append_byte(&sql, 0);
    int rc =
        buf_failed(&sql) ? err_nomem(err, "export") : execute(sqlite, (const char *)sql.data, err);
    buf_clear(&sql);
    return rc;
}

static int
prepare_insert(struct sqlite_sink *sqlite, enum export_table_id id, struct err *err)
{
    struct buf sql = {0};
    buf_printf(&sql, "INSERT INTO %s VALUES (?", export_table_name(id));
    for (size_t i = 1; i < sqlite->layouts[id].n_fields; i++)
        buf_append_text(&sql, ",?");
    buf_append_text(&sql, ")");
    int rc = 0;
    if (buf_failed(&sql))
        rc = err_nomem(err, "export");
    else if (sqlite3_prepare_v2(sqlite->db, (const char *)sql.data, (int)sql.len,
                                &sqlite->inserts[id], NULL) != SQLITE_OK)
        rc = fail(sqlite, "write the database", err);
    buf_clear(&sql);
    return rc;
}

static int
bind(struct sqlite_sink *sqlite, sqlite3_stmt *insert, int at, const struct row_value *value)
{
    switch (value->type) {
    case ROW_INTEGER:
        return sqlite3_bind_int64(insert, at, value->integer);
    case ROW_REAL:
        return sqlite3_bind_double(insert, at, value->real);
    case ROW_TEXT:
        break;
    case ROW_NONE:
    case ROW_OBJECT:
        return sqlite3_bind_null(insert, at);
    }
    buf_reset(&sqlite->text);
    utf8_append_clean(&sqlite->text, value->text);
    if (buf_failed(&sqlite->text) || sqlite->text.len > INT32_MAX)
        return SQLITE_NOMEM;
    return sqlite3_bind_text(insert, at, sqlite->text.len ? (const char *)sqlite->text.data : "",
                             (int)sqlite->text.len, SQLITE_TRANSIENT);
}

static int
put(struct export_sink *sink, enum export_table_id id, const void *row, struct err *err)
{
    struct sqlite_sink *sqlite = (struct sqlite_sink *)(void *)sink;
    const struct row_layout *layout = &sqlite->layouts[id];
    sqlite3_stmt *insert = sqlite->inserts[id];
    for (size_t i = 0; i < layout->n_fields; i++) {
        struct row_value value = row_value(&layout->fields[i], row);
        if (bind(sqlite, insert, (int)i + 1, &value) != SQLITE_OK)
            return fail(sqlite, "write the database", err);
    }
    int stepped = sqlite3_step(insert);
    sqlite3_reset(insert);
    return stepped == SQLITE_DONE ? 0 : fail(sqlite, "write the database", err);
}

static int
finish(struct export_sink *sink, struct err *err)
{
    struct sqlite_sink *sqlite = (struct sqlite_sink *)(void *)sink;
    if (execute(sqlite, "CREATE INDEX files_by_blob ON files (blob); COMMIT", err) < 0)
        return -1;
    for (int i = 0; i < EXPORT_N_TABLES; i++) {
        sqlite3_finalize(sqlite->inserts[i]);
        sqlite->inserts[i] = NULL;
    }
    if (sqlite3_close(sqlite->db) != SQLITE_OK)
        return fail(sqlite, "close the database", err);
    sqlite->db = NULL;
    if (memory_ran_out()) /* a row may be wrong */
        return err_nomem(err, "export");
    if (rename(sqlite->written, sqlite->path) < 0)
        return err_set_errno(err, "name %s", sqlite->path);
    free(sqlite->written);
    sqlite->written = NULL;
    return 0;
}

static void
destroy(struct export_sink *sink)
{
    struct sqlite_sink *sqlite = (struct sqlite_sink *)(void *)sink;
    for (int i = 0; i < EXPORT_N_TABLES; i++)
        sqlite3_finalize(sqlite->inserts[i]);
    sqlite3_close(sqlite->db);
    if (sqlite->written)
        unlink(sqlite->written);
    buf_clear(&sqlite->text);
    free(sqlite->written);
    free(sqlite->path);
    free(sqlite);
}

/* A file at PATH is replaced only if it is a database or empty: somebody may name the data file of
 * a store by mistake. */
static int
check_replaceable(const char *path, struct err *err)
{
    static const char magic[16] = "SQLite format 3";
    char head[sizeof(magic)];
    FILE *file = fopen(path, "rb");
    if (!file)
        return 0; /* missing; any other reason fails again when the database is written */
    size_t n = fread(head, 1, sizeof(head), file);
    bool is_other = n > 0 && (n < sizeof(head) || memcmp(head, magic, sizeof(head)) != 0);
    fclose(file);
    return is_other ? err_set(err, ERR_INPUT,
                              "%s exists and is not an SQLite database: name another file", path)
                    : 0;
}

static int
open_database(struct sqlite_sink *sqlite, struct err *err)
{
    unlink(sqlite->written); /* left over by a crash */
    if (sqlite3_open(sqlite->written, &sqlite->db) != SQLITE_OK)
        return fail(sqlite, "make the database", err);
    if (execute(sqlite, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN", err) < 0)
        return -1;
    for (int i = 0; i < EXPORT_N_TABLES; i++) {
        if (create_table(sqlite, (enum export_table_id)i, err) < 0 ||
            prepare_insert(sqlite, (enum export_table_id)i, err) < 0)
            return -1;
    }
    return 0;
}

int
export_sqlite_open(const char *path, const struct row_layout *layouts, struct export_sink **out,
                   struct err *err)
{
    if (check_replaceable(path, err) < 0)
        return -1;
    struct sqlite_sink *sqlite = calloc(1, sizeof(*sqlite));
    if (!sqlite)
        return err_nomem(err, "export");
    sqlite->sink = (struct export_sink){put, finish, destroy};
    sqlite->layouts = layouts;
    sqlite->path = strdup(path);
    if (asprintf(&sqlite->written, "%s.tmp", path) < 0)
        sqlite->written = NULL;
    int rc =
        sqlite->path && sqlite->written ? open_database(sqlite, err) : err_nomem(err, "export");
    if (rc < 0)
        destroy(&sqlite->sink);
    else
        *out = &sqlite->sink;
    return rc;
}
