/* The one symbol of the compiled Python grammar. */
#ifndef STRATA_ANALYZER_PARSE_GRAMMAR_H
#define STRATA_ANALYZER_PARSE_GRAMMAR_H

#include <tree_sitter/api.h>

#include "base/num.h"

const TSLanguage *tree_sitter_python(void);

#endif
