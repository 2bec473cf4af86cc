#include "base/base.h"

#include <string.h>

#include "cmocka_all.h"

static void
test_printable_append__lets_a_terminal_see_names_and_nothing_else(void **state)
{
    const struct {
        struct bytes name;
        const char *shown;
    } cases[] = {
        {BYTES(""), ""},
        {BYTES("a/b c.py"), "a/b c.py"},
        {BYTES("ma\xc3\xb1"
               "ana/\xe6\x97\xa5.py"),
         "ma\xc3\xb1"
         "ana/\xe6\x97\xa5.py"},
        {BYTES("\x1b[31mred"), "\\x1b[31mred"},
        {BYTES("a\nb\tc\rd\x7f"), "a\\x0ab\\x09c\\x0dd\\x7f"},
        {BYTES("nul\0"), "nul\\x00"},
        {BYTES("csi\xc2\x9b"
               "31m"),
         "csi\\xc2\\x9b31m"}, /* U+009B */
        {BYTES("gpj\xe2\x80\xae"
               "yp"),
         "gpj\\xe2\\x80\\xaeyp"},                             /* U+202E turns what follows */
        {BYTES("lines\xe2\x80\xa8"), "lines\\xe2\\x80\\xa8"}, /* U+2028 */
        {BYTES("latin\xe9"), "latin\\xe9"},
        {BYTES("short\xe2\x80"), "short\\xe2\\x80"},
    };
    (void)state;
    struct buf out = {0};
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        buf_reset(&out);
        printable_append(&out, cases[i].name);
        assert_false(buf_failed(&out));
        assert_true(bytes_equal(buf_bytes(&out), bytes_of_text(cases[i].shown)));
    }
    buf_clear(&out);
    assert_int_equal(printable_width(BYTES("a\xc3\xa9\xe6\x97\xa5")), 3);
}

static void
test_printable_write__keeps_the_ends_of_lines(void **state)
{
    (void)state;
    char written[64] = "";
    FILE *to = fmemopen(written, sizeof(written), "w");
    assert_non_null(to);
    printable_write(to, BYTES("one\ntw\x1bo\n"));
    fclose(to);
    assert_string_equal(written, "one\ntw\\x1bo\n");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_printable_append__lets_a_terminal_see_names_and_nothing_else),
        cmocka_unit_test(test_printable_write__keeps_the_ends_of_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
