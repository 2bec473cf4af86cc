/* Facts to bytes and back.  Whole numbers are varints, lines are distances from the line before,
 * counters are a mask of those that are not zero and their values.  The hashes of clone candidates
 * are half of the bytes and do not compress, so they are together at the end, where a store can
 * leave them uncompressed.  store/FORMAT.md has the table.
 * Decoding trusts nothing: a count is compared with the bytes that are left before memory is taken.
 */
#include "analyzer/facts.h"

#include <endian.h>

#include "base/decoder.h"
#include "base/num.h"

enum { LINE_MAX_VALUE = INT32_MAX, HASH_BYTES = 16 };

/* ---- Counters and schemas ------------------------------------------------------------------- */

/* Stores hold masks of the counters, so where a counter has its bit never changes.  The counters of
 * schema 4 are turned round, so that those from `return` to `call`, which most callables have, are
 * in the first byte of the varint; a later counter has the bit of its own number. */
enum { TURNED_N = 29, TURNED_FIRST = 22, MASK_BITS = 63 };

#define MASK_BIT(counter) \
    ((counter) < TURNED_N ? ((counter) + TURNED_N - TURNED_FIRST) % TURNED_N : (counter))
#define COUNTER_OF_BIT(id, name, schema, what) [MASK_BIT((int)COUNT_##id)] = COUNT_##id,

static const uint8_t counter_of_bit[COUNT_N] = {FACTS_COUNTERS(COUNTER_OF_BIT)};

#define SIZE_OF_SCHEMA(schema) ((int)COUNT_N_OF_##schema)
#define SIZE_OF(schema) SIZE_OF_SCHEMA(schema)

_Static_assert(TURNED_N == SIZE_OF(4), "masks of schema 4 cannot change: stores hold them");
_Static_assert(TURNED_FIRST == (int)COUNT_RETURN, "stores have `return` in bit 0");
_Static_assert((int)COUNT_N <= MASK_BITS, "a varint holds a mask of 63 counters");
_Static_assert((int)COUNT_N == SIZE_OF(FACTS_SCHEMA),
               "a new counter takes a new FACTS_SCHEMA and a line of its own in FACTS_SCHEMAS");

#define IS_IN_ORDER(id, name, schema, what)           \
    _Static_assert((int)COUNT_##id < SIZE_OF(schema), \
                   "counters are appended, in the order of their schemas: " name);
FACTS_COUNTERS(IS_IN_ORDER)

#define SCHEMA_IS_READ(schema, n_counters) [schema] = (n_counters),

/* How many counters facts of a schema may have; 0 for schemas that are not read. */
static const uint8_t counters_of_schema[] = {FACTS_SCHEMAS(SCHEMA_IS_READ)};

/* What the first byte of a callable says about what follows. */
enum {
    CALLABLE_HAS_SLOC_ONE = 1 << 0, /* the second count of source lines is another than the first */
    CALLABLE_HAS_TEXT = 1 << 1,     /* so is the count of lines of text */
    CALLABLE_HAS_OWN = 1 << 2,      /* counters without what is nested are others than those with */
    CALLABLE_HAS_NESTING = 1 << 3,  /* cognitive complexity and depth are not both 0 */
    CALLABLE_TAG_MAX = (1 << 4) - 1
};

/* ---- Encode --------------------------------------------------------------------------------- */

static void
encode_counts(const uint32_t counts[COUNT_N], const uint32_t base[COUNT_N], struct buf *out)
{
    uint64_t mask = 0;
    for (int i = 0; i < COUNT_N; i++)
        if (counts[i] != base[i])
            mask |= UINT64_C(1) << MASK_BIT(i);
    buf_append_varint(out, mask);
    for (int bit = 0; bit < COUNT_N; bit++)
        if (mask >> bit & 1)
            buf_append_varint(out, counts[counter_of_bit[bit]]);
}

static void
encode_lines(const struct line_set *set, struct buf *out)
{
    uint32_t at = 0;
    buf_append_varint(out, set->n_runs);
    for (uint32_t i = 0; i < set->n_runs; i++) {
        buf_append_varint(out, set->runs[i].first - at);
        buf_append_varint(out, set->runs[i].n);
        at = set->runs[i].first + set->runs[i].n;
    }
}

static bool
same_lines(const struct line_set *a, const struct line_set *b)
{
    return a->n_runs == b->n_runs &&
           (a->n_runs == 0 || memcmp(a->runs, b->runs, a->n_runs * sizeof(*a->runs)) == 0);
}

static void
encode_callable(const struct callable *callable, uint32_t line, struct buf *out)
{
    static const uint32_t zero[COUNT_N];
    const uint32_t *sloc = callable->sloc;
    uint8_t tag = 0;
    if (sloc[FSTRING_ONE] != sloc[FSTRING_PARTS])
        tag |= CALLABLE_HAS_SLOC_ONE;
    if (callable->text_lines != sloc[FSTRING_PARTS])
        tag |= CALLABLE_HAS_TEXT;
    if (memcmp(callable->own, callable->all, sizeof(callable->all)) != 0)
        tag |= CALLABLE_HAS_OWN;
    if (callable->cognitive || callable->max_nesting)
        tag |= CALLABLE_HAS_NESTING;
    buf_append_byte(out, tag);
    buf_append_varint(out, callable->name.len);
    buf_append_bytes(out, callable->name);
    buf_append_varint(out, callable->start_line - line);
    buf_append_varint(out, callable->end_line - callable->start_line);
    buf_append_varint(out, sloc[FSTRING_PARTS]);
    if (tag & CALLABLE_HAS_SLOC_ONE)
        buf_append_varint(out, sloc[FSTRING_ONE]);
    if (tag & CALLABLE_HAS_TEXT)
        buf_append_varint(out, callable->text_lines);
    encode_counts(callable->all, zero, out);
    if (tag & CALLABLE_HAS_OWN)
        encode_counts(callable->own, callable->all, out);
    if (tag & CALLABLE_HAS_NESTING) {
        buf_append_varint(out, callable->cognitive);
        buf_append_varint(out, callable->max_nesting);
    }
    buf_append_varint(out, callable->n_statements);
    buf_append_varint(out, callable->n_parameters);
    buf_append_varint(out, callable->flags);
}

/* What the first byte of a clone candidate says besides its definition (bit 0). */
enum {
    CLONE_KIND_SHIFT = 1,
    CLONE_KIND_MASK = 7,
    CLONE_HAS_SLOC_ONE = 1 << 4,   /* the second count of source lines is another than the first */
    CLONE_HAS_STATEMENTS = 1 << 5, /* their number is not 0 */
    CLONE_TAG_MAX = (1 << 6) - 1
};

_Static_assert(CLONE_N <= 2 && CLONE_KIND_N <= CLONE_KIND_MASK + 1, "a tag has room for these");

static void
encode_clone(const struct clone_candidate *clone, uint32_t line, struct buf *out)
{
    bool has_sloc_one = clone->sloc[FSTRING_ONE] != clone->sloc[FSTRING_PARTS];
    buf_append_byte(out, (uint8_t)(clone->definition | clone->kind << CLONE_KIND_SHIFT |
                                   (has_sloc_one ? CLONE_HAS_SLOC_ONE : 0) |
                                   (clone->n_statements ? CLONE_HAS_STATEMENTS : 0)));
    buf_append_varint(out, clone->start_line - line);
    buf_append_varint(out, clone->end_line - clone->start_line);
    buf_append_varint(out, clone->sloc[FSTRING_PARTS]);
    if (has_sloc_one)
        buf_append_varint(out, clone->sloc[FSTRING_ONE]);
    if (clone->n_statements)
        buf_append_varint(out, clone->n_statements);
}

static void
encode_clones(const struct facts *facts, struct buf *out)
{
    uint32_t line = 0;
    for (uint32_t i = 0; i < facts->n_clones; i++) {
        encode_clone(&facts->clones[i], line, out);
        line = facts->clones[i].start_line;
    }
    for (uint32_t i = 0; i < facts->n_clones; i++) {
        buf_append_be64(out, facts->clones[i].hash[0]);
        buf_append_be64(out, facts->clones[i].hash[1]);
    }
}

void
facts_encode(const struct facts *facts, struct buf *out)
{
    buf_append_byte(out, FACTS_SCHEMA);
    buf_append_varint(out, facts->skipped == SKIP_NONE ? facts->n_clones : 0);
    buf_append_byte(out, (uint8_t)facts->skipped);
    buf_append_varint(out, facts->n_bytes);
    struct bytes encoding = bytes_of_text(facts->encoding ? facts->encoding : "");
    buf_append_varint(out, encoding.len);
    buf_append_bytes(out, encoding);
    if (facts->skipped != SKIP_NONE)
        return;
    bool same = same_lines(&facts->sloc[FSTRING_PARTS], &facts->sloc[FSTRING_ONE]);
    buf_append_byte(out, (uint8_t)facts->refusal);
    buf_append_byte(out, (uint8_t)(facts->has_error | facts->is_rejoined << 1 | same << 2));
    buf_append_varint(out, facts->physical_lines);
    buf_append_varint(out, facts->n_errors);
    buf_append_varint(out, facts->statement_lines);
    buf_append_varint(out, facts->comment_lines);
    buf_append_varint(out, facts->n_classes);
    buf_append_varint(out, facts->n_statements);
    encode_lines(&facts->sloc[FSTRING_PARTS], out);
    if (!same)
        encode_lines(&facts->sloc[FSTRING_ONE], out);
    uint32_t line = 0;
    buf_append_varint(out, facts->n_callables);
    for (uint32_t i = 0; i < facts->n_callables; i++) {
        encode_callable(&facts->callables[i], line, out);
        line = facts->callables[i].start_line;
    }
    encode_clones(facts, out);
}

/* ---- Decode --------------------------------------------------------------------------------- */

DECODER_INLINE uint32_t
take_u32(struct decoder *decoder)
{
    return (uint32_t)decoder_varint_max(decoder, UINT32_MAX);
}

/* LINE plus a distance; fails past LINE_MAX_VALUE. */
DECODER_INLINE uint32_t
take_line(struct decoder *decoder, uint32_t line)
{
    return line + (uint32_t)decoder_varint_max(decoder, LINE_MAX_VALUE - line);
}

/* Up to this line distances of one byte can be added twice. */
enum { SHORT_LINE_MAX = LINE_MAX_VALUE - 2 * 0x7f };

/* A count of things that take at least BYTES_EACH bytes each. */
DECODER_INLINE uint32_t
take_count(struct decoder *decoder, size_t bytes_each)
{
    return (uint32_t)decoder_varint_max(decoder, decoder_left(decoder) / bytes_each);
}

/* Set the counters in ALL and OWN whose values are said.  How many there are and which cannot be
 * foreseen, so short ones are set four at a time without a branch, the last until it has been four.
 */
DECODER_INLINE void
decode_counts(struct decoder *decoder, int n_counters, uint32_t all[COUNT_N], uint32_t own[COUNT_N])
{
    uint64_t rest = decoder_varint_of_any_length(decoder);
    size_t n = num_count_bits(rest);
    const uint8_t *value = n <= 8 ? decoder_short_varints(decoder, n) : NULL;
    if (rest >> n_counters) {
        decoder_fail(decoder);
        return;
    }
    for (; !value && rest; rest &= rest - 1) {
        int counter = counter_of_bit[__builtin_ctzll(rest)];
        all[counter] = own[counter] = take_u32(decoder);
    }
    while (rest) {
        uint64_t mask = rest;
        for (int i = 0; i < 4; i++) {
            uint64_t bit = mask & -mask;
            int counter = counter_of_bit[__builtin_ctzll(mask)];
            all[counter] = own[counter] = *value;
            rest = mask ^ bit;
            value += rest != 0;
            mask = rest | (bit & -(uint64_t)!rest);
        }
    }
}

/* False when memory is out. */
static bool
decode_lines(struct decoder *from, struct arena *arena, struct line_set *out)
{
    struct decoder decoder = *from;
    uint32_t at = 0, n_lines = 0, n_runs = take_count(&decoder, 2);
    struct line_run *runs =
        arena_alloc_raw(arena, n_runs * sizeof(*runs), _Alignof(struct line_run));
    if (!runs)
        return false;
    for (uint32_t i = 0; i < n_runs; i++) {
        const uint8_t *shorts = at <= SHORT_LINE_MAX ? decoder_short_varints(&decoder, 2) : NULL;
        uint32_t first = shorts ? at + shorts[0] : take_line(&decoder, at);
        uint32_t n =
            shorts ? shorts[1] : (uint32_t)decoder_varint_max(&decoder, LINE_MAX_VALUE - first);
        if (n == 0 || first == 0)
            decoder_fail(&decoder);
        runs[i] = (struct line_run){first, n};
        at = first + n;
        n_lines += n;
    }
    *out = (struct line_set){runs, n_runs, n_lines};
    *from = decoder;
    return true;
}

/* Where a callable starts and ends, its source lines and those of text. */
DECODER_INLINE void
decode_extent(struct decoder *decoder, uint32_t line, uint8_t tag, struct callable *out)
{
    bool has_text = tag & CALLABLE_HAS_TEXT;
    size_t n = 3 + (size_t)has_text;
    const uint8_t *shorts = line <= SHORT_LINE_MAX && !(tag & CALLABLE_HAS_SLOC_ONE)
                                ? decoder_short_varints(decoder, n)
                                : NULL;
    if (shorts) {
        out->start_line = line + shorts[0];
        out->end_line = out->start_line + shorts[1];
        out->sloc[FSTRING_PARTS] = out->sloc[FSTRING_ONE] = shorts[2];
        out->text_lines = shorts[n - 1];
        return;
    }
    out->start_line = take_line(decoder, line);
    out->end_line = take_line(decoder, out->start_line);
    uint32_t sloc = out->sloc[FSTRING_PARTS] = take_u32(decoder);
    out->sloc[FSTRING_ONE] = tag & CALLABLE_HAS_SLOC_ONE ? take_u32(decoder) : sloc;
    out->text_lines = tag & CALLABLE_HAS_TEXT ? take_u32(decoder) : sloc;
}

/* What follows the counters. */
DECODER_INLINE void
decode_shape(struct decoder *decoder, uint8_t tag, struct callable *out)
{
    bool has_nesting = tag & CALLABLE_HAS_NESTING;
    size_t n = 3 + 2 * (size_t)has_nesting;
    const uint8_t *shorts = decoder_short_varints(decoder, n);
    if (shorts) {
        out->cognitive = shorts[0] * has_nesting;
        out->max_nesting = shorts[1] * has_nesting;
        out->n_statements = shorts[n - 3];
        out->n_parameters = shorts[n - 2];
        out->flags = shorts[n - 1];
        return;
    }
    out->cognitive = has_nesting ? take_u32(decoder) : 0;
    out->max_nesting = has_nesting ? take_u32(decoder) : 0;
    out->n_statements = take_u32(decoder);
    out->n_parameters = take_u32(decoder);
    out->flags = take_u32(decoder);
}

DECODER_INLINE void
decode_callable(struct decoder *decoder, int n_counters, uint32_t line, struct callable *callable)
{
    uint8_t tag = decoder_byte(decoder);
    if (tag > CALLABLE_TAG_MAX)
        decoder_fail(decoder);
    callable->name = decoder_take(decoder, decoder_varint_max(decoder, decoder_left(decoder)));
    decode_extent(decoder, line, tag, callable);
    decode_counts(decoder, n_counters, callable->all, callable->own);
    if (tag & CALLABLE_HAS_OWN)
        decode_counts(decoder, n_counters, callable->own, callable->own);
    decode_shape(decoder, tag, callable);
}

DECODER_INLINE void
decode_clone(struct decoder *decoder, uint32_t line, struct clone_candidate *clone)
{
    uint8_t tag = decoder_byte(decoder);
    clone->definition = tag & 1;
    clone->kind = tag >> CLONE_KIND_SHIFT & CLONE_KIND_MASK;
    if (tag > CLONE_TAG_MAX || clone->kind >= CLONE_KIND_N)
        decoder_fail(decoder);
    bool has_statements = tag & CLONE_HAS_STATEMENTS;
    size_t n = 3 + (size_t)has_statements;
    const uint8_t *shorts = line <= SHORT_LINE_MAX && !(tag & CLONE_HAS_SLOC_ONE)
                                ? decoder_short_varints(decoder, n)
                                : NULL;
    if (shorts) {
        clone->start_line = line + shorts[0];
        clone->end_line = clone->start_line + shorts[1];
        clone->sloc[FSTRING_PARTS] = clone->sloc[FSTRING_ONE] = shorts[2];
        clone->n_statements = shorts[3] * has_statements;
        return;
    }
    clone->start_line = take_line(decoder, line);
    clone->end_line = take_line(decoder, clone->start_line);
    uint32_t sloc = clone->sloc[FSTRING_PARTS] = take_u32(decoder);
    clone->sloc[FSTRING_ONE] = tag & CLONE_HAS_SLOC_ONE ? take_u32(decoder) : sloc;
    clone->n_statements = has_statements ? take_u32(decoder) : 0;
}

static uint64_t
hash_half(const uint8_t *from)
{
    uint64_t half;
    memcpy(&half, from, sizeof(half));
    return be64toh(half);
}

/* False when memory is out. */
static bool
decode_clones(struct decoder *from, struct arena *arena, struct facts *out)
{
    struct decoder decoder = *from;
    struct clone_candidate *clones = arena_alloc_raw(arena, out->n_clones * sizeof(*out->clones),
                                                     _Alignof(struct clone_candidate));
    if (!clones)
        return false;
    uint32_t line = 0;
    for (uint32_t i = 0; i < out->n_clones; i++) {
        decode_clone(&decoder, line, &clones[i]);
        line = clones[i].start_line;
    }
    struct bytes hashes = decoder_take(&decoder, (size_t)out->n_clones * HASH_BYTES);
    for (uint32_t i = 0; hashes.data && i < out->n_clones; i++) {
        clones[i].hash[0] = hash_half(hashes.data + (size_t)i * HASH_BYTES);
        clones[i].hash[1] = hash_half(hashes.data + (size_t)i * HASH_BYTES + HASH_BYTES / 2);
    }
    out->clones = clones;
    *from = decoder;
    return true;
}

/* The fewest bytes a callable and a clone take. */
enum { CALLABLE_BYTES = 9, CLONE_BYTES = 4 + HASH_BYTES };

/* False when memory is out. */
static bool
decode_callables(struct decoder *from, int n_counters, struct arena *arena, struct facts *out)
{
    struct decoder decoder = *from;
    uint32_t n = take_count(&decoder, CALLABLE_BYTES), line = 0;
    struct callable *callables = ARENA_ARRAY(arena, n, struct callable); /* all counters are 0 */
    if (!callables)
        return false;
    for (uint32_t i = 0; i < n && !decoder.failed; i++) {
        decode_callable(&decoder, n_counters, line, &callables[i]);
        line = callables[i].start_line;
    }
    out->callables = callables;
    out->n_callables = n;
    *from = decoder;
    return true;
}

static bool
decode_body(struct decoder *decoder, int n_counters, struct arena *arena, struct facts *out)
{
    out->refusal = (enum refusal)decoder_byte(decoder);
    uint8_t flags = decoder_byte(decoder);
    if (out->refusal >= REFUSAL_N || flags > 7)
        decoder_fail(decoder);
    out->has_error = flags & 1;
    out->is_rejoined = flags >> 1 & 1;
    out->physical_lines = take_u32(decoder);
    out->n_errors = take_u32(decoder);
    out->statement_lines = take_u32(decoder);
    out->comment_lines = take_u32(decoder);
    out->n_classes = take_u32(decoder);
    out->n_statements = take_u32(decoder);
    if (!decode_lines(decoder, arena, &out->sloc[FSTRING_PARTS]))
        return false;
    out->sloc[FSTRING_ONE] = out->sloc[FSTRING_PARTS];
    if (!(flags >> 2 & 1) && !decode_lines(decoder, arena, &out->sloc[FSTRING_ONE]))
        return false;
    return decode_callables(decoder, n_counters, arena, out) && decode_clones(decoder, arena, out);
}

int
facts_decode(struct bytes encoded, struct arena *arena, struct facts *out, struct err *err)
{
    struct decoder decoder = decoder_init(encoded);
    *out = (struct facts){0};
    uint8_t schema = decoder_byte(&decoder);
    int n_counters = schema < sizeof(counters_of_schema) ? counters_of_schema[schema] : 0;
    if (!decoder.failed && n_counters == 0)
        return err_set(err, ERR_UNSUPPORTED, "facts of version %u, not %d: mine again", schema,
                       FACTS_SCHEMA);
    out->n_clones = take_count(&decoder, CLONE_BYTES);
    out->skipped = (enum skip_reason)decoder_byte(&decoder);
    if (out->n_clones && out->skipped != SKIP_NONE)
        decoder_fail(&decoder);
    out->n_bytes = decoder_varint(&decoder);
    struct bytes encoding =
        decoder_take(&decoder, decoder_varint_max(&decoder, decoder_left(&decoder)));
    struct bytes copy = arena_copy(arena, encoding);
    out->encoding = (const char *)copy.data;
    if (out->skipped >= SKIP_N_REASONS)
        decoder_fail(&decoder);
    bool has_memory = copy.data != NULL;
    if (has_memory && !decoder.failed && out->skipped == SKIP_NONE)
        has_memory = decode_body(&decoder, n_counters, arena, out);
    if (!has_memory)
        return err_nomem(err, "facts");
    if (!decoder_done(&decoder))
        return err_set(err, ERR_DAMAGED, "facts are cut short or malformed");
    return 0;
}

size_t
facts_hash_bytes(struct bytes encoded)
{
    struct decoder decoder = decoder_init(encoded);
    decoder_byte(&decoder);
    return (size_t)take_count(&decoder, CLONE_BYTES) * HASH_BYTES;
}
