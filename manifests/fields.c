/*
 * Reading JSON objects into structs by table, and the readers of common types.
 *
 * A place is a chain of structs on the stack of the reader, so it costs nothing until a message
 * needs it.  The chain is as long as the tables are nested, never as long as the input is.
 */
#include "manifests/fields.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/map.h"
#include "base/utf8.h"
#include "base/calendar.h"

/* Append PLACE as people write it: "repositories[3].stars". */
static void
append_place(struct buf *out, const struct place *place)
{
    if (!place->parent)
        return;
    append_place(out, place->parent);
    if (place->name)
        buf_printf(out, "%s%s", place->parent->parent ? "." : "", place->name);
    else
        buf_printf(out, "[%zu]", place->index);
}

int
fields_refuse(const struct fields_reader *reader, const struct place *place, const char *format,
              ...)
{
    struct buf where = {0};
    append_place(&where, place);
    buf_append_byte(&where, 0);
    char words[512];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof(words), format, args);
    va_end(args);
    if (buf_failed(&where))
        err_nomem(reader->err, reader->origin);
    else
        err_set(reader->err, ERR_INPUT, "%s: %s%s%s", reader->origin, (char *)where.data,
                where.len > 1 ? ": " : "", words);
    buf_clear(&where);
    return -1;
}

int
fields_expect(const struct fields_reader *reader, const struct place *place,
              const struct json_value *value, enum json_type type)
{
    if (json_type(value) == type)
        return 0;
    return fields_refuse(reader, place, "must be %s, is %s", json_type_name(type),
                         json_type_name(json_type(value)));
}

int
fields_refuse_unknown(const struct fields_reader *reader, const struct place *place,
                      struct bytes name, struct buf *known)
{
    buf_append_byte(known, 0);
    if (buf_failed(known))
        return err_nomem(reader->err, reader->origin);
    return fields_refuse(reader, place, "unknown field \"%.*s\"; there are %s", BYTES_ARG(name),
                         (char *)known->data);
}

static int
refuse_unknown(const struct fields_reader *reader, const struct place *place, struct bytes name,
               const struct field *fields, size_t n_fields)
{
    struct buf known = {0};
    for (size_t i = 0; i < n_fields; i++)
        buf_printf(&known, "%s%s", i ? ", " : "", fields[i].name);
    fields_refuse_unknown(reader, place, name, &known);
    buf_clear(&known);
    return -1;
}

static int
read_member(const struct fields_reader *reader, const struct place *place,
            const struct json_value *member, const struct field *field, bool *seen, void *out)
{
    struct place at = {place, field->name, 0};
    if (*seen)
        return fields_refuse(reader, &at, "is given twice");
    *seen = true;
    return field->read(reader, &at, member, (char *)out + field->offset);
}

enum { FIELDS_MAX = 32 };

int
fields_read(const struct fields_reader *reader, const struct place *place,
            const struct json_value *value, const struct field *fields, size_t n_fields, void *out)
{
    assert(n_fields <= FIELDS_MAX);
    bool seen[FIELDS_MAX] = {false};
    if (fields_expect(reader, place, value, JSON_OBJECT) < 0)
        return -1;
    for (const struct json_value *m = json_first(value); m; m = json_next(m)) {
        size_t i = 0;
        while (i < n_fields && !bytes_equal(json_name(m), bytes_of_text(fields[i].name)))
            i++;
        if (i == n_fields)
            return refuse_unknown(reader, place, json_name(m), fields, n_fields);
        if (read_member(reader, place, m, &fields[i], &seen[i], out) < 0)
            return -1;
    }
    for (size_t i = 0; i < n_fields; i++)
        if (fields[i].required && !seen[i])
            return fields_refuse(reader, place, "\"%s\" is missing", fields[i].name);
    return 0;
}

int
field_text(const struct fields_reader *reader, const struct place *place,
           const struct json_value *value, void *out)
{
    if (fields_expect(reader, place, value, JSON_TEXT) < 0)
        return -1;
    struct bytes text = json_string(value);
    if (text.len == 0)
        return fields_refuse(reader, place, "must not be empty");
    if (!utf8_valid(text))
        return fields_refuse(reader, place, "is not UTF-8");
    for (size_t i = 0; i < text.len; i++)
        if (text.data[i] < 0x20 || text.data[i] == 0x7f)
            return fields_refuse(reader, place, "must not hold control characters");
    struct bytes copy = arena_copy(reader->arena, text);
    if (!copy.data)
        return err_nomem(reader->err, reader->origin);
    *(struct bytes *)out = copy;
    return 0;
}

int
field_bool(const struct fields_reader *reader, const struct place *place,
           const struct json_value *value, void *out)
{
    if (fields_expect(reader, place, value, JSON_BOOL) < 0)
        return -1;
    *(bool *)out = json_is_true(value);
    return 0;
}

int
field_number(const struct fields_reader *reader, const struct place *place,
             const struct json_value *value, void *out)
{
    if (fields_expect(reader, place, value, JSON_NUMBER) < 0)
        return -1;
    if (!isfinite(json_number(value)))
        return fields_refuse(reader, place, "is too large");
    *(double *)out = json_number(value);
    return 0;
}

int
field_whole(const struct fields_reader *reader, const struct place *place,
            const struct json_value *value, int64_t min, int64_t max, int64_t *out)
{
    assert(max <= (int64_t)1 << 53); /* what a JSON number holds exactly */
    double number;
    if (field_number(reader, place, value, &number) < 0)
        return -1;
    if (number < 0 && min == 0)
        return fields_refuse(reader, place, "must not be negative");
    if (number != floor(number))
        return fields_refuse(reader, place, "must be a whole number");
    if (number < (double)min || number > (double)max)
        return fields_refuse(reader, place, "must be from %lld to %lld", (long long)min,
                             (long long)max);
    *out = (int64_t)number;
    return 0;
}

int
field_word(const struct fields_reader *reader, const struct place *place,
           const struct json_value *value, const char *const *words, size_t n_words, unsigned *out)
{
    if (fields_expect(reader, place, value, JSON_TEXT) < 0)
        return -1;
    char known[256];
    size_t len = 0;
    for (unsigned i = 0; i < n_words; i++) {
        if (bytes_equal(json_string(value), bytes_of_text(words[i]))) {
            *out = i;
            return 0;
        }
        len +=
            (size_t)snprintf(known + len, sizeof(known) - len, "%s\"%s\"", i ? ", " : "", words[i]);
        assert(len < sizeof(known));
    }
    return fields_refuse(reader, place, "must be one of %s, is \"%.*s\"", known,
                         BYTES_ARG(json_string(value)));
}

int
field_day(const struct fields_reader *reader, const struct place *place,
          const struct json_value *value, void *out)
{
    int64_t time_s;
    if (field_text(reader, place, value, out) < 0)
        return -1;
    if (calendar_parse_day(*(struct bytes *)out, &time_s) < 0)
        return fields_refuse(reader, place, "must be a day such as \"2026-06-25\"");
    return 0;
}

/* A text that comes twice would change nothing, so it is a mistake: refuse it. */
static int
check_distinct(const struct fields_reader *reader, const struct place *place,
               const struct bytes *items, size_t n_items)
{
    struct map seen;
    map_init(&seen);
    int rc = 0;
    for (size_t i = 0; i < n_items && rc == 0; i++) {
        struct place at = {place, NULL, i};
        bool is_new;
        if (!map_put(&seen, items[i], &is_new))
            rc = err_nomem(reader->err, reader->origin);
        else if (!is_new)
            rc = fields_refuse(reader, &at, "\"%.*s\" is in the list already", BYTES_ARG(items[i]));
    }
    map_clear(&seen);
    return rc;
}

int
field_texts(const struct fields_reader *reader, const struct place *place,
            const struct json_value *value, void *out)
{
    if (fields_expect(reader, place, value, JSON_ARRAY) < 0)
        return -1;
    size_t n_items = json_count(value);
    struct bytes *items = ARENA_ARRAY(reader->arena, n_items, struct bytes);
    if (!items)
        return err_nomem(reader->err, reader->origin);
    size_t i = 0;
    for (const struct json_value *item = json_first(value); item; item = json_next(item), i++) {
        struct place at = {place, NULL, i};
        if (field_text(reader, &at, item, &items[i]) < 0)
            return -1;
    }
    if (check_distinct(reader, place, items, n_items) < 0)
        return -1;
    *(struct text_list *)out = (struct text_list){items, n_items};
    return 0;
}
