/* Files made to hurt: each ends analysed or skipped with a reason, never a crash or a hang.
 *
 * With --write FOLDER the files are written there instead, for timing the program on them. */
#include <stdio.h>

#include "base/base.h"
#include "run.h"

struct hostile {
    const char *name;
    const char *head, *unit; /* HEAD, then N times UNIT, then TAIL */
    size_t n;
    const char *tail;
};

enum { MB = 1024 * 1024 };

static const struct hostile hostiles[] = {
    {"nothing", "", "", 0, ""},
    {"nested-parens", "x = ", "(", 30000, ""},
    {"nested-parens-unclosed-code", "x = ", "(", 30000, "1\ndef f(): pass\n"},
    {"nested-brackets", "", "[", 30000, ""},
    {"nested-braces", "", "{", 30000, ""},
    {"nested-mixed", "", "([{", 10000, ""},
    {"closed-parens", "", "(", 1000, "1))))"},
    {"closing-only", "", ")", 30000, ""},
    {"many-or", "x = a", " or a", 100000, "\n"},
    {"many-and-not", "x = a", " and not a", 100000, "\n"},
    {"many-not", "x = ", "not ", 30000, "a\n"},
    {"many-minus", "x = ", "-", 100000, "a\n"},
    {"many-lambda", "x = ", "lambda: ", 30000, "1\n"},
    {"many-ternary", "x = ", "a if b else ", 20000, "c\n"},
    {"many-await", "", "await ", 30000, "x\n"},
    {"many-calls", "f", "(x)", 100000, "\n"},
    {"many-attributes", "a", ".b", 100000, "\n"},
    {"many-subscripts", "a", "[0]", 100000, "\n"},
    {"nested-calls", "", "f(", 30000, "\n"},
    {"nested-subscripts", "", "a[", 30000, "\n"},
    {"many-comparisons", "a", " < a", 100000, "\n"},
    {"many-plus", "a", " + a", 100000, "\n"},
    {"many-power", "a", " ** a", 100000, "\n"},
    {"many-strings", "x = (", "'a' ", 100000, ")\n"},
    {"many-arguments", "f(", "a=b, ", 100000, ")\n"},
    {"one-line", "x = [", "1, ", 4 * MB / 3 - 10, "]\n"},
    {"one-line-names", "", "a ", 2 * MB - 10, ""},
    {"one-name", "", "a", 4 * MB - 1, ""},
    {"one-number", "", "1", 4 * MB - 1, ""},
    {"one-string", "'", "a", 4 * MB - 3, "'"},
    {"one-comment", "#", "a", 4 * MB - 2, ""},
    {"many-statements", "", "a=1;", MB - 1, "\n"},
    {"too-many-statements", "", "a=1;", 10 * MB / 4, "\n"},
    {"many-lines", "", "a\n", 2 * MB - 1, ""},
    {"blank-lines", "", "\n", 4 * MB - 1, ""},
    {"blanks", "", " ", 4 * MB - 1, ""},
    {"tabs", "", "\t", 4 * MB - 1, "a"},
    {"lone-crs", "", "a\r", 2 * MB - 1, ""},
    {"only-crs", "", "\r", 4 * MB - 1, ""},
    {"form-feeds", "", "\f\n", 2 * MB - 1, ""},
    {"continuations", "a", " \\\n", 1000000, "\n"},
    {"backslashes", "", "\\", 4 * MB - 1, ""},
    {"open-string", "x = '''", "a\n", 1000000, ""},
    {"open-strings", "", "'''\"\"\"'\n", 300000, ""},
    {"open-formatted", "x = ", "f'{", 10000, ""},
    {"nested-formatted", "x = ", "f\"{f'{", 2000, ""},
    {"formatted-braces", "x = f'", "{{", 1000000, "'\n"},
    {"formatted-fields", "x = f'", "{a}", 300000, "'\n"},
    {"open-def", "", "def f(", 30000, ""},
    {"open-class", "", "class C(", 30000, ""},
    {"decorators", "", "@a\n", 100000, "def f(): pass\n"},
    {"elifs", "if a: pass\n", "elif a: pass\n", 100000, ""},
    {"excepts", "try: pass\n", "except E: pass\n", 100000, ""},
    {"cases", "match a:\n", " case 1: pass\n", 100000, ""},
    {"comprehension-ifs", "[a for a in b", " if a", 100000, "]\n"},
    {"comprehension-fors", "[a", " for a in b", 50000, "]\n"},
    {"star-arguments", "f(", "*a, ", 100000, ")\n"},
    {"print-chevrons", "", "print >>a, b\n", 100000, ""},
    {"dollar-signs", "", "$", 100000, ""},
    {"question-marks", "", "a ? b\n", 100000, ""},
    {"high-bytes", "", "\xff\xfe\xfd", 100000, ""},
    {"utf16", "\xff\xfe", "a", 100000, ""},
    {"surrogates", "x = '", "\xed\xa0\x80", 100000, "'\n"},
    {"keywords", "", "if for while def class ", 50000, ""},
    {"dedents", "if a:\n  if b:\n", "    c\n   d\n", 100000, ""},
    {"merge-conflicts", "", "<<<<<<< a\nb\n=======\nc\n>>>>>>> d\n", 30000, ""},
    {"coding-cookies", "", "# coding: utf-7\n", 100000, ""},
    /* Looked at again and again: by the scanner for the end of a line, by what makes facts. */
    {"short-continuations", "", "a \\\n \\\n \\\n \\\n \\\n \\\n \\\n \\\n\n", 4 * MB / 27, ""},
    {"continued-comments", "", "if a:\n  b\n  #\n  #\n  #\n  #\n  #\n  #\n  #\n", 4 * MB / 39, ""},
    {"comments-after-block", "if a:\n  b\n", "#\n", 2 * MB - 10, ""},
    {"strings-in-a-row", "if a:\n", "'a' ; ", 100000, "\n"},
    {"mended-halves", "def f():\n  x = [\n1]\n", "  a.b = c\n", 100000, ""},
    {"latin-1-calls", "# coding: latin-1\n", "f(a)\n", 200000, ""},
};

/* Much within many statements, each of which is a candidate for a clone or a callable. */
static const struct ladder {
    const char *name;
    size_t depth; /* so many times STEP, each a blank further in, and around the rest */
    const char *step;
    struct hostile rest;
} ladders[] = {
    {"ifs-around-list", 250, "if a:\n", {"", "[", "1,", 100000, "]\n"}},
    {"ifs-around-statements", 100, "if a:\n", {"", "", "a=1;", 100000, "\n"}},
    {"ifs-around-names", 40, "if a:\n", {"", "", "a;b;", 200000, "\n"}},
    {"defs-around-statements", 100, "def f():\n", {"", "", "a=1;", 100000, "\n"}},
    {"defs-around-fault", 100, "def f():\n", {"", "", "a=1;", 100000, "$\n"}},
    {"defs-around-comments", 100, "def f():\n", {"", "a\n", "#\n", 20000, ""}},
};

enum {
    N_HOSTILES = sizeof(hostiles) / sizeof(*hostiles),
    N_LADDERS = sizeof(ladders) / sizeof(*ladders),
    N_FILES = N_HOSTILES + N_LADDERS
};

static void
append(const struct hostile *hostile, struct buf *out)
{
    buf_append_text(out, hostile->head);
    for (size_t i = 0; i < hostile->n; i++)
        buf_append_text(out, hostile->unit);
    buf_append_text(out, hostile->tail);
}

/* Into OUT the file number INDEX; returns its name. */
static const char *
make(size_t index, struct buf *out)
{
    buf_reset(out);
    if (index < N_HOSTILES) {
        append(&hostiles[index], out);
    } else {
        const struct ladder *ladder = &ladders[index - N_HOSTILES];
        for (size_t level = 0; level < ladder->depth; level++) {
            buf_append_text(out, ladder->step);
            for (size_t blank = 0; blank <= level; blank++)
                buf_append_byte(out, ' ');
        }
        append(&ladder->rest, out);
    }
    assert_false(buf_failed(out));
    return index < N_HOSTILES ? hostiles[index].name : ladders[index - N_HOSTILES].name;
}

static void
test_analyzer_hostile__every_file_ends_with_facts_or_a_reason(void **state)
{
    struct buf source = {0};
    for (size_t i = 0; i < N_FILES; i++) {
        const char *name = make(i, &source);
        struct facts facts = facts_of(state, buf_bytes(&source));
        assert_int_equal(facts.n_bytes, source.len);
        if (facts.skipped == SKIP_NONE)
            assert_true(facts.sloc[FSTRING_ONE].n_lines <= facts.physical_lines);
        else
            assert_true(skip_reason_name(facts.skipped)[0] != '\0');
        if (facts.skipped == SKIP_UNREADABLE || facts.skipped == SKIP_NO_MEMORY)
            fail_msg("%s: %s", name, skip_reason_name(facts.skipped));
    }
    buf_clear(&source);
}

static void
test_analyzer_hostile__deep_if_ladders_are_measured_or_too_deep(void **state)
{
    struct buf source = {0};
    for (int depth = 0; depth < 400; depth++) {
        for (int i = 0; i < depth; i++)
            buf_append_byte(&source, ' ');
        buf_append_text(&source, "if a:\n");
    }
    for (int i = 0; i < 400; i++)
        buf_append_byte(&source, ' ');
    buf_append_text(&source, "b\n");
    struct facts facts = facts_of(state, buf_bytes(&source));
    assert_int_equal(facts.skipped, SKIP_NONE);
    assert_int_equal(facts.sloc[FSTRING_ONE].n_lines, 401);
    buf_clear(&source);
}

static int
write_all(const char *folder)
{
    struct buf source = {0};
    struct err err;
    for (size_t i = 0; i < N_FILES; i++) {
        char path[4096];
        snprintf(path, sizeof(path), "%s/%s.py", folder, make(i, &source));
        if (fs_write(path, buf_bytes(&source), &err) < 0) {
            fprintf(stderr, "%s\n", err.text);
            return 1;
        }
    }
    buf_clear(&source);
    return 0;
}

int
main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--write") == 0)
        return write_all(argv[2]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_analyzer_hostile__every_file_ends_with_facts_or_a_reason),
        cmocka_unit_test(test_analyzer_hostile__deep_if_ladders_are_measured_or_too_deep),
    };
    return cmocka_run_group_tests(tests, setup_analyzer, teardown_analyzer);
}
