/*
 * Every part of a pattern is either exact, one of a few strings, or has needs: sets of literals of
 * which a match holds at least one each.  A concatenation joins neighbouring exact parts into
 * longer strings; where that ends, the joined strings are a need.  An alternative needs one of the
 * best needs of its branches.
 */
#include "analyzer/regex/literal.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/buf.h"

enum {
    STRINGS_MAX = 16,      /* strings of an exact part */
    STRING_BYTES_MAX = 32, /* a longer one does not filter better */
    LITERALS_MAX = 24,     /* of one need */
    CLASS_MEMBERS_MAX = 8, /* a larger class is not exact */
    LITERAL_BYTES_MIN = 2, /* shorter ones are everywhere */
    NEWLINES_MAX = 1 << 20
};

struct part {
    bool exact;
    struct regex_need strings; /* when exact */
    struct regex_need needs[REGEX_NEEDS_MAX];
    uint32_t n_needs;
};

struct finder {
    struct arena *arena;
    bool failed;
};

/* ---- Needs --------------------------------------------------------------------------------- */

static size_t
shortest(const struct regex_need *need)
{
    size_t shortest = SIZE_MAX;
    for (uint32_t i = 0; i < need->n_literals; i++)
        if (need->literals[i].len < shortest)
            shortest = need->literals[i].len;
    return need->n_literals ? shortest : 0;
}

/* How much a need tells: long literals that must occur often, few alternatives. */
static size_t
worth(const struct regex_need *need)
{
    size_t times = need->times < 8 ? need->times : 8;
    return (shortest(need) + 3 * (times - 1)) * 32 + (LITERALS_MAX - need->n_literals);
}

static bool
is_better(const struct regex_need *a, const struct regex_need *b)
{
    return worth(a) > worth(b);
}

static bool
same_literals(const struct regex_need *a, const struct regex_need *b)
{
    if (a->n_literals != b->n_literals)
        return false;
    for (uint32_t i = 0; i < a->n_literals; i++)
        if (!bytes_equal(a->literals[i], b->literals[i]))
            return false;
    return true;
}

/* NEED is about a piece of text of its own: where it is known already it occurs more often. */
static void
add_need(struct part *part, const struct regex_need *need)
{
    if (need->n_literals == 0 || need->n_literals > LITERALS_MAX ||
        shortest(need) < LITERAL_BYTES_MIN)
        return;
    uint32_t at = 0;
    while (at < part->n_needs && !same_literals(&part->needs[at], need))
        at++;
    if (at < part->n_needs)
        part->needs[at].times += need->times;
    else if (at < REGEX_NEEDS_MAX)
        part->needs[part->n_needs++] = *need;
    else if (is_better(need, &part->needs[--at]))
        part->needs[at] = *need;
    for (; at > 0 && is_better(&part->needs[at], &part->needs[at - 1]); at--) {
        struct regex_need moved = part->needs[at];
        part->needs[at] = part->needs[at - 1];
        part->needs[at - 1] = moved;
    }
}

/* The best need of PART; none has no literals. */
static struct regex_need
best_need(const struct part *part)
{
    if (part->exact)
        return shortest(&part->strings) >= LITERAL_BYTES_MIN ? part->strings
                                                             : (struct regex_need){0};
    return part->n_needs ? part->needs[0] : (struct regex_need){0};
}

static struct regex_need
new_strings(struct finder *finder, const struct bytes *strings, uint32_t n)
{
    struct bytes *copy = ARENA_ARRAY(finder->arena, n, struct bytes);
    if (!copy) {
        finder->failed = true;
        return (struct regex_need){0};
    }
    memcpy(copy, strings, n * sizeof(*copy));
    return (struct regex_need){copy, n, 1};
}

/* ---- Parts --------------------------------------------------------------------------------- */

static struct part
part_of_class(struct finder *finder, const struct regex_class *set)
{
    struct bytes strings[CLASS_MEMBERS_MAX];
    uint32_t n = 0;
    for (uint32_t i = 0; i < set->n_ranges; i++) {
        for (uint32_t c = set->ranges[i].first; c <= set->ranges[i].last; c++) {
            if (n == CLASS_MEMBERS_MAX)
                return (struct part){0};
            uint8_t bytes[4];
            size_t len = utf8_encode(c, bytes);
            strings[n] = arena_copy(finder->arena, (struct bytes){bytes, len});
            finder->failed |= !strings[n].data;
            n++;
        }
    }
    if (n == 0)
        return (struct part){0};
    return (struct part){.exact = true, .strings = new_strings(finder, strings, n)};
}

static struct part
part_of_nothing(struct finder *finder)
{
    struct bytes empty = BYTES("");
    return (struct part){.exact = true, .strings = new_strings(finder, &empty, 1)};
}

/* The strings of A each followed by each of B; false when they are too many or too long. */
static bool
join(struct finder *finder, const struct regex_need *a, const struct regex_need *b,
     struct regex_need *out)
{
    struct bytes strings[STRINGS_MAX];
    uint32_t n = 0;
    if (a->n_literals * b->n_literals > STRINGS_MAX)
        return false;
    for (uint32_t i = 0; i < a->n_literals; i++) {
        for (uint32_t j = 0; j < b->n_literals; j++) {
            struct bytes x = a->literals[i], y = b->literals[j];
            if (x.len + y.len > STRING_BYTES_MAX)
                return false;
            uint8_t joined[STRING_BYTES_MAX];
            if (x.len)
                memcpy(joined, x.data, x.len);
            if (y.len)
                memcpy(joined + x.len, y.data, y.len);
            strings[n] = arena_copy(finder->arena, (struct bytes){joined, x.len + y.len});
            finder->failed |= !strings[n++].data;
        }
    }
    *out = new_strings(finder, strings, n);
    return true;
}

static struct part part_of_node(struct finder *finder, const struct regex_node *node);

/* Append PART to what *ALL has so far; *RUN are the exact strings that end it. */
static void
append_part(struct finder *finder, struct part *all, struct regex_need *run,
            const struct part *part)
{
    if (part->exact && join(finder, run, &part->strings, run))
        return;
    all->exact = false;
    add_need(all, run);
    if (part->exact) {
        *run = part->strings;
        return;
    }
    for (uint32_t i = 0; i < part->n_needs; i++)
        add_need(all, &part->needs[i]);
    *run = part_of_nothing(finder).strings;
}

static struct part
part_of_concat(struct finder *finder, const struct regex_node *node)
{
    struct part all = {.exact = true};
    struct regex_need run = part_of_nothing(finder).strings;
    for (uint32_t i = 0; i < node->n_items && !finder->failed; i++) {
        struct part part = part_of_node(finder, node->items[i]);
        append_part(finder, &all, &run, &part);
    }
    if (all.exact)
        all.strings = run;
    else
        add_need(&all, &run);
    return all;
}

static struct part
part_of_alternatives(struct finder *finder, const struct regex_node *node)
{
    struct bytes literals[LITERALS_MAX] = {{0}};
    uint32_t n = 0, times = UINT32_MAX;
    bool exact = true;
    for (uint32_t i = 0; i < node->n_items && !finder->failed; i++) {
        struct part part = part_of_node(finder, node->items[i]);
        struct regex_need need = part.exact ? part.strings : best_need(&part);
        exact &= part.exact;
        if (need.n_literals == 0 || need.n_literals > LITERALS_MAX - n)
            return (struct part){0};
        memcpy(literals + n, need.literals, need.n_literals * sizeof(*literals));
        n += need.n_literals;
        times = need.times < times ? need.times : times;
    }
    struct regex_need any = new_strings(finder, literals, n);
    any.times = times;
    if (exact && n <= STRINGS_MAX)
        return (struct part){.exact = true, .strings = any};
    struct part part = {0};
    add_need(&part, &any);
    return part;
}

static struct part
part_of_repeat(struct finder *finder, const struct regex_node *node)
{
    if (node->max == 0)
        return part_of_nothing(finder);
    if (node->min == 0)
        return (struct part){0};
    struct part item = part_of_node(finder, node->items[0]);
    if (node->min == 1 && node->max == 1)
        return item;
    struct part all = {.exact = node->min == node->max};
    struct regex_need run = part_of_nothing(finder).strings;
    /* A few copies are enough to make the literal as long as it can get. */
    uint32_t n = node->min < STRING_BYTES_MAX ? node->min : STRING_BYTES_MAX;
    all.exact &= n == node->min;
    for (uint32_t i = 0; i < n && !finder->failed; i++)
        append_part(finder, &all, &run, &item);
    if (all.exact)
        all.strings = run;
    else
        add_need(&all, &run);
    return all;
}

/* The recursion is as deep as the tree: at most REGEX_NEST_MAX. */
static struct part
part_of_node(struct finder *finder, const struct regex_node *node)
{
    switch (node->op) {
    case REGEX_EMPTY:
    case REGEX_LOOK:
        return part_of_nothing(finder);
    case REGEX_CLASS:
        return part_of_class(finder, &node->set);
    case REGEX_REPEAT:
        return part_of_repeat(finder, node);
    case REGEX_CONCAT:
        return part_of_concat(finder, node);
    case REGEX_ALTERNATE:
        return part_of_alternatives(finder, node);
    }
    return (struct part){0};
}

/* ---- Newlines ------------------------------------------------------------------------------ */

static uint32_t
min_newlines(const struct regex_node *node)
{
    uint64_t n = 0;
    switch (node->op) {
    case REGEX_EMPTY:
    case REGEX_LOOK:
        break;
    case REGEX_CLASS:
        n = node->set.n_ranges == 1 && node->set.ranges[0].first == '\n' &&
            node->set.ranges[0].last == '\n';
        break;
    case REGEX_REPEAT:
        n = (uint64_t)node->min * min_newlines(node->items[0]);
        break;
    case REGEX_CONCAT:
        for (uint32_t i = 0; i < node->n_items; i++)
            n += min_newlines(node->items[i]);
        break;
    case REGEX_ALTERNATE:
        n = UINT32_MAX;
        for (uint32_t i = 0; i < node->n_items; i++) {
            uint32_t item = min_newlines(node->items[i]);
            n = item < n ? item : n;
        }
        break;
    }
    return n < NEWLINES_MAX ? (uint32_t)n : NEWLINES_MAX;
}

/* ---- All of it ----------------------------------------------------------------------------- */

static int
copy_need(const struct regex_need *need, struct arena *arena, struct regex_need *out)
{
    struct bytes *literals = ARENA_ARRAY(arena, need->n_literals, struct bytes);
    if (!literals)
        return -1;
    for (uint32_t i = 0; i < need->n_literals; i++) {
        literals[i] = arena_copy(arena, need->literals[i]);
        if (!literals[i].data)
            return -1;
    }
    *out = (struct regex_need){literals, need->n_literals, need->times};
    return 0;
}

int
regex_find_needs(const struct regex_node *tree, bool is_whole, struct arena *arena,
                 struct regex *regex, struct err *err)
{
    struct arena scratch;
    arena_init(&scratch, 0);
    struct finder finder = {.arena = &scratch};
    struct part part = part_of_node(&finder, tree);
    int rc = finder.failed ? -1 : 0;
    regex->min_newlines = min_newlines(tree);
    if (rc == 0 && part.exact) {
        part.n_needs = 0;
        add_need(&part, &part.strings);
        if (is_whole)
            rc = copy_need(&part.strings, arena, &regex->whole);
    }
    for (uint32_t i = 0; i < part.n_needs && rc == 0; i++) {
        rc = copy_need(&part.needs[i], arena, &regex->needs[i]);
        regex->n_needs = i + 1;
    }
    arena_clear(&scratch);
    return rc < 0 ? err_nomem(err, "regex") : 0;
}
