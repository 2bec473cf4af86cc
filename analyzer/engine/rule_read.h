/*
 * Reading rule objects: YAML to matchers.
 */
#ifndef STRATA_ANALYZER_ENGINE_RULE_READ_H
#define STRATA_ANALYZER_ENGINE_RULE_READ_H

#include "analyzer/engine/matcher.h"
#include "analyzer/parse/parse.h"
#include "base/yaml_read.h"
#include "base/map.h"

/* The distinct regexes of a rule set, each compiled once. */
struct regex_table {
    struct arena *arena; /* of the compiled regexes */
    struct map index;    /* pattern to index */
    struct regex *regexes;
    uint32_t n_regexes, capacity;
};

/* Make TABLE empty, its regexes in ARENA; free what it holds outside of ARENA. */
void regex_table_init(struct regex_table *table, struct arena *arena);
void regex_table_clear(struct regex_table *table);
/* The index of PATTERN, compiled when it is new; -1 with *ERR. */
int64_t regex_table_put(struct regex_table *table, struct bytes pattern, struct err *err);

struct rule_reader {
    struct parse *parse;
    struct regex_table *regexes;
    const char *origin; /* the file, for messages */
    struct matcher_list *list;
    uint64_t objects_left; /* rule objects that may still be read: aliases can multiply them */
    struct err *err;
};

/* Set the error of READER to ERR_INPUT with file, LINE and the formatted reason.  Returns -1. */
int rule_refuse(struct rule_reader *reader, uint32_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Read the rule object VALUE, which WHAT names in messages; MATCHER_NONE with the error set. */
uint32_t
rule_read_object(struct rule_reader *reader, const struct yaml_value *value, const char *what);

/* Parts of rule_read_object: the value of `nthChild`, of `range`, and the selector of `kind`. */
uint32_t rule_read_nth(struct rule_reader *reader, const struct yaml_value *value);
uint32_t rule_read_range(struct rule_reader *reader, const struct yaml_value *value);
uint32_t rule_read_selector(struct rule_reader *reader, struct bytes text, uint32_t line);
/* Read a formula such as "2n+1".  0, or -1 when TEXT is not one. */
int rule_read_formula(struct bytes text, int64_t *step, int64_t *offset);

#endif
