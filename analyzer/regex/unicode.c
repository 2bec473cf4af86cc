/*
 * Unicode properties and case folding, out of the generated table.
 *
 * To list a set, the toggles of the sets it is made of, and of those that they are made of, are
 * collected and sorted; equal pairs cancel, and what remains are the starts and ends of its ranges.
 * To ask about one code point they need not be sorted: it is in the set when an odd number of
 * toggles is at or below it.
 */
#include "analyzer/regex/unicode.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/regex/unicode_table.h"
#include "base/array.h"
#include "base/decoder.h"

/* ---- Sets ---------------------------------------------------------------------------------- */

/* More sets than any set is made of. */
enum { PARTS_MAX = 256 };

/* The sets that a set is made of, itself included, one after the other. */
struct parts {
    uint16_t pending[PARTS_MAX];
    size_t n_pending;
    struct decoder decoder; /* of the part at hand: its own toggles */
    uint64_t n_toggles;     /* of these that are left */
    uint32_t toggle;        /* the last one taken */
};

static void
parts_init(struct parts *parts, uint16_t set)
{
    parts->pending[0] = set;
    parts->n_pending = 1;
    parts->n_toggles = 0;
}

static void
open_part(struct parts *parts)
{
    size_t start = unicode_set_starts[parts->pending[--parts->n_pending]];
    parts->decoder = decoder_init((struct bytes){unicode_sets + start, unicode_sets_size - start});
    for (uint64_t n = decoder_varint(&parts->decoder); n > 0; n--) {
        assert(parts->n_pending < PARTS_MAX);
        parts->pending[parts->n_pending++] = (uint16_t)decoder_varint(&parts->decoder);
    }
    parts->n_toggles = decoder_varint(&parts->decoder);
    parts->toggle = 0;
    assert(!parts->decoder.failed);
}

/* The next toggle of any part; false at the end. */
static bool
take_toggle(struct parts *parts, uint32_t *toggle)
{
    while (parts->n_toggles == 0) {
        if (parts->n_pending == 0)
            return false;
        open_part(parts);
    }
    parts->n_toggles--;
    parts->toggle += (uint32_t)decoder_varint(&parts->decoder);
    *toggle = parts->toggle;
    return true;
}

static bool
set_has(uint16_t set, uint32_t code_point)
{
    struct parts parts;
    uint32_t toggle;
    bool inside = false;
    parts_init(&parts, set);
    while (take_toggle(&parts, &toggle))
        inside ^= toggle <= code_point;
    return inside;
}

static int
compare_toggles(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Add the members of SET to OUT. */
static void
add_set(uint16_t set, struct regex_class *out)
{
    struct parts parts;
    uint32_t toggle, *toggles = NULL, start = 0;
    size_t n = 0, capacity = 0;
    bool inside = false;
    parts_init(&parts, set);
    while (take_toggle(&parts, &toggle)) {
        if (!ARRAY_RESERVE(toggles, n, capacity, 1)) {
            out->failed = true;
            break;
        }
        toggles[n++] = toggle;
    }
    if (n > 1)
        qsort(toggles, n, sizeof(*toggles), compare_toggles);
    for (size_t i = 0; i < n; i++) {
        if (i + 1 < n && toggles[i] == toggles[i + 1]) {
            i++;
            continue;
        }
        if (inside)
            class_add(out, start, toggles[i] - 1);
        start = toggles[i];
        inside = !inside;
    }
    assert(!inside || out->failed);
    free(toggles);
}

/* ---- Names --------------------------------------------------------------------------------- */

enum { NAME_MAX_BYTES = 64 };

/* Lower case without spaces, '_', '-' and a leading "is"; false when it cannot be a name. */
static bool
normalise_name(struct bytes name, char out[NAME_MAX_BYTES])
{
    size_t n = 0;
    for (size_t i = 0; i < name.len; i++) {
        unsigned char c = name.data[i];
        if (c == ' ' || c == '_' || c == '-')
            continue;
        if (!isalnum(c) || n + 1 == NAME_MAX_BYTES)
            return false;
        out[n++] = (char)tolower(c);
    }
    out[n] = '\0';
    if (n > 2 && memcmp(out, "is", 2) == 0 && strcmp(out, "isc") != 0)
        memmove(out, out + 2, n - 1);
    return out[0] != '\0';
}

static int
compare_names(const void *key, const void *item)
{
    return strcmp(key, ((const struct unicode_name *)item)->name);
}

/* Add the set that NAME has among NAMES to OUT; false when there is none. */
static bool
add_named(const char *name, const struct unicode_name *names, size_t n, struct regex_class *out)
{
    const struct unicode_name *found = bsearch(name, names, n, sizeof(*names), compare_names);
    if (found)
        add_set(found->set, out);
    return found != NULL;
}

static bool
is_either(const char *key, const char *short_name, const char *long_name)
{
    return strcmp(key, short_name) == 0 || strcmp(key, long_name) == 0;
}

bool
unicode_add_property(struct bytes name, struct bytes value, struct regex_class *out)
{
    char key[NAME_MAX_BYTES], wanted[NAME_MAX_BYTES];
    if (!normalise_name(name, key) || (value.len != 0 && !normalise_name(value, wanted)))
        return false;
    if (value.len == 0)
        return add_named(key, unicode_categories, unicode_categories_n, out) ||
               add_named(key, unicode_scripts, unicode_scripts_n, out) ||
               add_named(key, unicode_properties, unicode_properties_n, out);
    if (is_either(key, "gc", "generalcategory"))
        return add_named(wanted, unicode_categories, unicode_categories_n, out);
    if (is_either(key, "sc", "script"))
        return add_named(wanted, unicode_scripts, unicode_scripts_n, out);
    if (is_either(key, "scx", "scriptextensions"))
        return add_named(wanted, unicode_script_extensions, unicode_script_extensions_n, out);
    return false;
}

bool
unicode_is_alphabetic(uint32_t code_point)
{
    if (code_point < 0x80)
        return (code_point | 0x20) >= 'a' && (code_point | 0x20) <= 'z';
    const struct unicode_name *alphabetic =
        bsearch("alphabetic", unicode_properties, unicode_properties_n, sizeof(*unicode_properties),
                compare_names);
    assert(alphabetic);
    return set_has(alphabetic->set, code_point);
}

/* ---- Case folding -------------------------------------------------------------------------- */

/* Add what the code points of RANGE that FOLD is about are equal to. */
static void
fold_range(const struct unicode_fold *fold, struct class_range range, struct regex_class *set)
{
    uint32_t first = fold->first, last = fold->last < range.last ? fold->last : range.last;
    if (first < range.first)
        first += (range.first - first + fold->step - 1) / fold->step * fold->step;
    if (first > last)
        return;
    if (fold->step == 1) {
        class_add(set, first + (uint32_t)fold->delta, last + (uint32_t)fold->delta);
        return;
    }
    for (uint32_t c = first; c <= last; c += fold->step)
        class_add(set, c + (uint32_t)fold->delta, c + (uint32_t)fold->delta);
}

void
unicode_fold(struct regex_class *set)
{
    uint32_t n = set->n_ranges;
    for (uint32_t i = 0; i < n; i++) {
        const struct class_range range = set->ranges[i];
        for (size_t k = 0; k < unicode_folds_n && unicode_folds[k].first <= range.last; k++)
            if (unicode_folds[k].last >= range.first)
                fold_range(&unicode_folds[k], range, set);
    }
    class_normalise(set);
}
