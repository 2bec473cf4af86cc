/*
 * Compilation goes backwards: emit(node, next) makes the states that match NODE and then go to
 * NEXT, and returns where they start.  So only the jump of a loop is patched later.
 *
 * A counted repeat becomes copies: the required ones one after the other, then the optional ones,
 * each after a split that can skip all the rest.
 */
#include "analyzer/regex/program.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "analyzer/regex/symbols.h"

#define NO_STATE UINT32_MAX

enum {
    /* What the crate allows a compiled pattern (10 MiB) in its states, whose cost state_new adds.
     */
    PROGRAM_BYTES_MAX = 10 << 20
};

struct compiler {
    struct class_table classes;
    uint32_t *class_bytes; /* of each class: what a state for it costs the crate */
    struct regex_state *states;
    uint32_t n_states, capacity;
    uint32_t n_groups;
    uint64_t bytes; /* size of the program as the crate would count it */
    bool has_looks;
    bool unicode_words, any_words, lines; /* kinds of looks in use */
    struct err *err;
};

/* ---- Classes ------------------------------------------------------------------------------- */

/*
 * Bytes of the states with which the crate matches one code point of SET, which it spells in
 * UTF-8.  Measured by asking ast-grep 0.51 how often a class can be repeated; within a fifth.
 */
static uint32_t
class_cost(const struct regex_class *set)
{
    bool is_single = set->n_ranges == 1 && set->ranges[0].first == set->ranges[0].last;
    if (is_single)
        return set->ranges[0].first < 0x80 ? 32 : 64;
    uint32_t bytes = 64;
    for (uint32_t i = 0; i < set->n_ranges; i++) {
        struct class_range r = set->ranges[i];
        bool is_wide = r.first < 0x800 && r.last >= 0x10000; /* every length of UTF-8 */
        bytes += r.last < 0x80 ? 8 : is_wide ? 900 : 64;
    }
    return bytes;
}

static int
collect_classes(struct compiler *compiler, struct regex_node *node)
{
    if (node->op == REGEX_CLASS) {
        node->set_index = class_table_put(&compiler->classes, &node->set);
        return node->set_index == UINT32_MAX ? err_nomem(compiler->err, "regex") : 0;
    }
    if (node->op == REGEX_LOOK) {
        compiler->has_looks = true;
        compiler->lines |= node->look >= LOOK_LINE_START && node->look <= LOOK_LINE_END_CRLF;
        if (node->look >= LOOK_WORD_UNICODE) {
            compiler->any_words = true;
            /* Unicode and ASCII variants alternate. */
            compiler->unicode_words |= (node->look - LOOK_WORD_UNICODE) % 2 == 0;
        }
    }
    for (uint32_t i = 0; i < node->n_items; i++)
        if (collect_classes(compiler, node->items[i]) < 0)
            return -1;
    return 0;
}

static uint32_t
put_range(struct compiler *compiler, uint32_t first, uint32_t last)
{
    struct regex_class set = class_init(compiler->classes.arena);
    class_add(&set, first, last);
    return set.failed ? UINT32_MAX : class_table_put(&compiler->classes, &set);
}

/* The classes that looks ask about.  Index 0 of OUT is LF, then CR, ASCII words, Unicode words. */
static int
collect_look_classes(struct compiler *compiler, uint32_t out[4])
{
    memset(out, 0xff, 4 * sizeof(*out));
    bool ok = true;
    if (compiler->lines) {
        out[0] = put_range(compiler, '\n', '\n');
        out[1] = put_range(compiler, '\r', '\r');
        ok = out[0] != UINT32_MAX && out[1] != UINT32_MAX;
    }
    if (ok && compiler->any_words) {
        struct regex_class word = class_init(compiler->classes.arena);
        class_add(&word, '0', '9');
        class_add(&word, 'A', 'Z');
        class_add(&word, '_', '_');
        class_add(&word, 'a', 'z');
        out[2] = word.failed ? UINT32_MAX : class_table_put(&compiler->classes, &word);
        ok = out[2] != UINT32_MAX;
    }
    if (ok && compiler->unicode_words) {
        struct regex_class word = class_init(compiler->classes.arena);
        unicode_add_words(&word);
        out[3] = word.failed ? UINT32_MAX : class_table_put(&compiler->classes, &word);
        ok = out[3] != UINT32_MAX;
    }
    return ok ? 0 : err_nomem(compiler->err, "regex");
}

static int
fill_traits(struct regex_program *program, const uint32_t look_classes[4], struct arena *arena,
            struct err *err)
{
    static const uint8_t trait_of[4] = {SYMBOL_LINE_FEED, SYMBOL_CARRIAGE_RETURN, SYMBOL_WORD_ASCII,
                                        SYMBOL_WORD_UNICODE};
    program->traits = ARENA_ARRAY(arena, program->n_symbols, uint8_t);
    if (!program->traits)
        return err_nomem(err, "regex");
    for (uint32_t symbol = 0; symbol < program->n_symbols; symbol++)
        for (size_t i = 0; i < 4; i++)
            if (look_classes[i] != UINT32_MAX && program_reads(program, look_classes[i], symbol))
                program->traits[symbol] |= trait_of[i];
    return 0;
}

/* ---- States -------------------------------------------------------------------------------- */

static uint32_t
state_new(struct compiler *compiler, struct regex_state state, uint32_t cost)
{
    compiler->bytes += cost;
    if (compiler->bytes > PROGRAM_BYTES_MAX) {
        (void)err_set(compiler->err, ERR_INPUT,
                      "regex: compiled it would pass 10 MiB; use smaller counts");
        return NO_STATE;
    }
    if (!ARRAY_RESERVE(compiler->states, compiler->n_states, compiler->capacity, 1)) {
        (void)err_nomem(compiler->err, "regex");
        return NO_STATE;
    }
    compiler->states[compiler->n_states] = state;
    return compiler->n_states++;
}

enum { PLAIN_STATE_COST = 24 };

static uint32_t emit(struct compiler *compiler, const struct regex_node *node, uint32_t next);

static uint32_t
emit_split(struct compiler *compiler, uint32_t next, uint32_t other)
{
    return state_new(compiler,
                     (struct regex_state){.op = STATE_SPLIT, .next = next, .other = other},
                     PLAIN_STATE_COST);
}

/* ITEM as often as wanted, then NEXT.  Returns the split; *BODY is where ITEM starts. */
static uint32_t
emit_loop(struct compiler *compiler, const struct regex_node *item, uint32_t next, uint32_t *body)
{
    uint32_t split = emit_split(compiler, NO_STATE, next);
    if (split == NO_STATE)
        return NO_STATE;
    *body = emit(compiler, item, split);
    if (*body == NO_STATE)
        return NO_STATE;
    compiler->states[split].next = *body;
    return split;
}

/* Up to COUNT copies of ITEM, then NEXT. */
static uint32_t
emit_optional(struct compiler *compiler, const struct regex_node *item, uint32_t count,
              uint32_t next)
{
    uint32_t entry = next, group = 0, n_in_copy = 0;
    for (uint32_t left = count; left > 0; left--) {
        uint32_t first = compiler->n_states;
        uint32_t body = emit(compiler, item, entry);
        if (body == NO_STATE)
            return NO_STATE;
        if (compiler->n_states == first)
            return next; /* ITEM is empty */
        if (group == 0) {
            group = compiler->n_groups;
            n_in_copy = compiler->n_states - first;
            compiler->n_groups += n_in_copy;
        }
        for (uint32_t i = 0; i < n_in_copy; i++) {
            struct regex_state *state = &compiler->states[first + i];
            if (state->group == 0) {
                state->group = group + i;
                state->rank = count - left; /* copies that may still follow */
            }
        }
        entry = emit_split(compiler, body, next);
        if (entry == NO_STATE)
            return NO_STATE;
    }
    return entry;
}

static uint32_t
emit_repeat(struct compiler *compiler, const struct regex_node *node, uint32_t next)
{
    const struct regex_node *item = node->items[0];
    uint32_t required = node->min, entry = next;
    if (node->max == REGEX_UNBOUNDED) {
        uint32_t body;
        uint32_t split = emit_loop(compiler, item, next, &body);
        if (split == NO_STATE)
            return NO_STATE;
        entry = required ? body : split;
        required -= required != 0;
    } else {
        entry = emit_optional(compiler, item, node->max - node->min, next);
    }
    for (uint32_t i = 0; i < required && entry != NO_STATE; i++) {
        uint32_t n_before = compiler->n_states;
        entry = emit(compiler, item, entry);
        if (compiler->n_states == n_before)
            break; /* ITEM is empty */
    }
    return entry;
}

/* The recursion is as deep as the tree: at most REGEX_NEST_MAX. */
static uint32_t
emit(struct compiler *compiler, const struct regex_node *node, uint32_t next)
{
    switch (node->op) {
    case REGEX_EMPTY:
        return next;
    case REGEX_CLASS:
        return state_new(
            compiler,
            (struct regex_state){.op = STATE_READ, .next = next, .other = node->set_index},
            compiler->class_bytes[node->set_index]);
    case REGEX_LOOK:
        return state_new(
            compiler,
            (struct regex_state){.op = STATE_LOOK, .look = (uint8_t)node->look, .next = next},
            PLAIN_STATE_COST);
    case REGEX_REPEAT:
        return emit_repeat(compiler, node, next);
    case REGEX_CONCAT:
        for (uint32_t i = node->n_items; i > 0 && next != NO_STATE; i--)
            next = emit(compiler, node->items[i - 1], next);
        return next;
    case REGEX_ALTERNATE:
        break;
    }
    uint32_t entry = emit(compiler, node->items[node->n_items - 1], next);
    for (uint32_t i = node->n_items - 1; i > 0 && entry != NO_STATE; i--) {
        uint32_t branch = emit(compiler, node->items[i - 1], next);
        entry = branch == NO_STATE ? NO_STATE : emit_split(compiler, branch, entry);
    }
    return entry;
}

/* All states: the tree, the match after it and, unless ANCHORED, a loop over ANY in front. */
static int
emit_all(struct compiler *compiler, const struct regex_node *tree, bool anchored, uint32_t any,
         uint32_t *start)
{
    uint32_t match = state_new(compiler, (struct regex_state){.op = STATE_MATCH}, PLAIN_STATE_COST);
    uint32_t entry = match == NO_STATE ? NO_STATE : emit(compiler, tree, match);
    if (entry != NO_STATE && !anchored) {
        uint32_t body = entry;
        entry = emit_split(compiler, body, NO_STATE);
        if (entry == NO_STATE)
            return -1;
        uint32_t read =
            state_new(compiler, (struct regex_state){.op = STATE_READ, .next = entry, .other = any},
                      PLAIN_STATE_COST);
        if (read == NO_STATE)
            return -1;
        compiler->states[entry].other = read;
    }
    *start = entry;
    return entry == NO_STATE ? -1 : 0;
}

static int
compile(struct compiler *compiler, struct regex_node *tree, bool anchored, struct arena *arena,
        struct regex_program *program)
{
    uint32_t look_classes[4];
    if (collect_classes(compiler, tree) < 0 || collect_look_classes(compiler, look_classes) < 0)
        return -1;
    uint32_t any = put_range(compiler, 0, CODE_POINT_MAX);
    compiler->class_bytes =
        ARENA_ARRAY(compiler->classes.arena, compiler->classes.n_classes + 1, uint32_t);
    if (any == UINT32_MAX || !compiler->class_bytes)
        return err_nomem(compiler->err, "regex");
    for (uint32_t i = 0; i < compiler->classes.n_classes; i++)
        compiler->class_bytes[i] = class_cost(&compiler->classes.classes[i]);
    if (symbols_build(&compiler->classes, program, arena, compiler->err) < 0 ||
        fill_traits(program, look_classes, arena, compiler->err) < 0 ||
        emit_all(compiler, tree, anchored, any, &program->start) < 0)
        return -1;
    program->states = ARENA_ARRAY(arena, compiler->n_states, struct regex_state);
    if (!program->states)
        return err_nomem(compiler->err, "regex");
    memcpy(program->states, compiler->states, compiler->n_states * sizeof(*program->states));
    program->n_states = compiler->n_states;
    program->n_groups = compiler->n_groups;
    program->has_looks = compiler->has_looks;
    return 0;
}

int
program_compile(struct regex_node *tree, bool anchored, struct arena *arena,
                const struct regex_program **out, struct err *err)
{
    struct arena scratch;
    arena_init(&scratch, 0);
    struct compiler compiler = {.n_groups = 1, .err = err};
    class_table_init(&compiler.classes, &scratch);
    struct regex_program *program = ARENA_NEW(arena, struct regex_program);
    int rc = program ? compile(&compiler, tree, anchored, arena, program) : err_nomem(err, "regex");
    *out = program;
    class_table_clear(&compiler.classes);
    free(compiler.states);
    arena_clear(&scratch);
    return rc;
}
