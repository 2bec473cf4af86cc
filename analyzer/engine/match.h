/*
 * Matching: run a program on one flat tree.
 *
 * A struct matching belongs to one worker.  Bindings are slots on a stack; the current frame is the
 * top part of it.  Every change of a slot is recorded on a trail, so the bindings of a part that
 * failed are undone by rewinding the trail.  Work is counted in steps: when they run out the
 * matching gives up, and its results from then on are not valid.
 */
#ifndef STRATA_ANALYZER_ENGINE_MATCH_H
#define STRATA_ANALYZER_ENGINE_MATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/parse/flat.h"
#include "analyzer/engine/kind_index.h"
#include "analyzer/engine/needs.h"
#include "analyzer/engine/program.h"
#include "base/arena.h"

/* What a variable is bound to: N siblings from NODE on; N is UNBOUND when it is not. */
#define UNBOUND UINT32_MAX

struct binding {
    uint32_t node; /* FLAT_NONE when N is 0 */
    uint32_t n;
};

struct trail_entry {
    uint32_t slot; /* on the stack */
    struct binding before;
};

struct matching {
    const struct program *program;
    const struct program_needs *needs;
    const struct flat *flat;
    struct arena *arena; /* of the current file */
    struct kind_index kinds;
    struct literal_index literals; /* made when first needed, see match_literals */
    bool has_literals;

    struct binding *stack;
    uint32_t stack_capacity;
    uint32_t frame;   /* first slot of the current frame */
    uint32_t n_slots; /* of it */
    struct trail_entry *trail;
    uint32_t n_trail, trail_capacity;
    uint32_t depth; /* of evaluation */

    uint64_t steps; /* that are left for the current rule */
    bool gave_up;
    bool no_memory; /* why it gave up */

    struct regex_cache **caches; /* of each regex; made when first used */

    /* Of the current file, made when first needed. */
    uint32_t *named_position; /* of each node among its named siblings, from 1 */
    uint32_t *named_children; /* of each node */
};

/* Set up MATCHING; PROGRAM and NEEDS are borrowed.  0, or -1 with ERR_NOMEM. */
int matching_init(struct matching *matching, const struct program *program,
                  const struct program_needs *needs, struct err *err);
/* Free what MATCHING holds. */
void matching_clear(struct matching *matching);
/* Begin the next file, FLAT; memory for it comes from ARENA.  -1 when memory is out. */
int matching_begin(struct matching *matching, const struct flat *flat, struct arena *arena);

/* Where the literals of NEEDS are in the file; NULL when memory is out, and then the matching gives
 * up. */
const struct literal_index *match_literals(struct matching *matching);

/*
 * Test MATCHER on NODE.  Returns the node it yields (NODE itself, or for a lone relation the
 * related node), or FLAT_NONE, and then every binding is as before.
 */
uint32_t match_node(struct matching *matching, uint32_t matcher, uint32_t node);
/* Do the kinds of M allow a match at NODE?  This excludes most candidates of a relation. */
static inline bool
match_is_possible(const struct matching *matching, const struct matcher *m, uint32_t node)
{
    return !m->has_kinds || kind_set_has(&m->kinds, matching->flat->kind[node]);
}
/* As match_node, but in a fresh frame, whose bindings are dropped afterwards. */
bool match_apart(struct matching *matching, uint32_t matcher, uint32_t node);

/* Parts of match_node, which test a pattern, a relation, nthChild; they return as it does. */
bool match_pattern(struct matching *matching, const struct pattern *pattern, uint32_t node);
uint32_t match_relation(struct matching *matching, const struct matcher *matcher, uint32_t node);
bool match_nth(struct matching *matching, const struct matcher *matcher, uint32_t node);

/* Are the trees under A and B equal, as bindings compare them?  False too when steps run out. */
bool match_equal(struct matching *matching, uint32_t a, uint32_t b);

/* Begin and end a frame of N_SLOTS unbound slots; *SAVED keeps the frame before it.  False when
 * the stack is full or memory is out, and then the matching gives up. */
struct saved_frame {
    uint32_t frame, n_slots, n_trail;
};
bool match_push_frame(struct matching *matching, uint32_t n_slots, struct saved_frame *saved);
void match_pop_frame(struct matching *matching, const struct saved_frame *saved);

/* Bind SLOT of the current frame to NODE, or to N siblings from FIRST on; false when it is bound to
 * something that is not equal. */
bool match_bind_one(struct matching *matching, uint32_t slot, uint32_t node);
bool match_bind_many(struct matching *matching, uint32_t slot, uint32_t first, uint32_t n);
/* Undo what was bound since the trail was N_TRAIL long. */
void match_undo(struct matching *matching, uint32_t n_trail);

/* Count one step; false when there are none left, or the matching has given up before. */
static inline bool
match_step(struct matching *matching)
{
    if (matching->steps == 0 || matching->gave_up) {
        matching->gave_up = true;
        return false;
    }
    matching->steps--;
    return true;
}

enum { BYTES_PER_STEP = 32 };

/* Count the steps of reading N_BYTES; false when there are not that many left. */
static inline bool
match_read(struct matching *matching, uint64_t n_bytes)
{
    uint64_t n_steps = n_bytes / BYTES_PER_STEP;
    if (matching->steps < n_steps)
        matching->gave_up = true;
    else
        matching->steps -= n_steps;
    return !matching->gave_up;
}

/* ---- Places in a flat tree that relations need ---------------------------------------------- */

/* The sibling before NODE: the ancestor of its predecessor that has the same parent. */
static inline uint32_t
flat_previous_sibling(const struct flat *flat, uint32_t node)
{
    uint32_t parent = flat->parent[node];
    if (parent == FLAT_NONE || node == parent + 1)
        return FLAT_NONE;
    uint32_t at = node - 1;
    while (flat->parent[at] != parent)
        at = flat->parent[at];
    return at;
}

#endif
