/*
 * Expand: objects out of packs, deltas and all.
 *
 * A chain of deltas is first walked to a whole object or a cached base, then the deltas are applied
 * on the way back; both are loops over an array of steps.  Every result is kept as a base.
 */
#ifndef STRATA_GIT_ODB_EXPAND_H
#define STRATA_GIT_ODB_EXPAND_H

#include "base/buf.h"
#include "git/odb/base_cache.h"
#include "git/odb/inflate.h"
#include "git/odb/pack_file.h"

struct expand_step {
    uint64_t offset; /* of the delta's entry */
    uint64_t data;   /* of its stream */
    size_t size;     /* inflated */
};

enum { KINDS_KNOWN = 4096 };

/* What one thread expands with. */
struct expander {
    struct windows *windows;
    struct inflater *inflater;
    struct base_cache *cache;
    struct odb_budget *budget; /* may be NULL */
    size_t id_len;
    size_t object_bytes_max;
    struct expand_step *steps; /* of the chain that is being expanded */
    size_t n_steps, steps_capacity;
    uint64_t attempted;      /* bytes inflated, or tried to be, for the current object */
    struct buf input;        /* compressed bytes that do not fit a window */
    struct buf first, delta; /* inflated deltas: of the requested object, of any other */
    struct expand_known {
        uint64_t offset;
        uint32_t pack; /* 0: nothing */
        uint8_t kind;
    } known[KINDS_KNOWN]; /* kinds at the end of chains, by hash of pack and offset */
};

/* Set up EXPANDER.  ODB_OK, or ODB_NO_MEMORY; call expander_clear in both cases. */
enum odb_outcome expander_init(struct expander *expander, const struct odb_options *options,
                               struct failure *failure);
/* Free what EXPANDER holds. */
void expander_clear(struct expander *expander);
/* A buffer of N bytes for compressed data, valid until the next call.  NULL when memory is out. */
uint8_t *expander_input(struct expander *expander, size_t n);

/*
 * Expand the object that begins at OFFSET of PACK, which is open.  ODB_OK: *OUT is the caller's, to
 * base_let_go.  ODB_TOO_LARGE: *KIND and *SIZE say what it is.
 */
enum odb_outcome
expand_read(struct expander *expander, const struct pack *pack, uint64_t offset, size_t max_bytes,
            struct base **out, enum odb_kind *kind, uint64_t *size, struct failure *failure);
/* Find the kind and the size of that object only. */
enum odb_outcome expand_header(struct expander *expander, const struct pack *pack, uint64_t offset,
                               enum odb_kind *kind, uint64_t *size, struct failure *failure);

#endif
