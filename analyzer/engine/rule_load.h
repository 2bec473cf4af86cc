/*
 * Loading one rule: a YAML document to its description and its place in a program.
 */
#ifndef STRATA_ANALYZER_ENGINE_RULE_LOAD_H
#define STRATA_ANALYZER_ENGINE_RULE_LOAD_H

#include "analyzer/rules.h"
#include "analyzer/engine/program.h"
#include "analyzer/engine/rule_read.h"

struct rule_loader {
    struct parse *parse;
    struct regex_table regexes;
    struct program *program;
    struct arena *arena;   /* of what the set keeps */
    const char *origin;    /* name of the current file, kept by the set */
    uint64_t objects_left; /* rule objects the whole set may still have */
    struct err *err;
};

/*
 * Load DOCUMENT, whose rule is called DEFAULT_ID when it has no id of its own, into *INFO and
 * *RULE.  ERR_INPUT with file, line and rule when it is refused.
 */
int rule_load(struct rule_loader *loader, const struct yaml_document *document,
              struct bytes default_id, struct rule_info *info, struct program_rule *rule);

/* Refuse keys that change nothing about matches when their shape or their variables are wrong:
 * transform, fix, labels, rewriters (rule_extras.c). */
int rule_check_extras(struct rule_reader *reader, const struct yaml_value *root);

#endif
