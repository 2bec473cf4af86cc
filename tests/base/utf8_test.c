#include "base/utf8.h"

#include "cmocka_all.h"

static void
test_utf8__every_code_point_comes_back(void **state)
{
    (void)state;
    uint8_t out[4];
    for (uint32_t c = 0; c <= 0x10ffff; c++) {
        size_t len = utf8_encode(c, out);
        size_t wanted = c >= 0xd800 && c <= 0xdfff ? 0 : len;
        if (utf8_length((struct bytes){out, len}, 0) != wanted || utf8_decode(out, len) != c)
            fail_msg("%#x", c);
        for (size_t n = 1; n < len; n++) /* cut short */
            if (utf8_length((struct bytes){out, n}, 0) != 0)
                fail_msg("%#x in %zu bytes", c, n);
    }
}

static void
test_utf8_valid__refuses_what_the_standard_refuses(void **state)
{
    (void)state;
    const struct {
        struct bytes text;
        bool is_valid;
    } cases[] = {
        {BYTES(""), true},
        {BYTES("plain ascii, more than eight bytes, \xc3\xa9 \xf0\x9f\x98\x80"), true},
        {BYTES("12345678\xc3\xa9"), true},
        {BYTES("\xc0\x80"), false},         /* overlong */
        {BYTES("\xe0\x9f\xbf"), false},     /* overlong */
        {BYTES("\xf0\x8f\xbf\xbf"), false}, /* overlong */
        {BYTES("\xed\xa0\x80"), false},     /* a surrogate */
        {BYTES("\xf4\x90\x80\x80"), false}, /* above U+10FFFF */
        {BYTES("\x80"), false},
        {BYTES("12345678\xe2\x82"), false},
        {BYTES("\xe2\x82z"), false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        if (utf8_valid(cases[i].text) != cases[i].is_valid)
            fail_msg("case %zu", i);
}

static void
test_utf8_count__counts_characters_between_bytes(void **state)
{
    (void)state;
    struct bytes text = BYTES("a\xc3\xa9\xe2\x82\xac!");
    assert_int_equal(utf8_count(text, 0, text.len), 4);
    assert_int_equal(utf8_count(text, 1, 3), 1);
    assert_int_equal(utf8_count(text, 3, 3), 0);
}

static void
test_utf8_append_clean__replaces_bad_bytes_and_nuls(void **state)
{
    (void)state;
    struct buf out = {0};
    utf8_append_clean(&out, BYTES("a\xff\0b\xc3\xa9"));
    assert_true(bytes_equal(buf_bytes(&out), BYTES("a\xef\xbf\xbd\xef\xbf\xbd"
                                                   "b\xc3\xa9")));
    buf_clear(&out);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_utf8__every_code_point_comes_back),
        cmocka_unit_test(test_utf8_valid__refuses_what_the_standard_refuses),
        cmocka_unit_test(test_utf8_count__counts_characters_between_bytes),
        cmocka_unit_test(test_utf8_append_clean__replaces_bad_bytes_and_nuls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
