/* cJSON behind json_read.h.  It knows no Infinity and no NaN; in lenient mode these words, outside
 * strings, are rewritten before parsing to numbers that strtod reads as such: 1e999 overflows to
 * infinity, and NaN becomes a string that no input is likely to hold.  A NUL in text is refused, or
 * in lenient mode replaced by U+FFFD. */
#include "base/json_read.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/memory.h"

enum { DEPTH_MAX = 256 };

struct json_doc {
    cJSON *root;
};

static const char nan_mark[] = "\x01NaN";

/* cJSON's own struct is what a struct json_value points to. */
static const struct json_value *
to_value(const cJSON *item)
{
    return (const struct json_value *)(const void *)item;
}

static const cJSON *
to_item(const struct json_value *value)
{
    return (const cJSON *)(const void *)value;
}

static void
line_and_column(struct bytes text, size_t at, size_t *line, size_t *column)
{
    *line = 1;
    *column = 1;
    for (size_t i = 0; i < at && i < text.len; i++) {
        (*column)++;
        if (text.data[i] == '\n') {
            (*line)++;
            *column = 1;
        }
    }
}

static int
refuse_at(struct bytes text, size_t at, const char *origin, const char *why, struct err *err)
{
    size_t line, column;
    line_and_column(text, at, &line, &column);
    return err_set(err, ERR_INPUT, "%s:%zu:%zu: %s", origin, line, column, why);
}

/* Is WORD at AT?  Bare words end where a value ends. */
static size_t
word_at(struct bytes text, size_t at, struct bytes word)
{
    return bytes_starts_with(bytes_slice(text, at, text.len), word) ? word.len : 0;
}

/* Copy TEXT to OUT with the bare words replaced; check the nesting on the way. */
static int
prepare(struct bytes text, const char *origin, bool lenient, struct buf *out, struct err *err)
{
    bool in_string = false;
    size_t depth = 0;
    for (size_t i = 0; i < text.len; i++) {
        uint8_t c = text.data[i];
        if (c == 0)
            return refuse_at(text, i, origin, "a NUL byte is not JSON", err);
        if (in_string && word_at(text, i, BYTES("\\u0000"))) {
            /* cJSON's texts end at a NUL: what follows would be lost without a word */
            if (!lenient)
                return refuse_at(text, i, origin, "a NUL character in text", err);
            buf_append_text(out, "\\ufffd");
            i += 5;
            continue;
        }
        if (in_string) {
            buf_append_byte(out, c);
            if (c == '\\' && i + 1 < text.len)
                buf_append_byte(out, text.data[++i]);
            else if (c == '"')
                in_string = false;
            continue;
        }
        size_t n = 0;
        if (lenient && c == 'N' && (n = word_at(text, i, BYTES("NaN"))))
            buf_append_text(out, "\"\\u0001NaN\"");
        else if (lenient && c == 'I' && (n = word_at(text, i, BYTES("Infinity"))))
            buf_append_text(out, "1e999");
        if (n) {
            i += n - 1;
            continue;
        }
        in_string = c == '"';
        depth += c == '{' || c == '[';
        if (depth > DEPTH_MAX)
            return refuse_at(text, i, origin, "nested more than 256 deep", err);
        if ((c == '}' || c == ']') && depth > 0)
            depth--;
        buf_append_byte(out, c);
    }
    buf_append_byte(out, 0);
    return buf_failed(out) ? err_nomem(err, origin) : 0;
}

/* cJSON answers NULL for text that is not JSON and for memory that ran out alike: the hooks note
 * the second. */
static void
install_hooks(void)
{
    cJSON_Hooks hooks = {.malloc_fn = memory_alloc, .free_fn = free};
    cJSON_InitHooks(&hooks);
}

int
json_open(struct bytes text, const char *origin, bool lenient, struct json_doc **out,
          struct err *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install_hooks);
    struct buf copy = {0};
    struct json_doc *doc = calloc(1, sizeof(*doc));
    if (!doc) {
        return err_nomem(err, origin);
    }
    if (prepare(text, origin, lenient, &copy, err) < 0)
        goto fail;
    const char *end = NULL;
    doc->root = cJSON_ParseWithLengthOpts((const char *)copy.data, copy.len, &end, 1);
    if (!doc->root) {
        size_t at = end ? (size_t)(end - (const char *)copy.data) : 0;
        if (memory_ran_out())
            err_nomem(err, origin);
        else
            refuse_at(buf_bytes(&copy), at, origin, "this is not JSON from here on", err);
        goto fail;
    }
    buf_clear(&copy);
    *out = doc;
    return 0;

fail:
    buf_clear(&copy);
    free(doc);
    return -1;
}

void
json_close(struct json_doc *doc)
{
    if (!doc)
        return;
    cJSON_Delete(doc->root);
    free(doc);
}

const struct json_value *
json_root(const struct json_doc *doc)
{
    return to_value(doc->root);
}

static bool
is_nan_mark(const cJSON *item)
{
    return cJSON_IsString(item) && strcmp(item->valuestring, nan_mark) == 0;
}

enum json_type
json_type(const struct json_value *value)
{
    const cJSON *item = to_item(value);
    if (cJSON_IsNumber(item) || is_nan_mark(item))
        return JSON_NUMBER;
    if (cJSON_IsString(item))
        return JSON_TEXT;
    if (cJSON_IsObject(item))
        return JSON_OBJECT;
    if (cJSON_IsArray(item))
        return JSON_ARRAY;
    return cJSON_IsBool(item) ? JSON_BOOL : JSON_NULL;
}

const char *
json_type_name(enum json_type type)
{
    static const char *const names[] = {"null", "true or false", "a number",
                                        "text", "a list",        "an object"};
    return names[type];
}

bool
json_is_true(const struct json_value *value)
{
    return cJSON_IsTrue(to_item(value));
}

double
json_number(const struct json_value *value)
{
    const cJSON *item = to_item(value);
    if (is_nan_mark(item))
        return NAN;
    return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

struct bytes
json_string(const struct json_value *value)
{
    const cJSON *item = to_item(value);
    return cJSON_IsString(item) ? bytes_of_text(item->valuestring) : BYTES("");
}

const struct json_value *
json_first(const struct json_value *value)
{
    return to_value(to_item(value)->child);
}

const struct json_value *
json_next(const struct json_value *value)
{
    return to_value(to_item(value)->next);
}

struct bytes
json_name(const struct json_value *value)
{
    const char *name = to_item(value)->string;
    return name ? bytes_of_text(name) : BYTES("");
}

const struct json_value *
json_member(const struct json_value *object, const char *name)
{
    return to_value(cJSON_GetObjectItemCaseSensitive(to_item(object), name));
}

size_t
json_count(const struct json_value *value)
{
    size_t n = 0;
    for (const cJSON *item = to_item(value)->child; item; item = item->next)
        n++;
    return n;
}
