/* The normal form of a candidate is a string of 32-bit words that XXH3 hashes to 128 bits.
 *
 * subtree: a word per node, in pre-order, made of the node's class and its depth below the
 * candidate; kinds and depths in pre-order determine a tree.  function_body: a word per leaf, and
 * one between statements.  Identifiers get numbers in order of first occurrence within the
 * candidate: every spelling in the file has an id, and a table from id to number is stamped with
 * the candidate, so that starting a new one costs nothing. */
#include "analyzer/facts/clones.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/map.h"

/* Classes of words besides grammar kinds; kinds are below 2^16. */
enum word_class {
    WORD_STRING = 1 << 16,
    WORD_INTEGER,
    WORD_FLOAT,
    WORD_BOOL,
    WORD_NONE,
    WORD_NUMBER_OR_CONSTANT,
    WORD_NEXT_STATEMENT,
    WORD_IDENTIFIER = 1 << 20 /* plus its number */
};

struct finder {
    const struct syntax_table *table;
    const struct flat *flat;
    const struct lines *sloc;
    const struct tokens *tokens;
    int64_t work_left;  /* nodes that may still be read */
    uint32_t *depth;    /* of each node */
    uint32_t *spelling; /* of each identifier node: id of its text */
    uint32_t *number;   /* of each spelling, when its stamp is the current one */
    uint32_t *stamp;    /* of each spelling */
    uint32_t current;   /* the candidate's stamp */
    uint32_t n_numbers; /* given out so far */
    uint64_t *words;    /* the normal form under way */
    size_t n_words;
    struct facts *out;
};

static bool
number_spellings(struct finder *finder, struct arena *arena)
{
    const struct flat *flat = finder->flat;
    struct map spellings;
    map_init(&spellings);
    bool is_ok = true;
    uint32_t n = 0;
    for (uint32_t i = 0; i < flat->n_nodes && is_ok; i++) {
        uint32_t parent = flat->parent[i];
        finder->depth[i] = parent == FLAT_NONE ? 0 : finder->depth[parent] + 1;
        if (syntax_at(finder->table, flat, i) != SYN_IDENTIFIER)
            continue;
        bool is_new;
        uint64_t *id = map_put(&spellings, flat_text(flat, i), &is_new);
        is_ok = id != NULL;
        if (!is_ok)
            break;
        if (is_new)
            *id = n++;
        finder->spelling[i] = (uint32_t)*id;
    }
    map_clear(&spellings);
    finder->number = ARENA_ARRAY(arena, n, uint32_t);
    finder->stamp = ARENA_ARRAY(arena, n, uint32_t);
    return is_ok && finder->number && finder->stamp;
}

static uint32_t
identifier_word(struct finder *finder, uint32_t node)
{
    uint32_t spelling = finder->spelling[node];
    if (finder->stamp[spelling] != finder->current) {
        finder->stamp[spelling] = finder->current;
        finder->number[spelling] = finder->n_numbers++;
    }
    return WORD_IDENTIFIER + finder->number[spelling];
}

static void
begin_words(struct finder *finder)
{
    finder->n_words = 0;
    finder->n_numbers = 0;
    finder->current++;
}

static void
hash_words(const struct finder *finder, uint64_t hash[2])
{
    XXH128_hash_t h = XXH3_128bits(finder->words, finder->n_words * sizeof(*finder->words));
    hash[0] = h.high64;
    hash[1] = h.low64;
}

/* ---- subtree -------------------------------------------------------------------------------- */

static void
write_subtree(struct finder *finder, uint32_t root)
{
    const struct flat *flat = finder->flat;
    uint32_t end = flat->subtree_end[root];
    uint32_t base = finder->depth[root];
    begin_words(finder);
    for (uint32_t i = root; i < end;) {
        uint32_t next = i + 1;
        uint32_t word = flat->kind[i];
        switch (syntax_at(finder->table, flat, i)) {
        case SYN_COMMENT:
            i = flat->subtree_end[i];
            continue;
        case SYN_EXPRESSION_STATEMENT:
            if (syntax_is_string_statement(finder->table, flat, i)) {
                i = flat->subtree_end[i];
                continue;
            }
            break;
        case SYN_STRING:
            word = WORD_STRING;
            next = flat->subtree_end[i];
            break;
        case SYN_IDENTIFIER:
            word = identifier_word(finder, i);
            break;
        case SYN_INTEGER:
            word = WORD_INTEGER;
            break;
        case SYN_FLOAT:
            word = WORD_FLOAT;
            break;
        case SYN_TRUE:
        case SYN_FALSE:
            word = WORD_BOOL;
            break;
        case SYN_NONE:
            word = WORD_NONE;
            break;
        default:
            break;
        }
        finder->words[finder->n_words++] = (uint64_t)(finder->depth[i] - base) << 32 | word;
        i = next;
    }
}

/* ---- function_body -------------------------------------------------------------------------- */

static void
write_leaf(struct finder *finder, uint32_t node)
{
    uint32_t word;
    switch (syntax_at(finder->table, finder->flat, node)) {
    case SYN_OPEN:
    case SYN_CLOSE:
    case SYN_PUNCTUATION:
        return;
    case SYN_IDENTIFIER:
        word = identifier_word(finder, node);
        break;
    case SYN_INTEGER:
    case SYN_FLOAT:
    case SYN_TRUE:
    case SYN_FALSE:
    case SYN_NONE:
        word = WORD_NUMBER_OR_CONSTANT;
        break;
    default:
        word = finder->flat->kind[node];
        break;
    }
    finder->words[finder->n_words++] = word;
}

/* The statements of BODY; the number that remain. */
static uint32_t
write_body(struct finder *finder, uint32_t body)
{
    const struct flat *flat = finder->flat;
    uint32_t n_statements = 0;
    begin_words(finder);
    for (uint32_t i = body + 1; i < flat->subtree_end[body];) {
        bool is_statement = flat->parent[i] == body;
        if ((flat->flags[i] & FLAT_EXTRA) || syntax_is_string_statement(finder->table, flat, i)) {
            i = flat->subtree_end[i];
            continue;
        }
        if (is_statement && flat_is_named(flat, i)) {
            n_statements++;
            finder->words[finder->n_words++] = WORD_NEXT_STATEMENT;
        }
        if (syntax_at(finder->table, flat, i) == SYN_STRING) {
            finder->words[finder->n_words++] = WORD_STRING;
            i = flat->subtree_end[i];
            continue;
        }
        if (flat_is_leaf(flat, i) && flat->start_byte[i] < flat->end_byte[i])
            write_leaf(finder, i);
        i++;
    }
    return n_statements;
}

/* ---- Candidates ----------------------------------------------------------------------------- */

static struct clone_candidate *
add_candidate(struct finder *finder, uint32_t node, enum clone_definition definition,
              enum clone_kind kind)
{
    const struct flat *flat = finder->flat;
    uint32_t last_row = tokens_last_row(finder->tokens, flat, node);
    struct clone_candidate *clone = &finder->out->clones[finder->out->n_clones++];
    *clone = (struct clone_candidate){.start_line = flat->start_row[node] + 1,
                                      .end_line = last_row + 1,
                                      .definition = (uint8_t)definition,
                                      .kind = (uint8_t)kind};
    for (int i = 0; i < FSTRING_N; i++)
        clone->sloc[i] = lines_in_range(&finder->sloc[i], flat->start_row[node], last_row);
    hash_words(finder, clone->hash);
    return clone;
}

/* The condition of an `if` or `while` is TYPE_CHECKING or typing.TYPE_CHECKING? */
static bool
is_type_checking(const struct finder *finder, uint32_t node)
{
    const struct flat *flat = finder->flat;
    uint32_t condition = flat_child_by_field(flat, node, finder->table->field_condition);
    if (condition == FLAT_NONE)
        return false;
    struct bytes text = flat_text(flat, condition);
    return bytes_equal(text, BYTES("TYPE_CHECKING")) ||
           bytes_equal(text, BYTES("typing.TYPE_CHECKING"));
}

static enum clone_kind
kind_of(const struct finder *finder, uint32_t node)
{
    switch (syntax_at(finder->table, finder->flat, node)) {
    case SYN_FUNCTION:
        return CLONE_KIND_FUNCTION;
    case SYN_IF:
        return is_type_checking(finder, node) ? CLONE_KIND_N : CLONE_KIND_IF;
    case SYN_FOR:
        return CLONE_KIND_FOR;
    case SYN_WHILE:
        return is_type_checking(finder, node) ? CLONE_KIND_N : CLONE_KIND_WHILE;
    case SYN_WITH:
        return CLONE_KIND_WITH;
    case SYN_TRY:
        return CLONE_KIND_TRY;
    case SYN_MATCH:
        return CLONE_KIND_MATCH;
    default:
        return CLONE_KIND_N;
    }
}

/* May the subtree of NODE be read once more? */
static bool
spend_work(struct finder *finder, uint32_t node)
{
    finder->work_left -= finder->flat->subtree_end[node] - node;
    return finder->work_left >= 0;
}

/* Without work left the words are not written and the result is of no use. */
static void
find_at(struct finder *finder, uint32_t node)
{
    const struct flat *flat = finder->flat;
    enum clone_kind kind = kind_of(finder, node);
    if (kind == CLONE_KIND_N)
        return;
    if (lines_in_range(&finder->sloc[FSTRING_PARTS], flat->start_row[node], flat->end_row[node]) >=
            CLONE_MIN_SLOC &&
        spend_work(finder, node)) {
        write_subtree(finder, node);
        add_candidate(finder, node, CLONE_SUBTREE, kind);
    }
    if (kind != CLONE_KIND_FUNCTION || !spend_work(finder, node))
        return;
    uint32_t body = flat_child_by_field(flat, node, finder->table->field_body);
    uint32_t n_statements = body == FLAT_NONE ? 0 : write_body(finder, body);
    if (n_statements >= CLONE_MIN_STATEMENTS)
        add_candidate(finder, body, CLONE_FUNCTION_BODY, CLONE_KIND_BODY)->n_statements =
            n_statements;
}

/* Room for every candidate there can be, and for the words of the largest. */
static bool
alloc_places(struct finder *finder, struct arena *arena)
{
    const struct flat *flat = finder->flat;
    uint32_t n_places = 0;
    uint32_t largest = 0;
    for (uint32_t i = 0; i < flat->n_nodes; i++) {
        enum clone_kind kind = kind_of(finder, i);
        if (kind == CLONE_KIND_N)
            continue;
        n_places += kind == CLONE_KIND_FUNCTION ? 2 : 1;
        if (largest < flat->subtree_end[i] - i)
            largest = flat->subtree_end[i] - i;
    }
    finder->out->clones = ARENA_ARRAY(arena, n_places, struct clone_candidate);
    /* A node writes a word, a statement of a body one more. */
    finder->words = ARENA_ARRAY(arena, (size_t)largest * 2, uint64_t);
    return finder->out->clones && finder->words;
}

enum skip_reason
clones_find(const struct syntax_table *table, const struct flat *flat,
            const struct lines sloc[FSTRING_N], const struct tokens *tokens, struct arena *arena,
            struct facts *out)
{
    struct finder finder = {.table = table,
                            .flat = flat,
                            .sloc = sloc,
                            .tokens = tokens,
                            .work_left = CLONE_WORK_MAX,
                            .depth = ARENA_ARRAY(arena, flat->n_nodes, uint32_t),
                            .spelling = ARENA_ARRAY(arena, flat->n_nodes, uint32_t),
                            .out = out};
    if (!finder.depth || !finder.spelling || !alloc_places(&finder, arena) ||
        !number_spellings(&finder, arena))
        return SKIP_NO_MEMORY;
    for (uint32_t i = 0; i < flat->n_nodes && finder.work_left >= 0; i++)
        find_at(&finder, i);
    return finder.work_left < 0 ? SKIP_CLONE_BUDGET : SKIP_NONE;
}
