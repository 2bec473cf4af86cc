/*
 * YAML values as text: JSON for metadata, a normal form for fingerprints.
 *
 * Aliases are unfolded, so the output can be much larger than the file; both stop at a bound.
 */
#ifndef STRATA_ANALYZER_ENGINE_RULE_JSON_H
#define STRATA_ANALYZER_ENGINE_RULE_JSON_H

#include "base/buf.h"
#include "base/yaml_read.h"

enum { RULE_JSON_BYTES_MAX = 4 << 20 };

/* Append VALUE as JSON.  -1 when it passes the bound. */
int rule_write_json(const struct yaml_value *value, struct buf *out);
/* Append VALUE in a form that does not depend on the order of keys, on style or comments.  -1 when
 * it passes the bound. */
int rule_write_normal(const struct yaml_value *value, struct buf *out);

#endif
