/*
 * The fast ways of a parse give the same flat tree as the plain one, node by node: on sources of
 * our own, the handed ones, the machine's Python library, and mutants of all these, most of which
 * have syntax errors.  An argument is the number of mutants.
 */
#include <glob.h>
#include <stdatomic.h>
#include <string.h>

#include "base/base.h"
#include "cmocka_all.h"
#include "pair.h"

enum { MUTANTS_DEFAULT = 1000, PIECE_MAX = 3000, LIBRARY_FILES_FAST = 25 };

/* Every shape that the direct walk treats apart: aliases, fields under hidden nodes, extras,
 * keywords as names, missing tokens, errors. */
static const char *const own_sources[] = {
    "",
    "\n",
    "\f",
    "# only a comment",
    "\\\n",
    "def f(a, *b, c=1, d: int = 2, **e) -> int: # c\n    'doc'\n    return a + (b if c else d)\n",
    "@a.b(c)\n@d\nclass E(F, metaclass=G):\n  x: int = 1\n  async def h(self): await i\n",
    "match x:\n  case [A(b=1), *c] if d: pass\n  case {'k': v, **r}: pass\n  case _: pass\n",
    "match = 1\ncase = match\nprint match, case\nexec 'x' in y\nprint >>f, x\ntype = type\n",
    "type A[T: int, *U] = list[T]\ndef g[T](x: T): global y; nonlocal z\n",
    "try:\n  a\nexcept B as c:\n  d\nexcept* E:\n  f\nelse:\n  g\nfinally:\n  h\n",
    "for i, in a[b:c:d, ..., e]:\n  del f[g], h.i\n  continue\nelse:\n  break\n",
    "x = f'{a!r:>{w}} {{}} {b=}' 'c' rb'\\x00' \"\"\"d\n  {e}\"\"\" f\"\"\"{ {1: 2}[1] }\n\"\"\"\n",
    "with (a as b, c as (d, e)), f: pass\nwith a, b as c: pass\nassert x, 'y'\n",
    "y = not a and b or c < d <= e is not f not in g ** -h @ i // j\n",
    "z = [a for b in c if d async for e in f], {g: h for i in j}, {*k, **l}, (yield), lambda *m, "
    "n=1: o\n",
    "if (a := b) > 1: \\\n  c\nelif d:\n  e\nelse: f\nwhile g: h = i = j; k += l; m: n\n",
    "from . import (a as b, c,)\nfrom ..d.e import *\nimport f.g as h, i\nfrom __future__ import "
    "j\n",
    "def f(:\n  return )\nclass\n  x = = 3\n",
    "if a\n  b\n c\n    d\n",
    "'''unterminated\n",
    "f(a, b=, *, **\n",
    "x = (1, [2, {3: 4\ny = 5\n",
    "def\n\n\n  \t\x0b @ ! $ ? `a` <> \xc3\xa9\xe2\x82\xac\n",
    "a\r\nif b:\r\n  c\r  d\r\n",
    "print(1 if 2 else\nraise A from B\nreturn *a, b\nimport\n",
};

struct corpus {
    struct parse_pair pair;
    struct arena arena;  /* of the sources */
    struct bytes *items; /* own, then handed, then the library's */
    size_t n_items;
    size_t n_library;
    unsigned long n_mutants;
};

static unsigned long mutants_asked = MUTANTS_DEFAULT;

enum { ITEMS_MAX = 4000 };

static void
add_file(struct corpus *corpus, const char *path)
{
    struct buf content = {0};
    struct err err;
    if (corpus->n_items < ITEMS_MAX && fs_read(path, 4 << 20, &content, &err) == 0)
        corpus->items[corpus->n_items++] = arena_copy(&corpus->arena, buf_bytes(&content));
    buf_clear(&content);
}

static void
add_files(struct corpus *corpus, const char *pattern)
{
    glob_t found;
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            add_file(corpus, found.gl_pathv[i]);
    globfree(&found);
}

static int
setup_corpus(void **state)
{
    static struct corpus corpus;
    struct err err;
    if (parse_pair_init(&corpus.pair, &err) < 0)
        return -1;
    arena_init(&corpus.arena, 0);
    corpus.items = ARENA_ARRAY(&corpus.arena, ITEMS_MAX, struct bytes);
    corpus.n_mutants = mutants_asked;
    for (size_t i = 0; i < sizeof(own_sources) / sizeof(*own_sources); i++)
        corpus.items[corpus.n_items++] = bytes_of_text(own_sources[i]);
    add_files(&corpus, SHARED_DIR "/cases/sources/*.py");
    add_files(&corpus, SHARED_DIR "/cases/rules/*.py");
    size_t n_before = corpus.n_items;
    add_files(&corpus, "/usr/lib/python3.*/*.py");
    add_files(&corpus, "/usr/lib/python3.*/*/*.py");
    add_files(&corpus, "/usr/lib/python3.*/*/*/*.py");
    corpus.n_library = corpus.n_items - n_before;
    *state = &corpus;
    return 0;
}

static int
teardown_corpus(void **state)
{
    struct corpus *corpus = *state;
    parse_pair_clear(&corpus->pair);
    arena_clear(&corpus->arena);
    return 0;
}

static void
assert_same(struct corpus *corpus, struct bytes source, const char *what, size_t number)
{
    struct flat flat;
    if (!parse_pair_same(&corpus->pair, source, &flat))
        fail_msg("%s %zu differs, %s; source:\n%.*s", what, number, corpus->pair.difference,
                 BYTES_ARG(source));
}

static void
test_parse_equality__own_and_handed_sources(void **state)
{
    struct corpus *corpus = *state;
    for (size_t i = 0; i < corpus->n_items - corpus->n_library; i++)
        assert_same(corpus, corpus->items[i], "source", i);
}

static void
test_parse_equality__python_library(void **state)
{
    struct corpus *corpus = *state;
    if (corpus->n_library == 0) {
        print_message("skipped: no Python library in /usr/lib\n");
        skip();
    }
    size_t n = corpus->n_library;
    if (corpus->n_mutants <= MUTANTS_DEFAULT && n > LIBRARY_FILES_FAST)
        n = LIBRARY_FILES_FAST;
    for (size_t i = 0; i < n; i++)
        assert_same(corpus, corpus->items[corpus->n_items - 1 - i], "library file", i);
}

static uint64_t
next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static size_t
random_below(uint64_t *seed, size_t n)
{
    return n ? (size_t)(next_random(seed) % n) : 0;
}

/* At most PIECE_MAX bytes of a random source. */
static void
take_piece(const struct corpus *corpus, uint64_t *seed, struct buf *out)
{
    struct bytes source = corpus->items[random_below(seed, corpus->n_items)];
    size_t from = source.len > PIECE_MAX ? random_below(seed, source.len - PIECE_MAX) : 0;
    size_t len = source.len - from < PIECE_MAX ? source.len - from : PIECE_MAX;
    buf_append_bytes(out, bytes_slice(source, from, from + random_below(seed, len + 1)));
}

/* Replace some bytes by nothing, by a token, or by other bytes of the same text. */
static void
edit(uint64_t *seed, const struct buf *in, struct buf *out)
{
    static const char *const tokens[] = {
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "'",
        "\"",
        "\"\"\"",
        "\n",
        "\n    ",
        "\t",
        ":",
        ",",
        "=",
        " ",
        "\\",
        "\\\n",
        "#",
        "f'",
        "if ",
        "else",
        "def ",
        "class ",
        "@",
        "*",
        "**",
        "->",
        ":=",
        "async",
        "lambda",
        "in ",
        "not ",
        "\r",
        "\xff",
        "\xc3\xa9",
        ";",
        ".",
        "...",
        "`",
        "$",
        "print ",
        "match x:\n  case ",
        "except",
        "yield",
        "0x",
        "1e5j",
        "\f",
        "!=",
        "<>",
        "import ",
    };
    struct bytes text = buf_bytes(in);
    size_t from = random_below(seed, text.len + 1);
    size_t gone = random_below(seed, 3) ? random_below(seed, 12) : random_below(seed, 400);
    size_t to = text.len - from < gone ? text.len : from + gone;
    buf_append_bytes(out, bytes_slice(text, 0, from));
    switch (random_below(seed, 3)) {
    case 0:
        break;
    case 1:
        buf_append_bytes(
            out, bytes_of_text(tokens[random_below(seed, sizeof(tokens) / sizeof(*tokens))]));
        break;
    default: {
        size_t again = random_below(seed, text.len + 1);
        size_t n = random_below(seed, 60);
        buf_append_bytes(out,
                         bytes_slice(text, again, text.len - again < n ? text.len : again + n));
    }
    }
    buf_append_bytes(out, bytes_slice(text, to, text.len));
}

static void
test_parse_equality__mutants(void **state)
{
    struct corpus *corpus = *state;
    struct buf texts[2] = {{0}, {0}};
    unsigned long n_with_errors = 0;
    for (unsigned long i = 0; i < corpus->n_mutants; i++) {
        uint64_t seed = (i + 1) * 0x9e3779b97f4a7c15U;
        buf_reset(&texts[0]);
        take_piece(corpus, &seed, &texts[0]);
        size_t n_edits = random_below(&seed, 8);
        for (size_t k = 0; k < n_edits; k++) {
            buf_reset(&texts[(k + 1) % 2]);
            edit(&seed, &texts[k % 2], &texts[(k + 1) % 2]);
        }
        struct flat flat;
        struct bytes mutant = buf_bytes(&texts[n_edits % 2]);
        if (!parse_pair_same(&corpus->pair, mutant, &flat))
            fail_msg("mutant %lu differs, %s; source:\n%.*s", i, corpus->pair.difference,
                     BYTES_ARG(mutant));
        n_with_errors += flat.has_error;
    }
    print_message("%lu mutants, %lu of them with syntax errors\n", corpus->n_mutants,
                  n_with_errors);
    assert_true(n_with_errors > corpus->n_mutants / 2);
    buf_clear(&texts[0]);
    buf_clear(&texts[1]);
}

struct crowd {
    const struct corpus *corpus;
    atomic_uint n_different;
};

/* One member: parsers of its own, some of them on heaps, while others do the same. */
static void
parse_all_small(void *shared, size_t index)
{
    struct crowd *crowd = shared;
    struct parse_pair pair;
    struct flat flat;
    struct err err;
    (void)index;
    if (parse_pair_init(&pair, &err) < 0)
        abort();
    for (size_t i = 0; i < crowd->corpus->n_items; i++)
        if (crowd->corpus->items[i].len < PIECE_MAX &&
            !parse_pair_same(&pair, crowd->corpus->items[i], &flat))
            atomic_fetch_add(&crowd->n_different, 1);
    parse_pair_clear(&pair);
}

static void
test_parse_equality__threads_do_not_meet(void **state)
{
    struct crowd crowd = {.corpus = *state};
    thread_pool_run(4, parse_all_small, &crowd);
    assert_int_equal(atomic_load(&crowd.n_different), 0);
}

int
main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse_equality__own_and_handed_sources),
        cmocka_unit_test(test_parse_equality__python_library),
        cmocka_unit_test(test_parse_equality__mutants),
        cmocka_unit_test(test_parse_equality__threads_do_not_meet),
    };
    if (argc > 1)
        mutants_asked = strtoul(argv[1], NULL, 10);
    return cmocka_run_group_tests(tests, setup_corpus, teardown_corpus);
}
