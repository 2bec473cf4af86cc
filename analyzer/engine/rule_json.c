/*
 * See rule_json.h.  The recursion is as deep as the YAML reader allows.
 */
#include "analyzer/engine/rule_json.h"

#include <stdlib.h>

#include "base/json_write.h"
#include "base/num.h"

/* Is TEXT a number as JSON spells it? */
static bool
is_json_number(struct bytes text)
{
    size_t at = text.len && text.data[0] == '-', digits = 0;
    size_t first = at;
    for (; at < text.len && text.data[at] >= '0' && text.data[at] <= '9'; at++)
        digits++;
    if (digits == 0 || (digits > 1 && text.data[first] == '0'))
        return false;
    if (at < text.len && text.data[at] == '.') {
        size_t before = ++at;
        while (at < text.len && text.data[at] >= '0' && text.data[at] <= '9')
            at++;
        if (at == before)
            return false;
    }
    if (at < text.len && (text.data[at] | 0x20) == 'e') {
        at++;
        at += at < text.len && (text.data[at] == '+' || text.data[at] == '-');
        size_t before = at;
        while (at < text.len && text.data[at] >= '0' && text.data[at] <= '9')
            at++;
        if (at == before)
            return false;
    }
    return at == text.len;
}

/* Numbers JSON has no spelling for (0x1F, 1_000, .inf) become texts as they are spelled. */
static void
write_scalar(const struct yaml_value *value, struct buf *out)
{
    switch (value->type) {
    case YAML_NULL:
        buf_append_text(out, "null");
        break;
    case YAML_BOOL:
        buf_append_text(out, (value->text.data[0] | 0x20) == 't' ? "true" : "false");
        break;
    case YAML_NUMBER:
        if (is_json_number(value->text))
            buf_append_bytes(out, value->text);
        else
            json_quote(out, value->text);
        break;
    default:
        json_quote(out, value->text);
        break;
    }
}

int
rule_write_json(const struct yaml_value *value, struct buf *out)
{
    if (out->len > RULE_JSON_BYTES_MAX)
        return -1;
    if (value->type != YAML_LIST && value->type != YAML_MAPPING) {
        write_scalar(value, out);
        return 0;
    }
    bool is_mapping = value->type == YAML_MAPPING;
    buf_append_byte(out, is_mapping ? '{' : '[');
    for (uint32_t i = 0; i < value->n_items; i++) {
        if (i > 0)
            buf_append_byte(out, ',');
        if (is_mapping) {
            json_quote(out, value->items[i].key);
            buf_append_byte(out, ':');
        }
        if (rule_write_json(value->items[i].value, out) < 0)
            return -1;
    }
    buf_append_byte(out, is_mapping ? '}' : ']');
    return 0;
}

static int
compare_items(const void *a, const void *b)
{
    const struct yaml_item *x = a, *y = b;
    return bytes_compare(x->key, y->key);
}

int
rule_write_normal(const struct yaml_value *value, struct buf *out)
{
    if (out->len > RULE_JSON_BYTES_MAX)
        return -1;
    buf_append_byte(out, (uint8_t)value->type);
    if (value->type != YAML_LIST && value->type != YAML_MAPPING) {
        buf_append_varint(out, value->text.len);
        buf_append_bytes(out, value->text);
        return 0;
    }
    buf_append_varint(out, value->n_items);
    struct yaml_item *sorted = calloc(value->n_items + 1, sizeof(*sorted));
    if (!sorted) {
        out->failed = true;
        return 0;
    }
    if (value->n_items)
        memcpy(sorted, value->items, value->n_items * sizeof(*sorted));
    if (value->type == YAML_MAPPING)
        qsort(sorted, value->n_items, sizeof(*sorted), compare_items);
    int rc = 0;
    for (uint32_t i = 0; i < value->n_items && rc == 0; i++) {
        buf_append_varint(out, sorted[i].key.len);
        buf_append_bytes(out, sorted[i].key);
        rc = rule_write_normal(sorted[i].value, out);
    }
    free(sorted);
    return rc;
}
