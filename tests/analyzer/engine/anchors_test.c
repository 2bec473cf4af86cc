/* Anchors and needs save work and change no result: the hits are those of a set without them. */
#include "analyzer/engine/anchors.h"

#include <stdlib.h>

#include "analyzer/engine/ruleset.h"
#include "base/base.h"
#include "cmocka_all.h"

enum { N_SETS = 150, RULES_OF_A_SET = 6, DEPTH = 3 };

static uint32_t
draw(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525 + 1013904223;
    return (*seed >> 8) % below;
}

static const char *const sources[] = {
    "def f(a, b=1):\n    if a == b == 2:\n        return [f(x, 1) for x in b]\n    # note\n"
    "    return f(f(1), get(a))\n",
    "x = {'k': f(1), 'f': [1, (2, f)]}\nx.get('k', [])\nf(1)\nx = f(1)\nx = f( 1 )\n"
    "class C(B):\n    x: int = 1\n    def f(self): pass\n",
    "if f(x): f(1)\nelif x:\n    f(\n      # why\n      x)\nelse:\n    x = [f(1), [f(2), "
    "[f(x)]]]\n",
    "def f(:\n  x = [1, f(\nf(1) f(x\n"};

static const char *const kinds[] = {
    "call",  "identifier",   "argument_list",        "list", "integer",
    "block", "if_statement", "expression_statement", "ERROR"};

static const char *const patterns[] = {"f($A)",
                                       "f(1)",
                                       "f",
                                       "1",
                                       "$A.get($B, [])",
                                       "[$$$A, f($B), $$$C]",
                                       "$A = f($B)",
                                       "[$A, [$$$]]",
                                       "if $A:\\n    $B\\n",
                                       "def f($$$): $$$B",
                                       "(2, f)",
                                       "f($$$A, 1)"};

static const char *const regexes[] = {"^f$", "^(f|x|get)$", "^1$", "f\\\\(1", "get", "(?s)f.*f.*f"};

static const char *const strictnesses[] = {"cst",     "smart",     "ast",
                                           "relaxed", "signature", "template"};

static const char *const relations[] = {"has", "inside", "follows", "precedes"};

#define DRAW(seed, table) table[draw(seed, sizeof(table) / sizeof(table[0]))]

static void write_object(uint32_t *seed, unsigned depth, struct buf *out);

static void
write_list(uint32_t *seed, const char *key, unsigned depth, struct buf *out)
{
    buf_printf(out, "%s: [", key);
    for (uint32_t n = 1 + draw(seed, 3); n > 0; n--) {
        write_object(seed, depth, out);
        buf_append_text(out, n > 1 ? ", " : "]");
    }
}

static void
write_relation(uint32_t *seed, unsigned depth, struct buf *out)
{
    static const char *const stops[] = {"neighbor", "end", "end", "{kind: block}"};
    buf_printf(out, "%s: {stopBy: %s, all: [", DRAW(seed, relations), DRAW(seed, stops));
    write_object(seed, depth, out);
    buf_append_text(out, "]}");
}

/* A rule object as YAML in flow style. */
static void
write_object(uint32_t *seed, unsigned depth, struct buf *out)
{
    buf_append_text(out, "{");
    switch (draw(seed, depth ? 8 : 4)) {
    case 0:
        buf_printf(out, "kind: %s", DRAW(seed, kinds));
        break;
    case 1:
        buf_printf(out, "kind: %s, regex: \"%s\"", DRAW(seed, kinds), DRAW(seed, regexes));
        break;
    case 2:
        buf_printf(out, "pattern: \"%s\"", DRAW(seed, patterns));
        break;
    case 3:
        buf_printf(out, "pattern: {context: \"%s\", strictness: %s}", DRAW(seed, patterns),
                   DRAW(seed, strictnesses));
        break;
    case 4:
        write_list(seed, "any", depth - 1, out);
        break;
    case 5:
        write_list(seed, "all", depth - 1, out);
        break;
    default:
        write_relation(seed, depth - 1, out);
        break;
    }
    buf_append_text(out, "}");
}

static void
write_set(uint32_t seed, struct buf *out)
{
    buf_reset(out);
    for (unsigned i = 0; i < RULES_OF_A_SET; i++) {
        buf_printf(out, "---\nid: r%u\nlanguage: python\nrule: {all: [", i);
        write_object(&seed, DEPTH, out);
        buf_printf(out, ", {any: [{kind: %s}, {kind: %s}]}]}\n", DRAW(&seed, kinds),
                   DRAW(&seed, kinds));
    }
}

/* Every hit in SOURCE as "rule start-end ". */
static void
write_hits(const struct ruleset *set, struct bytes source, struct buf *out)
{
    struct analyzer_limits limits = analyzer_limits_default();
    struct scanner *scanner;
    struct hit_list hits;
    enum skip_reason skipped;
    struct err err;
    assert_int_equal(scanner_create(set, &limits, &scanner, &err), 0);
    assert_int_equal(scanner_run(scanner, source, &hits, &skipped, &err), 0);
    for (uint32_t i = 0; i < hits.n_hits; i++)
        buf_printf(out, "%u %u-%u ", hits.hits[i].rule, hits.hits[i].start_byte,
                   hits.hits[i].end_byte);
    scanner_destroy(scanner);
}

static struct ruleset *
load(struct bytes text)
{
    struct rule_source source = {"set.yaml", text};
    struct ruleset *set;
    struct err err;
    if (ruleset_load(&source, 1, &set, &err) < 0)
        fail_msg("%s in %.*s", err.text, BYTES_ARG(text));
    return set;
}

static void
forget_shortcuts(struct ruleset *set)
{
    uint32_t n = set->program.n_matchers;
    memset(set->anchors.of_matcher, 0, n * sizeof(*set->anchors.of_matcher));
    memset(set->needs.of_matcher, 0, n * sizeof(*set->needs.of_matcher));
    memset(set->needs.of_regex, 0, set->program.n_regexes * sizeof(*set->needs.of_regex));
}

static void
test_anchors__change_no_hit_of_random_rules(void **state)
{
    (void)state;
    struct buf text = {0}, with = {0}, without = {0};
    size_t n_bytes = 0;
    for (uint32_t seed = 0; seed < N_SETS; seed++) {
        write_set(seed * 7919, &text);
        struct ruleset *fast = load(buf_bytes(&text)), *plain = load(buf_bytes(&text));
        forget_shortcuts(plain);
        for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
            buf_reset(&with);
            buf_reset(&without);
            write_hits(fast, bytes_of_text(sources[i]), &with);
            write_hits(plain, bytes_of_text(sources[i]), &without);
            if (!bytes_equal(buf_bytes(&with), buf_bytes(&without)))
                fail_msg("source %zu: %.*s, not %.*s, under\n%.*s", i, BYTES_ARG(buf_bytes(&with)),
                         BYTES_ARG(buf_bytes(&without)), BYTES_ARG(buf_bytes(&text)));
            n_bytes += with.len;
        }
        ruleset_destroy(fast);
        ruleset_destroy(plain);
    }
    assert_true(n_bytes > 10000); /* there was something to compare */
    buf_clear(&text);
    buf_clear(&with);
    buf_clear(&without);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_anchors__change_no_hit_of_random_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
