/*
 * Literals: all strings that rules need somewhere, found in one pass over a file.
 *
 * A struct literal_set is built while rules are loaded and immutable afterwards.  The core of a
 * literal is what follows its leading blanks.  At each place of a text a bit says whether some core
 * starts with the next three bytes; only then the tree of cores is walked.  A struct literal_index
 * holds where each literal starts in one file.
 */
#ifndef STRATA_ANALYZER_ENGINE_LITERALS_H
#define STRATA_ANALYZER_ENGINE_LITERALS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/map.h"

#define LITERAL_NONE UINT32_MAX

enum { STARTS_BITS = 15 };

struct literal_set {
    struct arena arena; /* of the texts */
    struct map index;   /* text to number, while it is built */
    struct bytes *texts;
    uint32_t n_literals, capacity;
    size_t n_bytes;

    uint64_t
        starts[(1 << STARTS_BITS) / 64]; /* by hash_start: does a core start with these bytes? */
    uint32_t n_classes;                  /* of bytes; those that are not in any literal share one */
    uint8_t class_of[256];
    uint32_t *next;      /* n_classes per state: the next state, 0 when no literal continues so */
    uint32_t *ending;    /* of each state: a literal whose core ends there, or LITERAL_NONE */
    uint32_t *n_blanks;  /* of each literal: blanks before its core */
    uint32_t *same_core; /* of each literal: the next with that core, or LITERAL_NONE */
};

/* Make SET empty; free what it holds. */
void literal_set_init(struct literal_set *set);
void literal_set_clear(struct literal_set *set);
/* The number of TEXT, which is added when it is new.  LITERAL_NONE when the set is full, or when
 * TEXT is so short or blank that nearly every file has it: the caller must assume that it occurs
 * everywhere.  *FAILED is set when memory is out. */
uint32_t literal_set_put(struct literal_set *set, struct bytes text, bool *failed);
/* Make the tree; nothing can be added afterwards.  -1 when memory is out. */
int literal_set_build(struct literal_set *set);

struct literal_index {
    const struct literal_set *set;
    uint32_t *first;     /* of each literal, and the end: index into starts */
    uint32_t *starts;    /* byte offsets, ascending for each literal */
    bool *is_everywhere; /* of each literal: too many places to list */
};

/* Find all literals of SET in TEXT; memory from ARENA.  -1 when memory is out. */
int literal_index_build(const struct literal_set *set, struct bytes text, struct arena *arena,
                        struct literal_index *out);

/* How often the literal starts in the file; UINT32_MAX when that was not counted. */
static inline uint32_t
literal_count(const struct literal_index *index, uint32_t literal)
{
    return index->is_everywhere[literal] ? UINT32_MAX
                                         : index->first[literal + 1] - index->first[literal];
}

/* The same within the bytes FROM up to, not including, TO; counting stops at ENOUGH. */
uint32_t literal_count_within(const struct literal_index *index, uint32_t literal, uint32_t from,
                              uint32_t to, uint32_t enough);

#endif
