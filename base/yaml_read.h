/*
 * YAML in: documents as trees, with the line of everything for messages.
 *
 * Bytes that are not UTF-8 and a key twice in one mapping are refused, as YAML 1.2 has it, and so
 * are keys that are not scalars.  Depth, size and aliases are bounded.
 */
#ifndef STRATA_BASE_YAML_READ_H
#define STRATA_BASE_YAML_READ_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/err.h"

enum yaml_type { YAML_NULL, YAML_BOOL, YAML_NUMBER, YAML_TEXT, YAML_LIST, YAML_MAPPING };

struct yaml_value {
    enum yaml_type type;
    uint32_t line;     /* from 1 */
    struct bytes text; /* of a scalar, as spelled */
    struct yaml_item *items;
    uint32_t n_items;
    uint32_t capacity;
    bool is_open; /* its end has not been read, so an alias to it would be a cycle */
};

struct yaml_item {
    struct bytes key; /* of a mapping */
    uint32_t key_line;
    const struct yaml_value *value;
};

struct yaml_document {
    const struct yaml_value *root; /* YAML_NULL for an empty document */
    struct bytes source;           /* its lines in the file, without a separator line */
};

/*
 * Read all documents of TEXT, a file named ORIGIN in messages, into ARENA.  *OUT borrows TEXT.
 * ERR_INPUT with the line, ERR_NOMEM.
 */
int yaml_read(struct bytes text, const char *origin, struct arena *arena,
              struct yaml_document **out, uint32_t *n_out, struct err *err);

/* "a text", "a mapping" and so on, for messages. */
const char *yaml_type_name(enum yaml_type type);
/* The value under KEY of a mapping, NULL when there is none. */
const struct yaml_value *yaml_member(const struct yaml_value *mapping, const char *key);

#endif
