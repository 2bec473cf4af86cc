/*
 * Patterns: code with metavariables, compiled from the tree the parser makes of it.
 *
 * The nodes are in pre-order, as those of a flat tree.  A metavariable is a number: while a
 * rule is being read an index into its names, afterwards a slot of its bindings.
 */
#ifndef STRATA_ANALYZER_ENGINE_PATTERN_H
#define STRATA_ANALYZER_ENGINE_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/parse/flat.h"
#include "analyzer/parse/parse.h"
#include "base/arena.h"
#include "base/bytes.h"
#include "base/err.h"

enum pattern_op {
    PATTERN_LEAF,
    PATTERN_ONE,  /* $A, $$A: one node */
    PATTERN_MANY, /* $$$A: any number of nodes */
    PATTERN_COMPOSITE
};

/* How closely a pattern must be followed. */
enum strictness {
    STRICTNESS_CST,
    STRICTNESS_SMART,
    STRICTNESS_AST,
    STRICTNESS_RELAXED,
    STRICTNESS_SIGNATURE,
    STRICTNESS_TEMPLATE
};

#define VARIABLE_NONE UINT32_MAX

struct pattern_node {
    uint8_t op;        /* enum pattern_op */
    bool is_named;     /* leaf: of a named kind; PATTERN_ONE: needs a named node */
    uint16_t kind;     /* leaf, composite */
    uint32_t end;      /* index one past the last descendant */
    uint32_t variable; /* the metavariable; VARIABLE_NONE when it does not capture */
    struct bytes text; /* leaf */
};

struct pattern {
    const struct pattern_node *nodes; /* the root is the first */
    uint32_t n_nodes;
    uint8_t strictness; /* enum strictness */
    bool has_selector;
    uint16_t selector; /* kind a match must have */
};

/* The number of the variable NAME (without "$"); MANY says that it is bound to many nodes.
 * VARIABLE_NONE when memory is out. */
typedef uint32_t pattern_number(void *context, struct bytes name, bool many);

struct pattern_source {
    struct bytes text;
    struct bytes selector; /* {NULL, 0}: none */
    enum strictness strictness;
};

/*
 * Compile SOURCE into ARENA.  ERR_INPUT when ast-grep would refuse it, or when it exceeds the
 * parser's limits; ERR_NOMEM.
 */
int
pattern_compile(struct parse *parse, const struct pattern_source *source, pattern_number *number,
                void *context, struct arena *arena, struct pattern *out, struct err *err);

#endif
