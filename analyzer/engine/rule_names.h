/*
 * Names of the grammar and of languages, as rule files use them.
 */
#ifndef STRATA_ANALYZER_ENGINE_RULE_NAMES_H
#define STRATA_ANALYZER_ENGINE_RULE_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"

/*
 * The symbol of the named node kind NAME ("ERROR" included), or 0 when there is none.  Names of
 * tokens and hidden kinds give 0; supertypes have a symbol, but no node has it.
 */
uint16_t rule_kind_of_name(struct bytes name);
/* The name of a kind, "ERROR" included, valid until the end of the process. */
const char *rule_kind_name(uint16_t kind);
/* The id of the field NAME, or 0. */
uint8_t rule_field_of_name(struct bytes name);
/* The name of FIELD, or ""; valid until the end of the process. */
const char *rule_field_name(uint8_t field);

enum rule_language { LANGUAGE_PYTHON, LANGUAGE_OTHER, LANGUAGE_UNKNOWN };
/* The language NAME, in any case. */
enum rule_language rule_language_of_name(struct bytes name);

#endif
