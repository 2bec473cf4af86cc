/*
 * The program of a regex: a nondeterministic automaton over classes of code points.
 *
 * Code points that every part of the pattern treats alike share one symbol, and the automaton reads
 * symbols.  It is therefore small whatever Unicode classes the pattern uses: \w is one state.
 */
#ifndef STRATA_ANALYZER_REGEX_PROGRAM_H
#define STRATA_ANALYZER_REGEX_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/regex/ast.h"

enum state_op {
    STATE_MATCH,
    STATE_READ,  /* a symbol of a set, then next */
    STATE_SPLIT, /* next or other, without reading */
    STATE_LOOK   /* next, if the place is right */
};

struct regex_state {
    uint8_t op;   /* enum state_op */
    uint8_t look; /* enum regex_look */
    uint32_t next;
    uint32_t other; /* STATE_SPLIT: the other way; STATE_READ: index of the set */
    /*
     * For the optional copies of a counted repeat.  Whatever can follow one copy can follow every
     * earlier copy too, so of the states of a group only the one with the highest rank is kept.
     * The rank is the number of copies that may still follow.  Group 0: none.
     */
    uint32_t group;
    uint32_t rank;
};

enum symbol_trait {
    SYMBOL_LINE_FEED = 1 << 0,
    SYMBOL_CARRIAGE_RETURN = 1 << 1,
    SYMBOL_WORD_ASCII = 1 << 2,
    SYMBOL_WORD_UNICODE = 1 << 3,
    SYMBOL_NONE = 1 << 4 /* no character: the start or the end of the text */
};

struct symbol_range {
    uint32_t first; /* up to the next range's first */
    uint32_t symbol;
};

struct regex_program {
    struct regex_state *states;
    uint32_t n_states;
    uint32_t start;
    uint32_t n_groups; /* group numbers in use, 0 included */
    bool has_looks;

    uint32_t n_symbols;
    uint16_t ascii[128];         /* symbol of each */
    struct symbol_range *ranges; /* of all code points, ascending, the first at 0 */
    uint32_t n_ranges;
    uint8_t *traits; /* enum symbol_trait of each symbol; empty without looks */
    uint64_t *sets;  /* bit rows of row_words words: the symbols of each set */
    uint32_t row_words;
};

/* Is SYMBOL in the set with index SET? */
static inline bool
program_reads(const struct regex_program *program, uint32_t set, uint32_t symbol)
{
    return program->sets[(size_t)set * program->row_words + symbol / 64] >> symbol % 64 & 1;
}

/*
 * Compile TREE into ARENA; unless it is ANCHORED a match may start anywhere.  ERR_INPUT when the
 * program would be too large, ERR_NOMEM.
 */
int program_compile(struct regex_node *tree, bool anchored, struct arena *arena,
                    const struct regex_program **out, struct err *err);

#endif
