/* CSV and JSON lines: a file a table in one folder.  Each is written under another name first, so
 * that a file with its final name is a whole one. */
#include "aggregate/export/writer.h"
#include "base/json_write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/num.h"
#include "base/utf8.h"

struct text_sink {
    struct export_sink sink;
    bool as_csv;
    char *folder;
    FILE *files[EXPORT_N_TABLES];
    struct buf line; /* scratch */
};

/* The name of TABLE's file, final or while it is written; to be freed.  NULL: memory is out. */
static char *
name_file(const struct text_sink *text, enum export_table_id table, bool is_final)
{
    char *name;
    int n = asprintf(&name, "%s/%s.%s%s", text->folder, export_table(table)->name,
                     text->as_csv ? "csv" : "jsonl", is_final ? "" : ".tmp");
    return n < 0 ? NULL : name;
}

static void
put_csv_text(struct buf *out, struct bytes text)
{
    struct buf clean = {0};
    utf8_append_clean(&clean, text);
    struct bytes bytes = buf_bytes(&clean);
    bool needs_quotes = bytes.len == 0; /* no text at all would be no value */
    for (size_t i = 0; i < bytes.len && !needs_quotes; i++)
        needs_quotes = bytes.data[i] == '"' || bytes.data[i] == ',' || bytes.data[i] == '\n' ||
                       bytes.data[i] == '\r';
    if (needs_quotes)
        buf_append_byte(out, '"');
    for (size_t i = 0; i < bytes.len; i++) {
        if (bytes.data[i] == '"')
            buf_append_byte(out, '"');
        buf_append_byte(out, bytes.data[i]);
    }
    if (needs_quotes)
        buf_append_byte(out, '"');
    if (buf_failed(&clean))
        out->failed = true;
    buf_clear(&clean);
}

static void
put_number(struct buf *out, const struct cell *cell)
{
    char text[NUM_DOUBLE_SIZE];
    if (cell->type == CELL_INTEGER)
        buf_printf(out, "%lld", (long long)cell->integer);
    else
        buf_append(out, text, num_format_double(cell->real, text));
}

static void
put_csv_row(struct buf *out, const struct row *row)
{
    for (size_t i = 0; i < row->n_cells; i++) {
        if (i)
            buf_append_byte(out, ',');
        if (row->cells[i].type == CELL_TEXT)
            put_csv_text(out, row->cells[i].text);
        else if (row->cells[i].type != CELL_NONE)
            put_number(out, &row->cells[i]);
    }
    buf_append_byte(out, '\n');
}

static void
put_csv_head(struct buf *out, const struct export_table *table)
{
    for (size_t i = 0; i < table->n_columns; i++)
        buf_printf(out, "%s%s", i ? "," : "", table->columns[i].name);
    buf_append_byte(out, '\n');
}

static void
put_json_row(struct buf *out, const struct export_table *table, const struct row *row)
{
    struct json_writer json = json_writer_init(out, 0);
    json_begin_object(&json);
    for (size_t i = 0; i < row->n_cells; i++) {
        const struct cell *cell = &row->cells[i];
        json_key(&json, table->columns[i].name);
        switch (cell->type) {
        case CELL_NONE:
            json_null(&json);
            break;
        case CELL_TEXT:
            json_bytes(&json, cell->text);
            break;
        case CELL_INTEGER:
            json_i64(&json, cell->integer);
            break;
        case CELL_REAL:
            json_double(&json, cell->real);
            break;
        }
    }
    json_end_object(&json);
    buf_append_byte(out, '\n');
}

static int
write_line(struct text_sink *text, enum export_table_id table, struct err *err)
{
    if (buf_failed(&text->line))
        return err_nomem(err, "export");
    if (fwrite(text->line.data, 1, text->line.len, text->files[table]) != text->line.len)
        return err_set_errno(err, "write table %s", export_table(table)->name);
    return 0;
}

static int
put(struct export_sink *sink, enum export_table_id table, const struct row *row, struct err *err)
{
    struct text_sink *text = (struct text_sink *)(void *)sink;
    buf_reset(&text->line);
    if (text->as_csv)
        put_csv_row(&text->line, row);
    else
        put_json_row(&text->line, export_table(table), row);
    return write_line(text, table, err);
}

static int
open_file(struct text_sink *text, enum export_table_id table, struct err *err)
{
    char *name = name_file(text, table, false);
    if (!name)
        return err_nomem(err, "export");
    text->files[table] = fopen(name, "we");
    int result = text->files[table] ? 0 : err_set_errno(err, "write %s", name);
    free(name);
    if (result < 0 || !text->as_csv)
        return result;
    buf_reset(&text->line);
    put_csv_head(&text->line, export_table(table));
    return write_line(text, table, err);
}

static int
finish_file(struct text_sink *text, enum export_table_id table, struct err *err)
{
    char *written = name_file(text, table, false), *final = name_file(text, table, true);
    FILE *file = text->files[table];
    int result = written && final ? 0 : err_nomem(err, "export");
    text->files[table] = NULL;
    if (fclose(file) != 0 && result == 0)
        result = err_set_errno(err, "write %s", written);
    if (result == 0 && rename(written, final) < 0)
        result = err_set_errno(err, "name %s", final);
    free(written);
    free(final);
    return result;
}

static int
finish(struct export_sink *sink, struct err *err)
{
    struct text_sink *text = (struct text_sink *)(void *)sink;
    int result = 0;
    for (int i = 0; i < EXPORT_N_TABLES && result == 0; i++)
        result = finish_file(text, (enum export_table_id)i, err);
    return result;
}

static void
destroy(struct export_sink *sink)
{
    struct text_sink *text = (struct text_sink *)(void *)sink;
    for (int i = 0; i < EXPORT_N_TABLES; i++) {
        if (!text->files[i])
            continue;
        fclose(text->files[i]);
        char *name = name_file(text, (enum export_table_id)i, false);
        if (name)
            remove(name);
        free(name);
    }
    buf_clear(&text->line);
    free(text->folder);
    free(text);
}

int
export_text_open(const char *folder, bool as_csv, struct export_sink **out, struct err *err)
{
    struct text_sink *text = calloc(1, sizeof(*text));
    if (!text)
        return err_nomem(err, "export");
    text->sink = (struct export_sink){put, finish, destroy};
    text->as_csv = as_csv;
    text->folder = strdup(folder);
    int result = text->folder ? 0 : err_nomem(err, "export");
    if (result == 0 && mkdir(folder, 0777) < 0 && errno != EEXIST)
        result = err_set_errno(err, "make the folder %s", folder);
    for (int i = 0; i < EXPORT_N_TABLES && result == 0; i++)
        result = open_file(text, (enum export_table_id)i, err);
    if (result < 0)
        destroy(&text->sink);
    else
        *out = &text->sink;
    return result;
}
