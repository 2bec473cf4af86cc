/*
 * Rows: a C struct and one table of its columns.
 *
 * The table says of each column its name, unit, place in the struct, when it is present, and what
 * it means.  Its type follows from the type of the member.  Every format is written from this table
 * (JSON lines, CSV, SQLite, the data dictionary), so a value cannot end up under another column's
 * name and a column cannot lack its description.  May include base.
 *
 * Threads: kinds of rows are constant; a struct row_layout is read only once it is made.
 */
#ifndef STRATA_AGGREGATE_ROWS_ROW_H
#define STRATA_AGGREGATE_ROWS_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/json_write.h"

/* ---- Columns ------------------------------------------------------------------------------- */

/* What a value is to a reader. */
enum row_type { ROW_NONE, ROW_TEXT, ROW_INTEGER, ROW_REAL, ROW_OBJECT };

/* The C type of the member that holds the value. */
enum row_member {
    ROW_MEMBER_BYTES,   /* struct bytes; data NULL: no value */
    ROW_MEMBER_STRING,  /* const char *; NULL: no value */
    ROW_MEMBER_BOOL,    /* written as 1 and 0 */
    ROW_MEMBER_U32,     /* uint32_t */
    ROW_MEMBER_U64,     /* uint64_t and size_t */
    ROW_MEMBER_I64,     /* int64_t */
    ROW_MEMBER_DOUBLE,  /* double */
    ROW_MEMBER_ROW,     /* a struct with a kind of its own, whose columns come here */
    ROW_MEMBER_FUNCTION /* a JSON value that a function writes; in JSON only */
};

/* When a column has a value. */
struct row_presence {
    size_t flag;      /* offset of the bool that says so; ROW_NO_FLAG: the text is NULL or not */
    const char *when; /* completes "present when ..." */
};

#define ROW_NO_FLAG SIZE_MAX

enum row_column_flag {
    ROW_NOT_ZERO = 1 << 0,     /* a 0 counts as missing */
    ROW_NULL_IN_LINES = 1 << 1 /* without a value it is null in score lines, not left out */
};

struct row_kind;

struct row_column {
    const char *name;
    const char *unit; /* "" if it has no unit */
    enum row_member member;
    size_t offset;                               /* of the member in the row's struct */
    const struct row_presence *presence;         /* NULL: always present */
    const char *description;                     /* a phrase, for the data dictionary */
    unsigned flags;                              /* enum row_column_flag */
    bool only_in_lines;                          /* of score lines; exports do not have it */
    size_t n_elements;                           /* of an array member; 0: not an array */
    const char *(*element_name)(size_t element); /* its column is NAME and this */
    const struct row_kind *kind;                 /* ROW_MEMBER_ROW */
    /* ROW_MEMBER_FUNCTION: write the value; the key is written. */
    void (*write)(const void *row, struct json_writer *json);
};

/* A kind of row: what the columns are of. */
struct row_kind {
    const char *name;        /* "callables" */
    const char *description; /* a sentence on what one row is, for the data dictionary */
    const struct row_column *columns;
    size_t n_columns;
};

/* clang-format off */
#define ROW_MEMBER_OF(value)                \
    _Generic((value),                       \
        struct bytes: ROW_MEMBER_BYTES,     \
        const char *: ROW_MEMBER_STRING,    \
        bool: ROW_MEMBER_BOOL,              \
        uint32_t: ROW_MEMBER_U32,           \
        uint64_t: ROW_MEMBER_U64,           \
        int64_t: ROW_MEMBER_I64,            \
        double: ROW_MEMBER_DOUBLE)
/* clang-format on */

#define ROW_PLACE(type, place) \
    .member = ROW_MEMBER_OF(((type *)NULL)->place), .offset = offsetof(type, place)

/* A column of member PLACE of TYPE that every row has. */
#define ROW_COLUMN(type, place, name_, unit_, description_)                                     \
    {                                                                                           \
        .name = (name_), .unit = (unit_), .description = (description_), ROW_PLACE(type, place) \
    }
/* One that rows have under a struct row_presence. */
#define ROW_COLUMN_IF(type, place, name_, unit_, presence_, description_)                        \
    {                                                                                            \
        .name = (name_), .unit = (unit_), .description = (description_), ROW_PLACE(type, place), \
        .presence = &(presence_)                                                                 \
    }
/* A column for each element of an array, called NAME and what ELEMENT_NAME gives for its index. */
#define ROW_COLUMNS_OF_ARRAY(type, place, name_, unit_, element_name_, description_)        \
    {                                                                                       \
        .name = (name_), .unit = (unit_), .description = (description_),                    \
        .member = ROW_MEMBER_OF(((type *)NULL)->place[0]), .offset = offsetof(type, place), \
        .n_elements = sizeof(((type *)NULL)->place) / sizeof(((type *)NULL)->place[0]),     \
        .element_name = (element_name_)                                                     \
    }
/* The columns of KIND, whose struct is the member PLACE. */
#define ROW_COLUMNS_OF_ROW(type, place, kind_)                                                   \
    {                                                                                            \
        .name = "", .member = ROW_MEMBER_ROW, .offset = offsetof(type, place), .kind = &(kind_), \
    }

#define ROW_KIND(name_, description_, columns_)                                \
    {                                                                          \
        .name = (name_), .description = (description_), .columns = (columns_), \
        .n_columns = sizeof(columns_) / sizeof(*(columns_))                    \
    }

/* ---- Values -------------------------------------------------------------------------------- */

struct row_value {
    enum row_type type; /* ROW_NONE: the row has no value here */
    struct bytes text;  /* ROW_TEXT; belongs to the row */
    int64_t integer;    /* ROW_INTEGER; larger values of a uint64_t are INT64_MAX */
    double real;        /* ROW_REAL */
};

/* One column of a layout: arrays and rows within rows are spread out. */
struct row_field {
    const struct row_column *column;
    const char *name;
    enum row_type type;
    size_t base;   /* offset of the struct that the column is of */
    size_t offset; /* of the value itself */
};

/* The columns that exports have, in order. */
struct row_layout {
    struct row_field *fields;
    size_t n_fields;
};

/* Lay out KIND in ARENA.  0, or -1 with ERR_NOMEM. */
int row_layout_make(const struct row_kind *kind, struct arena *arena, struct row_layout *out,
                    struct err *err);
/* The value of FIELD in ROW, a struct of the kind that the layout was made of. */
struct row_value row_value(const struct row_field *field, const void *row);
/* The name of TYPE for readers: "text", "integer", "real", "object".  Static. */
const char *row_type_name(enum row_type type);
/* The type of the values of COLUMN; ROW_NONE for a row within a row. */
enum row_type row_column_type(const struct row_column *column);

/* Write the columns of ROW as members into the open object of JSON.  A value that is not there is
 * left out, or null where the column says so. */
void row_write_members(const struct row_kind *kind, const void *row, struct json_writer *json);
/* Write VALUE, null for ROW_NONE. */
void row_write_value(const struct row_value *value, struct json_writer *json);

#endif
