/*
 * See literals.h.  The cores of all literals form a tree (a trie) over classes of bytes.  It is
 * walked only at places where a table of hashes says that some core starts with the next three
 * bytes.
 */
#include "analyzer/engine/literals.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum {
    START_BYTES = 3,        /* of a core, which are looked at first */
    BYTES_MAX = 100000,     /* of all literals together: bounds the tree */
    LITERAL_BYTES_MAX = 64, /* bounds what one place of a text can cost */
    PLACES_MAX = 1 << 16    /* of one literal in one file */
};

/* A hash of the first START_BYTES bytes of TEXT.  It is composed of four, which are one load. */
static inline uint32_t
hash_start(const uint8_t text[4])
{
    uint32_t bytes = (uint32_t)text[0] | (uint32_t)text[1] << 8 | (uint32_t)text[2] << 16 |
                     (uint32_t)text[3] << 24;
    return (bytes & 0xffffff) * 0x9e3779b1u >> (32 - STARTS_BITS);
}

/* ---- Building ------------------------------------------------------------------------------ */

void
literal_set_init(struct literal_set *set)
{
    *set = (struct literal_set){0};
    arena_init(&set->arena, 0);
    map_init(&set->index);
}

void
literal_set_clear(struct literal_set *set)
{
    arena_clear(&set->arena);
    map_clear(&set->index);
    free(set->texts);
    free(set->next);
    free(set->ending);
    free(set->n_blanks);
    free(set->same_core);
    literal_set_init(set);
}

static uint32_t
count_blanks(struct bytes text)
{
    uint32_t n = 0;
    while (n < text.len && (text.data[n] == ' ' || text.data[n] == '\n'))
        n++;
    return n;
}

static bool
is_sign(uint8_t c)
{
    return c > ' ' && c < 0x7f && c != '_' && !(c >= '0' && c <= '9') &&
           !((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* Short ones are nearly everywhere, but for two signs, such as "==". */
static bool
tells_something(struct bytes text)
{
    struct bytes core = bytes_slice(text, count_blanks(text), text.len);
    return text.len <= LITERAL_BYTES_MAX &&
           (core.len >= START_BYTES ||
            (core.len == 2 && is_sign(core.data[0]) && is_sign(core.data[1])));
}

uint32_t
literal_set_put(struct literal_set *set, struct bytes text, bool *failed)
{
    const uint64_t *known = map_get(&set->index, text);
    if (known)
        return (uint32_t)*known;
    if (!tells_something(text) || set->n_bytes + text.len > BYTES_MAX)
        return LITERAL_NONE;
    if (!ARRAY_RESERVE(set->texts, set->n_literals, set->capacity, 1)) {
        *failed = true;
        return LITERAL_NONE;
    }
    uint64_t *number = map_put(&set->index, text, NULL);
    struct bytes copy = arena_copy(&set->arena, text);
    if (!number || !copy.data) {
        *failed = true;
        return LITERAL_NONE;
    }
    *number = set->n_literals;
    set->texts[set->n_literals] = copy;
    set->n_bytes += text.len;
    return set->n_literals++;
}

static void
classify_bytes(struct literal_set *set)
{
    set->n_classes = 1; /* class 0: bytes of no literal */
    memset(set->class_of, 0, sizeof(set->class_of));
    for (uint32_t i = 0; i < set->n_literals; i++)
        for (size_t b = 0; b < set->texts[i].len; b++)
            if (set->class_of[set->texts[i].data[b]] == 0 && set->n_classes < 256)
                set->class_of[set->texts[i].data[b]] = (uint8_t)set->n_classes++;
}

/* CORE may start where its first three bytes are; whatever the third is when it has but two. */
static void
note_start(struct literal_set *set, struct bytes core)
{
    uint8_t bytes[4] = {core.data[0], core.data[1], 0, 0};
    unsigned third = core.len > 2 ? core.data[2] : 0, last = core.len > 2 ? third : UINT8_MAX;
    for (; third <= last; third++) {
        bytes[2] = (uint8_t)third;
        uint32_t start = hash_start(bytes);
        set->starts[start / 64] |= (uint64_t)1 << start % 64;
    }
}

/* The tree of all cores; states are numbered in order of creation, the root is 0. */
static void
build_tree(struct literal_set *set)
{
    uint32_t n_states = 1;
    for (uint32_t i = 0; i < set->n_literals; i++) {
        struct bytes text = set->texts[i];
        uint32_t state = 0, n_blanks = count_blanks(text);
        note_start(set, bytes_slice(text, n_blanks, text.len));
        for (size_t b = n_blanks; b < text.len; b++) {
            uint32_t *next = &set->next[state * set->n_classes + set->class_of[text.data[b]]];
            if (*next == 0)
                *next = n_states++;
            state = *next;
        }
        set->n_blanks[i] = n_blanks;
        set->same_core[i] = set->ending[state];
        set->ending[state] = i;
    }
}

int
literal_set_build(struct literal_set *set)
{
    size_t n = set->n_bytes + 1; /* at most as many states */
    classify_bytes(set);
    set->next = calloc(n * set->n_classes, sizeof(*set->next));
    set->ending = malloc(n * sizeof(*set->ending));
    set->n_blanks = calloc(set->n_literals + 1, sizeof(*set->n_blanks));
    set->same_core = calloc(set->n_literals + 1, sizeof(*set->same_core));
    map_clear(&set->index);
    if (!set->next || !set->ending || !set->n_blanks || !set->same_core)
        return -1;
    memset(set->ending, 0xff, n * sizeof(*set->ending));
    build_tree(set);
    return 0;
}

/* ---- Finding ------------------------------------------------------------------------------- */

struct place {
    uint32_t literal;
    uint32_t start;
};

/* Places as they are met, in a list that grows. */
struct places {
    struct place *items;
    uint32_t n, capacity;
    uint32_t *count; /* of each literal */
};

static bool
note_place(struct places *places, uint32_t literal, uint32_t start)
{
    if (places->count[literal]++ >= PLACES_MAX)
        return true;
    if (!ARRAY_RESERVE(places->items, places->n, places->capacity, 1))
        return false;
    places->items[places->n++] = (struct place){literal, start};
    return true;
}

/* Note LITERAL and those with the same core, which is at CORE, where their blanks lead it. */
static bool
note_literals(const struct literal_set *set, struct bytes text, size_t core, uint32_t literal,
              struct places *places)
{
    for (; literal != LITERAL_NONE; literal = set->same_core[literal]) {
        uint32_t n = set->n_blanks[literal];
        if (n <= core && memcmp(text.data + core - n, set->texts[literal].data, n) == 0 &&
            !note_place(places, literal, (uint32_t)core - n))
            return false;
    }
    return true;
}

static bool
find_at(const struct literal_set *set, struct bytes text, size_t core, struct places *places)
{
    uint32_t state = 0;
    for (size_t i = core; i < text.len; i++) {
        state = set->next[state * set->n_classes + set->class_of[text.data[i]]];
        if (state == 0)
            break;
        if (set->ending[state] != LITERAL_NONE &&
            !note_literals(set, text, core, set->ending[state], places))
            return false;
    }
    return true;
}

static bool
find_places(const struct literal_set *set, struct bytes text, struct places *places)
{
    size_t i = 0;
    for (; i + 4 <= text.len; i++) {
        uint32_t start = hash_start(text.data + i);
        if ((set->starts[start / 64] >> start % 64 & 1) && !find_at(set, text, i, places))
            return false;
    }
    for (; i < text.len; i++)
        if (!find_at(set, text, i, places))
            return false;
    return true;
}

/* Sort the places by literal; their order within each stays. */
static int
sort_places(const struct places *places, uint32_t n_literals, struct arena *arena,
            struct literal_index *out)
{
    out->starts = ARENA_ARRAY(arena, places->n, uint32_t);
    uint32_t *at = ARENA_ARRAY(arena, n_literals, uint32_t);
    if (!out->starts || !at)
        return -1;
    for (uint32_t i = 0; i < n_literals; i++) {
        out->is_everywhere[i] = places->count[i] > PLACES_MAX;
        at[i] = out->first[i];
        out->first[i + 1] = out->first[i] + (out->is_everywhere[i] ? PLACES_MAX : places->count[i]);
    }
    for (uint32_t i = 0; i < places->n; i++)
        out->starts[at[places->items[i].literal]++] = places->items[i].start;
    return 0;
}

int
literal_index_build(const struct literal_set *set, struct bytes text, struct arena *arena,
                    struct literal_index *out)
{
    uint32_t n = set->n_literals;
    struct places places = {.count = ARENA_ARRAY(arena, n, uint32_t)};
    *out = (struct literal_index){.set = set,
                                  .first = ARENA_ARRAY(arena, (size_t)n + 1, uint32_t),
                                  .is_everywhere = ARENA_ARRAY(arena, n, bool)};
    int rc = places.count && out->first && out->is_everywhere ? 0 : -1;
    if (rc == 0 && n > 0)
        rc = find_places(set, text, &places) ? sort_places(&places, n, arena, out) : -1;
    free(places.items);
    return rc;
}

uint32_t
literal_count_within(const struct literal_index *index, uint32_t literal, uint32_t from,
                     uint32_t to, uint32_t enough)
{
    uint32_t low = index->first[literal], high = index->first[literal + 1], end = high;
    uint32_t len = (uint32_t)index->set->texts[literal].len;
    if (index->is_everywhere[literal])
        return enough;
    if (len > to - from)
        return 0;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (index->starts[middle] < from)
            low = middle + 1;
        else
            high = middle;
    }
    /* As many as wanted lie within when the last of them does. */
    if (enough <= end - low && index->starts[low + enough - 1] <= to - len)
        return enough;
    uint32_t n = 0;
    while (low + n < end && index->starts[low + n] <= to - len)
        n++;
    return n;
}
