/*
 * The table of a profile's fields, and the walk over it by objects.
 *
 * Invariants of the table, which tests/manifests/profile_test.c checks:
 * 1. every name is there once, and the fields of one object are neighbours;
 * 2. every member of struct profile belongs to one field;
 * 3. the words of a PROFILE_WORD field are in the order of its enum.
 * MEMBER makes a field whose kind does not fit the type of its member a compile error.
 */
#include "manifests/profile_fields.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { LIMIT_MAX = 1000000 };

/* ---- Words --------------------------------------------------------------------------------- */

const char *const profile_size_term_names[] = {
    [SIZE_NONE] = "none", [SIZE_SQRT] = "sqrt", [SIZE_LINEAR] = "linear", NULL};
const char *const profile_clones_names[] = {[PROFILE_CLONES_NONE] = "none",
                                            [PROFILE_CLONES_SUBTREE] = "subtree",
                                            [PROFILE_CLONES_FUNCTION_BODY] = "function_body",
                                            NULL};
const char *const profile_builtin_names[] = {"paper",         "strict",      "scb-check-0.2",
                                             "released-code", "linear-mass", NULL};

static const char *const syntax_error_names[] = {
    [SYNTAX_ERROR_SKIP] = "skip", [SYNTAX_ERROR_KEEP] = "keep", NULL};
static const char *const fstring_names[] = {
    [PROFILE_FSTRING_PARTS] = "parts", [PROFILE_FSTRING_ONE] = "one", NULL};
static const char *const sloc_names[] = {[SLOC_TOKENS] = "tokens", [SLOC_TEXT] = "text", NULL};
static const char *const callables_names[] = {
    [CALLABLES_ALL] = "all", [CALLABLES_REACHABLE] = "reachable", NULL};
static const char *const selection_names[] = {[PROFILE_STRICT] = "strict",
                                              [PROFILE_CALIBRATED] = "calibrated",
                                              [PROFILE_BOTH] = "both",
                                              NULL};
static const char *const severity_names[] = {"error", "warning", "info", "hint", NULL};
static const char *const verbosity_names[] = {
    [VERBOSITY_UNION] = "union", [VERBOSITY_SUM] = "sum", NULL};
static const char *const part_names[] = {"rules", "clones", "structural", NULL};

_Static_assert(offsetof(struct profile, part_clones) == offsetof(struct profile, part_rules) + 1 &&
                   offsetof(struct profile, part_structural) ==
                       offsetof(struct profile, part_rules) + 2,
               "the parts are in the order of part_names");

/* ---- The table ----------------------------------------------------------------------------- */

/* Offset and size of a member, which must have TYPE. */
#define MEMBER(type, member)                                  \
    .offset = _Generic(&((struct profile *)0)->member, type * \
                       : offsetof(struct profile, member)),   \
    .size = sizeof(((struct profile *)0)->member)
#define INHERITED .presence = PROFILE_INHERITED, .hashing = PROFILE_HASHED

/* An enum without negative values is compatible with unsigned. */
#define WORD(path, member, names, text)                                                          \
    {                                                                                            \
        .name = path, .kind = PROFILE_WORD, INHERITED, MEMBER(unsigned, member), .words = names, \
        .meaning = text                                                                          \
    }
#define NUMBER(path, member, of, text)                                                            \
    {                                                                                             \
        .name = path, .kind = PROFILE_NUMBER, INHERITED, MEMBER(double, member), .max = INFINITY, \
        .unit = of, .meaning = text                                                               \
    }
#define WHOLE(path, member, least, of, text)                                                    \
    {                                                                                           \
        .name = path, .kind = PROFILE_WHOLE, INHERITED, MEMBER(uint32_t, member), .min = least, \
        .max = LIMIT_MAX, .unit = of, .meaning = text                                           \
    }
#define FLAG(path, member, text)                                                             \
    {                                                                                        \
        .name = path, .kind = PROFILE_FLAG, INHERITED, MEMBER(bool, member), .meaning = text \
    }
#define TEXTS(path, member, names, text)                                                  \
    {                                                                                     \
        .name = path, .kind = PROFILE_TEXTS, INHERITED, MEMBER(struct text_list, member), \
        .words = names, .meaning = text                                                   \
    }

static const struct profile_field table[] = {
    {.name = "name",
     .kind = PROFILE_TEXT,
     .presence = PROFILE_REQUIRED,
     MEMBER(struct bytes, name),
     .meaning = "how reports call it"},
    {.name = "description",
     .kind = PROFILE_TEXT,
     .presence = PROFILE_OPTIONAL,
     MEMBER(struct bytes, description),
     .meaning = "a sentence for readers"},
    {.name = "extends",
     .kind = PROFILE_EXTENDS,
     .presence = PROFILE_OPTIONAL,
     .words = profile_builtin_names,
     .meaning = "the built-in profile that fields left out are taken from; if it is left out "
                "itself, `paper`"},
    {.name = "source",
     .kind = PROFILE_SOURCE,
     INHERITED,
     MEMBER(struct source_filter, source),
     .meaning = "which files count, as in a manifest; it narrows what was mined and cannot widen "
                "it"},
    WORD("on_syntax_error", on_syntax_error, syntax_error_names,
         "skip or keep a file whose syntax tree has an error"),
    WORD("fstring_tokens", fstring_tokens, fstring_names,
         "how a formatted string counts in source lines: as its `parts` (Python 3.12 and later) or "
         "as `one` token"),
    WORD("sloc", sloc, sloc_names,
         "source lines of totals and of the size term: `tokens`, on which a token starts, or "
         "`text`, as line counters see them: in total the lines of statements that are not blank, "
         "string statements left out; of a callable those that are neither blank nor begin with "
         "`#`"),
    WORD("callables", callables, callables_names,
         "`all`, or `reachable`: without those under `if`, `try` and so on"),
    NUMBER("cc.base", cc_base, "complexity", "complexity of a callable without any construct"),
    {.name = "cc.weights",
     .kind = PROFILE_WEIGHTS,
     INHERITED,
     MEMBER(struct profile_weights, cc_weights),
     .max = INFINITY,
     .unit = "complexity per construct",
     .meaning = "complexity = base + the sum of weight times counter; a counter that is not named "
                "weighs 0"},
    FLAG("cc.nested", cc_nested, "do nested callables count into the outer one?"),
    NUMBER("high_cc", high_cc, "complexity", "above it the complexity of a callable is high"),
    NUMBER("high_cognitive", high_cognitive, "complexity",
           "above it the cognitive complexity of a callable is high"),
    WORD("size_term", size_term, profile_size_term_names,
         "mass = complexity times 1 (`none`), the square root of the source lines (`sqrt`) or the "
         "source lines (`linear`)"),
    WORD("clones.definition", clones, profile_clones_names,
         "what a clone is: an equal `subtree`, an equal `function_body`, or `none`"),
    WHOLE("clones.min_sloc", clone_min_sloc, 3, "source lines", "least size of a clone"),
    WHOLE("clones.min_statements", clone_min_statements, 2, "statements",
          "least size of a copied function body"),
    WHOLE("clones.min_members", clone_min_members, 2, "copies", "least size of a group of clones"),
    WORD("rules.selection", selection, selection_names,
         "which of the built-in rules count: `strict`, places that a careful reviewer would "
         "change; `calibrated`, constructs that together give the published verbosity; `both`. "
         "Rules whose metadata name no `selection` count whatever it is"),
    TEXTS("rules.severities", severities, severity_names, "rules of these severities count"),
    TEXTS("rules.only", rules_in, NULL, "ids of the rules that count; empty: all"),
    TEXTS("rules.except", rules_out, NULL, "ids of rules that do not count"),
    FLAG("rules.advice", advice,
         "count rules of the selection whose metadata say `advice: true` too, such as the built-in "
         "hints? A rule that `rules.only` names counts whatever selection and advice are"),
    FLAG("rules.min_file_count", min_file_count,
         "honour the least number of hits in a file that a rule's metadata ask for?"),
    FLAG("rules.trivial_wrapper", trivial_wrapper, "is the structural rule on?"),
    WORD("verbosity.definition", verbosity, verbosity_names,
         "`union`: each flagged line counts once; `sum`: the clones' share plus hits per line"),
    {.name = "verbosity.parts",
     .kind = PROFILE_PARTS,
     INHERITED,
     .offset = offsetof(struct profile, part_rules),
     .size = 3 * sizeof(bool),
     .words = part_names,
     .meaning = "what enters verbosity"},
};

enum { N_FIELDS = sizeof(table) / sizeof(*table) };

const struct profile_field *
profile_fields(size_t *n_out)
{
    *n_out = N_FIELDS;
    return table;
}

/* ---- Objects ------------------------------------------------------------------------------- */

struct profile_group
profile_root(void)
{
    return (struct profile_group){0, N_FIELDS, 0};
}

struct bytes
profile_member_name(struct profile_group group, size_t i)
{
    assert(group.first <= i && i < group.end);
    const char *name = table[i].name + group.prefix_len;
    return (struct bytes){(const uint8_t *)name, strcspn(name, ".")};
}

bool
profile_is_nested(struct profile_group group, size_t i, struct profile_group *out)
{
    struct bytes member = profile_member_name(group, i);
    size_t len = group.prefix_len + member.len + 1; /* with the dot */
    if (!strchr(table[i].name + group.prefix_len, '.'))
        return false;
    *out = (struct profile_group){i, i, len};
    while (out->end < group.end && strncmp(table[out->end].name, table[i].name, len) == 0)
        out->end++;
    return true;
}

size_t
profile_next_member(struct profile_group group, size_t i)
{
    struct profile_group inner;
    return profile_is_nested(group, i, &inner) ? inner.end : i + 1;
}
