/* Any bytes as a rule file and, behind a NUL, any bytes as the source it runs on; without a NUL all
 * is source, under rules that use every kind of matcher. */
#include "run_rules.h"

static const char wide_rules[] =
    "id: a\nlanguage: python\n"
    "utils: {u: {any: [{kind: list}, {inside: {matches: u}}]}}\n"
    "rule: {kind: 'list > integer, call:has(> argument_list)', matches: u}\n"
    "---\n"
    "id: b\nlanguage: python\n"
    "rule: {pattern: 'f($A, $$$B)', not: {inside: {kind: list, stopBy: {kind: block}}}}\n"
    "constraints: {A: {nthChild: {position: 2n+1, ofRule: {kind: integer}}}}\n"
    "---\n"
    "id: c\nlanguage: python\n"
    "rule:\n"
    "  any: [{kind: function_definition}, {kind: class_definition}, {kind: if_statement}]\n"
    "  has: {stopBy: end, kind: identifier, regex: '^\\w{1,3}$', field: name}\n"
    "  regex: '(?s)^(def|class|if)\\b.*\\n {4,}(?:x|y|return )'\n"
    "---\n"
    "id: d\nlanguage: python\n"
    "rule:\n"
    "  kind: expression_statement\n"
    "  all: [{has: {pattern: $A}}, {follows: {has: {pattern: $A}, stopBy: end}}]\n"
    "  any: [{precedes: {kind: comment}}, {range: {start: {line: 1}, end: {line: 1}}}]\n"
    "---\n"
    "id: e\nlanguage: python\n"
    "rule: {pattern: {context: '$A == $$$B', strictness: relaxed}}\n"
    "---\n"
    "id: g\nlanguage: python\n"
    "rule: {any: [{pattern: \"if $C:\\n    $B\\nelse:\\n    $B\\n\"}, {kind: ERROR}, {pattern: "
    "pass}]}\n";

static struct ruleset *
load(struct bytes text)
{
    struct rule_source rules = {"fuzz.yaml", text};
    struct ruleset *set;
    struct err err;
    return ruleset_load(&rules, 1, &set, &err) < 0 ? NULL : set;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bytes input = {data, size};
    const uint8_t *nul = size ? memchr(data, 0, size) : NULL;
    size_t at = nul ? (size_t)(nul - data) : 0;
    struct ruleset *set = load(nul ? bytes_slice(input, 0, at) : bytes_of_text(wide_rules));
    require(set || nul);
    if (set)
        run_rules(set, nul ? bytes_slice(input, at + 1, size) : input);
    ruleset_destroy(set);
    return 0;
}
