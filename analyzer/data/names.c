/* Names of enum values, as they stand in JSON and profiles. */
#include "analyzer/facts.h"

const char *
skip_reason_name(enum skip_reason reason)
{
    static const char *const names[SKIP_N_REASONS] = {
        [SKIP_NONE] = "",
        [SKIP_TOO_LARGE] = "too large",
        [SKIP_TOO_DEEP] = "nested too deep",
        [SKIP_TOO_MANY_NODES] = "too many nodes",
        [SKIP_PARSE_BUDGET] = "parse budget used up",
        [SKIP_NUL] = "NUL byte",
        [SKIP_ENCODING] = "not decodable",
        [SKIP_UNREADABLE] = "unreadable",
        [SKIP_NO_MEMORY] = "out of memory",
        [SKIP_CLONE_BUDGET] = "clone budget used up",
    };
    return names[reason];
}

const char *
refusal_name(enum refusal refusal)
{
    static const char *const names[REFUSAL_N] = {
        [REFUSAL_NONE] = "",
        [REFUSAL_SYNTAX] = "syntax error",
        [REFUSAL_BRACKETS] = "more than 200 open brackets",
        [REFUSAL_ENCODING] = "not UTF-8 and no encoding declared",
    };
    return names[refusal];
}

const char *
counter_name(enum counter counter)
{
    static const char *const names[COUNT_N] = {
        [COUNT_IF] = "if",
        [COUNT_ELIF] = "elif",
        [COUNT_ELSE] = "else",
        [COUNT_FOR] = "for",
        [COUNT_WHILE] = "while",
        [COUNT_EXCEPT] = "except",
        [COUNT_EXCEPT_STAR] = "except*",
        [COUNT_FINALLY] = "finally",
        [COUNT_WITH] = "with",
        [COUNT_ASSERT] = "assert",
        [COUNT_LIST_COMP] = "list_comp",
        [COUNT_SET_COMP] = "set_comp",
        [COUNT_DICT_COMP] = "dict_comp",
        [COUNT_GENERATOR] = "generator",
        [COUNT_COMP_IF] = "comp_if",
        [COUNT_CASE] = "case",
        [COUNT_CASE_GUARD] = "case_guard",
        [COUNT_AND_OR] = "and_or",
        [COUNT_TERNARY] = "ternary",
        [COUNT_LAMBDA] = "lambda",
        [COUNT_LOOP_ELSE] = "loop_else",
        [COUNT_TRY_ELSE] = "try_else",
        [COUNT_RETURN] = "return",
        [COUNT_RAISE] = "raise",
        [COUNT_YIELD] = "yield",
        [COUNT_AWAIT] = "await",
        [COUNT_BREAK] = "break",
        [COUNT_CONTINUE] = "continue",
        [COUNT_CALL] = "call",
    };
    return names[counter];
}

const char *
clone_kind_name(enum clone_kind kind)
{
    static const char *const names[CLONE_KIND_N] = {
        [CLONE_KIND_FUNCTION] = "function", [CLONE_KIND_IF] = "if",     [CLONE_KIND_FOR] = "for",
        [CLONE_KIND_WHILE] = "while",       [CLONE_KIND_WITH] = "with", [CLONE_KIND_TRY] = "try",
        [CLONE_KIND_MATCH] = "match",       [CLONE_KIND_BODY] = "body",
    };
    return names[kind];
}
