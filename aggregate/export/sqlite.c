/* One SQLite database, written under another name first.  A crash leaves a file nobody wants, so
 * there is no journal and no waiting for the disk on the way. */
#include "aggregate/export/writer.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"

struct sqlite_sink {
    struct export_sink sink;
    char *path, *written; /* the final name, and the one while it is written */
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

static int
create_table(struct sqlite_sink *sqlite, const struct export_table *table, struct err *err)
{
    static const char *const TYPES[] = {
        [CELL_TEXT] = "TEXT", [CELL_INTEGER] = "INTEGER", [CELL_REAL] = "REAL"};
    struct buf sql = {0};
    buf_printf(&sql, "CREATE TABLE %s (", table->name);
    for (size_t i = 0; i < table->n_columns; i++)
        buf_printf(&sql, "\"%s\" %s, ", table->columns[i].name, TYPES[table->columns[i].type]);
    buf_printf(&sql, "PRIMARY KEY (%s)) WITHOUT ROWID", table->key);
    buf_append_byte(&sql, 0);
    int result =
        buf_failed(&sql) ? err_nomem(err, "export") : execute(sqlite, (const char *)sql.data, err);
    buf_clear(&sql);
    return result;
}

static int
prepare_insert(struct sqlite_sink *sqlite, enum export_table_id id, struct err *err)
{
    const struct export_table *table = export_table(id);
    struct buf sql = {0};
    buf_printf(&sql, "INSERT INTO %s VALUES (?", table->name);
    for (size_t i = 1; i < table->n_columns; i++)
        buf_append_text(&sql, ",?");
    buf_append_text(&sql, ")");
    int result = 0;
    if (buf_failed(&sql))
        result = err_nomem(err, "export");
    else if (sqlite3_prepare_v2(sqlite->db, (const char *)sql.data, (int)sql.len,
                                &sqlite->inserts[id], NULL) != SQLITE_OK)
        result = fail(sqlite, "write the database", err);
    buf_clear(&sql);
    return result;
}

static int
bind(struct sqlite_sink *sqlite, sqlite3_stmt *insert, int at, const struct cell *cell)
{
    switch (cell->type) {
    case CELL_NONE:
        return sqlite3_bind_null(insert, at);
    case CELL_INTEGER:
        return sqlite3_bind_int64(insert, at, cell->integer);
    case CELL_REAL:
        return sqlite3_bind_double(insert, at, cell->real);
    case CELL_TEXT:
        break;
    }
    buf_reset(&sqlite->text);
    utf8_append_clean(&sqlite->text, cell->text);
    if (buf_failed(&sqlite->text) || sqlite->text.len > INT32_MAX)
        return SQLITE_NOMEM;
    return sqlite3_bind_text(insert, at, sqlite->text.len ? (const char *)sqlite->text.data : "",
                             (int)sqlite->text.len, SQLITE_TRANSIENT);
}

static int
put(struct export_sink *sink, enum export_table_id table, const struct row *row, struct err *err)
{
    struct sqlite_sink *sqlite = (struct sqlite_sink *)(void *)sink;
    sqlite3_stmt *insert = sqlite->inserts[table];
    for (size_t i = 0; i < row->n_cells; i++) {
        if (bind(sqlite, insert, (int)i + 1, &row->cells[i]) != SQLITE_OK)
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

/* Whatever is at PATH is replaced only when it is a database or empty: a store's own data file has
 * been named here by mistake. */
static int
check_replaceable(const char *path, struct err *err)
{
    static const char magic[16] = "SQLite format 3";
    char head[sizeof(magic)];
    FILE *file = fopen(path, "rb");
    if (!file)
        return 0; /* nothing there; other reasons are told when the database is written */
    size_t n = fread(head, 1, sizeof(head), file);
    bool is_other = n > 0 && (n < sizeof(head) || memcmp(head, magic, sizeof(head)) != 0);
    fclose(file);
    return is_other ? err_set(err, ERR_INPUT,
                              "%s is there and no SQLite database: name another file", path)
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
        if (create_table(sqlite, export_table((enum export_table_id)i), err) < 0 ||
            prepare_insert(sqlite, (enum export_table_id)i, err) < 0)
            return -1;
    }
    return 0;
}

int
export_sqlite_open(const char *path, struct export_sink **out, struct err *err)
{
    if (check_replaceable(path, err) < 0)
        return -1;
    struct sqlite_sink *sqlite = calloc(1, sizeof(*sqlite));
    if (!sqlite)
        return err_nomem(err, "export");
    sqlite->sink = (struct export_sink){put, finish, destroy};
    sqlite->path = strdup(path);
    if (asprintf(&sqlite->written, "%s.tmp", path) < 0)
        sqlite->written = NULL;
    int result =
        sqlite->path && sqlite->written ? open_database(sqlite, err) : err_nomem(err, "export");
    if (result < 0)
        destroy(&sqlite->sink);
    else
        *out = &sqlite->sink;
    return result;
}
