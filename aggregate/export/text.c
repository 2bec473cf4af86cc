/*
 * The sink that writes CSV or JSON lines: a file per table in one folder.
 *
 * A row is read through its table's layout and formatted into one buffer, which is written to the
 * table's file.  Files have the suffix .tmp until all is written.
 */
#include "aggregate/export/sink.h"

#include "base/memory.h"

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
    const struct row_layout *layouts; /* by table */
    FILE *files[EXPORT_N_TABLES];
    struct buf line; /* scratch */
};

/* The name of TABLE's file, final or while it is written; to be freed.  NULL: memory is out. */
static char *
name_file(const struct text_sink *text, enum export_table_id table, bool is_final)
{
    char *name;
    int n = asprintf(&name, "%s/%s.%s%s", text->folder, export_table_name(table),
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
put_csv_value(struct buf *out, const struct row_value *value)
{
    char text[NUM_DOUBLE_SIZE];
    switch (value->type) {
    case ROW_TEXT:
        put_csv_text(out, value->text);
        break;
    case ROW_INTEGER:
        buf_printf(out, "%lld", (long long)value->integer);
        break;
    case ROW_REAL:
        buf_append(out, text, num_format_double(value->real, text));
        break;
    case ROW_NONE:
    case ROW_OBJECT:
        break;
    }
}

static void
put_csv_row(struct buf *out, const struct row_layout *layout, const void *row)
{
    for (size_t i = 0; i < layout->n_fields; i++) {
        struct row_value value = row_value(&layout->fields[i], row);
        if (i)
            buf_append_byte(out, ',');
        put_csv_value(out, &value);
    }
    buf_append_byte(out, '\n');
}

static void
put_csv_head(struct buf *out, const struct row_layout *layout)
{
    for (size_t i = 0; i < layout->n_fields; i++)
        buf_printf(out, "%s%s", i ? "," : "", layout->fields[i].name);
    buf_append_byte(out, '\n');
}

static void
put_json_row(struct buf *out, const struct row_layout *layout, const void *row)
{
    struct json_writer json = json_writer_init(out, 0);
    json_begin_object(&json);
    for (size_t i = 0; i < layout->n_fields; i++) {
        struct row_value value = row_value(&layout->fields[i], row);
        json_key(&json, layout->fields[i].name);
        row_write_value(&value, &json);
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
        return err_set_errno(err, "write table %s", export_table_name(table));
    return 0;
}

static int
put(struct export_sink *sink, enum export_table_id table, const void *row, struct err *err)
{
    struct text_sink *text = (struct text_sink *)(void *)sink;
    buf_reset(&text->line);
    if (text->as_csv)
        put_csv_row(&text->line, &text->layouts[table], row);
    else
        put_json_row(&text->line, &text->layouts[table], row);
    return write_line(text, table, err);
}

static int
open_file(struct text_sink *text, enum export_table_id table, struct err *err)
{
    char *name = name_file(text, table, false);
    if (!name)
        return err_nomem(err, "export");
    text->files[table] = fopen(name, "we");
    int rc = text->files[table] ? 0 : err_set_errno(err, "write %s", name);
    free(name);
    if (rc < 0 || !text->as_csv)
        return rc;
    buf_reset(&text->line);
    put_csv_head(&text->line, &text->layouts[table]);
    return write_line(text, table, err);
}

static int
finish_file(struct text_sink *text, enum export_table_id table, struct err *err)
{
    char *written = name_file(text, table, false), *final = name_file(text, table, true);
    FILE *file = text->files[table];
    int rc = written && final && !memory_ran_out() ? 0 : err_nomem(err, "export");
    text->files[table] = NULL;
    if (fclose(file) != 0 && rc == 0)
        rc = err_set_errno(err, "write %s", written);
    if (rc == 0 && rename(written, final) < 0)
        rc = err_set_errno(err, "name %s", final);
    free(written);
    free(final);
    return rc;
}

static int
finish(struct export_sink *sink, struct err *err)
{
    struct text_sink *text = (struct text_sink *)(void *)sink;
    int rc = 0;
    for (int i = 0; i < EXPORT_N_TABLES && rc == 0; i++)
        rc = finish_file(text, (enum export_table_id)i, err);
    return rc;
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
export_text_open(const char *folder, bool as_csv, const struct row_layout *layouts,
                 struct export_sink **out, struct err *err)
{
    struct text_sink *text = calloc(1, sizeof(*text));
    if (!text)
        return err_nomem(err, "export");
    text->sink = (struct export_sink){put, finish, destroy};
    text->as_csv = as_csv;
    text->layouts = layouts;
    text->folder = strdup(folder);
    int rc = text->folder ? 0 : err_nomem(err, "export");
    if (rc == 0 && mkdir(folder, 0777) < 0 && errno != EEXIST)
        rc = err_set_errno(err, "make the folder %s", folder);
    for (int i = 0; i < EXPORT_N_TABLES && rc == 0; i++)
        rc = open_file(text, (enum export_table_id)i, err);
    if (rc < 0)
        destroy(&text->sink);
    else
        *out = &text->sink;
    return rc;
}
