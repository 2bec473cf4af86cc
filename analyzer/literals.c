#include "analyzer/literals.h"

#include <stdlib.h>
#include <string.h>

enum {
    BYTES_MAX = 100000,     /* of all literals together: bounds the automaton */
    PLACES_MAX = 1 << 16    /* of one literal in one file */
};

#define ENDS ((uint32_t)1 << 31) /* in next: a literal ends there */

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
    free(set->shorter);
    literal_set_init(set);
}

uint32_t
literal_set_put(struct literal_set *set, struct bytes text, bool *failed)
{
    const uint64_t *known = map_get(&set->index, text);
    if (known)
        return (uint32_t)*known;
    if (text.len == 0 || set->n_bytes + text.len > BYTES_MAX)
        return LITERAL_NONE;
    if (set->n_literals == set->capacity) {
        uint32_t capacity = set->capacity ? set->capacity * 2 : 64;
        struct bytes *grown = realloc(set->texts, capacity * sizeof(*grown));
        if (!grown) {
            *failed = true;
            return LITERAL_NONE;
        }
        set->texts = grown;
        set->capacity = capacity;
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

/* The tree of all literals; states are numbered in order of creation, the root is 0. */
static uint32_t
build_tree(struct literal_set *set)
{
    uint32_t n_states = 1;
    for (uint32_t i = 0; i < set->n_literals; i++) {
        uint32_t state = 0;
        for (size_t b = 0; b < set->texts[i].len; b++) {
            uint32_t *next = &set->next[state * set->n_classes +
                                        set->class_of[set->texts[i].data[b]]];
            if (*next == 0)
                *next = n_states++;
            state = *next;
        }
        set->ending[state] = i;
    }
    return n_states;
}

/* Complete every state, breadth first, from the state of its longest proper suffix. */
static void
complete(struct literal_set *set, uint32_t *queue, uint32_t *suffix)
{
    uint32_t n = 0, n_classes = set->n_classes;
    for (uint32_t c = 0; c < n_classes; c++) {
        uint32_t child = set->next[c];
        if (child != 0) {
            suffix[child] = 0;
            queue[n++] = child;
        }
    }
    for (uint32_t at = 0; at < n; at++) {
        uint32_t state = queue[at], shorter = suffix[state];
        set->shorter[state] =
            set->ending[shorter] != LITERAL_NONE ? shorter : set->shorter[shorter];
        for (uint32_t c = 0; c < n_classes; c++) {
            uint32_t *next = &set->next[state * n_classes + c];
            uint32_t fallback = set->next[shorter * n_classes + c];
            if (*next == 0) {
                *next = fallback;
            } else {
                suffix[*next] = fallback;
                queue[n++] = *next;
            }
        }
    }
}

int
literal_set_build(struct literal_set *set)
{
    size_t n = set->n_bytes + 1; /* at most as many states */
    classify_bytes(set);
    set->next = calloc(n * set->n_classes, sizeof(*set->next));
    set->ending = malloc(n * sizeof(*set->ending));
    set->shorter = calloc(n, sizeof(*set->shorter));
    uint32_t *queue = malloc(n * sizeof(*queue)), *suffix = calloc(n, sizeof(*suffix));
    bool ok = set->next && set->ending && set->shorter && queue && suffix;
    if (ok) {
        memset(set->ending, 0xff, n * sizeof(*set->ending));
        uint32_t n_states = build_tree(set);
        complete(set, queue, suffix);
        for (size_t i = 0; i < (size_t)n_states * set->n_classes; i++) {
            uint32_t to = set->next[i];
            bool ends = set->ending[to] != LITERAL_NONE || set->shorter[to] != 0;
            set->next[i] = to * set->n_classes | (ends ? ENDS : 0);
        }
    }
    free(queue);
    free(suffix);
    map_clear(&set->index);
    return ok ? 0 : -1;
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
note_places(const struct literal_set *set, uint32_t state, uint32_t end, struct places *places)
{
    for (; state != 0; state = set->shorter[state]) {
        uint32_t literal = set->ending[state];
        if (literal == LITERAL_NONE)
            continue;
        if (places->count[literal]++ >= PLACES_MAX)
            continue;
        if (places->n == places->capacity) {
            uint32_t capacity = places->capacity ? places->capacity * 2 : 1024;
            struct place *grown = realloc(places->items, capacity * sizeof(*grown));
            if (!grown)
                return false;
            places->items = grown;
            places->capacity = capacity;
        }
        uint32_t start = end - (uint32_t)set->texts[literal].len;
        places->items[places->n++] = (struct place){literal, start};
    }
    return true;
}

static bool
find_places(const struct literal_set *set, struct bytes text, struct places *places)
{
    const uint32_t *next = set->next;
    uint32_t row = 0;
    for (size_t i = 0; i < text.len; i++) {
        uint32_t to = next[row + set->class_of[text.data[i]]];
        row = to & ~ENDS;
        if ((to & ENDS) && !note_places(set, row / set->n_classes, (uint32_t)i + 1, places))
            return false;
    }
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
        out->first[i + 1] =
            out->first[i] + (out->is_everywhere[i] ? PLACES_MAX : places->count[i]);
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
