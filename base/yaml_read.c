/*
 * libyaml gives events; the tree is built from them with an explicit stack, so that depth does not
 * use the call stack and has a limit.  An alias is a second pointer to the value of its anchor,
 * never a copy, so a file of aliases to aliases stays as small as it is written.
 */
#include "base/yaml_read.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/utf8.h"

enum {
    DEPTH_MAX = 256,
    DOCUMENTS_MAX = 100000,
    MEMBERS_SORTED_MIN = 16 /* a smaller mapping is searched for a key twice one by one */
};

struct reader {
    yaml_parser_t parser;
    struct bytes text;
    const char *origin;
    struct arena *arena;
    struct map anchors; /* name to index into anchored */
    struct yaml_value **anchored;
    size_t n_anchored, anchored_capacity;
    struct yaml_value *stack[DEPTH_MAX];
    struct bytes pending_key[DEPTH_MAX]; /* a mapping's key that waits for its value */
    uint32_t pending_line[DEPTH_MAX];
    bool has_key[DEPTH_MAX];
    uint32_t depth;
    struct yaml_value *root;
    struct yaml_document *documents;
    uint32_t n_documents, capacity;
    size_t source_at, source_line; /* the place in the text after the documents read so far */
    struct err *err;
};

/* ---- Scalars ------------------------------------------------------------------------------- */

static bool
is_one_of(struct bytes text, const char *const words[], size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (bytes_equal(text, bytes_of_text(words[i])))
            return true;
    return false;
}

/* The digits of BASE from *AT on, '_' between them allowed; how many there are. */
static size_t
skip_digits(struct bytes text, size_t *at, unsigned base)
{
    size_t n = 0;
    for (; *at < text.len; ++*at) {
        uint8_t c = text.data[*at];
        uint8_t lower = c | 0x20;
        bool is_digit = c >= '0' && c <= '9' && (unsigned)(c - '0') < base;
        bool is_letter = base == 16 && lower >= 'a' && lower <= 'f';
        if (is_digit || is_letter)
            n++;
        else if (c != '_' || n == 0)
            break;
    }
    return n;
}

static bool
is_number(struct bytes text)
{
    static const char *const words[] = {".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN"};
    size_t at = 0;
    if (text.len && (text.data[0] == '+' || text.data[0] == '-'))
        at = 1;
    struct bytes rest = bytes_slice(text, at, text.len);
    if (is_one_of(rest, words, at ? 3 : 6))
        return true;
    if (rest.len > 2 && rest.data[0] == '0') {
        unsigned base = rest.data[1] == 'x'   ? 16
                        : rest.data[1] == 'o' ? 8
                        : rest.data[1] == 'b' ? 2
                                              : 0;
        size_t from = 2;
        if (base)
            return skip_digits(rest, &from, base) > 0 && from == rest.len;
    }
    size_t n = skip_digits(text, &at, 10);
    if (at < text.len && text.data[at] == '.') {
        at++;
        n += skip_digits(text, &at, 10);
    }
    if (n == 0)
        return false;
    if (at < text.len && (text.data[at] | 0x20) == 'e') {
        at++;
        if (at < text.len && (text.data[at] == '+' || text.data[at] == '-'))
            at++;
        if (skip_digits(text, &at, 10) == 0)
            return false;
    }
    return at == text.len;
}

/* What a plain scalar reads as. */
static enum yaml_type
plain_type(struct bytes text)
{
    static const char *const nulls[] = {"", "~", "null", "Null", "NULL"};
    static const char *const booleans[] = {"true", "True", "TRUE", "false", "False", "FALSE"};
    if (is_one_of(text, nulls, sizeof(nulls) / sizeof(nulls[0])))
        return YAML_NULL;
    if (is_one_of(text, booleans, sizeof(booleans) / sizeof(booleans[0])))
        return YAML_BOOL;
    return is_number(text) ? YAML_NUMBER : YAML_TEXT;
}

/* ---- The tree ------------------------------------------------------------------------------ */

static int
fail(struct reader *reader, size_t line, const char *reason)
{
    return err_set(reader->err, ERR_INPUT, "%s:%zu: %s", reader->origin, line + 1, reason);
}

static struct yaml_value *
value_new(struct reader *reader, enum yaml_type type, size_t line)
{
    struct yaml_value *value = ARENA_NEW(reader->arena, struct yaml_value);
    if (!value) {
        (void)err_nomem(reader->err, "YAML");
        return NULL;
    }
    value->type = type;
    value->line = (uint32_t)line + 1;
    return value;
}

static bool
has_key(const struct yaml_value *mapping, struct bytes key)
{
    for (uint32_t i = 0; i < mapping->n_items; i++)
        if (bytes_equal(mapping->items[i].key, key))
            return true;
    return false;
}

static int
compare_keys(const void *a, const void *b)
{
    const struct yaml_item *x = a, *y = b;
    int order = bytes_compare(x->key, y->key);
    return order ? order : (x->key_line > y->key_line) - (x->key_line < y->key_line);
}

/* Large mappings are checked for a key twice when they are complete, by sorting a copy. */
static int
check_large_mapping(struct reader *reader, const struct yaml_value *mapping)
{
    if (mapping->n_items < MEMBERS_SORTED_MIN)
        return 0;
    struct yaml_item *sorted = malloc(mapping->n_items * sizeof(*sorted));
    if (!sorted)
        return err_nomem(reader->err, "YAML");
    memcpy(sorted, mapping->items, mapping->n_items * sizeof(*sorted));
    qsort(sorted, mapping->n_items, sizeof(*sorted), compare_keys);
    int rc = 0;
    for (uint32_t i = 1; i < mapping->n_items && rc == 0; i++)
        if (bytes_equal(sorted[i].key, sorted[i - 1].key))
            rc = err_set(reader->err, ERR_INPUT, "%s:%u: the key \"%.*s\" is there twice",
                         reader->origin, sorted[i].key_line, BYTES_ARG(sorted[i].key));
    free(sorted);
    return rc;
}

static int
append_item(struct reader *reader, struct yaml_value *parent, struct yaml_item item)
{
    if (!ARRAY_RESERVE_IN(reader->arena, parent->items, parent->n_items, parent->capacity, 1))
        return err_nomem(reader->err, "YAML");
    parent->items[parent->n_items++] = item;
    return 0;
}

/* Take VALUE as the next key of the mapping on top of the stack. */
static int
take_key(struct reader *reader, const struct yaml_value *value, size_t line)
{
    const struct yaml_value *mapping = reader->stack[reader->depth - 1];
    if (value->type == YAML_LIST || value->type == YAML_MAPPING)
        return fail(reader, line, "a key must be a scalar");
    if (mapping->n_items < MEMBERS_SORTED_MIN && has_key(mapping, value->text))
        return err_set(reader->err, ERR_INPUT, "%s:%zu: the key \"%.*s\" is there twice",
                       reader->origin, line + 1, BYTES_ARG(value->text));
    reader->pending_key[reader->depth - 1] = value->text;
    reader->pending_line[reader->depth - 1] = (uint32_t)line + 1;
    reader->has_key[reader->depth - 1] = true;
    return 0;
}

/* Put VALUE where the document goes on. */
static int
place(struct reader *reader, struct yaml_value *value, size_t line)
{
    if (reader->depth == 0) {
        reader->root = value;
        return 0;
    }
    uint32_t top = reader->depth - 1;
    struct yaml_value *parent = reader->stack[top];
    if (parent->type == YAML_LIST)
        return append_item(reader, parent, (struct yaml_item){.value = value});
    if (!reader->has_key[top])
        return take_key(reader, value, line);
    reader->has_key[top] = false;
    return append_item(reader, parent,
                       (struct yaml_item){.key = reader->pending_key[top],
                                          .key_line = reader->pending_line[top],
                                          .value = value});
}

static int
remember_anchor(struct reader *reader, const yaml_char_t *name, struct yaml_value *value)
{
    if (!name)
        return 0;
    if (!ARRAY_RESERVE(reader->anchored, reader->n_anchored, reader->anchored_capacity, 1))
        return err_nomem(reader->err, "YAML");
    uint64_t *index = map_put(&reader->anchors, bytes_of_text((const char *)name), NULL);
    if (!index)
        return err_nomem(reader->err, "YAML");
    *index = reader->n_anchored;
    reader->anchored[reader->n_anchored++] = value;
    return 0;
}

/* ---- Events -------------------------------------------------------------------------------- */

static int
on_alias(struct reader *reader, const yaml_event_t *event)
{
    size_t line = event->start_mark.line;
    const char *name = (const char *)event->data.alias.anchor;
    const uint64_t *index = map_get(&reader->anchors, bytes_of_text(name));
    if (!index)
        return err_set(reader->err, ERR_INPUT, "%s:%zu: the alias *%s has no anchor",
                       reader->origin, line + 1, name);
    if (reader->anchored[*index]->is_open)
        return err_set(reader->err, ERR_INPUT, "%s:%zu: the alias *%s stands inside its anchor",
                       reader->origin, line + 1, name);
    return place(reader, reader->anchored[*index], line);
}

static int
on_scalar(struct reader *reader, const yaml_event_t *event)
{
    size_t line = event->start_mark.line;
    struct bytes text = {event->data.scalar.value, event->data.scalar.length};
    const char *tag = (const char *)event->data.scalar.tag;
    bool plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
                 !(tag && strcmp(tag, YAML_STR_TAG) == 0);
    struct yaml_value *value = value_new(reader, plain ? plain_type(text) : YAML_TEXT, line);
    if (!value)
        return -1;
    value->text = arena_copy(reader->arena, text);
    if (!value->text.data)
        return err_nomem(reader->err, "YAML");
    if (remember_anchor(reader, event->data.scalar.anchor, value) < 0)
        return -1;
    return place(reader, value, line);
}

static int
on_open(struct reader *reader, enum yaml_type type, const yaml_char_t *anchor, size_t line)
{
    if (reader->depth == DEPTH_MAX)
        return fail(reader, line, "nested more than 256 levels deep");
    struct yaml_value *value = value_new(reader, type, line);
    if (!value || place(reader, value, line) < 0 || remember_anchor(reader, anchor, value) < 0)
        return -1;
    value->is_open = true;
    reader->has_key[reader->depth] = false;
    reader->stack[reader->depth++] = value;
    return 0;
}

static int
on_close(struct reader *reader)
{
    struct yaml_value *value = reader->stack[--reader->depth];
    value->is_open = false;
    return value->type == YAML_MAPPING ? check_large_mapping(reader, value) : 0;
}

/* Move the place in the text to the start of LINE, from 0. */
static void
seek_line(struct reader *reader, size_t line)
{
    while (reader->source_line < line && reader->source_at < reader->text.len)
        if (reader->text.data[reader->source_at++] == '\n')
            reader->source_line++;
}

static int
on_document_end(struct reader *reader, const yaml_event_t *event)
{
    struct yaml_value *root = reader->root;
    if (!root) {
        root = value_new(reader, YAML_NULL, event->start_mark.line);
        if (!root)
            return -1;
    }
    if (!ARRAY_RESERVE_IN(reader->arena, reader->documents, reader->n_documents, reader->capacity,
                          1))
        return err_nomem(reader->err, "YAML");
    if (reader->n_documents == DOCUMENTS_MAX)
        return fail(reader, event->start_mark.line, "more than 100,000 documents in one file");
    seek_line(reader, root->line - 1);
    size_t start = reader->source_at;
    seek_line(reader, event->start_mark.line + (event->start_mark.column > 0));
    reader->documents[reader->n_documents++] =
        (struct yaml_document){root, bytes_slice(reader->text, start, reader->source_at)};
    reader->root = NULL;
    return 0;
}

static int
on_event(struct reader *reader, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_ALIAS_EVENT:
        return on_alias(reader, event);
    case YAML_SCALAR_EVENT:
        return on_scalar(reader, event);
    case YAML_SEQUENCE_START_EVENT:
        return on_open(reader, YAML_LIST, event->data.sequence_start.anchor,
                       event->start_mark.line);
    case YAML_MAPPING_START_EVENT:
        return on_open(reader, YAML_MAPPING, event->data.mapping_start.anchor,
                       event->start_mark.line);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return on_close(reader);
    case YAML_DOCUMENT_START_EVENT:
        map_reset(&reader->anchors);
        return 0;
    case YAML_DOCUMENT_END_EVENT:
        return on_document_end(reader, event);
    default:
        return 0;
    }
}

static int
parse_failure(struct reader *reader)
{
    const yaml_parser_t *parser = &reader->parser;
    if (parser->error == YAML_MEMORY_ERROR)
        return err_nomem(reader->err, "YAML");
    const char *problem = parser->problem ? parser->problem : "not YAML";
    const char *context = parser->context ? parser->context : "";
    return err_set(reader->err, ERR_INPUT, "%s:%zu: not YAML: %s%s%s", reader->origin,
                   parser->problem_mark.line + 1, context, *context ? ": " : "", problem);
}

static int
read_events(struct reader *reader)
{
    for (bool done = false; !done;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&reader->parser, &event))
            return parse_failure(reader);
        done = event.type == YAML_STREAM_END_EVENT;
        int rc = on_event(reader, &event);
        yaml_event_delete(&event);
        if (rc < 0)
            return -1;
    }
    return 0;
}

int
yaml_read(struct bytes text, const char *origin, struct arena *arena, struct yaml_document **out,
          uint32_t *n_out, struct err *err)
{
    if (!utf8_valid(text))
        return err_set(err, ERR_INPUT, "%s: not UTF-8; save it as UTF-8", origin);
    /* libyaml counts a byte order mark as a column, and so as indentation of the first line. */
    if (bytes_starts_with(text, BYTES("\xef\xbb\xbf")))
        text = bytes_slice(text, 3, text.len);
    struct reader *reader = calloc(1, sizeof(*reader));
    if (!reader)
        return err_nomem(err, "YAML");
    reader->text = text;
    reader->origin = origin;
    reader->arena = arena;
    reader->err = err;
    map_init(&reader->anchors);
    int rc = yaml_parser_initialize(&reader->parser) ? 0 : err_nomem(err, "YAML");
    if (rc == 0) {
        yaml_parser_set_encoding(&reader->parser, YAML_UTF8_ENCODING);
        yaml_parser_set_input_string(&reader->parser, text.data ? text.data : (const uint8_t *)"",
                                     text.len);
        rc = read_events(reader);
        yaml_parser_delete(&reader->parser);
    }
    *out = reader->documents;
    *n_out = reader->n_documents;
    map_clear(&reader->anchors);
    free(reader->anchored);
    free(reader);
    return rc;
}

const char *
yaml_type_name(enum yaml_type type)
{
    static const char *const names[] = {"nothing", "true or false", "a number",
                                        "a text",  "a list",        "a mapping"};
    return names[type];
}

const struct yaml_value *
yaml_member(const struct yaml_value *mapping, const char *key)
{
    if (mapping->type != YAML_MAPPING)
        return NULL;
    for (uint32_t i = 0; i < mapping->n_items; i++)
        if (bytes_equal(mapping->items[i].key, bytes_of_text(key)))
            return mapping->items[i].value;
    return NULL;
}
