/*
 * The lazy deterministic automaton.
 *
 * One of its states is a set of program states: those that read, and those that look at the place
 * they are at, with splits followed already.  A look needs to know the
 * character on either side, so it is resolved when the next symbol is known; a state with looks
 * remembers the traits of the symbol before it.  A row has a column for every symbol and
 * one for the end of the text; columns are filled when they are first needed.  When the automaton
 * has grown too large it is discarded, and a new one is begun where the search is.
 */
#include <stdlib.h>
#include <string.h>

#include "analyzer/regex/regex.h"
#include "base/array.h"
#include "analyzer/regex/program.h"
#include "base/utf8.h"

enum {
    NEXT_UNKNOWN, /* not computed yet; rows start as this */
    NEXT_DEAD,    /* no match can follow */
    NEXT_MATCH,
    FIRST_STATE
};

enum {
    CACHE_BYTES_MAX = 1 << 20, /* of one automaton, unless a few states need more */
    STATES_MIN = 16
};

struct dfa_state {
    uint32_t first; /* of its members */
    uint32_t n;
    uint32_t hash;
    uint8_t before; /* enum symbol_trait of the symbol before; 0 when no member looks */
};

struct regex_cache {
    const struct regex_program *program;
    uint32_t n_columns;

    struct dfa_state *states; /* the first FIRST_STATE are not used */
    uint32_t n_states, states_capacity;
    uint32_t *rows; /* n_columns per state: rows of the next states, so that a search never
                     * multiplies */
    uint32_t *members;
    uint32_t n_members, members_capacity;
    uint32_t *slots; /* hash to state, 0 is free */
    uint32_t n_slots;
    uint32_t start;
    size_t bytes_max;

    /* The set under construction. */
    uint32_t *set;
    uint32_t n_set;
    uint32_t *mark; /* of each program state: the generation that met it */
    uint32_t generation;
    uint32_t *stack;
    uint32_t *best;      /* of each group: the highest rank met */
    uint32_t *best_mark; /* of each group: the generation that met it */
    uint32_t *resolved;  /* members with their looks resolved */
    bool has_look;       /* the set holds a state that looks */
};

/* ---- Life ---------------------------------------------------------------------------------- */

struct regex_cache *
regex_cache_create(const struct regex *regex)
{
    const struct regex_program *program = regex->program;
    struct regex_cache *cache = calloc(1, sizeof(*cache));
    if (!cache)
        return NULL;
    size_t n = program->n_states;
    cache->program = program;
    cache->n_columns = program->n_symbols + 1;
    cache->set = malloc(n * sizeof(uint32_t));
    cache->mark = calloc(n, sizeof(uint32_t));
    cache->stack = malloc((2 * n + 2) * sizeof(uint32_t));
    cache->resolved = malloc(n * sizeof(uint32_t));
    cache->best = malloc(program->n_groups * sizeof(uint32_t));
    cache->best_mark = calloc(program->n_groups, sizeof(uint32_t));
    if (!cache->set || !cache->mark || !cache->stack || !cache->resolved || !cache->best ||
        !cache->best_mark) {
        regex_cache_destroy(cache);
        return NULL;
    }
    size_t few = STATES_MIN * (n + cache->n_columns) * sizeof(uint32_t);
    cache->bytes_max = few > CACHE_BYTES_MAX ? few : CACHE_BYTES_MAX;
    cache->n_states = FIRST_STATE;
    return cache;
}

void
regex_cache_destroy(struct regex_cache *cache)
{
    if (!cache)
        return;
    free(cache->states);
    free(cache->rows);
    free(cache->members);
    free(cache->slots);
    free(cache->set);
    free(cache->mark);
    free(cache->stack);
    free(cache->resolved);
    free(cache->best);
    free(cache->best_mark);
    free(cache);
}

size_t
regex_cache_bytes(const struct regex_cache *cache)
{
    size_t per_state = cache->n_columns * sizeof(uint32_t) + sizeof(struct dfa_state);
    return cache->states_capacity * per_state + cache->members_capacity * sizeof(uint32_t) +
           cache->n_slots * sizeof(uint32_t);
}

/* ---- Sets of program states ---------------------------------------------------------------- */

static bool
look_holds(enum regex_look look, uint8_t before, uint8_t after)
{
    bool unicode_before = before & SYMBOL_WORD_UNICODE, ascii_before = before & SYMBOL_WORD_ASCII;
    bool unicode_after = after & SYMBOL_WORD_UNICODE, ascii_after = after & SYMBOL_WORD_ASCII;
    switch (look) {
    case LOOK_TEXT_START:
        return before & SYMBOL_NONE;
    case LOOK_TEXT_END:
        return after & SYMBOL_NONE;
    case LOOK_LINE_START:
        return before & (SYMBOL_NONE | SYMBOL_LINE_FEED);
    case LOOK_LINE_END:
        return after & (SYMBOL_NONE | SYMBOL_LINE_FEED);
    case LOOK_LINE_START_CRLF:
        return before & (SYMBOL_NONE | SYMBOL_LINE_FEED) ||
               (before & SYMBOL_CARRIAGE_RETURN && !(after & SYMBOL_LINE_FEED));
    case LOOK_LINE_END_CRLF:
        return after & (SYMBOL_NONE | SYMBOL_CARRIAGE_RETURN) ||
               (after & SYMBOL_LINE_FEED && !(before & SYMBOL_CARRIAGE_RETURN));
    case LOOK_WORD_UNICODE:
        return unicode_before != unicode_after;
    case LOOK_WORD_ASCII:
        return ascii_before != ascii_after;
    case LOOK_NOT_WORD_UNICODE:
        return unicode_before == unicode_after;
    case LOOK_NOT_WORD_ASCII:
        return ascii_before == ascii_after;
    case LOOK_WORD_START_UNICODE:
        return !unicode_before && unicode_after;
    case LOOK_WORD_START_ASCII:
        return !ascii_before && ascii_after;
    case LOOK_WORD_END_UNICODE:
        return unicode_before && !unicode_after;
    case LOOK_WORD_END_ASCII:
        return ascii_before && !ascii_after;
    case LOOK_WORD_START_HALF_UNICODE:
        return !unicode_before;
    case LOOK_WORD_START_HALF_ASCII:
        return !ascii_before;
    case LOOK_WORD_END_HALF_UNICODE:
        return !unicode_after;
    case LOOK_WORD_END_HALF_ASCII:
        return !ascii_after;
    }
    return false;
}

static void
set_begin(struct regex_cache *cache)
{
    if (++cache->generation == 0) {
        memset(cache->mark, 0, cache->program->n_states * sizeof(*cache->mark));
        memset(cache->best_mark, 0, cache->program->n_groups * sizeof(*cache->best_mark));
        cache->generation = 1;
    }
    cache->n_set = 0;
    cache->has_look = false;
}

/* Is STATE worth nothing beside what its group already has?  Else note it. */
static bool
is_outranked(struct regex_cache *cache, const struct regex_state *state)
{
    if (state->group == 0)
        return false;
    uint32_t *best = &cache->best[state->group];
    if (cache->best_mark[state->group] == cache->generation && *best >= state->rank)
        return true;
    cache->best_mark[state->group] = cache->generation;
    *best = state->rank;
    return false;
}

/*
 * Add STATE and all that is reached from it without reading.  With LOOKS true a look that holds
 * between BEFORE and AFTER is passed; else looks become members.  Returns whether a match is met.
 */
static bool
set_add(struct regex_cache *cache, uint32_t from, bool looks, uint8_t before, uint8_t after)
{
    const struct regex_state *states = cache->program->states;
    uint32_t n = 0;
    cache->stack[n++] = from;
    while (n > 0) {
        uint32_t at = cache->stack[--n];
        if (cache->mark[at] == cache->generation)
            continue;
        cache->mark[at] = cache->generation;
        const struct regex_state *state = &states[at];
        switch ((enum state_op)state->op) {
        case STATE_MATCH:
            return true;
        case STATE_SPLIT:
            cache->stack[n++] = state->other;
            cache->stack[n++] = state->next;
            break;
        case STATE_LOOK:
            if (!looks) {
                cache->has_look = true;
                cache->set[cache->n_set++] = at;
            } else if (look_holds((enum regex_look)state->look, before, after)) {
                cache->stack[n++] = state->next;
            }
            break;
        case STATE_READ:
            if (!is_outranked(cache, state))
                cache->set[cache->n_set++] = at;
            break;
        }
    }
    return false;
}

/* Drop members that a later one outranked. */
static void
set_prune(struct regex_cache *cache)
{
    if (cache->program->n_groups <= 1)
        return;
    uint32_t n = 0;
    for (uint32_t i = 0; i < cache->n_set; i++) {
        uint32_t at = cache->set[i];
        const struct regex_state *state = &cache->program->states[at];
        if (state->op == STATE_READ && state->group != 0 &&
            cache->best[state->group] != state->rank)
            cache->mark[at] = 0;
        else
            cache->set[n++] = at;
    }
    cache->n_set = n;
}

/* ---- States -------------------------------------------------------------------------------- */

/* Does not depend on the order of the members. */
static uint32_t
set_hash(const struct regex_cache *cache, uint8_t before)
{
    uint64_t sum = before * 0x9e3779b97f4a7c15u;
    for (uint32_t i = 0; i < cache->n_set; i++) {
        uint64_t x = (cache->set[i] + 1) * 0x9e3779b97f4a7c15u;
        x ^= x >> 29;
        sum += x * 0xbf58476d1ce4e5b9u;
    }
    return (uint32_t)(sum ^ sum >> 32);
}

static bool
state_equals_set(const struct regex_cache *cache, const struct dfa_state *state, uint32_t hash,
                 uint8_t before)
{
    if (state->hash != hash || state->n != cache->n_set || state->before != before)
        return false;
    for (uint32_t i = 0; i < state->n; i++)
        if (cache->mark[cache->members[state->first + i]] != cache->generation)
            return false;
    return true;
}

static void
cache_flush(struct regex_cache *cache)
{
    cache->n_states = FIRST_STATE;
    cache->n_members = 0;
    cache->start = NEXT_UNKNOWN;
    if (cache->n_slots)
        memset(cache->slots, 0, cache->n_slots * sizeof(*cache->slots));
}

static bool
slots_grow(struct regex_cache *cache)
{
    uint32_t n_slots = cache->n_slots ? cache->n_slots * 2 : 64;
    uint32_t *slots = calloc(n_slots, sizeof(*slots));
    if (!slots)
        return false;
    for (uint32_t s = FIRST_STATE; s < cache->n_states; s++) {
        uint32_t i = cache->states[s].hash & (n_slots - 1);
        while (slots[i])
            i = (i + 1) & (n_slots - 1);
        slots[i] = s;
    }
    free(cache->slots);
    cache->slots = slots;
    cache->n_slots = n_slots;
    return true;
}

static bool
states_grow(struct regex_cache *cache)
{
    uint32_t capacity = cache->states_capacity;
    uint32_t n = cache->states ? cache->n_states : 0, n_wanted = cache->n_states + 1 - n;
    if (!ARRAY_RESERVE(cache->states, n, capacity, n_wanted))
        return false;
    uint32_t *rows = realloc(cache->rows, (size_t)capacity * cache->n_columns * sizeof(*rows));
    if (!rows)
        return false;
    cache->rows = rows;
    cache->states_capacity = capacity;
    return true;
}

static bool
members_grow(struct regex_cache *cache)
{
    return ARRAY_RESERVE(cache->members, cache->n_members, cache->members_capacity, cache->n_set);
}

static size_t
bytes_in_use(const struct regex_cache *cache)
{
    size_t per_state = (cache->n_columns + 4) * sizeof(uint32_t) + sizeof(struct dfa_state);
    return (cache->n_states + 1) * per_state +
           ((size_t)cache->n_members + cache->n_set) * sizeof(uint32_t);
}

/*
 * The state of the set under construction, made when it is new; NEXT_UNKNOWN when memory is out.
 * *FLUSHED: every older state is gone.
 */
static uint32_t
state_of_set(struct regex_cache *cache, uint8_t before, bool *flushed)
{
    *flushed = false;
    if (cache->n_set == 0)
        return NEXT_DEAD;
    uint32_t hash = set_hash(cache, before);
    if (cache->n_slots) {
        for (uint32_t i = hash & (cache->n_slots - 1); cache->slots[i];
             i = (i + 1) & (cache->n_slots - 1))
            if (state_equals_set(cache, &cache->states[cache->slots[i]], hash, before))
                return cache->slots[i];
    }
    if (bytes_in_use(cache) > cache->bytes_max && cache->n_states > FIRST_STATE) {
        cache_flush(cache);
        *flushed = true;
    }
    if ((cache->n_states == cache->states_capacity || !cache->states) && !states_grow(cache))
        return NEXT_UNKNOWN;
    if (cache->members_capacity - cache->n_members < cache->n_set && !members_grow(cache))
        return NEXT_UNKNOWN;
    if (cache->n_states * 2 >= cache->n_slots && !slots_grow(cache))
        return NEXT_UNKNOWN;

    uint32_t s = cache->n_states++;
    cache->states[s] = (struct dfa_state){
        .first = cache->n_members, .n = cache->n_set, .hash = hash, .before = before};
    memcpy(cache->members + cache->n_members, cache->set, cache->n_set * sizeof(*cache->set));
    cache->n_members += cache->n_set;
    memset(cache->rows + (size_t)s * cache->n_columns, 0, cache->n_columns * sizeof(*cache->rows));
    uint32_t i = hash & (cache->n_slots - 1);
    while (cache->slots[i])
        i = (i + 1) & (cache->n_slots - 1);
    cache->slots[i] = s;
    return s;
}

static uint32_t
start_state(struct regex_cache *cache)
{
    if (cache->start != NEXT_UNKNOWN)
        return cache->start;
    bool flushed;
    set_begin(cache);
    if (set_add(cache, cache->program->start, false, 0, 0))
        return cache->start = NEXT_MATCH;
    set_prune(cache);
    uint32_t s = state_of_set(cache, cache->has_look ? SYMBOL_NONE : 0, &flushed);
    return cache->start = s;
}

/* The members of state S with looks resolved for what follows, in cache->resolved.  Returns
 * whether that meets a match. */
static bool
resolve_looks(struct regex_cache *cache, uint32_t s, uint8_t after, uint32_t *n_out)
{
    struct dfa_state state = cache->states[s];
    const uint32_t *members = cache->members + state.first;
    if (!cache->program->has_looks) {
        memcpy(cache->resolved, members, state.n * sizeof(*members));
        *n_out = state.n;
        return false;
    }
    set_begin(cache);
    for (uint32_t i = 0; i < state.n; i++)
        if (set_add(cache, members[i], true, state.before, after))
            return true;
    memcpy(cache->resolved, cache->set, cache->n_set * sizeof(*cache->set));
    *n_out = cache->n_set;
    return false;
}

/* The row of state S; the three outcomes stand for themselves. */
static uint32_t
row_of_state(const struct regex_cache *cache, uint32_t s)
{
    return s < FIRST_STATE ? s : s * cache->n_columns;
}

/* The row where the state of ROW goes on SYMBOL, or at the end of the text when that is n_symbols.
 */
static uint32_t
compute_next(struct regex_cache *cache, uint32_t row, uint32_t symbol, uint64_t *steps)
{
    uint32_t s = row / cache->n_columns;
    const struct regex_program *program = cache->program;
    bool at_end = symbol == program->n_symbols;
    uint8_t after = at_end ? SYMBOL_NONE : program->traits[symbol];
    uint32_t n_resolved, next;
    bool flushed = false;

    if (resolve_looks(cache, s, after, &n_resolved)) {
        next = NEXT_MATCH;
    } else if (at_end) {
        next = NEXT_DEAD;
    } else {
        set_begin(cache);
        bool match = false;
        for (uint32_t i = 0; i < n_resolved && !match; i++) {
            const struct regex_state *state = &program->states[cache->resolved[i]];
            if (program_reads(program, state->other, symbol))
                match = set_add(cache, state->next, false, 0, 0);
        }
        set_prune(cache);
        uint64_t cost = n_resolved + (uint64_t)cache->n_set + 8;
        *steps = *steps > cost ? *steps - cost : 0;
        next = match ? (uint32_t)NEXT_MATCH
                     : state_of_set(cache, cache->has_look ? after : 0, &flushed);
    }
    next = row_of_state(cache, next);
    if (next != NEXT_UNKNOWN && !flushed)
        cache->rows[row + symbol] = next;
    return next;
}

/* ---- Search -------------------------------------------------------------------------------- */

static uint32_t
symbol_beyond_ascii(const struct regex_program *program, uint32_t code_point)
{
    uint32_t low = 0, high = program->n_ranges;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (program->ranges[middle].first <= code_point)
            low = middle;
        else
            high = middle;
    }
    return program->ranges[low].symbol;
}

/* The code point that starts at AT, and its length; a stray byte counts as U+FFFD. */
static uint32_t
decode(struct bytes text, size_t at, size_t *length)
{
    *length = utf8_length(text, at);
    if (*length)
        return utf8_decode(text.data + at, *length);
    *length = 1;
    return 0xfffd;
}

enum regex_outcome
regex_search(struct regex_cache *cache, struct bytes text, uint64_t *steps)
{
    const struct regex_program *program = cache->program;
    const uint16_t *ascii = program->ascii;
    uint32_t row = row_of_state(cache, start_state(cache));
    for (size_t i = 0; row >= FIRST_STATE;) {
        const uint32_t *rows = cache->rows;
        uint32_t symbol = program->n_symbols, next = NEXT_UNKNOWN;
        while (i < text.len && text.data[i] < 0x80) {
            symbol = ascii[text.data[i]];
            next = rows[row + symbol];
            if (next < FIRST_STATE)
                break;
            row = next;
            i++;
        }
        bool at_end = i >= text.len;
        size_t length = 1;
        if (at_end)
            symbol = program->n_symbols;
        else if (text.data[i] >= 0x80)
            symbol = symbol_beyond_ascii(program, decode(text, i, &length));
        next = rows[row + symbol];
        if (next == NEXT_UNKNOWN && *steps > 0)
            next = compute_next(cache, row, symbol, steps);
        if (at_end && next != NEXT_UNKNOWN)
            return next == NEXT_MATCH ? REGEX_MATCH : REGEX_NO_MATCH;
        row = next;
        i += length;
    }
    return row == NEXT_MATCH ? REGEX_MATCH : row == NEXT_DEAD ? REGEX_NO_MATCH : REGEX_GAVE_UP;
}
