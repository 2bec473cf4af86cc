/*
 * Reading the values of a row through the table of its columns.
 *
 * A column is found by its offset in the row's struct and read by its member's C type.  A layout
 * spreads arrays and rows within rows out once, so that writing many rows only follows offsets.
 */
#include "aggregate/rows/row.h"

#include <assert.h>
#include <string.h>

enum row_type
row_column_type(const struct row_column *column)
{
    switch (column->member) {
    case ROW_MEMBER_BYTES:
    case ROW_MEMBER_STRING:
        return ROW_TEXT;
    case ROW_MEMBER_BOOL:
    case ROW_MEMBER_U32:
    case ROW_MEMBER_U64:
    case ROW_MEMBER_I64:
        return ROW_INTEGER;
    case ROW_MEMBER_DOUBLE:
        return ROW_REAL;
    case ROW_MEMBER_FUNCTION:
        return ROW_OBJECT;
    case ROW_MEMBER_ROW:
        break;
    }
    return ROW_NONE;
}

const char *
row_type_name(enum row_type type)
{
    static const char *const names[] = {[ROW_NONE] = "",
                                        [ROW_TEXT] = "text",
                                        [ROW_INTEGER] = "integer",
                                        [ROW_REAL] = "real",
                                        [ROW_OBJECT] = "object"};
    return names[type];
}

/* ---- Values -------------------------------------------------------------------------------- */

static struct row_value
text_value(struct bytes text)
{
    return (struct row_value){.type = text.data ? ROW_TEXT : ROW_NONE, .text = text};
}

static struct row_value
integer_value(int64_t integer)
{
    return (struct row_value){.type = ROW_INTEGER, .integer = integer};
}

/* Is the column's value there, by its flag alone?  BASE is the struct that the column is of. */
static bool
is_flagged(const struct row_column *column, const char *base)
{
    bool flag = true;
    if (column->presence && column->presence->flag != ROW_NO_FLAG)
        memcpy(&flag, base + column->presence->flag, sizeof(flag));
    return flag;
}

static struct row_value
read_member(enum row_member member, const void *place)
{
    switch (member) {
    case ROW_MEMBER_BYTES:
        return text_value(*(const struct bytes *)place);
    case ROW_MEMBER_STRING: {
        const char *text = *(const char *const *)place;
        return text_value(text ? bytes_of_text(text) : (struct bytes){NULL, 0});
    }
    case ROW_MEMBER_BOOL:
        return integer_value(*(const bool *)place);
    case ROW_MEMBER_U32:
        return integer_value(*(const uint32_t *)place);
    case ROW_MEMBER_U64: {
        uint64_t value = *(const uint64_t *)place;
        return integer_value(value > INT64_MAX ? INT64_MAX : (int64_t)value);
    }
    case ROW_MEMBER_I64:
        return integer_value(*(const int64_t *)place);
    case ROW_MEMBER_DOUBLE:
        return (struct row_value){.type = ROW_REAL, .real = *(const double *)place};
    case ROW_MEMBER_ROW:
    case ROW_MEMBER_FUNCTION:
        break;
    }
    return (struct row_value){.type = ROW_NONE};
}

/* The value of COLUMN at PLACE, in the struct at BASE. */
static struct row_value
value_at(const struct row_column *column, const char *base, const char *place)
{
    if (!is_flagged(column, base))
        return (struct row_value){.type = ROW_NONE};
    struct row_value value = read_member(column->member, place);
    if (column->flags & ROW_NOT_ZERO && value.type == ROW_INTEGER && value.integer == 0)
        value.type = ROW_NONE;
    return value;
}

struct row_value
row_value(const struct row_field *field, const void *row)
{
    const char *start = row;
    return value_at(field->column, start + field->base, start + field->offset);
}

/* ---- Layouts ------------------------------------------------------------------------------- */

static size_t
member_size(enum row_member member)
{
    switch (member) {
    case ROW_MEMBER_BYTES:
        return sizeof(struct bytes);
    case ROW_MEMBER_STRING:
        return sizeof(const char *);
    case ROW_MEMBER_BOOL:
        return sizeof(bool);
    case ROW_MEMBER_U32:
        return sizeof(uint32_t);
    case ROW_MEMBER_U64:
    case ROW_MEMBER_I64:
        return sizeof(uint64_t);
    case ROW_MEMBER_DOUBLE:
        return sizeof(double);
    case ROW_MEMBER_ROW:
    case ROW_MEMBER_FUNCTION:
        break;
    }
    assert(!"a column without a value of its own");
    return 0;
}

static size_t
count_fields(const struct row_kind *kind)
{
    size_t n = 0;
    for (size_t i = 0; i < kind->n_columns; i++) {
        const struct row_column *column = &kind->columns[i];
        if (column->member == ROW_MEMBER_ROW)
            n += count_fields(column->kind);
        else if (!column->only_in_lines)
            n += column->element_name ? column->n_elements : 1;
    }
    return n;
}

/* NAME and ELEMENT as one name that SQL takes: a '*' at the end is "_star".  NULL: memory is out.
 */
static const char *
join_names(const char *name, const char *element, struct arena *arena)
{
    size_t len = strlen(element);
    if (len > 0 && element[len - 1] == '*')
        return arena_format(arena, "%s%.*s_star", name, (int)len - 1, element);
    return arena_format(arena, "%s%s", name, element);
}

/* Append the fields of one array column.  -1: memory is out. */
static int
lay_array(const struct row_column *column, size_t base, struct arena *arena, struct row_layout *out)
{
    assert(column->n_elements > 0);
    for (size_t i = 0; i < column->n_elements; i++) {
        const char *name = join_names(column->name, column->element_name(i), arena);
        if (!name)
            return -1;
        out->fields[out->n_fields++] =
            (struct row_field){column, name, row_column_type(column), base,
                               base + column->offset + i * member_size(column->member)};
    }
    return 0;
}

/* Append the fields of KIND, whose struct is at BASE.  -1: memory is out. */
static int
lay_kind(const struct row_kind *kind, size_t base, struct arena *arena, struct row_layout *out)
{
    for (size_t i = 0; i < kind->n_columns; i++) {
        const struct row_column *column = &kind->columns[i];
        int rc = 0;
        if (column->member == ROW_MEMBER_ROW)
            rc = lay_kind(column->kind, base + column->offset, arena, out);
        else if (column->element_name)
            rc = lay_array(column, base, arena, out);
        else if (!column->only_in_lines)
            out->fields[out->n_fields++] = (struct row_field){
                column, column->name, row_column_type(column), base, base + column->offset};
        if (rc < 0)
            return -1;
    }
    return 0;
}

int
row_layout_make(const struct row_kind *kind, struct arena *arena, struct row_layout *out,
                struct err *err)
{
    size_t n = count_fields(kind);
    *out = (struct row_layout){.fields = ARENA_ARRAY(arena, n, struct row_field)};
    if (!out->fields || lay_kind(kind, 0, arena, out) < 0)
        return err_nomem(err, "columns");
    assert(out->n_fields == n);
    return 0;
}

/* ---- JSON ---------------------------------------------------------------------------------- */

void
row_write_value(const struct row_value *value, struct json_writer *json)
{
    switch (value->type) {
    case ROW_TEXT:
        json_bytes(json, value->text);
        break;
    case ROW_INTEGER:
        json_i64(json, value->integer);
        break;
    case ROW_REAL:
        json_double(json, value->real);
        break;
    case ROW_NONE:
    case ROW_OBJECT:
        json_null(json);
        break;
    }
}

void
row_write_members(const struct row_kind *kind, const void *row, struct json_writer *json)
{
    const char *base = row;
    for (size_t i = 0; i < kind->n_columns; i++) {
        const struct row_column *column = &kind->columns[i];
        assert(!column->element_name);
        if (column->member == ROW_MEMBER_ROW) {
            row_write_members(column->kind, base + column->offset, json);
            continue;
        }
        if (column->member == ROW_MEMBER_FUNCTION) {
            json_key(json, column->name);
            column->write(base + column->offset, json);
            continue;
        }
        struct row_value value = value_at(column, base, base + column->offset);
        if (value.type == ROW_NONE && !(column->flags & ROW_NULL_IN_LINES))
            continue;
        json_key(json, column->name);
        row_write_value(&value, json);
    }
}
