/*
 * See suppress.h.  A comment after code is for the row where that code starts, one at the start of
 * the file with an empty row after it for the whole file, any other for the next row.  Suppressions
 * are sorted by row and found by bisection.
 */
#include "analyzer/engine/suppress.h"

#include <stdlib.h>

#include "analyzer/engine/match.h"
#include "analyzer/regex/unicode.h"
#include "base/utf8.h"

static const struct bytes word = {(const uint8_t *)"ast-grep-ignore", 15};

/* ---- Text ---------------------------------------------------------------------------------- */

static bool
is_space(uint8_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static struct bytes
trim(struct bytes b)
{
    while (b.len && is_space(b.data[0]))
        b = bytes_slice(b, 1, b.len);
    while (b.len && is_space(b.data[b.len - 1]))
        b.len--;
    return b;
}

static bool
has_letter(struct bytes text)
{
    for (size_t i = 0; i < text.len;) {
        const uint8_t *p = text.data + i;
        size_t n = utf8_length(text, i);
        uint32_t c = n ? utf8_decode(p, n) : p[0];
        if (unicode_is_alphabetic(c))
            return true;
        i += n ? n : 1;
    }
    return false;
}

/* Does the comment TEXT suppress, and what?  *RULES as in struct suppression. */
static bool
read_comment(struct bytes text, struct bytes *rules)
{
    const uint8_t *at = text.len ? memmem(text.data, text.len, word.data, word.len) : NULL;
    if (!at || has_letter(bytes_slice(text, 0, (size_t)(at - text.data))))
        return false;
    struct bytes rest = trim(bytes_slice(text, (size_t)(at - text.data) + word.len, text.len));
    const uint8_t *colon = rest.len ? memchr(rest.data, ':', rest.len) : NULL;
    *rules = (struct bytes){0};
    if (colon)
        *rules = bytes_slice(rest, (size_t)(colon - rest.data) + 1, rest.len);
    return true;
}

static bool
names_rule(struct bytes rules, struct bytes id)
{
    if (!rules.data)
        return true;
    for (size_t at = 0; at <= rules.len;) {
        struct bytes left = bytes_slice(rules, at, rules.len);
        const uint8_t *comma = left.len ? memchr(left.data, ',', left.len) : NULL;
        size_t n = comma ? (size_t)(comma - left.data) : left.len;
        size_t start = 0;
        while (start < n && is_space(left.data[start]))
            start++;
        const uint8_t *space = n > start ? memchr(left.data + start, ' ', n - start) : NULL;
        size_t end = space ? (size_t)(space - left.data) : n;
        if (bytes_equal(bytes_slice(left, start, end), id))
            return true;
        at += n + 1;
    }
    return false;
}

/* ---- Places -------------------------------------------------------------------------------- */

static uint32_t
suppressed_row(const struct flat *flat, uint32_t comment)
{
    uint32_t row = flat->start_row[comment];
    uint32_t previous = flat_previous_sibling(flat, comment);
    if (previous != FLAT_NONE && flat->end_row[previous] == row)
        return flat->start_row[previous];
    uint32_t next = flat_next_sibling(flat, comment);
    if (row == 0 && (next == FLAT_NONE || flat->start_row[next] >= row + 2))
        return ROW_WHOLE_FILE;
    return row + 1;
}

static int
compare_rows(const void *a, const void *b)
{
    const struct suppression *x = a, *y = b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

/* The index of the first with at least ROW. */
static uint32_t
lower_bound(const struct suppressions *s, uint32_t row)
{
    uint32_t low = 0, high = s->n_items;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (s->items[middle].row < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int
suppressions_find(const struct flat *flat, const uint32_t *comments, uint32_t n,
                  struct arena *arena, struct suppressions *out)
{
    *out = (struct suppressions){0};
    uint32_t n_found = 0;
    for (uint32_t i = 0; i < n; i++) {
        struct bytes rules;
        if (!read_comment(flat_text(flat, comments[i]), &rules))
            continue;
        if (!out->items)
            out->items = ARENA_ARRAY(arena, n - i, struct suppression);
        if (!out->items)
            return -1;
        out->items[n_found++] = (struct suppression){suppressed_row(flat, comments[i]), i, rules};
    }
    /* Rows mostly ascend already; a later comment for the same row replaces an earlier one. */
    for (uint32_t i = 1; i < n_found; i++) {
        if (out->items[i].row >= out->items[i - 1].row)
            continue;
        qsort(out->items, n_found, sizeof(*out->items), compare_rows);
        break;
    }
    for (uint32_t i = 0; i < n_found; i++) {
        if (out->n_items && out->items[out->n_items - 1].row == out->items[i].row)
            out->n_items--;
        out->items[out->n_items++] = out->items[i];
    }
    return 0;
}

static bool
row_covers(const struct suppressions *s, uint32_t row, struct bytes id)
{
    uint32_t at = lower_bound(s, row);
    return at < s->n_items && s->items[at].row == row && names_rule(s->items[at].rules, id);
}

bool
suppressions_cover(const struct suppressions *suppressions, uint32_t row, struct bytes id)
{
    return row_covers(suppressions, row, id) || row_covers(suppressions, ROW_WHOLE_FILE, id);
}
