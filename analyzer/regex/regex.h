/*
 * Regex: Rust's dialect, matched in time linear in the text.
 *
 * A struct regex is an immutable program shared by all threads; a struct regex_cache holds the
 * automaton that one worker has built of it so far.  Only "does it match anywhere" is answered.
 */
#ifndef STRATA_ANALYZER_REGEX_REGEX_H
#define STRATA_ANALYZER_REGEX_REGEX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/err.h"

/* What a text that contains a match holds: these literals, taken together so many times. */
struct regex_need {
    const struct bytes *literals;
    uint32_t n_literals;
    uint32_t times;
};

enum { REGEX_NEEDS_MAX = 4 };

struct regex_program;

struct regex {
    struct bytes pattern;
    const struct regex_program *program;
    struct regex_need needs[REGEX_NEEDS_MAX]; /* every text that matches has them all */
    uint32_t n_needs;
    uint32_t min_newlines;   /* in every text that matches */
    struct regex_need whole; /* every text that matches is one of these; empty: not known */
    bool has_last_bytes;     /* a match ends at the end of the text or not at all, */
    uint64_t last_bytes[4];  /* and with one of these bytes */
    bool anchored;           /* a match starts at the start of the text or not at all */
};

/*
 * Compile PATTERN (valid UTF-8) into ARENA, which must live as long as *OUT.  ERR_INPUT when the
 * regex crate would refuse it, ERR_UNSUPPORTED, ERR_NOMEM.
 */
int regex_compile(struct bytes pattern, struct arena *arena, struct regex *out, struct err *err);

/* May a text that ends in BYTE match?  Asked before everything else. */
static inline bool
regex_may_end_in(const struct regex *regex, uint8_t byte)
{
    return !regex->has_last_bytes || (regex->last_bytes[byte / 64] >> byte % 64 & 1);
}

struct regex_cache;

/* NULL when memory is out. */
struct regex_cache *regex_cache_create(const struct regex *regex);
/* NULL is fine. */
void regex_cache_destroy(struct regex_cache *cache);
/* How many bytes of memory CACHE holds. */
size_t regex_cache_bytes(const struct regex_cache *cache);

enum regex_outcome { REGEX_NO_MATCH, REGEX_MATCH, REGEX_GAVE_UP };

/*
 * Does TEXT (valid UTF-8) contain a match?  The cost of building the automaton is subtracted from
 * *STEPS; REGEX_GAVE_UP when steps or memory run out.
 */
enum regex_outcome regex_search(struct regex_cache *cache, struct bytes text, uint64_t *steps);

#endif
