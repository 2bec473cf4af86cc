/*
 * limits: how much of a file is looked at, and the fingerprint of what a value depends on.
 */
#ifndef STRATA_ANALYZER_LIMITS_H
#define STRATA_ANALYZER_LIMITS_H

#include <stdint.h>

struct analyzer_limits {
    uint32_t max_file_bytes;
    uint32_t max_depth; /* of the syntax tree */
    uint32_t max_nodes;
    uint32_t parse_steps_per_byte; /* parser steps allowed: this times the bytes, plus a constant,
                                    * but at most about two seconds of them */
};

/* 4 MiB, 2,000 levels, 4,000,000 nodes, and the measured budget. */
struct analyzer_limits analyzer_limits_default(void);

enum { FINGERPRINT_BYTES = 16 };

struct fingerprint {
    uint8_t bytes[FINGERPRINT_BYTES];
};

/* What the facts of a blob depend on besides its bytes: facts schema, grammar, LIMITS. */
struct fingerprint analyzer_fingerprint(const struct analyzer_limits *limits);
/* "tree-sitter-python 0.25.0, runtime 0.25.1, facts schema 4", for `info` and reports. */
const char *analyzer_versions(void);

#endif
